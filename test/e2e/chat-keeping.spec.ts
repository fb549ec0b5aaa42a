// How chats are kept, in the window: at the top, not saved, in a folder that moved, found at their place, loaded from a file.
import type { SearchHit } from '../../src-main/contract/session.ts';
import { expect, test } from './chat-page.ts';

test('a chat is pinned from its menu, stands at the top, and is taken from there', async ({ chat }) => {
  await chat.open();
  const list = chat.page.getByRole('navigation', { name: /chats/i }).first();
  const title = await chat.page.evaluate(() => window.fake.content.sessions[1]?.title ?? '');
  await chat.button(`More for ${title}`).click();
  await chat.page.getByRole('menuitem', { name: 'Pin to the top' }).click();
  const row = list.getByRole('button', { name: new RegExp(`Pinned.*${title}`) });
  await expect(row).toBeVisible();
  const rows = list.locator('[data-row]');
  const project = await rows.first().getAttribute('data-row');
  await expect.poll(async () => rows.nth(1).getAttribute('data-row')).toBe(await row.getAttribute('data-row'));
  expect(project).not.toBeNull();
  await chat.button(`More for ${title}`).click();
  await chat.page.getByRole('menuitem', { name: 'Take from the top' }).click();
  await expect(row).toHaveCount(0);
  expect(await chat.inputs('sessions.setPinned')).toMatchObject([{ pinned: true }, { pinned: false }]);
});

test('STORE-14: a chat that is not saved is made by its own command, says so where it stands, and is deleted at once', async ({
  chat,
}) => {
  await chat.open();
  await chat.page.keyboard.press('Control+k');
  await chat.page.getByRole('combobox').fill('not saved');
  await chat.page.keyboard.press('Enter');
  await expect(chat.page.getByText(/Nothing of this chat is saved, and it is gone when Warrant closes/)).toBeVisible();
  expect(await chat.inputs('sessions.create')).toMatchObject([{ saved: false }]);
  const list = chat.page.getByRole('navigation', { name: /chats/i }).first();
  await expect(list.getByRole('button', { name: /Not saved.*New chat/ })).toBeVisible();
  await chat.button('More for New chat').first().click();
  await chat.page.getByRole('menuitem', { name: 'Delete it: it is not saved' }).click();
  await expect.poll(() => chat.inputs('sessions.trash')).toHaveLength(1);
});

test('STORE-14, TREE-01: saving, branches and titles have their switches among the settings of data', async ({
  chat,
}) => {
  await chat.open();
  await chat.page.getByRole('button', { name: /^Settings/ }).click();
  await chat.page.getByRole('tab', { name: 'Data' }).click();
  const switches = [
    ['Save new chats', 'saveChats', false],
    ['Chats branch', 'branches', false],
    ['Titles by the model', 'automaticTitles', true],
    ['Make room as the window fills', 'automaticCompaction', false],
    ['Summaries by the model', 'modelSummaries', true],
    ['Hold back what does not fit', 'contextGuard', false],
  ] as const;
  for (const [label, name, on] of switches) {
    const one = chat.page.getByRole('switch', { name: label });
    await expect(one).toBeChecked({ checked: !on });
    await one.click();
    await expect(one).toBeChecked({ checked: on });
    expect((await chat.inputs('settings.update')).at(-1)).toMatchObject({ patch: { [name]: on } });
  }
  await chat.page.keyboard.press('Control+n');
  await expect.poll(() => chat.inputs('sessions.create')).toMatchObject([{ saved: false }]);
});

test('D14: where a project’s folder is now is asked, and what cannot be it is told', async ({ chat }) => {
  await chat.open();
  const { id, name } = await chat.page.evaluate(() => {
    const [project] = window.fake.content.app.projects;
    return { id: project?.id ?? '', name: project?.name ?? '' };
  });
  await chat.button(`More for ${name}`).click();
  await chat.page.getByRole('menuitem', { name: 'Say where its folder is now…' }).click();
  const dialog = chat.page.getByRole('dialog', { name: `Where is ${name} now?` });
  const path = dialog.getByRole('textbox', { name: 'Path of the folder' });
  await path.fill('/home/sam/nothing');
  await dialog.getByRole('button', { name: 'It is nothing' }).click();
  await expect(dialog.getByText('There is no folder /home/sam/nothing.')).toBeVisible();
  await path.fill('/home/sam/moved');
  await dialog.getByRole('button', { name: 'It is moved' }).click();
  await expect(dialog).toHaveCount(0);
  expect((await chat.inputs('projects.relink')).at(-1)).toMatchObject({ projectId: id, path: '/home/sam/moved' });
});

test('what was found is shown at its place, marked; of another branch it is told where to look', async ({ chat }) => {
  await chat.open();
  await chat.settle();
  await chat.page.evaluate(() => {
    const view = window.fake.content.views['s-checkout'];
    const entry = view?.entries.find((one) => one.kind === 'user-message');
    const hit = (entryId: string, seq: number, after: string): SearchHit =>
      ({
        ...{ sessionId: 's-checkout', projectId: 'p', title: 'Found', archived: false, entryId, seq },
        ...{ kind: 'user-message', atMs: 1, before: '', match: 'pears', after },
      }) as never;
    window.fake.content.hits = [hit(entry?.id ?? '', entry?.seq ?? 0, ' here'), hit('elsewhere', 1, ' elsewhere')];
  });
  await chat.page.getByRole('searchbox', { name: 'Find in chats' }).fill('pears');
  const list = chat.page.getByRole('navigation', { name: /chats/i }).first();
  await list.getByRole('button', { name: /pears here/ }).click();
  const found = chat.page.locator('[class*="found"]');
  await expect(found).toHaveCount(1);
  await expect(found).toBeInViewport();
  await list.getByRole('button', { name: /pears elsewhere/ }).click();
  await expect(chat.page.getByText(/stands on another branch of the chat/)).toBeVisible();
  await expect(chat.page.getByRole('tab', { name: 'Tree' })).toHaveAttribute('aria-selected', 'true');
});

test('HIST-18: a file’s conversation is put in the place of the present one by a command', async ({ chat }) => {
  await chat.open();
  await chat.settle();
  await chat.field.fill('/load');
  await chat.page.keyboard.press('Escape');
  await chat.page.keyboard.press('Enter');
  await expect(chat.page.getByText(/Write \/load and the path of a JSONL file/)).toBeVisible();
  await chat.field.fill('/load /home/sam/talk.jsonl');
  await chat.page.keyboard.press('Enter');
  await expect(chat.page.getByText(/^Loaded 12 messages/)).toBeVisible();
  expect(await chat.inputs('sessions.loadMessages')).toMatchObject([{ path: '/home/sam/talk.jsonl' }]);
});

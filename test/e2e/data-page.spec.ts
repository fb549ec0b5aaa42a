// The Data page: the trash with its two ways out, and which chats are large.
import { expect, test } from './chat-page.ts';

test('a chat goes into the trash from its menu, comes back, and is deleted for good only when asked twice', async ({
  chat,
}) => {
  await chat.open();
  const title = await chat.page.evaluate(() => window.fake.content.sessions[1]?.title ?? '');
  const id = await chat.page.evaluate(() => window.fake.content.sessions[1]?.id ?? '');
  await chat.button(`More for ${title}`).click();
  await chat.page.getByRole('menuitem', { name: 'Move to the trash' }).click();
  await expect.poll(() => chat.inputs('sessions.trash')).toMatchObject([{ sessionId: id }]);
  await expect(chat.button(`More for ${title}`)).toHaveCount(0);
  await chat.page.getByRole('button', { name: /^Settings/ }).click();
  await chat.page.getByRole('tab', { name: 'Data' }).click();
  const trash = chat.page.getByRole('list', { name: 'Chats in the trash' });
  await expect(trash.getByRole('listitem')).toContainText([title]);
  await trash.getByRole('button', { name: `Delete ${title} for good` }).click();
  expect(await chat.inputs('sessions.purge')).toEqual([]);
  await trash.getByRole('button', { name: 'Take back' }).click();
  await expect(trash.getByRole('listitem')).toHaveCount(0);
  await expect.poll(() => chat.inputs('sessions.restore')).toMatchObject([{ sessionId: id }]);
  await expect(chat.page.getByRole('list', { name: 'The largest chats' }).getByRole('listitem').first()).toBeVisible();
});

test('a chat is exported from its menu, and a file imported as a chat, with what became of it', async ({ chat }) => {
  await chat.open();
  const title = await chat.page.evaluate(() => window.fake.content.sessions[1]?.title ?? '');
  await chat.button(`More for ${title}`).click();
  await chat.page.getByRole('menuitem', { name: 'Export as Markdown' }).click();
  await expect(chat.page.getByText(/Saved as .*chat\.markdown/)).toBeVisible();
  await chat.page.getByRole('button', { name: /^Settings/ }).click();
  await chat.page.getByRole('tab', { name: 'Data' }).click();
  const path = chat.page.getByRole('textbox', { name: 'Path of the file' });
  await path.fill('/home/dev/bad.jsonl');
  await chat.page.keyboard.press('Enter');
  await expect(chat.page.getByText('This is no session file that is known.')).toBeVisible();
  await path.fill('/home/dev/good.jsonl');
  await chat.page.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(
    chat.page.getByText(
      'Imported 12 messages. 41 records that are no part of the conversation, or not known, are kept.',
    ),
  ).toBeVisible();
  await expect(chat.field).toBeVisible();
});

// What the model is sent, in the window: its parts and results in the panel, the exact request, the commands, and the
// place in the transcript where something was set aside.
import { AxeBuilder } from '@axe-core/playwright';
import type { ContextView } from '../../src-main/contract/context.ts';
import type { WindowEntry } from '../../src-main/contract/entries.ts';
import type { CallId, EntryId } from '../../src-main/contract/ids.ts';
import { expect, test, type ChatPage } from './chat-page.ts';
import { stillPage } from './still-page.ts';

const view: ContextView = {
  tokens: 61_250,
  window: 128_000,
  limit: 128_000,
  issued: 14,
  parts: [
    { name: 'system', tokens: 320, count: 1 },
    { name: 'tools', tokens: 1840, count: 9 },
    { name: 'notes', tokens: 410, count: 1 },
    { name: 'person', tokens: 780, count: 4 },
    { name: 'answers', tokens: 3900, count: 12 },
    { name: 'results', tokens: 54_000, count: 11 },
  ],
  items: [{ callId: 'read-large' as CallId, words: 'Read src/large.ts', tokens: 16_400 }],
  pinned: [{ callId: 'read-plan' as CallId, words: 'Read PLAN.md', tokens: 900 }],
  reductions: [{ entryId: 'r1' as EntryId, atMs: 0, cause: 'full', messages: 22, results: 0, focus: '' }],
};

const reduction = {
  kind: 'reduction',
  data: {
    cause: 'full',
    fold: { from: 0, to: 22, text: '[Note by the program] The person asked last:\nFix the <b>test</b>' },
    calls: [],
    focus: '',
    note: 'program',
    before: 103_000,
    after: 61_000,
    usage: null,
    by: 'program',
  },
} as unknown as Pick<WindowEntry, 'kind' | 'data'>;

async function openTab(chat: ChatPage): Promise<void> {
  await chat.page.evaluate((given) => {
    window.fake.content.context = given;
  }, view);
  await chat.page.getByRole('tab', { name: 'Context' }).click();
  await expect(chat.page.getByRole('table', { name: 'Parts of the next request' })).toBeVisible();
}

test('CTX-24: the panel shows what the next request holds, by part, and how full the window is', async ({ chat }) => {
  await chat.open();
  await chat.settle();
  await openTab(chat);
  const panel = chat.page.getByRole('tabpanel');
  await expect(panel).toContainText('61,250 of 128,000 tokens (48 %)');
  await expect(panel).toContainText('14 requests sent since this chat was opened');
  await expect(panel.getByRole('row', { name: /11 results of calls/ })).toContainText('54,000');
});

test('CTX-20: a result is pinned, left out, and what was set aside is sent again, from the panel', async ({ chat }) => {
  await chat.open();
  await chat.settle();
  await openTab(chat);
  await chat.button('Leave out: Read src/large.ts').click();
  await chat.button('Unpin: Read PLAN.md').click();
  await chat.button(/^Pin, so that .*Read src\/large.ts/).click();
  await chat.button(/^Send again: Window filling: 22 messages/).click();
  expect(await chat.inputs('context.leaveOut')).toMatchObject([{ callId: 'read-large' }]);
  expect(await chat.inputs('context.pin')).toMatchObject([
    { callId: 'read-plan', on: false },
    { callId: 'read-large', on: true },
  ]);
  expect(await chat.inputs('context.undo')).toMatchObject([{ entryId: 'r1' }]);
});

test('CTX-25: the exact request is shown as JSON, piece by piece, only when it is asked for', async ({ chat }) => {
  await chat.open();
  await chat.settle();
  await openTab(chat);
  expect(await chat.inputs('context.readRequest')).toEqual([]);
  await chat.button('Show the exact request').click();
  const json = chat.page.getByLabel('The next request as JSON');
  await expect(json).toContainText('"model": "guide"');
  await chat.button('Show more of it').click();
  await expect(json).toHaveText('{\n  "model": "guide"\n}', { useInnerText: true });
});

test('CTX-10: /compact takes a focus and /new-context an objective; a chat that is too short says so', async ({
  chat,
}) => {
  await chat.open();
  await chat.settle();
  await chat.field.fill('/compact the parser');
  await chat.page.keyboard.press('Enter');
  await expect(chat.page.getByText('There is nothing to compact')).toBeVisible();
  await chat.field.fill('/new-context Write the docs');
  await chat.page.keyboard.press('Enter');
  await expect(chat.field).toHaveValue('');
  expect(await chat.inputs('context.compact')).toMatchObject([{ focus: 'the parser' }]);
  expect(await chat.inputs('context.startAfresh')).toMatchObject([{ objective: 'Write the docs' }]);
});

for (const theme of ['light', 'dark'] as const) {
  test(`the transcript shows where something was set aside and opens to what stands there; axe finds nothing (${theme})`, async ({
    chat,
  }) => {
    await chat.open({ theme });
    await chat.settle();
    await chat.append(reduction);
    const row = chat.button(/22 earlier messages set aside for the model/);
    await row.click();
    await expect(chat.page.getByText('Fix the <b>test</b>')).toBeVisible();
    await openTab(chat);
    await stillPage(chat.page);
    const { violations } = await new AxeBuilder({ page: chat.page }).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)).toEqual([]);
    await chat.button('Send it again').click();
    expect(await chat.inputs('context.undo')).toHaveLength(1);
  });
}

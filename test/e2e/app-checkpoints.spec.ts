// File checkpoints in the built application: what the agent edited and what its command changed is put back, and going back
// takes chat and files.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ChatWindow, isThere, writeShop } from './built-app.ts';
import { expect, test, type Warrant } from './fixture.ts';

const read = (warrant: Warrant, file: string): string => readFileSync(path.join(warrant.project, file), 'utf8');

async function shop(warrant: Warrant): Promise<ChatWindow> {
  writeShop(warrant.project);
  return new ChatWindow(await warrant.start());
}

async function allowed(chat: ChatWindow, text: string): Promise<void> {
  await chat.say(text);
  await expect(chat.card).toBeVisible();
  await chat.allow();
  await chat.settled();
}

test('TREE-14: a file that the agent edited and files that its command changed are put back from the Changes tab', async ({
  warrant,
}) => {
  const chat = await shop(warrant);
  await allowed(chat, 'replace 10 by 12 in src/price.ts');
  await expect.poll(() => read(warrant, 'src/price.ts')).toContain('12');
  await allowed(chat, 'run rm README.md; echo new > src/made.ts; chmod +x package.json');
  await expect.poll(() => isThere(warrant, 'README.md')).toBe(false);

  await chat.page.getByRole('tab', { name: /^Changes/ }).click();
  const turns = chat.page.getByRole('list', { name: 'Turns that changed files' });
  const dialog = chat.page.getByRole('dialog');
  await turns.getByRole('button', { name: /^run rm README/ }).click();
  await expect(turns.getByText('README.md').first()).toBeVisible();
  await turns.getByRole('button', { name: 'Put README.md back to before this turn' }).click();
  await expect(dialog.getByText('comes back')).toBeVisible();
  await dialog.getByRole('button', { name: 'Put 1 file back' }).click();
  await expect(dialog).toHaveCount(0);
  expect(read(warrant, 'README.md')).toBe('# Shop\n\nSells pears.\n');
  expect(isThere(warrant, 'src/made.ts')).toBe(true);

  await turns.getByRole('button', { name: /^replace 10 by 12/ }).click();
  await turns.getByRole('button', { name: 'Put src/price.ts back to before this turn' }).click();
  await dialog.getByRole('button', { name: 'Put 1 file back' }).click();
  await expect(dialog).toHaveCount(0);
  expect(read(warrant, 'src/price.ts')).toBe('export const price = 10;\n');
  await expect(chat.conversation.getByText('One file put back.', { exact: false }).first()).toBeVisible();
});

test('R11: going back to before a message takes the chat and the files, asks first, keeps what a hand did, and is there after a start', async ({
  warrant,
}) => {
  let chat = await shop(warrant);
  await chat.say('read src/price.ts');
  await chat.settled();
  await allowed(chat, 'replace 10 by 12 in src/price.ts');
  await allowed(chat, 'run mv README.md READ.md');
  await expect.poll(() => isThere(warrant, 'READ.md')).toBe(true);
  writeFileSync(path.join(warrant.project, 'by-hand.txt'), 'mine\n');

  const message = chat.conversation.getByRole('article').filter({ hasText: 'replace 10 by 12' });
  const back = (await message.count()) > 0 ? message.first() : chat.conversation;
  await back.hover();
  await back.getByRole('button', { name: 'Go back to before this message' }).first().click();
  const dialog = chat.page.getByRole('dialog');
  await expect(dialog.getByRole('radio', { name: /^Chat and files/ })).toBeChecked();
  await expect(dialog.getByRole('checkbox', { name: /by-hand\.txt/ })).not.toBeChecked();
  await dialog.getByRole('button', { name: 'Go back, and put 3 files back' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(chat.conversation.getByText(/^Went back to here/)).toBeVisible();
  await expect(chat.conversation.getByText(/3 files put back/)).toBeVisible();
  expect([read(warrant, 'src/price.ts'), isThere(warrant, 'READ.md')]).toEqual(['export const price = 10;\n', false]);
  expect(read(warrant, 'by-hand.txt')).toBe('mine\n');
  await warrant.close();

  chat = new ChatWindow(await warrant.start());
  await expect(chat.conversation.getByText(/^Went back to here/)).toBeVisible();
  await expect(chat.conversation.getByText('run mv README.md READ.md')).toHaveCount(0);
  expect(isThere(warrant, 'README.md')).toBe(true);
});

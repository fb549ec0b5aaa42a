// Closing and opening again, at any moment, shows the same; what was cut says so and can go on.
import { mkdirSync, renameSync } from 'node:fs';
import { ChatWindow, isThere, writeShop } from './built-app.ts';
import { expect, test, type Warrant } from './fixture.ts';

async function shop(warrant: Warrant): Promise<ChatWindow> {
  writeShop(warrant.project);
  return new ChatWindow(await warrant.start());
}

test('a finished chat, an unsent draft and a waiting approval are there again after the window was closed', async ({
  warrant,
}) => {
  let chat = await shop(warrant);
  await chat.say('summarise this project');
  await expect(chat.conversation.getByText(/Sells pears/).first()).toBeVisible();
  await chat.settled();
  await chat.say('run touch waited');
  await expect(chat.card).toBeVisible();
  await chat.field.fill('half a thought');
  await expect(chat.field).toHaveValue('half a thought');
  await chat.page.waitForTimeout(800);
  await warrant.close();

  chat = new ChatWindow(await warrant.start());
  await expect(chat.conversation.getByText(/Sells pears/).first()).toBeVisible();
  await expect(chat.card).toContainText('touch waited');
  await expect(chat.field).toHaveValue('half a thought');
  expect(isThere(warrant, 'waited')).toBe(false);
  await chat.allow();
  await chat.settled();
  expect(isThere(warrant, 'waited')).toBe(true);
});

for (const [how, end] of [
  ['closed', (warrant: Warrant) => warrant.close()],
  ['killed', (warrant: Warrant) => warrant.kill()],
] as const) {
  test(`a command that was cut when the application was ${how} is shown as interrupted, is not repeated, and the turn can go on`, async ({
    warrant,
  }) => {
    let chat = await shop(warrant);
    await chat.say('run echo once >> ran; sleep 60');
    await chat.allow();
    await expect.poll(() => isThere(warrant, 'ran')).toBe(true);
    await end(warrant);

    chat = new ChatWindow(await warrant.start());
    await expect(chat.conversation.getByText(/interrupted/i).first()).toBeVisible();
    await expect(chat.card).toHaveCount(0);
    await chat
      .button(/^Continue/)
      .first()
      .click();
    await chat.settled();
    await chat.say('summarise this project');
    await expect(chat.conversation.getByText(/Sells pears/).first()).toBeVisible();
  });
}

test('a folder that was replaced by another of the same name is told before anything runs', async ({ warrant }) => {
  let chat = await shop(warrant);
  await chat.say('summarise this project');
  await chat.settled();
  await warrant.close();
  renameSync(warrant.project, `${warrant.project}-old`);
  mkdirSync(warrant.project);
  writeShop(warrant.project);
  chat = new ChatWindow(await warrant.start());
  await expect(chat.panel.getByText(/folder identity/i).first()).toBeVisible();
});

test('twenty chats are listed, each opens with its own words', async ({ warrant }) => {
  const chat = await shop(warrant);
  for (let i = 1; i <= 20; i++) {
    if (i > 1) await chat.page.keyboard.press('Control+N');
    await expect(chat.conversation.getByText(/A new chat in/)).toBeVisible();
    await chat.say(`read src/price.ts please, number ${i}`);
    await expect(chat.conversation.getByText(`number ${i}`).first()).toBeVisible();
    await chat.settled();
  }
  const navigation = chat.page.getByRole('navigation');
  await expect(navigation.getByRole('button', { name: /^read src.*number \d+/ })).toHaveCount(20);
  await navigation.getByRole('button', { name: /^read src.*number 7\b/ }).click();
  await expect(chat.conversation.getByText('number 7').first()).toBeVisible();
});

test('a chat that the window holds is refused to the command with who holds it, and the window goes on with it', async ({
  warrant,
}) => {
  const chat = await shop(warrant);
  await chat.say('summarise this project');
  await chat.settled();
  const command = ['run', '--last', '--project', warrant.project, 'run echo beside'];
  const { status, stdout, stderr } = warrant.command(command);
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toContain('the window');
  await chat.say('read src/price.ts');
  await expect(chat.conversation.getByText(/export const price/).first()).toBeVisible();
  await chat.settled();
  await expect(chat.conversation.getByText('run echo beside')).toHaveCount(0);
  expect(warrant.command(command).stderr).toContain('the window');
  await warrant.close();
  expect(warrant.command(command).status).toBe(0);
});

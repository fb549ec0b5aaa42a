// Consent in the built application: what was allowed happens, byte for byte, and nothing else does.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ChatWindow, isThere, writeShop } from './built-app.ts';
import { expect, test, type Warrant } from './fixture.ts';

async function shop(warrant: Warrant): Promise<ChatWindow> {
  writeShop(warrant.project);
  return new ChatWindow(await warrant.start());
}
const price = (warrant: Warrant): string => readFileSync(path.join(warrant.project, 'src/price.ts'), 'utf8');

test('a change is shown as a diff and written once it is allowed; a denied one leaves the file alone and its reason is read', async ({
  warrant,
}) => {
  const chat = await shop(warrant);
  await chat.say('replace "10" by "12" in src/price.ts');
  await expect(chat.card).toContainText('src/price.ts');
  await expect(chat.card).toContainText('export const price = 12;');
  expect(price(warrant)).toBe('export const price = 10;\n');
  await chat.allow();
  await chat.settled();
  expect(price(warrant)).toBe('export const price = 12;\n');

  await chat.say('replace "12" by "99" in src/price.ts');
  await chat.deny('the price stays');
  await chat.settled();
  expect(price(warrant)).toBe('export const price = 12;\n');
  await expect(chat.conversation.getByText(/the price stays/).first()).toBeVisible();
  await chat.page.getByRole('tab', { name: /^Changes/ }).click();
  await expect(chat.panel.getByText('src/price.ts').first()).toBeVisible();
});

test('a command runs only once it is allowed, and the command that was changed in the card is the one that runs', async ({
  warrant,
}) => {
  const chat = await shop(warrant);
  await chat.say('run touch first');
  await expect(chat.card).toContainText('touch first');
  expect(isThere(warrant, 'first')).toBe(false);
  await chat.allow();
  await chat.settled();
  expect(isThere(warrant, 'first')).toBe(true);

  await chat.say('run touch second');
  await chat.deny('');
  await chat.settled();
  expect(isThere(warrant, 'second')).toBe(false);

  await chat.say('run touch third');
  await chat.button(/^Edit…/).click();
  await chat.page.getByRole('textbox', { name: 'Command to run' }).fill('touch fourth');
  await chat.button(/^Allow as changed/).click();
  await chat.settled();
  expect([isThere(warrant, 'third'), isThere(warrant, 'fourth')]).toEqual([false, true]);
  await chat.page.getByRole('tab', { name: /^Ledger/ }).click();
  await expect(chat.panel.getByText(/changed by you/i).first()).toBeVisible();
});

test('Stop ends a running command and all that it started', async ({ warrant }) => {
  const chat = await shop(warrant);
  await chat.say('run sleep 300 & sleep 301; touch late');
  await chat.allow();
  await expect(chat.button(/^Stop/)).toBeVisible();
  await expect(chat.conversation.getByText(/Running/).first()).toBeVisible();
  await chat.button(/^Stop/).click();
  await chat.settled();
  await expect(chat.conversation.getByText(/stopped|cancelled/i).first()).toBeVisible();
  expect(isThere(warrant, 'late')).toBe(false);
});

test('a tool that is switched off in the settings is refused in a chat that is open', async ({ warrant }) => {
  const chat = await shop(warrant);
  await chat.say('run touch before');
  await chat.allow();
  await chat.settled();
  await chat.page.keyboard.press('Control+,');
  await chat.page.getByRole('tab', { name: /Permissions/ }).click();
  await chat.button(/^Run commands:/).click();
  await chat.page.getByRole('menuitemradio', { name: 'Off' }).click();
  await chat.page.keyboard.press('Escape');
  await chat.say('run touch after');
  await chat.settled();
  await expect(chat.card).toHaveCount(0);
  expect([isThere(warrant, 'before'), isThere(warrant, 'after')]).toEqual([true, false]);
});

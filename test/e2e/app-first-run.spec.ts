// The first-run story on a real package's source: no folder, no key, no network, and the guide gives a useful result.
import { ChatWindow, copyPackage } from './built-app.ts';
import { expect, test } from './fixture.ts';

test('a newcomer opens a real folder in the window and the guide says what it is, what it has and where', async ({
  warrant,
}) => {
  copyPackage(warrant, 'zod');
  const page = await warrant.start({ folder: null });
  const chat = new ChatWindow(page);
  await expect(page.getByText('Nothing happens without a warrant')).toBeVisible();
  await expect(page.getByText('It is not a language model')).toBeVisible();
  await page
    .getByRole('main')
    .getByRole('button', { name: /^Open folder/ })
    .click();
  const address = page.getByRole('textbox', { name: 'Path of the folder' });
  await address.fill(warrant.project);
  await address.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: /^Open/ }).click();
  await expect(chat.field).toBeFocused();

  await chat.say('summarise this project');
  await expect(chat.conversation.getByText('TypeScript-first schema declaration').first()).toBeVisible();
  await chat.settled();
  await chat.say('find ZodError');
  await chat.settled();
  await expect(chat.conversation.getByText(/ZodError/).last()).toBeVisible();
  await page.getByRole('tab', { name: /^Ledger/ }).click();
  await expect(chat.panel.getByText(/README.md/).first()).toBeVisible();
});

// The main job without a mouse, and every screen by axe in both themes.
import { AxeBuilder } from '@axe-core/playwright';
import { ChatWindow, isThere, writeShop } from './built-app.ts';
import { expect, test } from './fixture.ts';
import { stillPage } from './still-page.ts';

test('by keyboard alone: send, reach the card, deny with a reason, allow, change the mode, open and leave the settings', async ({
  warrant,
}) => {
  writeShop(warrant.project);
  const chat = new ChatWindow(await warrant.start());
  const { page } = chat;
  await expect(chat.field).toBeFocused();
  await page.keyboard.type('run touch one');
  await page.keyboard.press('Enter');
  await expect(chat.card).toBeVisible();
  await expect(chat.field).toBeFocused();
  await page.keyboard.press('Enter');
  expect(isThere(warrant, 'one')).toBe(false);
  await page.keyboard.press('F6');
  await expect(page.locator('[role=alertdialog]:focus, [role=alertdialog] :focus')).toHaveCount(1);
  await expect(chat.button(/^Allow once/)).toBeEnabled();
  await chat.button(/^Allow once/).focus();
  await page.keyboard.press('Enter');
  await expect(chat.card).toHaveCount(0);
  await chat.settled();
  expect(isThere(warrant, 'one')).toBe(true);
  await page.keyboard.press('Control+,');
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible();
  await page.keyboard.press('Escape');
  await chat.field.focus();
  await page.keyboard.press('Shift+Tab');
  await expect(chat.button(/^Mode:/)).toHaveAccessibleName(/Auto|Plan/);
});

for (const scheme of ['light', 'dark'] as const) {
  test(`axe finds nothing on the chat with an approval, the settings, the help and the first screen (${scheme})`, async ({
    warrant,
  }) => {
    writeShop(warrant.project);
    const chat = new ChatWindow(await warrant.start());
    const { page } = chat;
    // As the setting does it: what the browser is told to prefer does not reach this page.
    await page.evaluate((theme) => {
      document.documentElement.dataset['theme'] = theme;
    }, scheme);
    const check = async (where: string): Promise<void> => {
      await stillPage(page);
      const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
      expect(violations.map(({ id, nodes }) => `${where}: ${id} ${nodes[0]?.html ?? ''}`)).toEqual([]);
    };
    await check('new chat');
    await chat.say('run npm test');
    await expect(chat.card).toBeVisible();
    await check('approval');
    await page.keyboard.press('Control+,');
    await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible();
    for (const tab of await page.getByRole('tablist', { name: 'Settings' }).getByRole('tab').all()) {
      await tab.click();
      await check(`settings ${(await tab.textContent()) ?? ''}`);
    }
  });
}

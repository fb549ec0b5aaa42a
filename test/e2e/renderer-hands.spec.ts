// The window by keyboard and by what a screen reader is told.
import { callsOf, expect, test } from './renderer-fixture.ts';

test('the composer has the focus when a chat is shown, and no letter typed there answers an approval', async ({
  openWindow,
}) => {
  const page = await openWindow('working');
  const composer = page.getByRole('textbox', { name: 'Message' });
  await expect(composer).toBeFocused();
  await expect(page.getByRole('button', { name: 'Allow once' })).toBeEnabled();
  await page.keyboard.type('yes please allow');
  await page.keyboard.press('Enter');
  expect(await callsOf(page, 'approvals.answer')).toEqual([]);
  expect(await callsOf(page, 'sessions.submit')).toHaveLength(1);
});

test('shortcuts open the palette, settings, the sheet and the chooser, and Esc closes each', async ({ openWindow }) => {
  const page = await openWindow('working');
  const composer = page.getByRole('textbox', { name: 'Message' });
  await expect(composer).toBeFocused();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Find chats and commands' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(composer).toBeFocused();
  await page.keyboard.press('Control+o');
  await expect(page.getByRole('textbox', { name: 'Path of the folder' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(composer).toBeFocused();
  await page.keyboard.press('Control+,');
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('heading', { level: 1, name: 'Make checkout retry safely' })).toBeVisible();
  expect(await callsOf(page, 'sessions.stop')).toEqual([]);
});

test('a question mark typed into a message is a letter, not a shortcut', async ({ openWindow }) => {
  const page = await openWindow('working');
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();
  await page.keyboard.type('why?');
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('why?');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('the list of chats is one stop; arrows move in it, F2 renames, Enter opens', async ({ openWindow }) => {
  const page = await openWindow('working');
  const list = page.getByRole('navigation', { name: 'Projects and chats' });
  await list
    .getByRole('button', { name: /Make checkout retry safely/ })
    .first()
    .focus();
  await page.keyboard.press('ArrowDown');
  await expect(list.getByRole('button', { name: /Why is the cart test slow/ }).first()).toBeFocused();
  await page.keyboard.press('F2');
  const field = page.getByRole('textbox', { name: 'Title of this chat' });
  await expect(field).toBeFocused();
  await field.fill('Speed up the cart test');
  await page.keyboard.press('Enter');
  await expect(list.getByRole('button', { name: /Speed up the cart test/ }).first()).toBeFocused();
  expect(await callsOf(page, 'sessions.rename')).toEqual([{ sessionId: 's-slow', title: 'Speed up the cart test' }]);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Speed up the cart test' })).toBeVisible();
});

test('V10: Enter that ends a composition in the title does not rename the chat', async ({ openWindow }) => {
  const page = await openWindow('working');
  await page.getByRole('button', { name: 'Make checkout retry safely: rename' }).click();
  const field = page.getByRole('textbox', { name: 'Title of this chat' });
  await field.fill('にほん');
  await field.evaluate((element) =>
    element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true })),
  );
  await expect(field).toBeFocused();
  expect(await callsOf(page, 'sessions.rename')).toEqual([]);
  await page.keyboard.press('Enter');
  await expect.poll(() => callsOf(page, 'sessions.rename')).toHaveLength(1);
});

test('a list of 400 chats draws a small part of them and reads further pages as it is scrolled', async ({
  openWindow,
}) => {
  const page = await openWindow('many');
  const rows = page.locator('[data-row^="s-"]');
  await expect(rows.first()).toBeVisible();
  const scroller = page.locator('nav [class*="scroller"]');
  const height = (): Promise<number> => scroller.evaluate((element) => element.scrollHeight);
  for (let pages = 2; pages < 6; pages += 1) {
    const [before, calls] = [await height(), (await callsOf(page, 'sessions.list')).length];
    // Scrolled to its end once: no further movement of the person's may be needed for the next page.
    await scroller.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await expect.poll(async () => (await callsOf(page, 'sessions.list')).length).toBeGreaterThan(calls);
    await expect.poll(height).toBeGreaterThan(before);
  }
  expect(await rows.count()).toBeLessThan(80);
});

test('the filter asks main for chats of all projects and shows what it found with its project', async ({
  openWindow,
}) => {
  const page = await openWindow('working');
  await page.getByRole('searchbox', { name: 'Find in chats' }).fill('csv');
  const list = page.getByRole('navigation', { name: 'Projects and chats' });
  await expect(list.getByRole('button', { name: /Import from CSV.*field-notes/ })).toBeVisible();
  await expect(list.getByRole('button', { name: /Upgrade to Node 24/ })).toHaveCount(0);
  await page.getByRole('searchbox').press('Escape');
  await expect(list.getByRole('button', { name: /Upgrade to Node 24/ }).first()).toBeVisible();
});

test('a folder is chosen by walking and by typing, and one that is not there says so and keeps the dialog', async ({
  openWindow,
}) => {
  const page = await openWindow('first-run');
  await page.getByRole('button', { name: 'Open folder…' }).last().click();
  const path = page.getByRole('textbox', { name: 'Path of the folder' });
  await expect(path).toHaveValue('/home/sam');
  await path.fill('~/missing');
  await page.getByRole('button', { name: 'Open missing' }).click();
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('There is no folder /home/sam/missing');
  await path.fill('~');
  await path.press('Enter');
  await page.getByRole('button', { name: 'weather' }).click();
  await expect(path).toHaveValue('/home/sam/weather');
  await page.getByRole('button', { name: 'Open weather' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();
});

test('an address in an answer is shown in full and opened only after the answer to it', async ({ openWindow }) => {
  const page = await openWindow('working');
  await page.getByRole('button', { name: 'Why is the cart test slow?' }).first().click();
  await page.getByText('how fixtures are shared').click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('https://docs.example.com/fixtures?scope=file#shared');
  expect(await callsOf(page, 'app.openExternal')).toEqual([]);
  await dialog.getByRole('button', { name: 'Open', exact: true }).click();
  expect(await callsOf(page, 'app.openExternal')).toEqual([
    { url: 'https://docs.example.com/fixtures?scope=file#shared' },
  ]);
});

test('V13: after lost events the chat catches up by itself and the person keeps what is shown', async ({
  openWindow,
}) => {
  const page = await openWindow('working');
  await page.getByRole('button', { name: 'Why is the cart test slow?' }).first().click();
  await expect(page.getByText('The slow part is the fixture')).toBeVisible();
  await page.evaluate(() => {
    const id = window.fake.content.sessions.find((session) => session.title.startsWith('Why'))?.id;
    if (!id) return;
    window.fake.loseEvents(id, 3);
    window.fake.emit(id, { type: 'notice', level: 'info', message: 'after the gap' });
  });
  await expect.poll(async () => (await callsOf(page, 'sessions.open')).length).toBe(3);
  await expect(page.getByText('The slow part is the fixture')).toBeVisible();
});

test('settings save a permission, refuse a limit above its ceiling, and tell what a key test met', async ({
  openWindow,
}) => {
  const page = await openWindow('working');
  await page.keyboard.press('Control+,');
  await page.getByRole('button', { name: 'Test claude-sonnet-5' }).first().click();
  await expect(page.getByText('Anthropic refused the key (401).')).toBeVisible();
  await page.getByRole('tab', { name: 'Permissions' }).click();
  await page.getByRole('button', { name: 'Fetch web pages: Off' }).click();
  await page.getByRole('menuitemradio', { name: 'Ask' }).click();
  await expect(page.getByRole('button', { name: 'Fetch web pages: Ask' })).toBeVisible();
  const limit = page.getByRole('textbox', { name: 'A command stops after' });
  await limit.fill('5000');
  await limit.press('Enter');
  await expect(page.getByText('At most 1200 s.')).toBeVisible();
  await limit.fill('60');
  await limit.press('Enter');
  await expect
    .poll(() => callsOf(page, 'settings.update'))
    .toEqual([{ patch: { tools: { web_fetch: 'ask' } } }, { patch: { limits: { shellTimeoutMs: 60_000 } } }]);
});

test('a key is typed, saved and never shown again', async ({ openWindow }) => {
  const page = await openWindow('working');
  await page.keyboard.press('Control+,');
  await page.getByRole('button', { name: 'Enter a key for Anthropic' }).click();
  const field = page.getByLabel('Key for Anthropic');
  await expect(field).toHaveAttribute('type', 'password');
  await field.fill('sk-made-up');
  await field.press('Enter');
  await expect(page.getByText('Its key is in a file that only you can read')).toBeVisible();
  expect(await page.content()).not.toContain('sk-made-up');
});

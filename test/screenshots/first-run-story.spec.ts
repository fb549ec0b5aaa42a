// The first-run story, played in the built application on a real package, with a picture of each station in both themes.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { ChatWindow, copyPackage } from '../e2e/built-app.ts';
import { expect, test } from '../e2e/fixture.ts';

const folder = path.resolve(import.meta.dirname, '../../resources/screenshots');

async function picture(page: Page, name: string): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await page.evaluate((value) => {
      document.documentElement.dataset['theme'] = value;
    }, theme);
    await page.screenshot({ path: path.join(folder, `${name}-${theme}.png`), animations: 'disabled' });
  }
}

test('the first-run story', async ({ warrant }) => {
  test.setTimeout(240_000);
  mkdirSync(folder, { recursive: true });
  // In the home folder, so that the pictures show `~/zod` and no path of a machine.
  const project = path.join(warrant.home, 'zod');
  mkdirSync(project);
  copyPackage(warrant, 'zod', project);
  const page = await warrant.start({ folder: null });
  await page.setViewportSize({ width: 1280, height: 800 });
  const chat = new ChatWindow(page);
  await expect(page.getByText('Nothing happens without a warrant')).toBeVisible();
  await picture(page, 'first-run');

  await page.evaluate(async (opened) => window.warrant.projects.open({ path: opened }), project);
  await page.reload();
  await chat.field.waitFor();
  await chat.say('summarise this project');
  await expect(chat.conversation.getByText('TypeScript-first schema declaration').first()).toBeVisible();
  await chat.settled();
  await chat.say('replace "static type inference" by "inferred static types" in package.json');
  await expect(chat.button('Allow once')).toBeEnabled();
  await picture(page, 'diff');
  await chat.allow();
  await chat.settled();
  await chat.say('run npm test -- --coverage=false');
  await expect(chat.button('Allow once')).toBeEnabled();
  await picture(page, 'approval');
  await chat.deny('the suite is not in this folder');
  await chat.settled();
  await page.getByRole('tab', { name: /^Ledger/ }).click();
  await picture(page, 'ledger');
  await page.keyboard.press('Control+,');
  await page.getByRole('tab', { name: /Permissions/ }).click();
  await picture(page, 'settings');
});

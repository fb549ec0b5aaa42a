// Every screen of the window, light and dark: no axe violation, no fault, nothing beside the window's edge.
import type { Page } from '@playwright/test';
import type { ScenarioName } from '../helpers/fake-scenarios.ts';
import { expect, expectAccessible, test } from './renderer-fixture.ts';

interface Screen {
  readonly name: string;
  readonly scenario: ScenarioName;
  readonly size?: readonly [number, number];
  readonly reach?: (page: Page) => Promise<void>;
}

const openSettings = async (page: Page, tab: string): Promise<void> => {
  await page.keyboard.press('Control+,');
  await page.getByRole('tab', { name: tab }).click();
};

const screens: readonly Screen[] = [
  {
    name: 'a chat that waits for an answer',
    scenario: 'working',
    reach: (page) => expect(page.getByRole('button', { name: 'Allow once' })).toBeEnabled(),
  },
  {
    name: 'an interrupted chat',
    scenario: 'working',
    reach: async (page) => {
      await page.getByRole('button', { name: 'Upgrade to Node 24' }).first().click();
      await expect(page.getByRole('heading', { level: 1, name: 'Upgrade to Node 24' })).toBeVisible();
    },
  },
  {
    name: 'a new chat',
    scenario: 'working',
    reach: async (page) => {
      await page.keyboard.press('Control+n');
      await expect(page.getByText('A new chat in ~/shop')).toBeVisible();
    },
  },
  { name: 'the first run', scenario: 'first-run' },
  { name: 'the first run with the guide alone', scenario: 'guide-only', size: [900, 600] },
  { name: 'many chats', scenario: 'many' },
  { name: 'a folder that is gone', scenario: 'gone' },
  { name: 'notices', scenario: 'notices', size: [900, 600] },
  { name: 'a start that failed', scenario: 'start-failed' },
  { name: 'a chat that could not be opened', scenario: 'chat-failed' },
  {
    name: 'the panel over a narrow window',
    scenario: 'working',
    size: [900, 600],
    reach: async (page) => {
      await expect(page.getByRole('button', { name: 'Allow once' })).toBeEnabled();
      await page.keyboard.press('Control+j');
      await expect(page.getByRole('tab', { name: 'Authority' })).toBeVisible();
    },
  },
  { name: 'settings: models', scenario: 'working', reach: (page) => openSettings(page, 'Models and keys') },
  { name: 'settings: permissions', scenario: 'working', reach: (page) => openSettings(page, 'Permissions') },
  { name: 'settings: appearance', scenario: 'working', reach: (page) => openSettings(page, 'Appearance') },
  { name: 'settings: data', scenario: 'working', size: [900, 600], reach: (page) => openSettings(page, 'Data') },
  {
    name: 'a new model service',
    scenario: 'working',
    reach: async (page) => {
      await openSettings(page, 'Models and keys');
      await page.getByRole('button', { name: 'Add a service' }).click();
    },
  },
  { name: 'the folder chooser', scenario: 'first-run', reach: (page) => page.keyboard.press('Control+o') },
  { name: 'the palette', scenario: 'working', reach: (page) => page.keyboard.press('Control+k') },
  {
    name: 'the keyboard sheet',
    scenario: 'working',
    size: [900, 600],
    reach: (page) => page.getByRole('button', { name: 'Keyboard' }).click(),
  },
  {
    name: 'the confirmation of an address',
    scenario: 'working',
    reach: async (page) => {
      await page.getByRole('button', { name: 'Why is the cart test slow?' }).first().click();
      await page.getByText('how fixtures are shared').click();
      await expect(page.getByRole('dialog')).toContainText('It leads to docs.example.com.');
    },
  },
];

for (const theme of ['light', 'dark'] as const) {
  for (const { name, scenario, size = [1280, 800], reach } of screens) {
    test(`${name}, ${theme}, has no accessibility violation and fits its window`, async ({ openWindow }) => {
      const page = await openWindow(scenario, { theme, width: size[0], height: size[1] });
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
      await reach?.(page);
      await expectAccessible(page);
      const beside = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(beside).toBeLessThanOrEqual(0);
    });
  }
}

// The window over a made-up main, in a real browser engine: one build of the page a worker, one context a test.
import { rmSync } from 'node:fs';
import AxeBuilder from '@axe-core/playwright';
import { test as base, chromium, expect, type Browser, type Page } from '@playwright/test';
import { findBrowser } from '../config/find-browser.ts';
import type { ScenarioName } from '../helpers/fake-scenarios.ts';
import { buildRendererPage, servePage } from '../helpers/renderer-page/serve-page.ts';
import type {} from '../helpers/renderer-page/page.ts';
import { stillPage } from './still-page.ts';

export interface WindowOptions {
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
}

interface TestFixtures {
  /** Opens a window in a situation and waits until it stands. Faults of the page fail the test. */
  openWindow: (scenario: ScenarioName, options?: WindowOptions) => Promise<Page>;
}
interface WorkerFixtures {
  pageFolder: string;
  engine: Browser;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  pageFolder: [
    async ({}, use) => {
      const folder = await buildRendererPage();
      await use(folder);
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
  engine: [
    async ({}, use) => {
      const found = await findBrowser();
      if ('missing' in found) throw new TypeError(`No browser for this test: ${found.missing}`);
      const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
      const engine = await chromium.launch({
        executablePath: found.env['WARRANT_CHROMIUM'] ?? '',
        env: { ...process.env, ...found.env },
        args: sandbox,
      });
      await use(engine);
      await engine.close();
    },
    { scope: 'worker' },
  ],
  openWindow: async ({ engine, pageFolder }, use) => {
    const faults: string[] = [];
    const contexts: (() => Promise<void>)[] = [];
    await use(async (scenario, { theme = 'light', width = 1280, height = 800 } = {}) => {
      const context = await engine.newContext({ viewport: { width, height }, reducedMotion: 'reduce' });
      contexts.push(() => context.close());
      const address = await servePage(context, pageFolder);
      const page = await context.newPage();
      page.on('pageerror', (error) => faults.push(error.message));
      page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
      await page.goto(address(`scenario=${scenario}&theme=${theme}`));
      await expect(page.locator('h1, [role="status"]').first()).toBeAttached();
      return page;
    });
    for (const close of contexts) await close();
    expect(faults).toEqual([]);
  },
});

/** Fails with what axe found, in words that name the element. */
export async function expectAccessible(page: Page): Promise<void> {
  await stillPage(page);
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)}`));
  expect(found).toEqual([]);
}

/** What the window asked of main, by procedure. */
export function callsOf(page: Page, name: string): Promise<unknown[]> {
  return page.evaluate(
    (wanted) => window.fake.calls.filter((call) => call.name === wanted).map((call) => call.input),
    name,
  );
}

export { expect };

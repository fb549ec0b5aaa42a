import type { Page } from '@playwright/test';
import path from 'node:path';
export async function pic(page: Page, name: string, sizes: readonly (readonly [number, number])[] = [[1280, 800], [900, 600]]): Promise<void> {
  for (const [w, h] of sizes) {
    await page.setViewportSize({ width: w, height: h });
    for (const theme of ['light', 'dark'] as const) {
      await page.evaluate((value) => { document.documentElement.dataset['theme'] = value; }, theme);
      await page.waitForTimeout(200);
      await page.screenshot({ path: path.join('/var/tmp/win/shots', `${name}-${w}-${theme}.png`), animations: 'disabled' });
    }
  }
}

// Waits until nothing of a page moves any more: colours on their way are not those that a person reads.
import type { Page } from '@playwright/test';

/** Resolves when what was begun is drawn and its transitions have ended; what moves for ever (a spinner) is not waited for. */
export async function stillPage(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = (): Promise<unknown> => new Promise((drawn) => requestAnimationFrame(drawn));
    await frame();
    await frame();
    const ends = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
      .map(({ finished }) => finished);
    await Promise.allSettled(ends);
  });
}

// Ends the application so that nothing is lost: the windows go at once, the process stays until the application has made
// its state durable, but never longer than the limit.
import { app } from 'electron';
import type { Logger } from '../base/logger.ts';

const CLOSE_LIMIT_MS = 8_000;

/**
 * From now on a quit first awaits `close`, which is called once; a failure is logged and does not stop the quit.
 */
export function closeBeforeQuit(close: () => Promise<void>, logger: Logger): void {
  let state: 'open' | 'closing' | 'closed' = 'open';
  app.on('window-all-closed', () => {
    app.quit();
  });
  app.on('will-quit', (event) => {
    if (state === 'closed') return;
    event.preventDefault();
    if (state === 'closing') return;
    state = 'closing';
    void withLimit(close(), CLOSE_LIMIT_MS)
      .catch((error: unknown) => {
        logger.error('the application was not closed in order', error);
      })
      .then(() => {
        state = 'closed';
        app.quit();
      });
  });
}

/** Settles as `work` does, or resolves after `limitMs`. What the journal holds by then is what the next start shows. */
async function withLimit(work: Promise<void>, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  try {
    await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

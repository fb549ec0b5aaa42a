// Waiting that ends with a signal. Nothing here leaves a listener or a timer behind once it has settled.
import type { Clock } from './ports.ts';

/** The reason of every abort: one for all, as making one costs more than a whole step of the engine. */
export const STOPPED = new DOMException('Stopped.', 'AbortError');

/** Stands for "the signal aborted first". */
export const GIVEN_UP = Symbol('given up');
export type GivenUp = typeof GIVEN_UP;

/** How the wait for work goes on once the signal aborted: `graceMs` more, 0 = not at all. */
export interface Patience {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly graceMs: number;
}

/**
 * What `work` gives, or GIVEN_UP when that has not come `graceMs` after the abort. Rejects as `work` does; a rejection
 * that comes after giving up is swallowed.
 */
export async function settleWithin<T>(work: Promise<T>, patience: Patience): Promise<T | GivenUp> {
  const { signal, clock, graceMs } = patience;
  return new Promise<T | GivenUp>((resolve, reject) => {
    let cancelTimer: () => void = () => {};
    const giveUp = (): void => {
      resolve(GIVEN_UP);
    };
    const onAbort = (): void => {
      if (graceMs === 0) {
        giveUp();
        return;
      }
      try {
        cancelTimer = clock.after(graceMs, giveUp);
      } catch {
        // Without a timer the work is waited for to its end: what it did must not be taken for undone.
      }
    };
    const stop = (): void => {
      signal.removeEventListener('abort', onAbort);
      cancelTimer();
    };
    work.then(
      (value) => {
        stop();
        resolve(value);
      },
      (error: unknown) => {
        stop();
        reject(error);
      },
    );
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** Waits `ms`, or less when the signal aborts. */
export async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.after(ms, done);
    signal.addEventListener('abort', done, { once: true });
  });
}

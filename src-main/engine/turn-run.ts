// One turn while this process works on it: its cancellation handle, its deadline and its loop guard. `end` lets go of
// everything; a turn that waits for approval ends its run, so a resume begins with a fresh deadline (LOOP-20).
import type { Outcome } from '../contract/entries.ts';
import type { WireError } from '../contract/errors.ts';
import type { Limits } from '../contract/limits.ts';
import { STOPPED } from './await-signal.ts';
import { LoopGuard } from './loop-guard.ts';
import type { Clock } from './ports.ts';

/** Who stops a turn, and whether that was a wish (cancelled) or the end of the program (interrupted). */
export interface Stop {
  readonly how: 'cancelled' | 'interrupted';
  readonly source: string;
  /** Given when what follows the turn failed: it ends as failed. */
  readonly error?: WireError;
}

export class TurnRun {
  readonly guard: LoopGuard;
  readonly #controller = new AbortController();
  readonly #deadlineMs: number;
  readonly #cancelDeadline: () => void;
  #stop: Stop = { how: 'cancelled', source: '' };
  #deadline = false;

  constructor(limits: Limits, clock: Clock) {
    this.guard = new LoopGuard(limits);
    this.#deadlineMs = limits.turnDeadlineMs;
    this.#cancelDeadline =
      limits.turnDeadlineMs === 0
        ? () => {}
        : clock.after(limits.turnDeadlineMs, () => {
            this.#deadline = true;
            this.#controller.abort(STOPPED);
          });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Cancels; the first source is the one that counts. */
  stop(stop: Stop): void {
    if (this.signal.aborted) return;
    this.#stop = stop;
    this.end();
  }

  /** Cancels whatever still runs and the deadline. */
  end(): void {
    this.#cancelDeadline();
    this.#controller.abort(STOPPED);
  }

  /** A cancel gets its source, and is told apart from the deadline and from an interruption. */
  named(outcome: Outcome): Outcome {
    if (outcome.type !== 'cancelled') return outcome;
    if (this.#deadline) return { type: 'budget-reached', budget: 'deadline', limit: this.#deadlineMs };
    const { how, source, error } = this.#stop;
    if (error) return { type: 'failed', error };
    return how === 'interrupted' ? { type: 'interrupted' } : { type: 'cancelled', source };
  }
}

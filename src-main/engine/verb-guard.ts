// Which verb of a session may run now: one caller drives it, and a verb is refused at a wrong moment with nothing done.
import { AppError } from '../base/app-error.ts';

export interface GuardedSession {
  /** A step runs. */
  isRunning(): boolean;
  /** A turn is open. */
  isOpen(): boolean;
  /** Stores what a failed journal still owes. */
  flush(): Promise<void>;
  /** Forgets a wish to stop a turn that never opened. */
  letGo(): void;
}

export class VerbGuard {
  readonly #session: GuardedSession;
  /** A verb that is not a step is on its way to the journal. */
  #verb: 'open' | 'other' | null = null;
  #closed = false;

  constructor(session: GuardedSession) {
    this.#session = session;
  }

  /** A turn is being opened. */
  get isOpening(): boolean {
    return this.#verb === 'open';
  }

  /** From now on every verb is refused with session.closed. */
  close(): void {
    this.#closed = true;
  }

  /** Code session.not-at-boundary while a step or a verb runs, session.closed. */
  assertResting(): void {
    this.#assertOpen();
    if (this.#isBusy()) {
      throw new AppError('session.not-at-boundary', 'A step is running already. Stop it, or wait for its end.');
    }
  }

  /** Runs a verb at a boundary, whether or not a turn is open. */
  async resting<T>(verb: () => Promise<T>): Promise<T> {
    this.assertResting();
    this.#verb = 'other';
    try {
      await this.#session.flush();
      return await verb();
    } finally {
      this.#verb = null;
    }
  }

  /** Runs a verb that is for a session without an open turn. Code session.input-pending. */
  async withoutTurn<T>(kind: 'open' | 'other', verb: () => Promise<T>): Promise<T> {
    this.#assertOpen();
    if (this.#isBusy()) throw inputPending();
    this.#verb = kind;
    try {
      await this.#session.flush();
      if (this.#session.isOpen()) throw inputPending();
      return await verb();
    } finally {
      this.#verb = null;
      // A stop that came meanwhile was for the turn that did not open.
      if (!this.#session.isOpen()) this.#session.letGo();
    }
  }

  #isBusy(): boolean {
    return this.#session.isRunning() || this.#verb !== null;
  }

  #assertOpen(): void {
    if (this.#closed) throw new AppError('session.closed', 'This session was closed.');
  }
}

function inputPending(): AppError {
  return new AppError(
    'session.input-pending',
    'A message is still being answered. Wait, stop it, or queue the next one.',
  );
}

// Makes commits that were written without a sync last through a loss of power, beside the work of this thread: SQLite's
// own sync holds the thread until the disk has answered. Leaves to its user which commits may be acknowledged before.
import { closeSync, fdatasync, openSync } from 'node:fs';
import type { AppError } from '../base/app-error.ts';
import { storeError } from './store-error.ts';

export class LogSync {
  readonly #file: string;
  #log: number | null = null;
  #running: Promise<void> = Promise.resolve();
  #failure: AppError | null = null;

  /** `file` is the database's path; its log must be there when `start` is called first. */
  constructor(file: string) {
    this.#file = file;
  }

  /** Why a sync failed, or null. What became of those commits cannot be known, so nothing may be written after it. */
  get failure(): AppError | null {
    return this.#failure;
  }

  /** Opens the log; false where that cannot be done, so that commits must be synced by SQLite. */
  open(): boolean {
    try {
      this.#log ??= openSync(`${this.#file}-wal`, 'r+');
      return true;
    } catch {
      return false;
    }
  }

  /** Begins to sync all that was committed until now. Call it after `open` said true. */
  start(): void {
    const log = this.#log;
    if (log === null) return;
    const sync = new Promise<void>((resolve, reject) => {
      fdatasync(log, (error) => {
        if (error === null) resolve();
        else reject(error);
      });
    });
    const before = this.#running;
    this.#running = sync.then(
      () => before,
      (error: unknown) => {
        this.#failure = storeError('store.io', this.#file, error);
        throw this.#failure;
      },
    );
    this.#running.catch(() => undefined);
  }

  /** Resolves when all that `start` was called for lasts. Rejects with store.io; then it always does. */
  done(): Promise<void> {
    return this.#running;
  }

  /** Waits for what runs, well or not, and lets the log go. */
  async close(): Promise<void> {
    await this.#running.catch(() => undefined);
    if (this.#log !== null) closeSync(this.#log);
    this.#log = null;
  }
}

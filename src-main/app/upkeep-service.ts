// Lets the store do what is due while a window is open: the day's backup, the check, the trash, free space. What fails is
// logged and tried again an hour later; only a database that is found damaged is told.
import type { Logger } from '../base/logger.ts';
import type { AppEvent } from '../contract/events.ts';
import { pruneOutputs } from './kept-outputs.ts';
import type { Store } from '../store/store.ts';

/** Long enough that a start is over. */
const FIRST_MS = 60_000;
const EVERY_MS = 3_600_000;

export interface UpkeepParts {
  readonly store: Pick<Store, 'upkeep' | 'check' | 'noteCheck'>;
  readonly logger: Logger;
  readonly dataFolder: string;
  /** Of kept outputs of commands. */
  readonly outputFolder: string;
  readonly publish: (event: AppEvent) => void;
  readonly nowMs: () => number;
  /** What else is due; never rejects. */
  readonly tidy?: (nowMs: number) => Promise<void>;
}

export class UpkeepService {
  readonly #parts: UpkeepParts;
  #timer: NodeJS.Timeout | null = null;
  #ended = false;

  constructor(parts: UpkeepParts) {
    this.#parts = parts;
  }

  /** Begins to look after the store; further calls change nothing. */
  start(): void {
    if (this.#timer === null && !this.#ended) this.#wait(FIRST_MS);
  }

  /** Nothing is begun any more. */
  end(): void {
    this.#ended = true;
    if (this.#timer) clearTimeout(this.#timer);
  }

  /** Does what is due now. Never rejects. */
  async run(): Promise<void> {
    const { store, logger, outputFolder, nowMs } = this.#parts;
    try {
      const { backup, checkDue } = await store.upkeep(nowMs());
      if (backup !== null) logger.info(`the chats were backed up as ${backup}`);
      await pruneOutputs(outputFolder);
      if (checkDue) await this.#check();
    } catch (error) {
      logger.error('upkeep of the chats failed', error);
    }
    await this.#parts.tidy?.(nowMs());
  }

  async #check(): Promise<void> {
    const { store, logger, dataFolder, publish, nowMs } = this.#parts;
    const { ok, problems } = await store.check();
    if (ok) {
      await store.noteCheck(nowMs());
      return;
    }
    logger.error('the database is damaged', problems);
    const message = `A check found damage in the database of your chats (${problems[0] ?? ''}). What can be read is shown; the daily copies are in ${dataFolder}/backups. Close Warrant before you put one in place.`;
    publish({ type: 'notice', level: 'error', message });
  }

  #wait(ms: number): void {
    this.#timer = setTimeout(() => {
      void this.run().finally(() => {
        if (!this.#ended) this.#wait(EVERY_MS);
      });
    }, ms);
    this.#timer.unref();
  }
}

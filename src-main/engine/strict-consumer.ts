// A consumer of events that must not miss any: when it fails, the model is stopped and the turn ends as failed. The plain
// listeners of a session are isolated instead (CONF-22).
import type { WireError } from '../contract/errors.ts';
import type { EngineEvent } from './engine-events.ts';

/** Takes each event in order. What it throws, or rejects with, is a failure; it must settle. */
export type EventConsumer = (event: EngineEvent) => void | Promise<void>;

/** Feeds a consumer for as long as it does not fail. */
export class StrictFeed {
  readonly #consumer: EventConsumer;
  readonly #onFailure: (cause: unknown) => WireError;
  #last: Promise<void> | null = null;
  #error: WireError | null = null;

  /** `onFailure` is called once, at the first failure, and says what it is. */
  constructor(consumer: EventConsumer, onFailure: (cause: unknown) => WireError) {
    this.#consumer = consumer;
    this.#onFailure = onFailure;
  }

  /** The failure; null = there was none. */
  get error(): WireError | null {
    return this.#error;
  }

  /** Hands over one event; one that has to wait is handed over after those before it. */
  take(event: EngineEvent): void {
    if (this.#error) return;
    if (this.#last) {
      this.#last = this.#last.then(() => (this.#error ? undefined : this.#consumer(event))).catch(this.#fail);
      return;
    }
    try {
      const work = this.#consumer(event);
      if (work) this.#last = work.catch(this.#fail);
    } catch (cause) {
      this.#fail(cause);
    }
  }

  /** Resolves when the consumer has taken all that it was handed. */
  async settled(): Promise<void> {
    for (let last = this.#last; last; last = this.#last === last ? null : this.#last) await last;
    this.#last = null;
  }

  readonly #fail = (cause: unknown): void => {
    this.#error ??= this.#onFailure(cause);
  };
}

// In-process announcements. A listener that throws is isolated: the others still hear the event, and the fault goes to
// `onListenerError` (CONF-22).
import { toDisposable, type Disposable } from './disposable.ts';

export type Listener<T> = (value: T) => void;

export class Emitter<T> {
  readonly #listeners = new Set<Listener<T>>();
  readonly #onListenerError: (error: unknown) => void;

  /** `onListenerError` must not throw. */
  constructor(onListenerError: (error: unknown) => void = () => {}) {
    this.#onListenerError = onListenerError;
  }

  /** Subscribes; the answer ends it. */
  on(listener: Listener<T>): Disposable {
    this.#listeners.add(listener);
    return toDisposable(() => this.#listeners.delete(listener));
  }

  /** Calls every listener, in the order of subscription. */
  emit(value: T): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(value);
      } catch (error) {
        this.#onListenerError(error);
      }
    }
  }

  /** Lets go of all listeners. */
  clear(): void {
    this.#listeners.clear();
  }

  /** Number of listeners, for leak checks. */
  get size(): number {
    return this.#listeners.size;
  }
}

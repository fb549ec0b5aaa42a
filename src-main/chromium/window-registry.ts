// The open windows of this process, so that the application object and the windows need not know each other.
import { EventEmitter } from 'node:events';

/** What the application object needs of a window. */
export interface RegisteredWindow {
  close(): void;
  destroy(): void;
  isDestroyed(): boolean;
}

/** Emits `all-closed` when the last window is removed, and `added` with each new one. */
class WindowRegistry extends EventEmitter {
  readonly #windows: RegisteredWindow[] = [];

  all(): RegisteredWindow[] {
    return [...this.#windows];
  }

  add(window: RegisteredWindow): void {
    this.#windows.push(window);
    this.emit('added', window);
  }

  remove(window: RegisteredWindow): void {
    const index = this.#windows.indexOf(window);
    if (index === -1) return;
    this.#windows.splice(index, 1);
    if (this.#windows.length === 0) this.emit('all-closed');
  }
}

/** The one registry. */
export const windowRegistry = new WindowRegistry();

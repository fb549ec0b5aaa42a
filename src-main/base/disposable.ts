// Ownership of things that must be let go: whoever creates a disposable registers it in the same statement.

/** Anything with an end. `dispose` may be called more than once; later calls do nothing. */
export interface Disposable {
  dispose(): void;
}

/** Holds disposables and ends them in reverse order. */
export class DisposableStore implements Disposable {
  #items: Disposable[] = [];
  #disposed = false;

  /** Registers and gives back what it got; disposes it at once when the store has ended already. */
  add<T extends Disposable>(item: T): T {
    if (this.#disposed) item.dispose();
    else this.#items.push(item);
    return item;
  }

  dispose(): void {
    this.#disposed = true;
    for (const item of this.#items.splice(0).reverse()) item.dispose();
  }
}

/** A disposable that runs `end` once. */
export function toDisposable(end: () => void): Disposable {
  let done = false;
  return {
    dispose() {
      if (done) return;
      done = true;
      end();
    },
  };
}

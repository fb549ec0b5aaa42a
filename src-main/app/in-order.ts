// Does works of one key in the order in which they came, one at a time: two messages sent quickly after each other stay in
// their order, however long each takes to be looked at. A work that fails does not hold the next one up.

export class InOrder<K> {
  readonly #last = new Map<K, Promise<void>>();

  /** Runs `work` once all earlier ones of `key` have ended; gives its result or its failure. */
  async run<T>(key: K, work: () => Promise<T>): Promise<T> {
    const result = (this.#last.get(key) ?? Promise.resolve()).then(work);
    const ended = result.then(
      () => undefined,
      () => undefined,
    );
    this.#last.set(key, ended);
    try {
      return await result;
    } finally {
      if (this.#last.get(key) === ended) this.#last.delete(key);
    }
  }
}

// Header fields without Node's own fetch behind them: reading the global `Headers` loads all of undici, which costs a
// start more than the rest of a provider. The build puts this class in its place for what the SDK packages do with it.
type HeadersLike = Iterable<readonly [string, string]> | Record<string, string | undefined> | undefined;

/** Header fields by their names in lower case, sorted when they are listed, values joined by `, ` when added to. */
export class LightHeaders {
  readonly #fields = new Map<string, string>();

  constructor(init?: HeadersLike) {
    if (init === undefined) return;
    const pairs = Symbol.iterator in init ? init : Object.entries(init);
    for (const [name, value] of pairs) {
      if (value === undefined) continue;
      const key = name.toLowerCase();
      if (this.#fields.has(key)) this.append(key, value);
      else this.#fields.set(key, value.trim());
    }
  }

  get(name: string): string | null {
    return this.#fields.get(name.toLowerCase()) ?? null;
  }

  has(name: string): boolean {
    return this.#fields.has(name.toLowerCase());
  }

  set(name: string, value: string): void {
    this.#fields.set(name.toLowerCase(), value.trim());
  }

  append(name: string, value: string): void {
    const before = this.get(name);
    this.set(name, before === null ? value : `${before}, ${value.trim()}`);
  }

  delete(name: string): void {
    this.#fields.delete(name.toLowerCase());
  }

  forEach(call: (value: string, name: string, headers: LightHeaders) => void): void {
    for (const [name, value] of this) call(value, name, this);
  }

  entries(): IterableIterator<[string, string]> {
    return [...this.#fields].sort(([a], [b]) => (a < b ? -1 : 1)).values();
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }
}

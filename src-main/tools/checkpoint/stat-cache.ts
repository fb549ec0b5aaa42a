// Which bytes a file had when it was last read, by how it looked then: what has not changed since is not read again. Where
// it cannot be read or written everything is read anew; it is never more than a way to be quick.
import fs from 'node:fs';
import { z } from 'zod';
import type { TreeEntry } from '../workspace/tree-door.ts';
import { writeDurably } from './plain-objects.ts';

/** A file that changed this shortly before it was read may have changed again within the same tick of its clock. */
const TICK_MS = 2000;

const cacheSchema = z.object({
  version: z.literal(1),
  store: z.string(),
  rows: z.array(z.tuple([z.string(), z.string(), z.string(), z.number()])),
});

interface Known {
  readonly stamp: string;
  readonly id: string;
  readonly readAtMs: number;
}

export class StatCache {
  readonly #file: string;
  readonly #store: string;
  #known: Map<string, Known> | null = null;

  /** `store` names the kind of ids. */
  constructor(file: string, store: string) {
    this.#file = file;
    this.#store = store;
  }

  /** The id of a file's bytes, where they are known. */
  find(path: string, entry: TreeEntry): string | null {
    const known = (this.#known ??= this.#load()).get(path);
    if (known?.stamp !== entry.stamp) return null;
    return entry.changedMs < known.readAtMs - TICK_MS ? known.id : null;
  }

  /** Takes the place of what was known; `kept` are paths that were found, `read` those that were read now. */
  replace(kept: Iterable<string>, read: ReadonlyMap<string, Known>): void {
    const former = (this.#known ??= this.#load());
    const next = new Map<string, Known>();
    for (const path of kept) {
      const known = read.get(path) ?? former.get(path);
      if (known) next.set(path, known);
    }
    const isSame = read.size === 0 && next.size === former.size;
    this.#known = next;
    if (!isSame) this.#save();
  }

  #save(): void {
    try {
      const rows = [...(this.#known ?? [])].map(
        ([path, { stamp, id, readAtMs }]) => [path, stamp, id, readAtMs] as const,
      );
      writeDurably(this.#file, Buffer.from(JSON.stringify({ version: 1, store: this.#store, rows })));
    } catch {
      // The next process reads everything once more.
    }
  }

  /** Other objects are about to be freed: what was read of them does not count as kept any more. Call before. */
  keepOnly(ids: ReadonlySet<string>): void {
    const former = (this.#known ??= this.#load());
    fs.rmSync(this.#file, { force: true });
    this.#known = new Map([...former].filter(([, { id }]) => ids.has(id)));
    this.#save();
  }

  #load(): Map<string, Known> {
    try {
      const parsed = cacheSchema.safeParse(JSON.parse(fs.readFileSync(this.#file, 'utf8')));
      if (!parsed.success || parsed.data.store !== this.#store) return new Map();
      return new Map(parsed.data.rows.map(([path, stamp, id, readAtMs]) => [path, { stamp, id, readAtMs }]));
    } catch {
      return new Map();
    }
  }
}

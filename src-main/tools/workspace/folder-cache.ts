// Listings of folders that a walk met before, kept as long as a look at the folder says that its names are the same. Every
// listing that is used was looked at in the call that uses it. Lives in the files worker.
import type { DoorPath, FolderEntry, WorkspaceDoor } from './workspace-door.ts';

/** More names than these are not kept. */
const MOST_NAMES = 300_000;

/** Names in their order. `stamp` null = they may be others in a moment. */
export interface SortedListing {
  readonly stamp: string | null;
  readonly entries: readonly FolderEntry[];
}

export class FolderCache {
  readonly #door: WorkspaceDoor;
  readonly #folders = new Map<string, SortedListing>();
  #names = 0;

  constructor(door: WorkspaceDoor) {
    this.#door = door;
  }

  /** The names in a folder as they are now. workspace.* errors. */
  list(at: DoorPath): SortedListing {
    const key = `${at.base}/${at.parts.join('/')}`;
    const known = this.#folders.get(key);
    const changed = this.#door.listChanged(at, known?.stamp ?? null);
    if (changed === null && known !== undefined) return known;
    const { stamp, entries } = changed ?? this.#door.listChanged(at, null) ?? { stamp: null, entries: [] };
    const sorted = { stamp, entries: entries.toSorted((a, b) => (a.name < b.name ? -1 : 1)) };
    this.#keep(key, known, sorted);
    return sorted;
  }

  #keep(key: string, known: SortedListing | undefined, listing: SortedListing): void {
    if (known !== undefined) {
      this.#folders.delete(key);
      this.#names -= known.entries.length;
    }
    if (listing.stamp === null) return;
    if (this.#names + listing.entries.length > MOST_NAMES) {
      this.#folders.clear();
      this.#names = 0;
    }
    this.#names += listing.entries.length;
    this.#folders.set(key, listing);
  }
}

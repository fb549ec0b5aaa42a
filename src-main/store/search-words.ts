// The words of the index that begin in some way. A long beginning has no index of its own: looked for as such, all places of
// all its words would be put in order before the first is given, however few are wanted; looked for word by word, only those
// that are wanted are read.
import type { StoreDatabase } from './store-database.ts';

/** Shorter beginnings are in the index's own table of beginnings. */
const INDEXED = 3;
const MOST_WORDS = 64;
/** Sorts before all that a word can go on with. */
const FIRST = '\u0001';

const known = new WeakSet<StoreDatabase>();

/** Makes the list of words readable on this connection; nothing is written to the file. */
function prepare(database: StoreDatabase): void {
  if (known.has(database)) return;
  database.connection.exec(
    `CREATE VIRTUAL TABLE IF NOT EXISTS temp.search_word USING fts5vocab(main, search, 'instance')`,
  );
  known.add(database);
}

/**
 * Words of the index that begin with `beginning` and go on, in order; null where they are too many, or where looking for the
 * beginning itself is as quick.
 */
export function wordsFrom(database: StoreDatabase, beginning: string): string[] | null {
  // Other letters are folded by the index in its own way.
  if (beginning.length <= INDEXED || !/^[a-z0-9]+$/i.test(beginning)) return null;
  prepare(database);
  const folded = beginning.toLowerCase();
  const words: string[] = [];
  for (let at = folded + FIRST; ;) {
    const row = database.get<{ term: string }>('SELECT term FROM temp.search_word WHERE term >= ? LIMIT 1', at);
    if (!row?.term.startsWith(folded)) return words;
    if (words.length === MOST_WORDS) return null;
    words.push(row.term);
    at = row.term + FIRST;
  }
}

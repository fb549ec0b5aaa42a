// Follows the entries with the search index, a little at a time, on a connection of its own: what the index has, it has
// together with how far it came. Losing the newest of it with the power costs nothing: it follows again.
import type { Entry } from '../contract/entries.ts';
import type { SessionId } from '../contract/ids.ts';
import { entryPlace } from './entry-place.ts';
import { SEARCH_TABLE } from './migrations/0004-search.ts';
import { readRange } from './read-entries.ts';
import { searchableText } from './searchable-text.ts';
import type { StoreDatabase } from './store-database.ts';

/** One piece of work: small enough that an append that comes meanwhile does not feel it. */
const PIECE_ENTRIES = 128;
const PIECE_CHARACTERS = 131_072;

interface Behind {
  number: number;
  id: SessionId;
  seq: number;
  head_seq: number;
}

/** Looking for what is behind reads the row of every session: it is done for so many pieces at once. */
const SESSIONS_AT_ONCE = 256;

/** Sessions that were found to be behind, by connection; what was done to them since is looked at when their turn comes. */
const waiting = new WeakMap<StoreDatabase, number[]>();

const behindSql = `SELECT s.number, s.id, coalesce(m.seq, 0) AS seq, s.head_seq FROM session s
  LEFT JOIN search_mark m ON m.session = s.number WHERE s.head_seq > coalesce(m.seq, 0)`;

/** Numbers of sessions that are behind: those that were changed longest ago first, so that the newest have the newest places. */
function findBehind(database: StoreDatabase): number[] {
  const sql = `${behindSql} ORDER BY s.updated_at LIMIT ${SESSIONS_AT_ONCE}`;
  return database.all<Behind>(sql).map(({ number }) => number);
}

/** The next session that is behind; undefined = none is. */
function nextBehind(database: StoreDatabase): Behind | undefined {
  for (let looked = false; ;) {
    const queue = waiting.get(database) ?? [];
    for (let number = queue[0]; number !== undefined; number = queue[0]) {
      const behind = database.get<Behind>(`${behindSql} AND s.number = ?`, number);
      if (behind !== undefined) return behind;
      queue.shift();
    }
    if (looked) return undefined;
    waiting.set(database, findBehind(database));
    looked = true;
  }
}

function addEntry(database: StoreDatabase, session: number, entry: Entry): void {
  const text = searchableText(entry);
  if (text === '') return;
  const place = entryPlace(session, entry.seq);
  const number = database.insert('INSERT INTO search_document (place) VALUES (?)', place);
  database.run('INSERT INTO search (rowid, text) VALUES (?, ?)', number, text);
}

/** Indexes a piece of what is behind; gives whether there is more. */
export function followEntries(database: StoreDatabase): boolean {
  return database.write(() => {
    const behind = nextBehind(database);
    if (behind === undefined) return false;
    const fromSeq = behind.seq + 1;
    const toSeq = Math.min(behind.head_seq + 1, fromSeq + PIECE_ENTRIES);
    const read = readRange(database, behind, { fromSeq, toSeq, maxCharacters: PIECE_CHARACTERS });
    for (const entry of read.entries) addEntry(database, behind.number, entry);
    database.run(
      'INSERT OR REPLACE INTO search_mark (session, seq) VALUES (?, ?)',
      behind.number,
      (read.next ?? toSeq) - 1,
    );
    return nextBehind(database) !== undefined;
  });
}

/** What was counted last on a connection, and what it and others had written by then. */
const counted = new WeakMap<StoreDatabase, { state: string; behind: number }>();

/** Entries that the index does not have yet; counted anew only where something was written since. */
export function countBehind(database: StoreDatabase): number {
  const others = database.connection.pragma('data_version', { simple: true });
  const own = database.get<{ n: number }>('SELECT total_changes() AS n')?.n ?? 0;
  const state = `${String(others)}:${String(own)}`;
  const last = counted.get(database);
  if (last?.state === state) return last.behind;
  const behind = sumBehind(database);
  counted.set(database, { state, behind });
  return behind;
}

function sumBehind(database: StoreDatabase): number {
  const row = database.get<{ n: number }>(
    `SELECT coalesce(sum(s.head_seq - coalesce(m.seq, 0)), 0) AS n FROM session s
     LEFT JOIN search_mark m ON m.session = s.number WHERE s.head_seq > coalesce(m.seq, 0)`,
  );
  return row?.n ?? 0;
}

/** Drops the index and all that says how far it came, so that it is made again from the entries. */
export function renewIndex(database: StoreDatabase): void {
  database.write(() => {
    for (const table of ['search_mark', 'search_document']) database.run(`DELETE FROM ${table}`);
    database.connection.exec('DROP TABLE search');
    database.connection.exec(SEARCH_TABLE);
  });
  waiting.delete(database);
}

/** Takes a session out of the index. Call inside `write`. */
export function forgetEntries(database: StoreDatabase, session: number): void {
  const [from, to] = [entryPlace(session, 0), entryPlace(session, Infinity)];
  database.run(
    'DELETE FROM search WHERE rowid IN (SELECT number FROM search_document WHERE place BETWEEN ? AND ?)',
    from,
    to,
  );
  database.run('DELETE FROM search_document WHERE place BETWEEN ? AND ?', from, to);
  database.run('DELETE FROM search_mark WHERE session = ?', session);
}

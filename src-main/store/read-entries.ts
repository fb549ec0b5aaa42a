// Reads entries and checks each against the hash chain. A row whose hash verifies is what was once written, so it is not
// parsed again by schema; a row that does not, whose JSON is broken or whose kind is unknown is left out and counted.
// Invariant: reading never writes, and an unreadable row stays on disk.
import type { Entry, EntryKind } from '../contract/entries.ts';
import type { EntryId, SessionId } from '../contract/ids.ts';
import { entryHash, rootHash } from './entry-hash.ts';
import { entryPlace } from './entry-place.ts';
import type { StoreDatabase } from './store-database.ts';
import { isDamage } from './store-error.ts';

interface EntryRow {
  session: number;
  seq: number;
  id: string;
  parent: string | null;
  kind: string;
  at: number;
  payload: string;
  hash: string;
}

const columns = 'session, seq, id, parent, kind, at, payload, hash';

/** The kinds this version can read; the compiler keeps it complete. Unknown ones are a later version's. */
const readableKinds: Record<EntryKind, true> = {
  'session-start': true,
  'user-message': true,
  'assistant-message': true,
  'approval-request': true,
  verdict: true,
  'tool-start': true,
  'tool-result': true,
  'step-end': true,
  'turn-end': true,
  'turn-continue': true,
  'turn-discard': true,
  'turn-restore': true,
  abort: true,
  rewind: true,
  checkpoint: true,
  'files-restore': true,
  'branch-name': true,
  fork: true,
  import: true,
  authority: true,
  mode: true,
  confinement: true,
  'enabled-tools': true,
  model: true,
  title: true,
  'queue-add': true,
  'queue-remove': true,
  'context-clear': true,
  reduction: true,
  'reduction-undo': true,
  'context-pin': true,
  'grant-lapse': true,
};

/**
 * Whether the row can be entry `fromSeq` of the session, or a later one. A damaged row may hold values that the table's
 * column types rule out, and a damaged page rows of another place, which are sound by themselves.
 */
function isWhole(row: EntryRow, session: number, fromSeq: number): boolean {
  if (row.session !== session || row.seq < fromSeq) return false;
  const texts: readonly unknown[] = [row.id, row.kind, row.payload, row.hash];
  return Number.isInteger(row.seq) && texts.every((value) => typeof value === 'string');
}

/** Walks a session's rows in order of seq and verifies each against the one before it. */
export class EntryChain {
  readonly #sessionId: SessionId;
  /** The hash stored in the row before, and the one computed for it: they differ when one of the two is damaged. */
  #stored: string;
  #computed: string;

  /** `before` is the hash of the row before the first one; the root's when absent. */
  constructor(sessionId: SessionId, before: string = rootHash(sessionId)) {
    this.#sessionId = sessionId;
    this.#stored = before;
    this.#computed = before;
  }

  /** The next row is no child of the one before, but of one with this hash. */
  restart(before: string): void {
    this.#stored = before;
    this.#computed = before;
  }

  /** The entry of the next row, or null when it is damaged or of an unknown kind. */
  next(row: EntryRow): Entry | null {
    const facts = { seq: row.seq, id: row.id, parentId: row.parent, kind: row.kind, atMs: row.at };
    let hash = entryHash(this.#stored, facts, row.payload);
    if (hash !== row.hash && this.#stored !== this.#computed) {
      // The row before failed its check; when only its stored hash was damaged, this row is sound under the other one.
      hash = entryHash(this.#computed, facts, row.payload);
    }
    this.#stored = row.hash;
    this.#computed = hash;
    return hash === row.hash ? this.#toEntry(row) : null;
  }

  #toEntry(row: EntryRow): Entry | null {
    if (!Object.hasOwn(readableKinds, row.kind)) return null;
    try {
      const data: unknown = JSON.parse(row.payload);
      return {
        id: row.id,
        atMs: row.at,
        kind: row.kind,
        data,
        sessionId: this.#sessionId,
        parentId: row.parent,
        seq: row.seq,
      } as Entry;
    } catch {
      return null;
    }
  }
}

/** A session's number inside the database, or null. */
export function sessionNumber(database: StoreDatabase, id: SessionId): number | null {
  return database.get<{ number: number }>('SELECT number FROM session WHERE id = ?', id)?.number ?? null;
}

/** Entries with their count of rows that could not be read. */
export interface ReadEntries {
  entries: Entry[];
  unreadable: number;
}

/** Which rows: fromSeq <= seq < toSeq; no more are begun once `maxCharacters` of payload were read. */
export interface EntryRange {
  fromSeq: number;
  toSeq: number;
  maxCharacters?: number;
}

/** What a range gave; `next` is where to go on when it stopped for its size, else null. */
export interface ReadRange extends ReadEntries {
  next: number | null;
}

const rangeSql = `SELECT ${columns} FROM entry WHERE place >= ? AND place < ? ORDER BY place`;

/** One row, or null when it is damaged or a damaged page holds it. */
function rowAt(database: StoreDatabase, session: number, seq: number): EntryRow | null {
  const sql = `SELECT ${columns} FROM entry WHERE place = ?`;
  try {
    const row = database.get<EntryRow>(sql, entryPlace(session, seq));
    return row !== undefined && isWhole(row, session, seq) ? row : null;
  } catch (error) {
    if (!isDamage(error)) throw error;
    return null;
  }
}

/** The rows of a range; a damaged page ends a scan, so from there on rows are taken one by one (null = unreadable). */
function* scanRows(
  database: StoreDatabase,
  session: number,
  range: EntryRange,
): Generator<{ seq: number; row: EntryRow | null }> {
  let seq = range.fromSeq;
  try {
    const [from, to] = [entryPlace(session, range.fromSeq), entryPlace(session, range.toSeq)];
    for (const row of database.iterate<EntryRow>(rangeSql, from, to)) {
      const whole = isWhole(row, session, seq);
      if (whole) seq = row.seq;
      yield { seq, row: whole ? row : null };
      seq += 1;
    }
    return;
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  const head = database.get<{ head_seq: number }>('SELECT head_seq FROM session WHERE number = ?', session);
  const end = Math.min(range.toSeq, (head?.head_seq ?? 0) + 1);
  for (; seq < end; seq++) yield { seq, row: rowAt(database, session, seq) };
}

/** Of the rows in a range that begin a branch: the hash of the row whose child each is. */
function forks(database: StoreDatabase, session: number, range: EntryRange): Map<number, string> {
  const hashes = new Map<number, string>();
  const sql =
    'SELECT first_seq, parent_seq FROM branch WHERE session = ? AND number > 0 AND first_seq >= ? AND first_seq < ?';
  const toSeq = Math.min(range.toSeq, Number.MAX_SAFE_INTEGER);
  for (const row of database.all<{ first_seq: number; parent_seq: number }>(sql, session, range.fromSeq, toSeq)) {
    const parent = rowAt(database, session, row.parent_seq);
    if (parent !== null) hashes.set(row.first_seq, parent.hash);
  }
  return hashes;
}

/** Entries of a range in order, of whatever branches; rows that others are children of are read for the check alone. */
export function readRange(
  database: StoreDatabase,
  session: { id: SessionId; number: number },
  range: EntryRange,
): ReadRange {
  const before = range.fromSeq > 1 ? rowAt(database, session.number, range.fromSeq - 1) : null;
  const chain = new EntryChain(session.id, before?.hash);
  // An iteration is under way while rows are taken: parents are looked up before it.
  const parents = forks(database, session.number, range);
  const most = range.maxCharacters ?? Infinity;
  const entries: Entry[] = [];
  let nextSeq = range.fromSeq;
  let characters = 0;
  for (const { seq, row } of scanRows(database, session.number, range)) {
    if (characters >= most) return { entries, unreadable: nextSeq - range.fromSeq - entries.length, next: nextSeq };
    nextSeq = seq + 1;
    characters += row?.payload.length ?? 0;
    const parent = parents.get(seq);
    if (parent !== undefined) chain.restart(parent);
    const entry = row === null ? null : chain.next(row);
    if (entry !== null) entries.push(entry);
  }
  return { entries, unreadable: nextSeq - range.fromSeq - entries.length, next: null };
}

/** One entry, or null when it is not there or cannot be read. */
export function readEntry(database: StoreDatabase, id: SessionId, entryId: EntryId): Entry | null {
  const number = sessionNumber(database, id);
  if (number === null) return null;
  const row = database.get<{ seq: number }>('SELECT seq FROM entry WHERE session = ? AND id = ?', number, entryId);
  if (row === undefined) return null;
  const { entries } = readRange(database, { id, number }, { fromSeq: row.seq, toSeq: row.seq + 1 });
  return entries[0] ?? null;
}

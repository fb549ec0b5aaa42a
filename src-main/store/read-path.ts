// Reads the entries of a path: whole, in parts, or a page from its end. A path is a union of ranges (see branches.ts).
import type { Entry } from '../contract/entries.ts';
import type { SessionId } from '../contract/ids.ts';
import { leafAt, pathRanges, type PathRange, type TreeSession } from './branches.ts';
import { readRange, type ReadEntries } from './read-entries.ts';
import type { StoreDatabase } from './store-database.ts';
import { sessionNotFound } from './store-error.ts';
import type { PathPart } from './store-protocol.ts';

/** A page never holds more, whatever is asked for. */
const MAX_PAGE = 10_000;
/** A part of a path: what the asking thread can take in without a pause that is felt. */
const PART_ENTRIES = 256;
const PART_CHARACTERS = 65_536;

/** A session by its id. Code session.not-found. */
export function sessionOf(database: StoreDatabase, id: SessionId): TreeSession {
  const row = database.get<{ number: number; head_seq: number; head_branch: number }>(
    'SELECT number, head_seq, head_branch FROM session WHERE id = ?',
    id,
  );
  if (row === undefined) throw sessionNotFound(id);
  return { id, number: row.number, headSeq: row.head_seq, headBranch: row.head_branch };
}

function rangesTo(database: StoreDatabase, session: TreeSession, toSeq: number | undefined): PathRange[] {
  return pathRanges(database, session.number, leafAt(database, session, toSeq ?? null));
}

/** The path to the head, or to the entry at `toSeq`. */
export function readPath(database: StoreDatabase, session: TreeSession, toSeq?: number): ReadEntries {
  const whole: ReadEntries = { entries: [], unreadable: 0 };
  for (const range of rangesTo(database, session, toSeq)) {
    const { entries, unreadable } = readRange(database, session, range);
    for (const entry of entries) whole.entries.push(entry);
    whole.unreadable += unreadable;
  }
  return whole;
}

/** At most 256 entries or about 64 Ki characters of a path from `fromSeq` on. */
export function readPathPart(
  database: StoreDatabase,
  session: TreeSession,
  part: { fromSeq: number; toSeq: number | undefined },
): PathPart {
  const ranges = rangesTo(database, session, part.toSeq).filter((range) => range.toSeq > part.fromSeq);
  const [range, following] = ranges;
  if (range === undefined) return { entries: [], unreadable: 0, next: null };
  const fromSeq = Math.max(part.fromSeq, range.fromSeq);
  const toSeq = Math.min(range.toSeq, fromSeq + PART_ENTRIES);
  const read = readRange(database, session, { fromSeq, toSeq, maxCharacters: PART_CHARACTERS });
  const rest = toSeq < range.toSeq ? toSeq : (following?.fromSeq ?? null);
  return { entries: read.entries, unreadable: read.unreadable, next: read.next ?? rest };
}

/** See Store.readPage. */
export function readPage(
  database: StoreDatabase,
  session: TreeSession,
  page: { beforeSeq: number | null; limit: number },
): { entries: Entry[]; hasEarlier: boolean } {
  let wanted = Math.min(Math.max(Math.trunc(page.limit), 1), MAX_PAGE);
  const before = page.beforeSeq ?? Infinity;
  const entries: Entry[][] = [];
  let hasEarlier = false;
  for (const range of rangesTo(database, session, undefined).reverse()) {
    const toSeq = Math.min(range.toSeq, before);
    const count = toSeq - range.fromSeq;
    if (count <= 0) continue;
    hasEarlier = count > wanted;
    if (wanted === 0) break;
    const fromSeq = Math.max(range.fromSeq, toSeq - wanted);
    entries.unshift(readRange(database, session, { fromSeq, toSeq }).entries);
    wanted -= toSeq - fromSeq;
    if (hasEarlier) break;
  }
  return { entries: entries.flat(), hasEarlier };
}

/** Lines of the file that a session was imported from, in order. */
export function readRecords(database: StoreDatabase, session: number): string[] {
  return database
    .all<{ text: string }>('SELECT text FROM imported_record WHERE session = ? ORDER BY number', session)
    .map(({ text }) => text);
}

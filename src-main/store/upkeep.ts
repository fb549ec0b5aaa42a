// What the store does for its own good: when a copy or a check is due, the check itself, purging chats, giving free pages
// back. Everything is done in small pieces; what was cut by a crash goes on at the next start.
import { AppError } from '../base/app-error.ts';
import type { SessionId } from '../contract/ids.ts';
import { entryPlace } from './entry-place.ts';
import { busyError, holderText, type LeaseRow } from './leases.ts';
import { dropCutImports, PURGING } from './imports.ts';
import { forgetEntries } from './search-index.ts';
import type { StoreDatabase } from './store-database.ts';
import { sessionNotFound } from './store-error.ts';
import type { ChatSize, DatabaseCheck, SessionPlace } from './store.ts';

const DAY_MS = 86_400_000;
const CHECK_EVERY_MS = 7 * DAY_MS;
/** How long a chat stays in the trash. */
const TRASH_MS = 30 * DAY_MS;
const PURGED_AT_ONCE = 1_000;
const FREED_AT_ONCE = 256;

/** Values of the session's column `archived`; those of imports.ts are in no list. */
const places = { list: 0, archive: 1, trash: 2 } as const;

type Mark = 'backup' | 'check';

/** When something was last done, in Unix milliseconds; null = never. */
export function lastDone(database: StoreDatabase, mark: Mark): number | null {
  const row = database.get<{ value: string }>('SELECT value FROM upkeep WHERE name = ?', mark);
  const atMs = Number(row?.value ?? 'none');
  return Number.isFinite(atMs) ? atMs : null;
}

/** Notes that something was done. */
export function noteDone(database: StoreDatabase, mark: Mark, nowMs: number): void {
  database.run('INSERT OR REPLACE INTO upkeep (name, value) VALUES (?, ?)', mark, String(nowMs));
}

/** What is due. A clock that was set back makes nothing wait for longer than its interval from then on. */
export function findDue(
  database: StoreDatabase,
  state: { nowMs: number; unclean: boolean },
): { backup: boolean; check: boolean } {
  const isDue = (mark: Mark, everyMs: number): boolean => {
    const last = lastDone(database, mark);
    return last === null || last > state.nowMs || state.nowMs - last >= everyMs;
  };
  const used = !database.inMemory && database.get('SELECT 1 FROM session LIMIT 1') !== undefined;
  return { backup: used && isDue('backup', DAY_MS), check: state.unclean || (used && isDue('check', CHECK_EVERY_MS)) };
}

/** Looks whether every table and index can be read and fits together; tells at most 20 problems. Resolves in pieces. */
export async function checkDatabase(database: StoreDatabase): Promise<DatabaseCheck> {
  const tables = database.all<{ name: string }>(
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name`,
  );
  const problems: string[] = [];
  for (const { name } of tables) {
    await new Promise(setImmediate);
    try {
      const rows = database.connection.pragma(`quick_check('${name.replaceAll("'", "''")}')`) as {
        quick_check: string;
      }[];
      problems.push(...rows.map((row) => row.quick_check).filter((text) => text !== 'ok'));
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    }
    if (problems.length >= 20) break;
  }
  return { ok: problems.length === 0, problems: problems.slice(0, 20) };
}

interface PlaceRow {
  number: number;
  archived: number;
  updated_at: number;
}

function placeOf(database: StoreDatabase, id: SessionId): PlaceRow {
  const row = database.get<PlaceRow>('SELECT number, archived, updated_at FROM session WHERE id = ?', id);
  if (row === undefined || row.archived >= PURGING) throw sessionNotFound(id);
  return row;
}

function assertNobodyHolds(database: StoreDatabase, id: SessionId, session: PlaceRow): void {
  const lease = database.get<LeaseRow>(
    'SELECT holder, pid, started, host, taken_at FROM lease WHERE session = ?',
    session.number,
  );
  if (lease && holderText(lease, session.updated_at) !== null) throw busyError(id, lease);
}

/** See Store.setPlace. */
export function setPlace(database: StoreDatabase, id: SessionId, move: { place: SessionPlace; nowMs: number }): void {
  database.write(() => {
    const session = placeOf(database, id);
    if (move.place === 'trash') assertNobodyHolds(database, id, session);
    const trashedAt = move.place === 'trash' ? move.nowMs : null;
    const sql = 'UPDATE session SET archived = ?, trashed_at = ? WHERE number = ?';
    database.run(sql, places[move.place], trashedAt, session.number);
  });
}

/** Marks a chat in the trash for purging. Codes session.not-found, session.busy, config.invalid (it is not in the trash). */
export function beginPurge(database: StoreDatabase, id: SessionId): void {
  database.write(() => {
    const session = placeOf(database, id);
    if (session.archived !== places.trash) {
      throw new AppError('config.invalid', 'Only a chat in the trash can be deleted for good. Nothing was deleted.');
    }
    assertNobodyHolds(database, id, session);
    database.run('UPDATE session SET archived = ? WHERE number = ?', PURGING, session.number);
  });
}

/** Marks the chats that have been in the trash for 30 days, and what is left of imports; gives how many of the first. */
export function beginDuePurges(database: StoreDatabase, nowMs: number): number {
  dropCutImports(database);
  return database.run(
    'UPDATE session SET archived = ? WHERE archived = ? AND trashed_at < ?',
    PURGING,
    places.trash,
    nowMs - TRASH_MS,
  );
}

const belongings = ['call', 'file_change', 'queue', 'lease', 'partial', 'draft', 'branch', 'imported_record'];

/** Deletes a piece of a chat that is being purged; gives whether there is more to do. */
export function purgePiece(database: StoreDatabase): boolean {
  return database.write(() => {
    const session = database.get<{ number: number }>('SELECT number FROM session WHERE archived = ? LIMIT 1', PURGING);
    if (session === undefined) return false;
    const [from, to] = [entryPlace(session.number, 0), entryPlace(session.number, Infinity)];
    const deleted = database.run(
      'DELETE FROM entry WHERE place IN (SELECT place FROM entry WHERE place BETWEEN ? AND ? LIMIT ?)',
      from,
      to,
      PURGED_AT_ONCE,
    );
    if (deleted > 0) return true;
    forgetEntries(database, session.number);
    for (const table of belongings) database.run(`DELETE FROM ${table} WHERE session = ?`, session.number);
    database.run('DELETE FROM attachment WHERE session = ?', session.number);
    database.run('DELETE FROM session WHERE number = ?', session.number);
    return true;
  });
}

/** Gives some free pages back to the disk; gives whether there are more. */
export function freePiece(database: StoreDatabase): boolean {
  const free = (): number => Number(database.connection.pragma('freelist_count', { simple: true }));
  const before = free();
  if (before === 0) return false;
  database.connection.pragma(`incremental_vacuum(${FREED_AT_ONCE})`);
  const after = free();
  return after > 0 && after < before;
}

/** The largest chats, largest first, wherever they are. Bytes of their entries. */
export function chatSizes(database: StoreDatabase, limit: number): ChatSize[] {
  return database
    .all<{ id: string; title: string; archived: number; bytes: number }>(
      `SELECT s.id, s.title, s.archived, e.bytes FROM (
         SELECT session, sum(octet_length(payload)) AS bytes FROM entry GROUP BY session ORDER BY bytes DESC LIMIT ?
       ) e JOIN session s ON s.number = e.session WHERE s.archived < ? ORDER BY e.bytes DESC`,
      limit,
      PURGING,
    )
    .map((row) => ({
      id: row.id as SessionId,
      title: row.title,
      place: row.archived === 2 ? 'trash' : row.archived === 1 ? 'archive' : 'list',
      bytes: row.bytes,
    }));
}

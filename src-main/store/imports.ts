// Sessions that are being imported from a file, piece by piece: in no list until all of it is there. What a crash left of
// one is purged as what lies in the trash is.
import type { SessionId } from '../contract/ids.ts';
import { assertHolds, isHeldNow, type LeaseRow } from './leases.ts';
import type { StoreDatabase } from './store-database.ts';
import { sessionNotFound } from './store-error.ts';

/** Values of the session's column `archived`: it is being imported, it is being purged. */
export const IMPORTING = 4;
export const PURGING = 3;

/** Adds lines of an imported file after those that are there. Call inside `write`. */
export function addRecords(database: StoreDatabase, session: number, records: readonly string[]): void {
  if (records.length === 0) return;
  const last = database.get<{ next: number }>(
    'SELECT coalesce(max(number) + 1, 0) AS next FROM imported_record WHERE session = ?',
    session,
  );
  const from = last?.next ?? 0;
  for (const [index, text] of records.entries()) {
    const sql = 'INSERT INTO imported_record (session, number, text) VALUES (?, ?, ?)';
    database.run(sql, session, from + index, text);
  }
}

/** See Store.addRecords. */
export function addImported(
  database: StoreDatabase,
  id: SessionId,
  input: { pid: number; records: readonly string[] },
): void {
  database.write(() => {
    const session = database.get<{ number: number }>('SELECT number FROM session WHERE id = ?', id);
    if (session === undefined) throw sessionNotFound(id);
    const lease = database.get<LeaseRow>(
      'SELECT holder, pid, started, host, taken_at FROM lease WHERE session = ?',
      session.number,
    );
    assertHolds(id, lease ?? null, input.pid);
    addRecords(database, session.number, input.records);
  });
}

/** See Store.finishImport. */
export function finishImport(database: StoreDatabase, id: SessionId): void {
  if (database.run('UPDATE session SET archived = 0 WHERE id = ? AND archived = ?', id, IMPORTING) === 0)
    throw sessionNotFound(id);
}

/** Marks a session that is being imported for purging. */
export function dropImport(database: StoreDatabase, id: SessionId): void {
  database.run('UPDATE session SET archived = ? WHERE id = ? AND archived = ?', PURGING, id, IMPORTING);
}

/** Marks what imports of processes that have ended left. */
export function dropCutImports(database: StoreDatabase): void {
  const sessions = database.all<{ id: SessionId; updated_at: number } & (LeaseRow | { pid: null })>(
    `SELECT id, updated_at, holder, pid, started, host, taken_at FROM session LEFT JOIN lease ON session = number
     WHERE archived = ?`,
    IMPORTING,
  );
  for (const session of sessions) {
    if (session.pid === null || !isHeldNow(session, session.updated_at)) dropImport(database, session.id);
  }
}

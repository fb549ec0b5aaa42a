// Makes a session: its row, its lease and its first entries, as one transaction.
import { AppError } from '../base/app-error.ts';
import type { NewEntry } from '../contract/entries.ts';
import type { ProjectId, SessionId } from '../contract/ids.ts';
import { appendEntries } from './append-entries.ts';
import { rootHash } from './entry-hash.ts';
import { takeLease } from './leases.ts';
import { addRecords, IMPORTING } from './imports.ts';
import { getSession } from './session-rows.ts';
import type { StoreDatabase } from './store-database.ts';
import { projectNotFound, sessionNotFound } from './store-error.ts';
import type { LeaseHolder, SessionRow } from './store.ts';

/** See Store.createSession. */
export interface NewSession {
  id: SessionId;
  projectId: ProjectId;
  entries: readonly NewEntry[];
  lease: LeaseHolder;
  records?: readonly string[];
  importing?: boolean;
}

/** Codes project.not-found, session.history-invalid (no session-start first, or the id is taken), store.*. */
export function createSession(database: StoreDatabase, input: NewSession): SessionRow {
  const [first] = input.entries;
  if (first?.kind !== 'session-start') {
    throw new AppError('session.history-invalid', 'A chat begins with its session-start entry. Nothing was saved.');
  }
  return database.write(() => {
    const project = database.get('SELECT 1 FROM project WHERE id = ?', input.projectId);
    if (project === undefined) throw projectNotFound(input.projectId);
    const number = database.insert(
      'INSERT INTO session (id, project_id, head_hash, cost_usd) VALUES (?, ?, ?, 0)',
      input.id,
      input.projectId,
      rootHash(input.id),
    );
    takeLease(database, { id: input.id, number }, input.lease);
    appendEntries(database, input.id, { pid: input.lease.pid, partial: false }, input.entries);
    const { name } = first.data;
    if (name !== undefined) database.run('UPDATE session SET name = ? WHERE number = ?', name, number);
    addRecords(database, number, input.records ?? []);
    const row = getSession(database, input.id);
    if (row === null) throw sessionNotFound(input.id);
    if (input.importing) database.run('UPDATE session SET archived = ? WHERE number = ?', IMPORTING, number);
    return row;
  });
}

// Makes the projections of a session anew from its entries, as they would be had they been kept up live. Entries are not
// touched; a row that cannot be read projects nothing.
import type { SessionId } from '../contract/ids.ts';
import { saveSession } from './append-entries.ts';
import { rootHash } from './entry-hash.ts';
import { findBranches, projectMove } from './branches.ts';
import { entryPlace } from './entry-place.ts';
import { projectCalls } from './project-calls.ts';
import { readRange } from './read-entries.ts';
import { emptyProjection, projectEntry } from './session-projection.ts';
import type { StoreDatabase } from './store-database.ts';
import { sessionNotFound } from './store-error.ts';

const BATCH = 256;

function rebuildSession(database: StoreDatabase, session: { id: SessionId; number: number }): void {
  for (const table of ['call', 'file_change', 'queue', 'branch']) {
    database.run(`DELETE FROM ${table} WHERE session = ?`, session.number);
  }
  const head = database.get<{ seq: number; id: string; hash: string; branch: number }>(
    'SELECT seq, id, hash, branch FROM entry WHERE place BETWEEN ? AND ? ORDER BY place DESC LIMIT 1',
    entryPlace(session.number, 0),
    entryPlace(session.number, Infinity),
  ) ?? { seq: 0, id: null, hash: rootHash(session.id), branch: 0 };
  findBranches(database, session.number);
  const state = emptyProjection();
  for (let fromSeq = 1; fromSeq <= head.seq; fromSeq += BATCH) {
    const { entries } = readRange(database, session, { fromSeq, toSeq: fromSeq + BATCH });
    for (const entry of entries) {
      if (entry.kind === 'rewind') projectMove(database, session, entry, state);
      projectEntry(state, entry);
    }
    projectCalls(database, session.number, entries);
  }
  saveSession(database, { number: session.number, saved: null }, head, state);
  database.run('UPDATE session SET name = ? WHERE number = ?', state.name, session.number);
}

/** Rebuilds one session (code session.not-found), or all of them, each in a transaction of its own. */
export function rebuildProjections(database: StoreDatabase, id: SessionId | null): void {
  const sessions =
    id === null
      ? database.all<{ id: SessionId; number: number }>('SELECT id, number FROM session')
      : database.all<{ id: SessionId; number: number }>('SELECT id, number FROM session WHERE id = ?', id);
  if (id !== null && sessions.length === 0) throw sessionNotFound(id);
  for (const session of sessions) database.write(() => rebuildSession(database, session));
}

// Makes a session of its own from another one's path: a deep copy, entry by entry, chained anew under the new session's
// id. The session that it came from is only read.
import type { NewEntry } from '../contract/entries.ts';
import type { ProjectId, SessionId } from '../contract/ids.ts';
import { createSession } from './create-session.ts';
import { readPath, sessionOf } from './read-path.ts';
import type { StoreDatabase } from './store-database.ts';
import type { LeaseHolder, SessionRow } from './store.ts';

/** See Store.forkSession. */
export interface Fork {
  from: SessionId;
  toSeq: number | null;
  id: SessionId;
  entries: readonly NewEntry[];
  lease: LeaseHolder;
}

/** Entries about the other session's tree mean nothing in a path that has become straight. */
const treeKinds: ReadonlySet<NewEntry['kind']> = new Set<NewEntry['kind']>(['rewind', 'branch-name']);

/** Codes session.not-found, session.history-invalid (the id is taken, or its beginning cannot be read), store.*. */
export function forkSession(database: StoreDatabase, fork: Fork): SessionRow {
  return database.write(() => {
    const { entries } = readPath(database, sessionOf(database, fork.from), fork.toSeq ?? undefined);
    const project = database.get<{ project_id: string }>('SELECT project_id FROM session WHERE id = ?', fork.from);
    const copies = entries
      .filter(({ kind }) => !treeKinds.has(kind))
      .map(({ id, atMs, kind, data }) => ({ id, atMs, kind, data }) as NewEntry);
    return createSession(database, {
      id: fork.id,
      projectId: (project?.project_id ?? '') as ProjectId,
      entries: [...copies, ...fork.entries],
      lease: fork.lease,
    });
  });
}

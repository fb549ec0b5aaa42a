// Makes a session of its own from another one's path: a deep copy, entry by entry, chained anew under the new session's
// id. The session that it came from is only read.
import type { Entry, NewEntry } from '../contract/entries.ts';
import type { ProjectId, SessionId } from '../contract/ids.ts';
import { createSession } from './create-session.ts';
import { readPath, readRecords, sessionOf } from './read-path.ts';
import type { StoreDatabase } from './store-database.ts';
import type { LeaseHolder, SessionRow } from './store.ts';

/** See Store.forkSession. */
export interface Fork {
  from: SessionId;
  toSeq: number | null;
  id: SessionId;
  entries: readonly NewEntry[];
  lease: LeaseHolder;
  /** What programs call the new session by; absent = as the other one. */
  name?: string;
}

/** Entries about the other session's tree mean nothing in a path that has become straight. */
const treeKinds: ReadonlySet<NewEntry['kind']> = new Set<NewEntry['kind']>(['rewind', 'branch-name']);

/** Records of an imported file say what all of it was: a path that leaves some of it out has none. */
function holdsImport(path: readonly Entry[]): boolean {
  const at = path.findIndex(({ kind }) => kind === 'import');
  const imported = path[at];
  if (imported?.kind !== 'import') return false;
  const own = path.slice(at + 1, at + 1 + imported.data.entries);
  return own.length === imported.data.entries && own.every(({ kind }) => kind !== 'rewind');
}

function copyOf({ id, atMs, kind, data }: Entry, name: string | undefined): NewEntry {
  const copy = { id, atMs, kind, data } as NewEntry;
  if (copy.kind !== 'session-start' || name === undefined) return copy;
  return { ...copy, data: { ...copy.data, name } };
}

/** Codes session.not-found, session.history-invalid (the id is taken, or its beginning cannot be read), store.*. */
export function forkSession(database: StoreDatabase, fork: Fork): SessionRow {
  return database.write(() => {
    const session = sessionOf(database, fork.from);
    const { entries } = readPath(database, session, fork.toSeq ?? undefined);
    const project = database.get<{ project_id: string }>('SELECT project_id FROM session WHERE id = ?', fork.from);
    const copies = entries.filter(({ kind }) => !treeKinds.has(kind)).map((entry) => copyOf(entry, fork.name));
    return createSession(database, {
      id: fork.id,
      projectId: (project?.project_id ?? '') as ProjectId,
      entries: [...copies, ...fork.entries],
      lease: fork.lease,
      records: holdsImport(entries) ? readRecords(database, session.number) : [],
    });
  });
}

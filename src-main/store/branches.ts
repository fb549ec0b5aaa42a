// The tree of a session: where branches begin, which ranges of entries a path is made of, and what begins a new branch.
// A branch's entries are one run of seqs, so a path is a union of ranges and never a walk over entries.
import { AppError } from '../base/app-error.ts';
import type { Entry, EntryOf, NewEntry } from '../contract/entries.ts';
import type { EntryId, SessionId } from '../contract/ids.ts';
import { entryPlace } from './entry-place.ts';
import { readRange } from './read-entries.ts';
import { emptyProjection, projectEntry, takePathFacts, type SessionProjection } from './session-projection.ts';
import type { StoreDatabase } from './store-database.ts';
import type { Branch } from './store.ts';

/** A session as its entries are read: by number, up to its head. */
export interface TreeSession {
  id: SessionId;
  number: number;
  headSeq: number;
  headBranch: number;
}

/** Entries fromSeq <= seq < toSeq that follow each other on a path. */
export interface PathRange {
  fromSeq: number;
  toSeq: number;
}

interface BranchColumns {
  number: number;
  first_seq: number;
  parent_branch: number;
  parent_seq: number;
  from_seq: number;
  how: string;
  name: string;
}

const branchSql = 'SELECT * FROM branch WHERE session = ? AND number = ?';

/** The ranges of the path from the root to entry `leaf`, rising. */
export function pathRanges(
  database: StoreDatabase,
  session: number,
  leaf: { seq: number; branch: number },
): PathRange[] {
  const ranges: PathRange[] = [];
  let { branch, seq } = leaf;
  while (branch > 0) {
    const row = database.get<BranchColumns>(branchSql, session, branch);
    // Damage to a projection: the range is given whole, and the check of its entries finds what does not belong.
    if (row === undefined || row.parent_seq >= row.first_seq) break;
    ranges.push({ fromSeq: row.first_seq, toSeq: seq + 1 });
    branch = row.parent_branch;
    seq = row.parent_seq;
  }
  ranges.push({ fromSeq: 1, toSeq: seq + 1 });
  return ranges.reverse();
}

/** The leaf of a path: the head, or the entry at `seq`. Code session.not-found when there is no such entry. */
export function leafAt(
  database: StoreDatabase,
  session: TreeSession,
  seq: number | null,
): { seq: number; branch: number } {
  if (seq === null || seq === session.headSeq) return { seq: session.headSeq, branch: session.headBranch };
  const row = database.get<{ branch: number }>(
    'SELECT branch FROM entry WHERE place = ?',
    entryPlace(session.number, seq),
  );
  if (row === undefined) throw placeNotFound(session.id);
  return { seq, branch: row.branch };
}

function placeNotFound(id: SessionId): AppError {
  return new AppError('session.not-found', 'This place of the chat is not there. Nothing was changed; open it again.', {
    details: { sessionId: id },
  });
}

/** Branches in order of their number; the root's only where it has a name. */
export function listBranches(database: StoreDatabase, session: number): Branch[] {
  return database.all<BranchColumns>('SELECT * FROM branch WHERE session = ? ORDER BY number', session).map((row) => ({
    number: row.number,
    firstSeq: row.first_seq,
    parentBranch: row.number === 0 ? null : row.parent_branch,
    parentSeq: row.parent_seq,
    fromSeq: row.from_seq,
    how: row.how as Branch['how'],
    name: row.name,
  }));
}

/** What a path comes to, of the facts that follow the path alone. */
function projectPath(
  database: StoreDatabase,
  session: { id: SessionId; number: number },
  leaf: { seq: number; branch: number },
): SessionProjection {
  const state = emptyProjection();
  for (const range of pathRanges(database, session.number, leaf)) {
    for (const entry of readRange(database, session, range).entries) projectEntry(state, entry);
  }
  return state;
}

interface ParentRow {
  seq: number;
  branch: number;
  hash: string;
}

/** Stores that a branch begins, and sets what follows the path in `state`; gives the row of the entry it forks from. */
function projectBranch(
  database: StoreDatabase,
  session: { id: SessionId; number: number },
  at: { number: number; firstSeq: number; data: EntryOf<'rewind'>['data']; state: SessionProjection },
): ParentRow {
  const byId = 'SELECT seq, branch, hash FROM entry WHERE session = ? AND id = ?';
  const parent = database.get<ParentRow>(byId, session.number, at.data.to);
  const from = database.get<ParentRow>(byId, session.number, at.data.from);
  if (parent === undefined || from === undefined) throw placeNotFound(session.id);
  database.run(
    `INSERT INTO branch (session, number, first_seq, parent_branch, parent_seq, from_seq, how)
     VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (session, number) DO UPDATE SET from_seq = excluded.from_seq,
       how = excluded.how`,
    session.number,
    at.number,
    at.firstSeq,
    parent.branch,
    parent.seq,
    from.seq,
    at.data.how,
  );
  takePathFacts(at.state, projectPath(database, session, parent));
  return parent;
}

/** Makes room for an entry that moves the leaf: gives its parent, with the number of the branch that it begins. */
export function beginBranch(
  database: StoreDatabase,
  session: { id: SessionId; number: number },
  at: { entry: Extract<NewEntry, { kind: 'rewind' }>; seq: number; state: SessionProjection },
): { seq: number; id: EntryId; hash: string; branch: number } {
  const last = database.get<{ n: number }>(
    'SELECT coalesce(max(number), 0) AS n FROM branch WHERE session = ?',
    session.number,
  );
  const number = (last?.n ?? 0) + 1;
  const { data } = at.entry;
  const parent = projectBranch(database, session, { number, firstSeq: at.seq, data, state: at.state });
  return { seq: parent.seq, id: data.to, hash: parent.hash, branch: number };
}

/** Where every branch begins, found from the entries alone; `projectMove` adds the rest. For a rebuild. */
export function findBranches(database: StoreDatabase, session: number): void {
  database.run(
    `INSERT INTO branch (session, number, first_seq, parent_branch, parent_seq, from_seq, how)
     SELECT child.session, child.branch, child.seq, parent.branch, parent.seq, 0, 'rewind'
     FROM entry child JOIN entry parent ON parent.session = child.session AND parent.id = child.parent
     WHERE child.place >= ? AND child.place <= ? AND child.kind = 'rewind'`,
    entryPlace(session, 0),
    entryPlace(session, Infinity),
  );
}

/** The same for an entry that is there already, when projections are made anew. */
export function projectMove(
  database: StoreDatabase,
  session: { id: SessionId; number: number },
  entry: EntryOf<'rewind'>,
  state: SessionProjection,
): void {
  const row = database.get<{ branch: number }>(
    'SELECT branch FROM entry WHERE place = ?',
    entryPlace(session.number, entry.seq),
  );
  if (row === undefined) return;
  projectBranch(database, session, { number: row.branch, firstSeq: entry.seq, data: entry.data, state });
}

/** Gives a branch its name. An unknown number is a name of nothing. */
export function projectName(database: StoreDatabase, session: number, entry: Entry): void {
  if (entry.kind !== 'branch-name') return;
  const { branch, name } = entry.data;
  if (branch === 0) {
    database.run(
      `INSERT INTO branch (session, number, first_seq, parent_branch, parent_seq, from_seq, how, name)
       VALUES (?, 0, 1, 0, 0, 0, 'root', ?) ON CONFLICT (session, number) DO UPDATE SET name = excluded.name`,
      session,
      name,
    );
    return;
  }
  database.run('UPDATE branch SET name = ? WHERE session = ? AND number = ?', name, session, branch);
}

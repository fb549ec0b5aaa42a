// The one place where entries are written: after the head, chained by hash, with their projections, as one transaction.
// An entry that moves the leaf is written after the entry that it names, as the first of a branch of its own.
import type { Entry, NewEntry, Outcome } from '../contract/entries.ts';
import type { SessionId } from '../contract/ids.ts';
import { entryHash } from './entry-hash.ts';
import { entryPlace } from './entry-place.ts';
import { EntryRows } from './entry-rows.ts';
import { assertHolds, type LeaseRow } from './leases.ts';
import { countOpen, mayChangeOpen, projectCalls } from './project-calls.ts';
import { beginBranch } from './branches.ts';
import { projectEntry, type SessionProjection } from './session-projection.ts';
import { toProjection, type SessionColumns } from './session-rows.ts';
import type { StoreDatabase } from './store-database.ts';
import { sessionNotFound } from './store-error.ts';

/** The newest entry: the next one is written after it, as its child. */
interface Head {
  seq: number;
  id: string | null;
  hash: string;
  branch: number;
}

const headSql = 'SELECT * FROM session WHERE id = ?';

/** Apart from the session's row: a join of the two costs several times what both cost by themselves. */
const leaseSql = 'SELECT holder, pid, started, host, taken_at FROM lease WHERE session = ?';

const updateSql = `UPDATE session SET head_seq = ?, head_id = ?, head_hash = ?, head_branch = ?,
  created_at = ?, settled_seq = ?, open_turn = ?, mode = ?, model = ?, turns = ?, last_outcome = ?,
  input_tokens = ?, output_tokens = ?, cached_tokens = ?, reasoning_tokens = ?, cost_usd = ?, context_tokens = ?,
  waiting = ?, queued = ? WHERE number = ?`;

/** The form of a title that a filter is matched against: what people take for the same letters is the same. */
export function foldTitle(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** Apart from the rest: the list's indexes are ordered by it, and naming it writes their pages, changed or not. */
const updateTimeSql = 'UPDATE session SET updated_at = ? WHERE number = ?';
const updateTitleSql = 'UPDATE session SET title = ?, title_folded = ? WHERE number = ?';

/** What a session's row holds already, so that it need not be written again. */
interface Saved {
  updatedAtMs: number;
  title: string;
  /** The counts over calls and the queue, where no entry can have changed them. */
  open: { waiting: number; queued: number } | null;
}

/** Writes a session's head and projection; `saved` is null where nothing is known of its row. Call inside `write`. */
export function saveSession(
  database: StoreDatabase,
  session: { number: number; saved: Saved | null },
  head: Head,
  state: SessionProjection,
): void {
  const { number, saved } = session;
  if (state.updatedAtMs !== saved?.updatedAtMs) database.run(updateTimeSql, state.updatedAtMs, number);
  if (state.title !== saved?.title) database.run(updateTitleSql, state.title, foldTitle(state.title), number);
  const { waiting, queued } = saved?.open ?? countOpen(database, number, state.openTurnId);
  const outcome: Outcome | null = state.lastOutcome;
  database.run(
    updateSql,
    head.seq,
    head.id,
    head.hash,
    head.branch,
    state.createdAtMs,
    state.settledSeq,
    state.openTurnId,
    state.mode,
    state.model,
    state.turns,
    outcome === null ? null : JSON.stringify(outcome),
    state.usage.input,
    state.usage.output,
    state.usage.cachedInput,
    state.usage.reasoning,
    state.usage.costUsd,
    state.contextTokens,
    waiting,
    queued,
    number,
  );
}

type HeadRow = SessionColumns & { head_id: string | null; head_hash: string; head_branch: number };

/**
 * Appends to the session's head; `pid` must hold the lease, and `partial` says whether running text may be stored, which
 * the entries replace. Codes session.not-found, session.busy, store.*.
 */
export function appendEntries(
  database: StoreDatabase,
  id: SessionId,
  writer: { pid: number; partial: boolean },
  entries: readonly NewEntry[],
): Entry[] {
  const payloads = entries.map((entry) => JSON.stringify(entry.data));
  return database.write(() => {
    const row = database.get<HeadRow>(headSql, id);
    if (row === undefined) throw sessionNotFound(id);
    assertHolds(id, database.get<LeaseRow>(leaseSql, row.number) ?? null, writer.pid);
    if (entries.length === 0) return [];
    let head: Head = { seq: row.head_seq, id: row.head_id, hash: row.head_hash, branch: row.head_branch };
    const state = toProjection(row);
    const stored: Entry[] = [];
    const rows = new EntryRows(database);
    for (const [index, entry] of entries.entries()) {
      const seq = head.seq + 1;
      if (entry.kind === 'rewind') {
        // A branch is made of what is in the table.
        rows.write();
        head = beginBranch(database, { id, number: row.number }, { entry, seq, state });
      }
      const whole: Entry = { ...entry, sessionId: id, parentId: head.id as Entry['parentId'], seq };
      const payload = payloads[index] ?? '';
      const hash = entryHash(head.hash, whole, payload);
      const place = entryPlace(row.number, seq);
      const { branch } = head;
      rows.add(place, row.number, branch, whole.id, head.id, whole.kind, whole.atMs, payload, hash);
      head = { seq, id: whole.id, hash, branch };
      projectEntry(state, whole);
      stored.push(whole);
    }
    rows.write();
    projectCalls(database, row.number, stored);
    const same = row.waiting === 0 && !stored.some(mayChangeOpen);
    const open = same ? { waiting: row.waiting, queued: row.queued } : null;
    const saved = { updatedAtMs: row.updated_at, title: row.title, open };
    saveSession(database, { number: row.number, saved }, head, state);
    if (writer.partial) database.run('DELETE FROM partial WHERE session = ?', row.number);
    return stored;
  });
}

// Reads what entries projected into rows of their own: the ledger, changed files, the queue. What is large (diffs, queued
// text) is taken from the entry that the row names.
import type { DecidedBy, Effect } from '../contract/authority.ts';
import type { Entry, ResultStatus } from '../contract/entries.ts';
import type { CallId, SessionId, TurnId } from '../contract/ids.ts';
import type { ChangedFile, LedgerRow, QueueItem } from '../contract/session.ts';
import { readRange, sessionNumber } from './read-entries.ts';
import type { StoreDatabase } from './store-database.ts';
import { parseStored } from './stored-json.ts';

interface CallColumns {
  call_id: string;
  seq: number;
  turn_id: string;
  at: number;
  tool: string;
  summary: string;
  effects: string;
  decision: string;
  decided_by: string | null;
  reason: string;
  lasting: string;
  digest: string;
  confined: number;
  changed_by_person: number;
  started_at: number | null;
  status: string | null;
  duration_ms: number | null;
}

function toLedgerRow(row: CallColumns): LedgerRow {
  return {
    callId: row.call_id as CallId,
    turnId: row.turn_id as TurnId,
    seq: row.seq,
    atMs: row.at,
    tool: row.tool,
    summary: row.summary,
    effects: parseStored<Effect[]>(row.effects, []),
    decision: row.decision as LedgerRow['decision'],
    by: parseStored<DecidedBy | null>(row.decided_by, null),
    reason: row.reason,
    lasting: row.lasting as LedgerRow['lasting'],
    digest: row.digest,
    confined: row.confined !== 0,
    changedByPerson: row.changed_by_person !== 0,
    startedAtMs: row.started_at,
    status: row.status as ResultStatus | null,
    durationMs: row.duration_ms,
  };
}

/** One row a call, in order of the calls; none for an unknown session. */
export function listLedger(database: StoreDatabase, id: SessionId): LedgerRow[] {
  return database
    .all<CallColumns>(
      `SELECT call.* FROM call JOIN session ON session.number = call.session WHERE session.id = ? ORDER BY call.seq`,
      id,
    )
    .map(toLedgerRow);
}

/** The entry at `seq`, or null when it is not there or cannot be read. */
function entryAt(database: StoreDatabase, session: { id: SessionId; number: number }, seq: number): Entry | null {
  return readRange(database, session, { fromSeq: seq, toSeq: seq + 1 }).entries[0] ?? null;
}

/** Changed files by path, each with its changes in order; none for an unknown session. */
export function listChanges(database: StoreDatabase, id: SessionId): ChangedFile[] {
  const number = sessionNumber(database, id);
  if (number === null) return [];
  const files = new Map<string, ChangedFile>();
  const seqs = database.all<{ seq: number }>(
    'SELECT DISTINCT seq FROM file_change WHERE session = ? ORDER BY seq',
    number,
  );
  for (const { seq } of seqs) {
    const entry = entryAt(database, { id, number }, seq);
    if (entry?.kind !== 'tool-result') continue;
    for (const change of entry.data.changes) {
      const file = files.get(change.path) ?? { path: change.path, added: 0, removed: 0, changes: [] };
      file.added += change.added;
      file.removed += change.removed;
      file.changes.push({ callId: entry.data.callId, atMs: entry.atMs, change });
      files.set(change.path, file);
    }
  }
  return [...files.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

/** Queued messages in the order in which they were queued; none for an unknown session. */
export function listQueue(database: StoreDatabase, id: SessionId): QueueItem[] {
  const number = sessionNumber(database, id);
  if (number === null) return [];
  const items: QueueItem[] = [];
  for (const { seq } of database.all<{ seq: number }>('SELECT seq FROM queue WHERE session = ? ORDER BY seq', number)) {
    const entry = entryAt(database, { id, number }, seq);
    if (entry?.kind === 'queue-add') items.push(entry.data);
  }
  return items;
}

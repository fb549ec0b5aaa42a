// Writes the rows that an entry projects into tables of their own: calls (the ledger), file changes, the queue, and
// attachments whose text an entry now holds. Deterministic: the same entries give the same rows, live or rebuilt.
import type { Entry, EntryOf } from '../contract/entries.ts';
import { projectName } from './branches.ts';
import type { StoreDatabase } from './store-database.ts';

function projectRequest(database: StoreDatabase, session: number, entry: EntryOf<'approval-request'>): void {
  const { callId, turnId, tool, summary, effects, why, digest } = entry.data;
  database.run(
    `INSERT INTO call (session, call_id, seq, turn_id, at, tool, summary, effects, decision, reason, lasting, digest,
       confined, changed_by_person)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'waiting', ?, 'once', ?, 0, 0)
     ON CONFLICT (session, call_id) DO UPDATE SET summary = excluded.summary, effects = excluded.effects,
       decision = 'waiting', decided_by = NULL, reason = excluded.reason, digest = excluded.digest`,
    session,
    callId,
    entry.seq,
    turnId,
    entry.atMs,
    tool,
    summary,
    JSON.stringify(effects),
    why,
    digest,
  );
}

/** A verdict with what came of its call in the same batch: one row written once. */
interface NewCall {
  readonly verdict: EntryOf<'verdict'>;
  startedAtMs: number | null;
  result: { status: string; durationMs: number } | null;
}

const verdictSql = `INSERT INTO call (session, call_id, seq, turn_id, at, tool, summary, effects, decision, decided_by,
    reason, lasting, digest, confined, changed_by_person, started_at, status, duration_ms)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (session, call_id) DO UPDATE SET at = excluded.at, summary = excluded.summary,
    effects = excluded.effects, decision = excluded.decision, decided_by = excluded.decided_by,
    reason = excluded.reason, lasting = excluded.lasting, digest = excluded.digest, confined = excluded.confined,
    changed_by_person = excluded.changed_by_person, started_at = coalesce(excluded.started_at, started_at),
    status = coalesce(excluded.status, status), duration_ms = coalesce(excluded.duration_ms, duration_ms)`;

function writeVerdict(database: StoreDatabase, session: number, call: NewCall): void {
  const { verdict, startedAtMs, result } = call;
  const { callId, turnId, tool, summary, effects, decision, by, reason, lasting, digest, confined } = verdict.data;
  database.run(
    verdictSql,
    session,
    callId,
    verdict.seq,
    turnId,
    verdict.atMs,
    tool,
    summary,
    JSON.stringify(effects),
    decision,
    JSON.stringify(by),
    reason,
    lasting,
    digest,
    confined ? 1 : 0,
    verdict.data.changed === undefined ? 0 : 1,
    startedAtMs,
    result?.status ?? null,
    result?.durationMs ?? null,
  );
}

function writeStart(database: StoreDatabase, session: number, entry: EntryOf<'tool-start'>): void {
  const sql = 'UPDATE call SET started_at = ? WHERE session = ? AND call_id = ?';
  database.run(sql, entry.atMs, session, entry.data.callId);
}

function writeResult(database: StoreDatabase, session: number, entry: EntryOf<'tool-result'>): void {
  const { callId, status, durationMs } = entry.data;
  const sql = 'UPDATE call SET status = ?, duration_ms = ? WHERE session = ? AND call_id = ?';
  database.run(sql, status, durationMs, session, callId);
}

function projectChanges(database: StoreDatabase, session: number, entry: EntryOf<'tool-result'>): void {
  const sql = 'INSERT INTO file_change (session, seq, place, path) VALUES (?, ?, ?, ?)';
  for (const [place, change] of entry.data.changes.entries()) {
    database.run(sql, session, entry.seq, place, change.path);
  }
}

/** From here on the entry holds the text. */
function dropAttachments(database: StoreDatabase, session: number, attachments: readonly { id: string }[]): void {
  for (const { id } of attachments) database.run('DELETE FROM attachment WHERE session = ? AND id = ?', session, id);
}

/** Writes what entries of session `number`, in order of seq, project into tables of their own. Call inside `write`. */
export function projectCalls(database: StoreDatabase, session: number, entries: readonly Entry[]): void {
  const fresh = new Map<string, NewCall>();
  const write = (callId: string): void => {
    const call = fresh.get(callId);
    if (call) writeVerdict(database, session, call);
    fresh.delete(callId);
  };
  for (const entry of entries) {
    switch (entry.kind) {
      case 'approval-request':
        write(entry.data.callId);
        projectRequest(database, session, entry);
        break;
      case 'verdict':
        write(entry.data.callId);
        fresh.set(entry.data.callId, { verdict: entry, startedAtMs: null, result: null });
        break;
      case 'tool-start': {
        const call = fresh.get(entry.data.callId);
        if (call) call.startedAtMs = entry.atMs;
        else writeStart(database, session, entry);
        break;
      }
      case 'tool-result': {
        const call = fresh.get(entry.data.callId);
        if (call) call.result = entry.data;
        else writeResult(database, session, entry);
        projectChanges(database, session, entry);
        break;
      }
      default:
        projectQueue(database, session, entry);
    }
  }
  for (const callId of [...fresh.keys()]) write(callId);
}

function projectQueue(database: StoreDatabase, session: number, entry: Entry): void {
  switch (entry.kind) {
    case 'queue-add': {
      const sql = 'INSERT OR REPLACE INTO queue (session, queue_id, seq) VALUES (?, ?, ?)';
      database.run(sql, session, entry.data.queueId, entry.seq);
      dropAttachments(database, session, entry.data.attachments);
      return;
    }
    case 'queue-remove':
      database.run('DELETE FROM queue WHERE session = ? AND queue_id = ?', session, entry.data.queueId);
      return;
    case 'branch-name':
      projectName(database, session, entry);
      return;
    case 'user-message':
      dropAttachments(database, session, entry.data.attachments);
      return;
    default:
  }
}

/**
 * Whether an entry may change what `countOpen` gives while nothing waits: a call that asks, a message in the queue. What
 * ends a wait only matters where something waits.
 */
export function mayChangeOpen(entry: Entry): boolean {
  switch (entry.kind) {
    case 'approval-request':
    case 'queue-add':
    case 'queue-remove':
    case 'user-message':
    case 'turn-continue':
    case 'turn-end':
    case 'rewind':
      return true;
    default:
      return false;
  }
}

/** Calls of the open turn that wait for a verdict, and messages in the queue. */
export function countOpen(
  database: StoreDatabase,
  session: number,
  openTurnId: string | null,
): { waiting: number; queued: number } {
  const waiting = database.get<{ n: number }>(
    `SELECT count(*) AS n FROM call INDEXED BY call_waiting WHERE session = ? AND decision = 'waiting' AND status IS NULL AND turn_id = ?`,
    session,
    openTurnId,
  );
  const queued = database.get<{ n: number }>('SELECT count(*) AS n FROM queue WHERE session = ?', session);
  return { waiting: waiting?.n ?? 0, queued: queued?.n ?? 0 };
}

// Writes the rows that an entry projects into tables of their own: calls (the ledger), file changes, the queue, and
// attachments whose text an entry now holds. Deterministic: the same entries give the same rows, live or rebuilt.
import type { Entry, EntryOf } from '../contract/entries.ts';
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

function projectVerdict(database: StoreDatabase, session: number, entry: EntryOf<'verdict'>): void {
  const { callId, turnId, tool, summary, effects, decision, by, reason, lasting, digest, confined } = entry.data;
  database.run(
    `INSERT INTO call (session, call_id, seq, turn_id, at, tool, summary, effects, decision, decided_by, reason, lasting,
       digest, confined, changed_by_person)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (session, call_id) DO UPDATE SET at = excluded.at, summary = excluded.summary,
       effects = excluded.effects, decision = excluded.decision, decided_by = excluded.decided_by,
       reason = excluded.reason, lasting = excluded.lasting, digest = excluded.digest, confined = excluded.confined,
       changed_by_person = excluded.changed_by_person`,
    session,
    callId,
    entry.seq,
    turnId,
    entry.atMs,
    tool,
    summary,
    JSON.stringify(effects),
    decision,
    JSON.stringify(by),
    reason,
    lasting,
    digest,
    confined ? 1 : 0,
    entry.data.changed === undefined ? 0 : 1,
  );
}

function projectResult(database: StoreDatabase, session: number, entry: EntryOf<'tool-result'>): void {
  const { callId, status, durationMs, changes } = entry.data;
  database.run(
    'UPDATE call SET status = ?, duration_ms = ? WHERE session = ? AND call_id = ?',
    status,
    durationMs,
    session,
    callId,
  );
  for (const [place, change] of changes.entries()) {
    database.run(
      'INSERT INTO file_change (session, seq, place, path) VALUES (?, ?, ?, ?)',
      session,
      entry.seq,
      place,
      change.path,
    );
  }
}

/** From here on the entry holds the text. */
function dropAttachments(database: StoreDatabase, session: number, attachments: readonly { id: string }[]): void {
  for (const { id } of attachments) database.run('DELETE FROM attachment WHERE session = ? AND id = ?', session, id);
}

/** Writes what one entry of session `number` projects into tables of its own. Call inside `write`, in order of seq. */
export function projectCalls(database: StoreDatabase, session: number, entry: Entry): void {
  switch (entry.kind) {
    case 'approval-request':
      projectRequest(database, session, entry);
      return;
    case 'verdict':
      projectVerdict(database, session, entry);
      return;
    case 'tool-start':
      database.run(
        'UPDATE call SET started_at = ? WHERE session = ? AND call_id = ?',
        entry.atMs,
        session,
        entry.data.callId,
      );
      return;
    case 'tool-result':
      projectResult(database, session, entry);
      return;
    case 'queue-add':
      database.run(
        'INSERT OR REPLACE INTO queue (session, queue_id, seq) VALUES (?, ?, ?)',
        session,
        entry.data.queueId,
        entry.seq,
      );
      dropAttachments(database, session, entry.data.attachments);
      return;
    case 'queue-remove':
      database.run('DELETE FROM queue WHERE session = ? AND queue_id = ?', session, entry.data.queueId);
      return;
    case 'user-message':
      dropAttachments(database, session, entry.data.attachments);
      return;
    default:
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

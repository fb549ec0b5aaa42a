// One line of the chat list, from the store's row and, where the chat is loaded, from the live session.
import type { SessionStatus, SessionSummary } from '../contract/session.ts';
import type { SessionRow } from '../store/store.ts';

/** What a loaded session knows better than its row. */
export interface LiveFacts {
  readonly status: SessionStatus;
  /** Questions that wait right now; the row follows only once their verdicts are stored. */
  readonly waitingApprovals: number;
}

/** The summary of a session; `live` null = it is not loaded in this process. */
export function toSummary(row: SessionRow, live: LiveFacts | null): SessionSummary {
  return {
    id: row.id,
    projectId: row.projectId,
    title: row.title === '' ? 'New chat' : row.title,
    createdAtMs: row.createdAtMs,
    updatedAtMs: row.updatedAtMs,
    status: live ? live.status : coldStatus(row),
    name: row.name,
    saved: row.saved,
    pinned: row.pinned,
    unread: row.unread,
    archived: row.archived,
    trashedAtMs: row.trashedAtMs,
    waitingApprovals: live ? live.waitingApprovals : row.waitingApprovals,
    queued: row.queued,
    mode: row.mode,
    model: row.model,
    turns: row.turns,
  };
}

/** A turn that is open while nobody holds the session was cut, or waits for an answer. */
function coldStatus(row: SessionRow): SessionStatus {
  if (row.openTurnId !== null) {
    if (row.heldBy !== null) return 'running';
    return row.waitingApprovals > 0 ? 'waiting' : 'interrupted';
  }
  if (row.lastOutcome?.type === 'interrupted') return 'interrupted';
  return row.lastOutcome?.type === 'failed' ? 'failed' : 'idle';
}

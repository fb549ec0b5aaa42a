// Results for calls that will get none of their own, so that every call has exactly one (HIST-02, HIST-03).
import type { EntryData, NewEntry } from '../contract/entries.ts';
import type { CallId, TurnId } from '../contract/ids.ts';
import type { PendingCall } from './fold-history.ts';
import type { ProposedCall } from './gate-types.ts';

type ResultData = EntryData<'tool-result'>;

const MAY_HAVE_RUN = 'It may or may not have taken effect; check before repeating it.';

/** The result of a call that was never started. */
export function notRun(turnId: TurnId, call: ProposedCall, content: string): ResultData {
  return {
    turnId,
    callId: call.callId,
    tool: call.name,
    summary: call.name,
    status: 'cancelled',
    content,
    facts: {},
    changes: [],
    durationMs: 0,
  };
}

/** The result of a call that a stopped process left behind. */
export function leftBehind(turnId: TurnId, call: PendingCall): ResultData {
  const content = call.started
    ? `Interrupted: Warrant stopped while this ran. ${MAY_HAVE_RUN}`
    : 'Not started: the turn was interrupted before it ran.';
  const status = call.started ? 'interrupted' : 'cancelled';
  return { ...notRun(turnId, call, content), summary: call.summary, status };
}

/**
 * What to store of a step that a fault ended: nothing of it when none of its calls had begun (HIST-04), otherwise all of
 * it, complete: starts of calls that did not begin and questions that were not asked are left out, and each call without
 * a result gets one (HIST-03).
 */
export function afterFault(input: {
  turnId: TurnId;
  unsaved: readonly NewEntry[];
  /** Calls of the stored part that have no result. */
  pending: readonly PendingCall[];
  /** Calls that began to run in this step. */
  begun: ReadonlySet<CallId>;
}): { kept: NewEntry[]; results: ResultData[] } {
  const { turnId, unsaved, pending, begun } = input;
  const kept = begun.size === 0 ? [] : unsaved.filter((entry) => happened(entry, begun));
  const answered = new Set(kept.flatMap((entry) => (entry.kind === 'tool-result' ? [entry.data.callId] : [])));
  const proposed: ProposedCall[] = kept.flatMap((entry) =>
    entry.kind === 'assistant-message' ? entry.data.parts.filter((part) => part.type === 'tool-call') : [],
  );
  const open = [...pending, ...proposed].filter((call) => !answered.has(call.callId));
  const results = open.map((call) =>
    begun.has(call.callId) || ('started' in call && call.started)
      ? { ...notRun(turnId, call, `Interrupted by a fault. ${MAY_HAVE_RUN}`), status: 'interrupted' as const }
      : notRun(turnId, call, 'Not started: a fault ended the turn before it ran.'),
  );
  return { kept, results };
}

/** A question is asked, and a call begins, only after its entry is stored: one that waits for the journal did not. */
function happened(entry: NewEntry, begun: ReadonlySet<CallId>): boolean {
  if (entry.kind === 'tool-start') return begun.has(entry.data.callId);
  return entry.kind !== 'approval-request';
}

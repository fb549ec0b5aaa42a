// Decisions that were given while nobody waited for them, for a turn that was suspended (APPR-08 to APPR-11). They are
// bound to what was asked: a decision for something else than what would run now is none.
import { AppError } from '../base/app-error.ts';
import type { CallId } from '../contract/ids.ts';
import type { PendingCall } from './fold-history.ts';
import type { ApprovalAnswer, ApprovalQuestion, Approver } from './ports.ts';

/** Answers by call. */
export type Decisions = ReadonlyMap<CallId, ApprovalAnswer>;

/** Throws approval.not-waiting when a decision names a call that does not wait for one (APPR-11). */
export function assertDecisions(decisions: Decisions, pending: readonly PendingCall[]): void {
  for (const callId of decisions.keys()) {
    if (pending.some((call) => call.callId === callId && call.asked && !call.started)) continue;
    throw new AppError('approval.not-waiting', 'This call does not wait for an answer (any more).', {
      details: { callId },
    });
  }
}

/**
 * The decision on this question; without one, a call that waited counts as rejected where decisions were given
 * (APPR-10), and any other question goes to the approver. Rejects as the approver does.
 */
export async function answerQuestion(
  question: ApprovalQuestion,
  from: { decisions: Decisions | null; waiting: ReadonlySet<CallId>; approver: Approver | null; signal: AbortSignal },
): Promise<ApprovalAnswer> {
  const { decisions, waiting, approver, signal } = from;
  const decided = decisions?.get(question.callId);
  if (decided && (decided.type !== 'allow' || decided.digest === question.prepared.digest)) return decided;
  if (decisions && !decided && waiting.has(question.callId)) {
    return { type: 'deny', reason: 'no decision was given for this call', by: 'policy' };
  }
  if (approver) return approver.ask(question, signal);
  const reason = decided ? 'what it would do has changed since it was allowed' : 'nobody is there to answer';
  return { type: 'deny', reason, by: 'policy' };
}

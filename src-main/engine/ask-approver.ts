// Puts one question to whoever answers: stored first, then asked, and given up when the wait ends. An approver that
// throws, or gives nothing, denies.
import { isAppError } from '../base/app-error.ts';
import { newId } from '../base/new-id.ts';
import type { Grant } from '../contract/authority.ts';
import type { EntryId } from '../contract/ids.ts';
import { expectWrite } from './keep-files.ts';
import { GIVEN_UP, settleWithin, type GivenUp } from './await-signal.ts';
import type { Asking, GateEnvironment, ProposedCall } from './gate-types.ts';
import type { ApprovalAnswer, ApprovalQuestion, Approver, PreparedCall } from './ports.ts';

/** What is asked about: the call with the arguments that would run, and what `prepare` made of them. */
export interface Asked {
  readonly call: ProposedCall;
  readonly tool: string;
  readonly argumentsText: string;
  readonly prepared: PreparedCall;
  /** The session grant that may be given; null = only one-shot answers. */
  readonly grant: Grant | null;
  readonly why: string;
}

/**
 * The answer, or GIVEN_UP when the turn was stopped or the wait for it ended. Rejects only when the journal cannot store
 * the question; nothing was asked then.
 */
export async function askApprover(
  asked: Asked,
  how: { env: GateEnvironment; approver: Approver; asking: Asking | null },
): Promise<ApprovalAnswer | GivenUp> {
  const { env, approver, asking } = how;
  const signal = asking?.signal ?? env.signal;
  const question = await recordQuestion(asked, env);
  asking?.asked();
  expectWrite(env, asked.prepared.effects);
  const answer = await settleWithin(askSafely(approver, question, signal), { signal, clock: env.clock, graceMs: 0 });
  return answer === GIVEN_UP || signal.aborted ? GIVEN_UP : answer;
}

/** Stores the question; one that is stored already and waits is not stored again. */
async function recordQuestion(asked: Asked, env: GateEnvironment): Promise<ApprovalQuestion> {
  const { clock, turnId } = env;
  const { tool, argumentsText, prepared, grant, why } = asked;
  const { callId } = asked.call;
  const { summary, effects, preview, digest } = prepared;
  const grantable = grant !== null;
  const { question } = asked.call;
  if (question?.digest === digest) {
    return { callId, turnId, tool, argumentsText, prepared, why, grantable, entryId: question.entryId };
  }
  const entryId = newId<EntryId>(clock.nowMs());
  const shown = { turnId, callId, tool, summary, argumentsText, preview, digest, why, grant };
  await env.recordQuestion({
    id: entryId,
    atMs: clock.nowMs(),
    kind: 'approval-request',
    data: { ...shown, effects: [...effects] },
  });
  return { callId, turnId, tool, argumentsText, prepared, why, grantable, entryId };
}

async function askSafely(approver: Approver, question: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalAnswer> {
  try {
    // A copy, so that an approver that gives nothing at all is read as a denial too.
    return { ...(await approver.ask(question, signal)) };
  } catch (cause) {
    const reason = isAppError(cause) ? cause.message : 'the question could not be asked';
    return { type: 'deny', reason, by: 'policy' };
  }
}

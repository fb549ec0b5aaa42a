// Questions of one session that wait for the person: a queue in which none replaces another (U11), each answered by call
// and digest. Also holds questions that a former process left: they are shown again, answering one goes on with the turn,
// and the others are then asked anew without being told twice.
import { AppError } from '../base/app-error.ts';
import type { EntryOf } from '../contract/entries.ts';
import type { CallId, SessionId } from '../contract/ids.ts';
import type { Approval } from '../contract/session.ts';
import type { ApprovalAnswer, ApprovalQuestion, Approver } from '../engine/ports.ts';

/** What a person's window or terminal answers. */
export interface PersonsAnswer {
  readonly answer: 'allow-once' | 'allow-session' | 'allow-always' | 'deny';
  readonly digest: string;
  readonly reason: string;
  readonly changedArguments: string | undefined;
}

export interface PendingApprovalsOptions {
  readonly sessionId: SessionId;
  /** Folder as people read it. */
  readonly folder: string;
  onRequest(approval: Approval): void;
  onSettle(callId: CallId): void;
}

interface Waiting {
  readonly approval: Approval;
  /** null: left by a former process, nobody waits for it here. */
  readonly settle: ((answer: ApprovalAnswer) => void) | null;
}

export class PendingApprovals implements Approver {
  readonly #options: PendingApprovalsOptions;
  readonly #waiting = new Map<CallId, Waiting>();
  /** Answers to questions of a former process, until the turn asks again. */
  readonly #early = new Map<CallId, ApprovalAnswer>();
  #suspending = false;

  constructor(options: PendingApprovalsOptions) {
    this.#options = options;
  }

  /** In the order in which they were asked. */
  list(): Approval[] {
    return [...this.#waiting.values()].map((waiting) => waiting.approval);
  }

  async ask(question: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalAnswer> {
    if (this.#suspending) return { type: 'suspend' };
    const { callId } = question;
    const early = this.#early.get(callId);
    this.#early.delete(callId);
    if (early && (early.type !== 'allow' || early.digest === question.prepared.digest)) return early;
    const known = this.#waiting.get(callId)?.approval;
    const isShown = known?.digest === question.prepared.digest;
    const approval = isShown ? known : this.#toApproval(question);
    return new Promise((resolve) => {
      const settle = (answer: ApprovalAnswer): void => {
        signal.removeEventListener('abort', onAbort);
        if (this.#waiting.delete(callId)) this.#options.onSettle(callId);
        resolve(answer);
      };
      const onAbort = (): void => {
        settle({ type: 'deny', reason: 'the turn was stopped', by: 'policy' });
      };
      this.#waiting.set(callId, { approval, settle });
      signal.addEventListener('abort', onAbort, { once: true });
      if (!isShown) this.#options.onRequest(approval);
    });
  }

  /** Shows a question of a former process again. */
  restore(entry: EntryOf<'approval-request'>): void {
    const { sessionId, folder } = this.#options;
    this.#waiting.set(entry.data.callId, {
      approval: { ...entry.data, sessionId, folder, askedAtMs: entry.atMs },
      settle: null,
    });
  }

  /**
   * Takes a person's answer. Gives whether the turn has to be gone on with, as nobody in this process waits for it.
   * Codes approval.not-waiting, approval.changed, approval.not-grantable.
   */
  answer(callId: CallId, given: PersonsAnswer): boolean {
    const waiting = this.#waiting.get(callId);
    if (!waiting) throw new AppError('approval.not-waiting', 'This call does not wait for an answer any more.');
    const { approval } = waiting;
    if (given.answer !== 'deny' && given.digest !== approval.digest) {
      throw new AppError('approval.changed', 'What would run has changed since it was shown. Look at it again.');
    }
    if ((given.answer === 'allow-session' || given.answer === 'allow-always') && !approval.grant) {
      throw new AppError('approval.not-grantable', 'This is asked every time; it can be allowed once only.');
    }
    const answer = toAnswer(given);
    if (waiting.settle) {
      waiting.settle(answer);
      return false;
    }
    this.#early.set(callId, answer);
    this.#waiting.delete(callId);
    this.#options.onSettle(callId);
    return true;
  }

  /** Lets go of all questions: the turns that wait stop as awaiting-approval and can go on after a restart. */
  suspendAll(): void {
    this.#suspending = true;
    for (const waiting of [...this.#waiting.values()]) waiting.settle?.({ type: 'suspend' });
  }

  /** Forgets questions of a former process (their turn was given up, or is decided elsewhere). */
  dropRestored(): void {
    this.#early.clear();
    for (const [callId, waiting] of [...this.#waiting]) {
      if (waiting.settle) continue;
      this.#waiting.delete(callId);
      this.#options.onSettle(callId);
    }
  }

  #toApproval(question: ApprovalQuestion): Approval {
    const { prepared } = question;
    return {
      sessionId: this.#options.sessionId,
      turnId: question.turnId,
      callId: question.callId,
      tool: question.tool,
      summary: prepared.summary,
      argumentsText: question.argumentsText,
      effects: [...prepared.effects],
      preview: prepared.preview,
      digest: prepared.digest,
      why: question.why,
      grant: question.grantable ? prepared.grant : null,
      folder: this.#options.folder,
      askedAtMs: Date.now(),
    };
  }
}

function toAnswer(given: PersonsAnswer): ApprovalAnswer {
  if (given.answer === 'deny') return { type: 'deny', reason: given.reason, by: 'person' };
  return {
    type: 'allow',
    lasting: given.answer === 'allow-once' ? 'once' : 'session',
    digest: given.digest,
    ...(given.changedArguments === undefined ? {} : { changedArguments: given.changedArguments }),
  };
}

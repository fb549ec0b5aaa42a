// What the model of one chat asks the person (`ask_user`), while it waits: a queue beside the approvals, answered by call.
// A question is part of its turn: it ends with the turn, and is never answered by itself.
import { AppError } from '../base/app-error.ts';
import type { CallId, SessionId } from '../contract/ids.ts';
import type { PersonQuestion } from '../contract/session.ts';
import type { Asker, UserQuestion } from '../engine/ports.ts';

export interface PendingQuestionsOptions {
  readonly sessionId: SessionId;
  onAsk(question: PersonQuestion): void;
  onSettle(callId: CallId): void;
}

interface Waiting {
  readonly question: PersonQuestion;
  readonly settle: (answer: string | null) => void;
}

export class PendingQuestions implements Asker {
  readonly #options: PendingQuestionsOptions;
  readonly #waiting = new Map<CallId, Waiting>();

  constructor(options: PendingQuestionsOptions) {
    this.#options = options;
  }

  /** In the order in which they were asked. */
  list(): PersonQuestion[] {
    return [...this.#waiting.values()].map((waiting) => waiting.question);
  }

  async askUser(asked: UserQuestion, signal: AbortSignal): Promise<string | null> {
    if (signal.aborted) return null;
    const { callId } = asked;
    const { sessionId } = this.#options;
    const question = {
      sessionId,
      callId,
      question: asked.question,
      options: [...asked.options],
      askedAtMs: Date.now(),
    };
    return new Promise((resolve) => {
      const settle = (answer: string | null): void => {
        signal.removeEventListener('abort', stop);
        if (this.#waiting.delete(callId)) this.#options.onSettle(callId);
        resolve(answer);
      };
      const stop = (): void => {
        settle(null);
      };
      this.#waiting.set(callId, { question, settle });
      signal.addEventListener('abort', stop, { once: true });
      this.#options.onAsk(question);
    });
  }

  /** Takes the person's answer; null = they do not answer. Code approval.not-waiting. */
  answer(callId: CallId, text: string | null): void {
    const waiting = this.#waiting.get(callId);
    if (!waiting) throw new AppError('approval.not-waiting', 'This question does not wait for an answer any more.');
    waiting.settle(text === null || text.trim() === '' ? null : text);
  }
}

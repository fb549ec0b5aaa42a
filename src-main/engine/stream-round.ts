// One model round: sends a request, forwards deltas in order, gives the complete answer or the error. Retries the same
// model only before any output came (T17), with backoff and the provider's retry-after. A stream that goes silent, or
// ends without a finish, is an error; comments and keep-alives are not data (T16).
import type { AssistantPart, FinishReason, Usage } from '../contract/entries.ts';
import type { WireError } from '../contract/errors.ts';
import type { CallId, TurnId } from '../contract/ids.ts';
import type { Limits } from '../contract/limits.ts';
import { newId } from '../base/new-id.ts';
import type { EngineEvent } from './engine-events.ts';
import type { Clock, Model, ModelEvent, ModelRequest } from './ports.ts';

export interface RoundInput {
  readonly model: Model;
  readonly request: ModelRequest;
  readonly turnId: TurnId;
  readonly step: number;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  emit(event: EngineEvent): void;
  /** Running text, for the journal's partial. */
  progress(text: string, reasoning: string): void;
}

export interface RoundAnswer {
  readonly parts: AssistantPart[];
  readonly finish: FinishReason;
  readonly usage: Usage | null;
}

/** `partial` is what had arrived: shown as cut, never part of a request. */
export type RoundResult =
  | { type: 'answer'; answer: RoundAnswer }
  | { type: 'failed'; error: WireError; partial: { text: string; reasoning: string } }
  | { type: 'cancelled'; partial: { text: string; reasoning: string } };

const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 60_000;

/** Runs one round to its end. Never rejects. */
export async function streamRound(input: RoundInput): Promise<RoundResult> {
  for (let attempt = 1; ; attempt++) {
    const collector = new Collector(input);
    const failure = await collector.collect();
    if (input.signal.aborted) return { type: 'cancelled', partial: collector.partial() };
    if (!failure) return { type: 'answer', answer: collector.answer() };
    const again = failure.error.retryable && !collector.hasOutput && attempt <= input.limits.providerRetries;
    if (!again) return { type: 'failed', error: failure.error, partial: collector.partial() };
    const waitMs = Math.min(failure.retryAfterMs ?? FIRST_BACKOFF_MS * 2 ** (attempt - 1), LONGEST_BACKOFF_MS);
    input.emit({ type: 'retry', turnId: input.turnId, attempt, waitMs, error: failure.error });
    await pause(input.clock, waitMs, input.signal);
    if (input.signal.aborted) return { type: 'cancelled', partial: { text: '', reasoning: '' } };
  }
}

interface Failure {
  error: WireError;
  retryAfterMs: number | null;
}

const failure = (code: WireError['code'], message: string): Failure => ({
  error: { code, message, retryable: true },
  retryAfterMs: null,
});

class Collector {
  readonly #input: RoundInput;
  readonly #parts: AssistantPart[] = [];
  readonly #seenCalls = new Set<string>();
  #text = '';
  #reasoning = '';
  #finish: { reason: FinishReason; usage: Usage | null } | null = null;
  hasOutput = false;

  constructor(input: RoundInput) {
    this.#input = input;
  }

  partial(): { text: string; reasoning: string } {
    return { text: this.#text, reasoning: this.#reasoning };
  }

  answer(): RoundAnswer {
    const finish = this.#finish ?? { reason: 'other', usage: null };
    const parts = this.#parts.map((part) => ({ ...part }));
    const hasCalls = parts.some((part) => part.type === 'tool-call');
    // Calls that came before the token limit cut the answer may be cut themselves: they are never run.
    if (finish.reason === 'length' || finish.reason === 'refusal') {
      return { parts: parts.filter((part) => part.type !== 'tool-call'), finish: finish.reason, usage: finish.usage };
    }
    return { parts, finish: hasCalls ? 'tool-calls' : finish.reason, usage: finish.usage };
  }

  /** Reads the stream to its end; gives null when it ended well. */
  async collect(): Promise<Failure | null> {
    const { model, request, signal, clock, limits } = this.#input;
    const round = new AbortController();
    const stop = (): void => {
      round.abort();
    };
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    const idle = idleTimer(clock, limits.idleStreamMs, stop);
    let result: Failure | null = null;
    try {
      for await (const event of raceAbort(model.stream(request, round.signal), round.signal)) {
        idle.reset();
        if (event.type === 'error') {
          result = { error: event.error, retryAfterMs: event.retryAfterMs };
          break;
        }
        this.#take(event);
        if (event.type === 'finish') break;
      }
    } catch (cause) {
      // The port's contract forbids this; a foreign adapter that breaks it fails the round, not the session.
      const message = cause instanceof Error ? cause.message : String(cause);
      result = failure('provider.bad-response', `The model's adapter failed: ${message}`);
    } finally {
      idle.cancel();
      signal.removeEventListener('abort', stop);
      round.abort();
    }
    if (idle.fired && !this.#finish) {
      const seconds = String(Math.round(limits.idleStreamMs / 1000));
      return failure(
        'provider.stalled',
        `The model sent nothing for ${seconds} seconds. What arrived is kept; try again.`,
      );
    }
    if (result) return result;
    if (this.#finish) return this.#emptyAnswer();
    return failure(
      'provider.stream-cut',
      'The connection ended before the answer did. What arrived is kept; try again.',
    );
  }

  #emptyAnswer(): Failure | null {
    if (this.#finish?.reason !== 'stop' && this.#finish?.reason !== 'other') return null;
    if (this.#parts.some((part) => part.type === 'tool-call' || (part.type === 'text' && part.text.trim() !== '')))
      return null;
    return failure('provider.bad-response', 'The model ended without an answer. Try again, or pick another model.');
  }

  #take(event: ModelEvent): void {
    const { emit, turnId, step } = this.#input;
    switch (event.type) {
      case 'text':
        if (event.text === '') return;
        this.hasOutput = true;
        this.#text += event.text;
        this.#append('text', event.text);
        emit({ type: 'text-delta', turnId, step, text: event.text });
        this.#input.progress(this.#text, this.#reasoning);
        return;
      case 'reasoning':
        this.#takeReasoning(event);
        return;
      case 'call-draft':
        this.hasOutput = true;
        emit({ type: 'call-draft', turnId, name: event.name, bytes: event.bytes });
        return;
      case 'call':
        this.#takeCall(event);
        return;
      case 'finish':
        this.#finish = { reason: event.reason, usage: event.usage };
        return;
      default:
        return;
    }
  }

  #takeReasoning(event: Extract<ModelEvent, { type: 'reasoning' }>): void {
    const { emit, turnId, step } = this.#input;
    if (event.text !== '') {
      this.hasOutput = true;
      this.#reasoning += event.text;
      emit({ type: 'reasoning-delta', turnId, step, text: event.text });
      this.#input.progress(this.#text, this.#reasoning);
    }
    const last = this.#parts.at(-1);
    if (last?.type === 'reasoning' && (!last.metadata || event.metadata === undefined)) {
      last.text += event.text;
      if (event.metadata) last.metadata = event.metadata;
    } else {
      this.#parts.push({
        type: 'reasoning',
        text: event.text,
        ...(event.metadata ? { metadata: event.metadata } : {}),
      });
    }
  }

  #append(type: 'text', text: string): void {
    const last = this.#parts.at(-1);
    if (last?.type === type) last.text += text;
    else this.#parts.push({ type, text });
  }

  #takeCall(event: Extract<ModelEvent, { type: 'call' }>): void {
    this.hasOutput = true;
    // The same call under several indexes is one call; another call under the same id is another call (T8, T10).
    const key = JSON.stringify([event.providerId, event.name, event.argumentsText]);
    if (event.providerId !== '' && this.#seenCalls.has(key)) return;
    this.#seenCalls.add(key);
    this.#parts.push({
      type: 'tool-call',
      callId: newId<CallId>(this.#input.clock.nowMs()),
      name: event.name,
      argumentsText: event.argumentsText,
      ...(event.metadata ? { metadata: event.metadata } : {}),
    });
  }
}

function idleTimer(
  clock: Clock,
  ms: number,
  fire: () => void,
): { reset(): void; cancel(): void; readonly fired: boolean } {
  let lastMs = clock.nowMs();
  let fired = false;
  let cancel: () => void = () => {};
  // One timer looks again after the rest of the time, instead of a new timer for each of thousands of events.
  const arm = (wait: number): void => {
    cancel = clock.after(wait, () => {
      const silentMs = clock.nowMs() - lastMs;
      if (silentMs < ms) {
        arm(ms - silentMs);
        return;
      }
      fired = true;
      fire();
    });
  };
  arm(ms);
  return {
    reset() {
      lastMs = clock.nowMs();
    },
    cancel() {
      cancel();
    },
    get fired() {
      return fired;
    },
  };
}

/** Ends the iteration when the signal aborts, even if the stream does not; the stream's own end is asked for. */
async function* raceAbort(stream: AsyncIterable<ModelEvent>, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  const iterator = stream[Symbol.asyncIterator]();
  let wake: () => void = () => {};
  const aborted = new Promise<null>((resolve) => {
    wake = () => {
      resolve(null);
    };
  });
  signal.addEventListener('abort', wake, { once: true });
  if (signal.aborted) wake();
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), aborted]);
      if (next === null || next.done === true) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', wake);
    // Not awaited: a stream that hangs would hold the session; its signal is aborted all the same.
    void iterator.return?.().catch(() => undefined);
  }
}

/** Waits `ms`, or less when the signal aborts. */
export async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.after(ms, done);
    signal.addEventListener('abort', done, { once: true });
  });
}

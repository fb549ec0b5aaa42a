// One model round: sends a request, forwards deltas in order, gives the complete answer or the error. Retries the same
// model only before any output came (T17), with backoff and the provider's retry-after. A stream that goes silent, or
// ends without a finish, is an error; comments and keep-alives are not data (T16).
import type { AssistantPart, FinishReason, Usage } from '../contract/entries.ts';
import type { WireError } from '../contract/errors.ts';
import type { CallId, TurnId } from '../contract/ids.ts';
import type { Limits } from '../contract/limits.ts';
import { newId } from '../base/new-id.ts';
import { missingSuffix, OTHER_ANSWER } from './answer-prefix.ts';
import { pause, STOPPED } from './await-signal.ts';
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
  readonly emit: (event: EngineEvent) => void;
  /** Running text, for the journal's partial. */
  readonly progress: (text: string, reasoning: string) => void;
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
/** A service that asks for a longer wait than this is not waited for: the person decides. */
const LONGEST_WAIT_MS = 60_000;
/** How long a stream that was told to end may take to do so. */
const CLOSE_WAIT_MS = 1000;

/** Runs one round to its end. Never rejects. */
export async function streamRound(input: RoundInput): Promise<RoundResult> {
  const { clock, signal, limits } = input;
  for (let attempt = 1; ; attempt++) {
    const collector = new Collector(input);
    const failure = await collector.collect();
    // An answer that is whole stays one, also when it was stopped at its very end.
    if (!failure) return { type: 'answer', answer: collector.answer() };
    if (isAborted(signal)) return { type: 'cancelled', partial: collector.partial() };
    const waitMs = Math.max(
      0,
      failure.retryAfterMs ?? Math.min(FIRST_BACKOFF_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS),
    );
    const again = failure.error.retryable && !collector.hasOutput && attempt <= limits.providerRetries;
    if (!again || waitMs > LONGEST_WAIT_MS) {
      return { type: 'failed', error: failure.error, partial: collector.partial() };
    }
    input.emit({ type: 'retry', turnId: input.turnId, step: input.step, attempt, waitMs, error: failure.error });
    await pause(clock, waitMs, signal);
    if (isAborted(signal)) return { type: 'cancelled', partial: { text: '', reasoning: '' } };
  }
}

// A signal may abort during any wait, which the compiler's narrowing does not know.
const isAborted = (signal: AbortSignal): boolean => signal.aborted;

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
    const { signal, clock, limits } = this.#input;
    const round = new AbortController();
    const stop = (): void => {
      round.abort(STOPPED);
    };
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    const idle = idleTimer(clock, limits.idleStreamMs, stop);
    let result: Failure | null = null;
    try {
      result = await this.#read(round, idle);
    } catch (cause) {
      // The port's contract forbids this; a foreign adapter that breaks it fails the round, not the session.
      const message = cause instanceof Error ? cause.message : String(cause);
      result = failure('provider.bad-response', `The model's adapter failed: ${message}`);
    } finally {
      idle.cancel();
      signal.removeEventListener('abort', stop);
    }
    if (this.#finish) return this.#emptyAnswer();
    if (idle.fired) {
      const seconds = Math.round(limits.idleStreamMs / 1000);
      const words = `The model sent nothing for ${seconds} seconds. What arrived is kept; try again.`;
      return failure('provider.stalled', words);
    }
    const cut = 'The connection ended before the answer did. What arrived is kept; try again.';
    return result ?? failure('provider.stream-cut', cut);
  }

  /** Takes events until the last one, or until the round is aborted; gives the failure that the model told. */
  async #read(round: AbortController, idle: { reset: () => void }): Promise<Failure | null> {
    const { model, request, clock } = this.#input;
    if (round.signal.aborted) return null;
    const events = new StreamPull(model.stream(request, round.signal), round.signal);
    try {
      for (;;) {
        const event = await events.next();
        if (event === null) return null;
        idle.reset();
        if (event.type === 'error') return { error: event.error, retryAfterMs: event.retryAfterMs };
        this.#take(event);
        if (event.type === 'finish') return this.#complete(event);
      }
    } finally {
      // A stream that came to its end has nothing left to stop, and an abort costs each of its listeners.
      if (!this.#finish) round.abort(STOPPED);
      if (!(await events.close(clock))) round.abort(STOPPED);
    }
  }

  /** What the terminal answer has beyond what was streamed is told before the end; another answer is a failure. */
  #complete(event: Extract<ModelEvent, { type: 'finish' }>): Failure | null {
    if (event.text === undefined && event.reasoning === undefined) return null;
    const text = missingSuffix(this.#text, event.text);
    const reasoning = missingSuffix(this.#reasoning, event.reasoning);
    if (text === null || reasoning === null) {
      this.#finish = null;
      return { error: OTHER_ANSWER, retryAfterMs: null };
    }
    if (reasoning !== '') this.#take({ type: 'reasoning', text: reasoning });
    if (text !== '') this.#take({ type: 'text', text });
    return null;
  }

  #emptyAnswer(): Failure | null {
    const reason = this.#finish?.reason;
    if (reason === 'length' || reason === 'refusal') return null;
    const said = this.#parts.some(
      (part) => part.type === 'tool-call' || (part.type === 'text' && part.text.trim() !== ''),
    );
    if (said) return null;
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
        emit({ type: 'call-draft', turnId, step, name: event.name, bytes: event.bytes });
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
    // Metadata closes a block: a signature is for exactly the text before it.
    if (last?.type === 'reasoning' && !last.metadata) {
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
): { reset: () => void; cancel: () => void; readonly fired: boolean } {
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
    reset: () => {
      lastMs = clock.nowMs();
    },
    cancel: () => {
      cancel();
    },
    get fired() {
      return fired;
    },
  };
}

/** Pulls events one by one and gives up when the signal aborts, even if the stream itself hangs. */
class StreamPull {
  readonly #iterator: AsyncIterator<ModelEvent>;
  readonly #signal: AbortSignal;
  readonly #onAbort: () => void;
  #giveUp: () => void = () => {};

  constructor(stream: AsyncIterable<ModelEvent>, signal: AbortSignal) {
    this.#iterator = stream[Symbol.asyncIterator]();
    this.#signal = signal;
    this.#onAbort = () => {
      this.#giveUp();
    };
    signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** The next event, or null at the end or after an abort. Rejects as the stream does. */
  async next(): Promise<ModelEvent | null> {
    if (this.#signal.aborted) return null;
    // One promise an event, and none that outlives it: a race against one long promise would keep every event's.
    const next = await new Promise<IteratorResult<ModelEvent, unknown> | null>((resolve, reject) => {
      this.#giveUp = () => {
        resolve(null);
      };
      this.#iterator.next().then(resolve, reject);
    });
    return next === null || next.done === true ? null : next.value;
  }

  /** Ends the stream and waits until it has left, but not for long: a stream that hangs would hold the session. */
  async close(clock: Clock): Promise<boolean> {
    this.#signal.removeEventListener('abort', this.#onAbort);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const cancel = clock.after(CLOSE_WAIT_MS, () => {
      resolve(false);
    });
    const left = (): void => {
      resolve(true);
    };
    (async () => this.#iterator.return?.())().then(left, left);
    const gone = await promise;
    cancel();
    return gone;
  }
}

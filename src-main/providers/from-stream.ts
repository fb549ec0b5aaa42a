// The SDK's stream parts as events of the Model port. Rules: calls count only once the stream finished well; an error
// part alone is not fatal, the finish decides; no finish is a cut stream; the same call told twice is one call.
import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider';
import { AppError } from '../base/app-error.ts';
import type { FinishReason, Usage } from '../contract/entries.ts';
import type { ModelEvent } from '../engine/ports.ts';
import { callMetadata } from './call-metadata.ts';
import { wireIdOf } from './repeated-ids.ts';
import { toFailure, type FailureContext } from './to-failure.ts';
import { isObject, type EventObject, type WireTraits } from './wire-traits.ts';

type Part = LanguageModelV4StreamPart;
type CallEvent = Extract<ModelEvent, { type: 'call' }>;
type Metadata = Record<string, unknown>;

const REASONS: Partial<Record<LanguageModelV4FinishReason['unified'], FinishReason>> = {
  stop: 'stop',
  'tool-calls': 'tool-calls',
  length: 'length',
  'content-filter': 'refusal',
  other: 'other',
};

function toUsage(usage: LanguageModelV4Usage): Usage | null {
  const { inputTokens, outputTokens } = usage;
  if (inputTokens.total === undefined && outputTokens.total === undefined) return null;
  return {
    input: inputTokens.total ?? 0,
    output: outputTokens.total ?? 0,
    cachedInput: inputTokens.cacheRead ?? 0,
    reasoning: outputTokens.reasoning ?? 0,
    costUsd: null,
  };
}

/** Whether an event tells an error of the service, in any wire's shape. */
function isError(event: EventObject): boolean {
  const type = event['type'];
  return type === 'error' || type === 'response.failed' || isObject(event['error']);
}

/** Translates one stream, part by part. */
export class StreamReader {
  readonly #traits: WireTraits;
  readonly #context: FailureContext;
  readonly #drafts = new Map<string, { name: string; bytes: number }>();
  readonly #reasoning = new Map<string, Metadata>();
  readonly #toldCalls = new Set<string>();
  #waiting: CallEvent[] = [];
  #hasCalls = false;
  #hasText = false;
  #lastError: unknown = null;
  #toldError: EventObject | null = null;
  #anything = false;
  #ended = false;

  constructor(traits: WireTraits, context: FailureContext) {
    this.#traits = traits;
    this.#context = context;
  }

  /** Whether a last event (finish or error) was given. */
  get ended(): boolean {
    return this.#ended;
  }

  /** The events of a part, in order; none after the last event. */
  read(part: Part): readonly ModelEvent[] {
    if (this.#ended) return [];
    switch (part.type) {
      case 'raw':
        return this.#readRaw(part.rawValue);
      case 'text-delta':
        if (part.delta === '') return [];
        this.#hasText = true;
        return [...this.#takeWaiting(), { type: 'text', text: part.delta }];
      case 'reasoning-start':
        return this.#noteReasoning(part.id, part.providerMetadata);
      case 'reasoning-delta':
        this.#noteReasoning(part.id, part.providerMetadata);
        return part.delta === '' ? [] : [...this.#takeWaiting(), { type: 'reasoning', text: part.delta }];
      case 'reasoning-end':
        this.#noteReasoning(part.id, part.providerMetadata);
        return this.#endReasoning(part.id);
      case 'tool-input-start':
        return this.#draft(part.id, { name: part.toolName, bytes: 0 });
      case 'tool-input-delta':
        return this.#grow(part.id, part.delta);
      case 'tool-call':
        return this.#noteCall(part);
      case 'error':
        this.#lastError = part.error;
        return [];
      case 'finish':
        return this.#finish(part.finishReason, part.usage);
      default:
        return [];
    }
  }

  /** The last event of a stream that ended without one. */
  cut(): ModelEvent {
    if (this.#toldError !== null) return this.fail(this.#toldError);
    if (this.#lastError !== null && this.#anything) return this.fail(this.#lastError);
    const error = this.#anything
      ? new AppError('provider.stream-cut', 'The answer of the model service ended in the middle. Try again.')
      : new AppError('provider.bad-response', 'The model service answered with nothing. Try again.');
    return this.fail(error);
  }

  /** The last event for something thrown. */
  fail(thrown: unknown): ModelEvent {
    this.#ended = true;
    return { type: 'error', ...toFailure(thrown, this.#context) };
  }

  #readRaw(value: unknown): ModelEvent[] {
    if (!isObject(value) || this.#traits.isKeepAlive(value)) return [];
    this.#anything = true;
    if (isError(value)) this.#toldError = value;
    return this.#traits.readDelta(value) === null ? [{ type: 'activity' }] : [];
  }

  #noteReasoning(id: string, metadata: Metadata | undefined): ModelEvent[] {
    if (metadata !== undefined) this.#reasoning.set(id, mergeMetadata(this.#reasoning.get(id), metadata));
    return [];
  }

  #endReasoning(id: string): ModelEvent[] {
    const metadata = this.#reasoning.get(id);
    this.#reasoning.delete(id);
    return metadata === undefined ? [] : [...this.#takeWaiting(), { type: 'reasoning', text: '', metadata }];
  }

  #draft(id: string, draft: { name: string; bytes: number }): ModelEvent[] {
    this.#drafts.set(id, draft);
    return [{ type: 'call-draft', ...draft }];
  }

  #grow(id: string, delta: string): ModelEvent[] {
    const draft = this.#drafts.get(id);
    if (draft === undefined) return [];
    draft.bytes += Buffer.byteLength(delta);
    return [{ type: 'call-draft', ...draft }];
  }

  #noteCall(part: Extract<Part, { type: 'tool-call' }>): ModelEvent[] {
    if (part.providerExecuted === true) return [];
    const providerId = wireIdOf(part.toolCallId);
    const argumentsText = part.input;
    const told = JSON.stringify([providerId, part.toolName, argumentsText]);
    if (this.#toldCalls.has(told)) return [];
    this.#toldCalls.add(told);
    const metadata = callMetadata(part.providerMetadata, providerId);
    this.#waiting.push({ type: 'call', providerId, name: part.toolName, argumentsText, metadata });
    return [];
  }

  /** Calls wait until something follows them: a stream cut inside a call tells broken ones right before it fails. */
  #takeWaiting(): CallEvent[] {
    if (this.#waiting.length === 0) return [];
    const calls = this.#waiting;
    this.#waiting = [];
    this.#hasCalls = true;
    return calls;
  }

  #finish(finish: LanguageModelV4FinishReason, usage: LanguageModelV4Usage): ModelEvent[] {
    const reason = REASONS[finish.unified];
    if (reason === undefined) {
      if (
        this.#lastError === null &&
        this.#toldError === null &&
        finish.raw !== undefined &&
        finish.unified === 'error'
      ) {
        const words = `The model service gave up on its answer (${finish.raw}). Try again.`;
        return [this.fail(new AppError('provider.bad-response', words))];
      }
      return [this.cut()];
    }
    // An answer that was cut or refused may hold half a call, which must never be run.
    const calls = reason === 'length' || reason === 'refusal' ? [] : this.#takeWaiting();
    if (reason === 'tool-calls' && !this.#hasCalls && !this.#hasText) {
      const words = 'The model said that it calls a tool and called none. Try again.';
      return [this.fail(new AppError('provider.bad-response', words))];
    }
    this.#ended = true;
    const settled = reason === 'stop' || reason === 'tool-calls' ? (this.#hasCalls ? 'tool-calls' : 'stop') : reason;
    return [...calls, { type: 'finish', reason: settled, usage: toUsage(usage) }];
  }
}

/** Metadata of one block told in several parts: the later word wins, key by key; null takes nothing away. */
function mergeMetadata(before: Metadata | undefined, next: Metadata): Metadata {
  const merged: Metadata = { ...before };
  for (const [wire, value] of Object.entries(next)) {
    const had = merged[wire];
    if (!isObject(value)) continue;
    const told = Object.entries(value).filter(([, item]) => item != null);
    merged[wire] = { ...(isObject(had) ? had : {}), ...Object.fromEntries(told) };
  }
  return merged;
}

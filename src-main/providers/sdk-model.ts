// A Model over one of the SDK's language models: builds the request, drives the stream, and keeps the port's promises
// (never throws, no retry, ends with its signal, leaves nothing running).
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { AppError, toWireError } from '../base/app-error.ts';
import type { Usage } from '../contract/entries.ts';
import type { Model, ModelCapabilities, ModelEvent, ModelRequest } from '../engine/ports.ts';
import { StreamReader } from './from-stream.ts';
import type { PromptSource } from './prompt-source.ts';
import { toFailure } from './to-failure.ts';
import type { WireTraits } from './wire-traits.ts';

export interface SdkModelParts {
  readonly ref: string;
  readonly capabilities: ModelCapabilities;
  readonly language: LanguageModelV4;
  readonly traits: WireTraits;
  readonly prompts: PromptSource;
  readonly baseUrl: string;
  readonly apiKey: string | null;
  /** See ModelOptions.price. */
  readonly price?: ((usage: Usage) => number | null) | undefined;
  /** The service's own address: it cannot be used without a key. */
  readonly needsKey: boolean;
}

/** Why a round's own signal aborts: made once, since an error costs its stack. */
const STOPPED = new AppError('cancelled', 'Stopped.');

type Part = LanguageModelV4StreamPart;
type Reader = ReadableStreamDefaultReader<Part> & {
  /** What can be read without a wait (light-streams.ts). */
  readonly takeReady?: () => readonly Part[];
};

/** What ends with a stop: the request that is being opened, or the stream that is read. One listener serves both. */
interface Stoppable {
  onStop: (() => void) | null;
}

/** Reads that settle at once when the signal aborts, also where the transport is deaf to it. */
async function openReader(
  parts: SdkModelParts,
  options: LanguageModelV4CallOptions,
  stoppable: Stoppable,
): Promise<Reader> {
  const opening = parts.language.doStream(options);
  return new Promise<Reader>((resolve, reject) => {
    let isStopped = options.abortSignal?.aborted === true;
    stoppable.onStop = () => {
      isStopped = true;
      reject(STOPPED);
    };
    if (isStopped) reject(STOPPED);
    opening.then(({ stream }) => {
      // A response that comes after the stop is let go.
      if (isStopped) stream.cancel().catch(() => undefined);
      else resolve(stream.getReader());
    }, reject);
  });
}

class SdkModel implements Model {
  readonly ref: string;
  readonly capabilities: ModelCapabilities;
  readonly #parts: SdkModelParts;

  constructor(parts: SdkModelParts) {
    this.ref = parts.ref;
    this.capabilities = parts.capabilities;
    this.#parts = parts;
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    if (this.#parts.needsKey && (this.#parts.apiKey === null || this.#parts.apiKey === '')) {
      const words = 'This model service wants a key and none is set. Add one in the settings, or pick another model.';
      yield { type: 'error', error: toWireError(new AppError('provider.no-key', words)), retryAfterMs: null };
      return;
    }
    const stoppable: Stoppable = { onStop: null };
    const stop = (): void => stoppable.onStop?.();
    signal.addEventListener('abort', stop, { once: true });
    const { apiKey, baseUrl, traits } = this.#parts;
    let reader: Reader | null = null;
    try {
      try {
        reader = await openReader(this.#parts, { ...this.#toCall(request), abortSignal: signal }, stoppable);
      } catch (error) {
        const stopped = signal.aborted ? STOPPED : error;
        yield { type: 'error', ...toFailure(stopped, { baseUrl, apiKey, started: false }) };
        return;
      }
      const opened = reader;
      stoppable.onStop = () => void opened.cancel().catch(() => undefined);
      const stream = new StreamReader(traits, { baseUrl, apiKey, started: true });
      for (let parts = await nextParts(opened, signal); ; parts = await nextParts(opened, signal)) {
        for (const event of eventsOf(stream, parts)) {
          yield event.type === 'finish' ? this.#priced(event) : event;
        }
        if (stream.ended) return;
      }
    } finally {
      signal.removeEventListener('abort', stop);
      // Ends the request where the answer has not come to its end.
      reader?.cancel().catch(() => undefined);
    }
  }

  #priced(event: Extract<ModelEvent, { type: 'finish' }>): ModelEvent {
    const { usage } = event;
    const costUsd = usage === null ? null : (this.#parts.price?.(usage) ?? null);
    return usage === null ? event : { ...event, usage: { ...usage, costUsd } };
  }

  #toCall(request: ModelRequest): LanguageModelV4CallOptions {
    const tools = this.#parts.prompts.toTools(request.tools);
    return {
      ...this.#parts.traits.callOptions,
      prompt: this.#parts.prompts.toPrompt(request),
      ...(tools === undefined ? {} : { tools }),
      includeRawChunks: true,
    };
  }
}

/** The parts that came, or how the stream ended: `null` as it should, else with what was thrown. */
type Arrived = readonly Part[] | { readonly end: unknown };

/** Waits for one part, and takes with it what is there already: a wait costs more than a part. */
async function nextParts(reader: Reader, signal: AbortSignal): Promise<Arrived> {
  try {
    const next = await reader.read();
    if (signal.aborted) return { end: STOPPED };
    if (next.done) return { end: null };
    const ready = reader.takeReady?.() ?? [];
    return ready.length === 0 ? [next.value] : [next.value, ...ready];
  } catch (error) {
    return { end: signal.aborted ? STOPPED : error };
  }
}

function eventsOf(stream: StreamReader, arrived: Arrived): readonly ModelEvent[] {
  if ('end' in arrived) return [arrived.end === null ? stream.cut() : stream.fail(arrived.end)];
  const events: ModelEvent[] = [];
  try {
    for (const part of arrived) events.push(...stream.read(part));
  } catch (error) {
    events.push(stream.fail(error));
  }
  return events;
}

/** The model over its parts. */
export function createSdkModel(parts: SdkModelParts): Model {
  return new SdkModel(parts);
}

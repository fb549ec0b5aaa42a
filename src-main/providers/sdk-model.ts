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

type Reader = ReadableStreamDefaultReader<LanguageModelV4StreamPart>;

/** Reads that settle at once when the signal aborts, also where the transport is deaf to it. */
async function openReader(
  parts: SdkModelParts,
  options: LanguageModelV4CallOptions,
  signal: AbortSignal,
): Promise<Reader> {
  const opening = parts.language.doStream({ ...options, abortSignal: signal });
  const aborted = new Promise<never>((_resolve, reject) => {
    const stop = (): void => reject(STOPPED);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    const forget = (): void => signal.removeEventListener('abort', stop);
    opening.then(forget, forget);
  });
  try {
    const { stream } = await Promise.race([opening, aborted]);
    return stream.getReader();
  } catch (error) {
    // A response that comes after the stop is let go.
    opening.then(
      ({ stream }) => stream.cancel().catch(() => undefined),
      () => undefined,
    );
    throw error;
  }
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
    const own = new AbortController();
    const stop = (): void => own.abort(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    let whole = false;
    try {
      const { apiKey, baseUrl } = this.#parts;
      let reader: Reader;
      try {
        reader = await openReader(this.#parts, this.#toCall(request), own.signal);
      } catch (error) {
        const stopped = own.signal.aborted ? STOPPED : error;
        yield { type: 'error', ...toFailure(stopped, { baseUrl, apiKey, started: false }) };
        return;
      }
      for await (const event of this.#read(reader, own.signal)) {
        // Nothing is left to stop then, and an abort costs each of its listeners.
        whole = event.type === 'finish';
        yield event.type === 'finish' ? this.#priced(event) : event;
      }
    } finally {
      signal.removeEventListener('abort', stop);
      if (!whole) own.abort(STOPPED);
    }
  }

  async *#read(reader: Reader, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const { apiKey, baseUrl, traits } = this.#parts;
    const stream = new StreamReader(traits, { baseUrl, apiKey, started: true });
    const release = (): void => void reader.cancel().catch(() => undefined);
    signal.addEventListener('abort', release, { once: true });
    try {
      for (;;) {
        const next = await reader.read();
        if (signal.aborted) {
          yield stream.fail(STOPPED);
          return;
        }
        if (next.done) break;
        for (const event of stream.read(next.value)) yield event;
        if (stream.ended) return;
      }
      yield stream.cut();
    } catch (error) {
      yield stream.fail(signal.aborted ? STOPPED : error);
    } finally {
      signal.removeEventListener('abort', release);
      release();
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

/** The model over its parts. */
export function createSdkModel(parts: SdkModelParts): Model {
  return new SdkModel(parts);
}

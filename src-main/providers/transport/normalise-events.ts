// Makes a stream that the SDK reads rightly: noise is skipped, broken pieces of the answer end the stream as an error,
// wire repairs are applied, and pieces of text that came in one network piece become one event (the SDK's cost is per
// event, not per byte).
import { AppError } from '../../base/app-error.ts';
import { isObject, type DeltaText, type EventObject, type WireTraits } from '../wire-traits.ts';
import { LightReadableStream } from './light-streams.ts';
import { readEvents, type EventBatch } from './read-events.ts';

interface Run {
  readonly event: EventObject;
  readonly delta: DeltaText;
  readonly original: string;
  readonly texts: string[];
}

function textOf(delta: DeltaText): string {
  const text = delta.holder[delta.field];
  return typeof text === 'string' ? text : '';
}

function closeRun(run: Run): string {
  if (run.texts.length === 1) return run.original;
  run.delta.holder[run.delta.field] = run.texts.join('');
  return JSON.stringify(run.event);
}

/** One event in the stream's framing. Line ends in its JSON are between tokens only, so a space does as well. */
function frameOf(data: string): string {
  return `data: ${data.includes('\n') ? data.replaceAll('\n', ' ') : data}\n\n`;
}

/** Turns the data of events, batch by batch, into the data that the SDK gets. Keeps state: one a stream. */
class EventNormaliser {
  readonly #traits: WireTraits;
  readonly #repair: ((event: EventObject) => boolean) | null;
  readonly #warn: (message: string) => void;

  constructor(traits: WireTraits, warn: (message: string) => void) {
    this.#traits = traits;
    this.#repair = traits.createRepair?.() ?? null;
    this.#warn = warn;
  }

  /** A batch in the SDK's framing; empty when nothing is left. What the body's end cut off is no event. */
  toFrames(batch: EventBatch): string {
    const frames: string[] = [];
    let run: Run | null = null;
    for (const data of batch.data) {
      const event = this.#parse(data, batch.last);
      if (event === null) continue;
      const original = event !== 'done' && this.#repair?.(event) === true ? JSON.stringify(event) : data;
      const delta = event === 'done' ? null : this.#traits.readDelta(event);
      if (run !== null && delta !== null && run.delta.key === delta.key) {
        run.texts.push(textOf(delta));
        continue;
      }
      if (run !== null) frames.push(frameOf(closeRun(run)));
      run = null;
      if (event === 'done' || delta === null) frames.push(frameOf(original));
      else run = { event, delta, original, texts: [textOf(delta)] };
    }
    if (run !== null) frames.push(frameOf(closeRun(run)));
    return frames.join('');
  }

  #parse(data: string, last: boolean): EventObject | 'done' | null {
    if (data.trim() === '[DONE]') return 'done';
    let value: unknown;
    try {
      value = JSON.parse(data);
    } catch {
      value = undefined;
    }
    if (isObject(value)) return value;
    if (value === undefined && last) return null;
    if (value === undefined && this.#traits.looksOwn(data)) {
      throw new AppError(
        'provider.bad-response',
        'The model service sent a damaged piece of its answer, so the answer is not whole. Try again.',
      );
    }
    this.#warn('Something that is not part of an answer was skipped in the stream of the model service.');
    return null;
  }
}

/**
 * The body as the SDK gets it. Errors of the body, and provider.bad-response of a damaged piece, end it.
 * Cancelling it ends `body`.
 */
export function normaliseEvents(
  body: AsyncIterable<Uint8Array>,
  traits: WireTraits,
  warn: (message: string) => void,
): LightReadableStream<Uint8Array> {
  const normaliser = new EventNormaliser(traits, warn);
  const encoder = new TextEncoder();
  const batches = readEvents(body);
  return new LightReadableStream<Uint8Array>({
    async pull(controller) {
      for (;;) {
        const next = await batches.next();
        if (next.done === true) {
          controller.close();
          return;
        }
        const frames = normaliser.toFrames(next.value);
        if (frames === '') continue;
        controller.enqueue(encoder.encode(frames));
        return;
      }
    },
    async cancel() {
      await batches.return(undefined);
    },
  });
}

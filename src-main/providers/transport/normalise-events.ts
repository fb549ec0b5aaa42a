// Makes a stream that the SDK reads rightly: noise is skipped, broken pieces of the answer end the stream as an error,
// wire repairs are applied, and pieces of text that came in one network piece become one event (the SDK's cost is per
// event, not per byte).
import { AppError } from '../../base/app-error.ts';
import { isObject, type DeltaText, type EventObject, type WireTraits } from '../wire-traits.ts';
import { readEvents } from './read-events.ts';

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

  /** The data of a batch in the SDK's framing; empty when nothing is left. */
  toFrames(batch: readonly string[]): string {
    let frames = '';
    let run: Run | null = null;
    const close = (): void => {
      if (run !== null) frames += `data: ${closeRun(run)}\n\n`;
      run = null;
    };
    for (const data of batch) {
      const event = this.#parse(data);
      if (event === null) continue;
      const original = event !== 'done' && this.#repair?.(event) === true ? JSON.stringify(event) : data;
      const delta = event === 'done' ? null : this.#traits.readDelta(event);
      if (event === 'done' || delta === null) {
        close();
        frames += `data: ${original.includes('\n') ? original.replaceAll('\n', ' ') : original}\n\n`;
      } else if (run !== null && (run as Run).delta.key === delta.key) {
        (run as Run).texts.push(textOf(delta));
      } else {
        close();
        run = { event, delta, original: original.replaceAll('\n', ' '), texts: [textOf(delta)] };
      }
    }
    close();
    return frames;
  }

  #parse(data: string): EventObject | 'done' | null {
    if (data.trim() === '[DONE]') return 'done';
    let value: unknown;
    try {
      value = JSON.parse(data);
    } catch {
      value = undefined;
    }
    if (isObject(value)) return value;
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
): ReadableStream<Uint8Array> {
  const normaliser = new EventNormaliser(traits, warn);
  const encoder = new TextEncoder();
  const batches = readEvents(body);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          const next = await batches.next();
          if (next.done === true) {
            controller.close();
            return;
          }
          const frames = normaliser.toFrames(next.value.data);
          if (frames === '') continue;
          controller.enqueue(encoder.encode(frames));
          return;
        }
      },
      async cancel() {
        await batches.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

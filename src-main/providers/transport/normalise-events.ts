// Makes a stream that the SDK reads rightly: noise is skipped, broken pieces of the answer end the stream as an error,
// wire repairs are applied, and events that came in one network piece become one where it can say the same (the SDK's cost
// is per event, not per byte).
import { AppError } from '../../base/app-error.ts';
import { isObject, type DeltaText, type EventObject, type WireTraits } from '../wire-traits.ts';
import { LightReadableStream } from './light-streams.ts';
import { readEvents, type EventBatch } from './read-events.ts';

/** An event that may still take in what follows it. */
interface Open {
  readonly event: EventObject;
  readonly delta: DeltaText | null;
  /** The text of each delta that it stands for. */
  readonly texts: string[];
  /** The event as JSON; null once it was changed. */
  json: string | null;
}

function textOf(delta: DeltaText): string {
  const text = delta.holder[delta.field];
  return typeof text === 'string' ? text : '';
}

function toJson(open: Open): string {
  if (open.delta !== null && open.texts.length > 1) open.delta.holder[open.delta.field] = open.texts.join('');
  else if (open.json !== null) return open.json;
  return JSON.stringify(open.event);
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
    let open: Open | null = null;
    for (const data of batch.data) {
      const event = this.#parse(data, batch.last);
      if (event === null) continue;
      if (event === 'done') {
        if (open !== null) frames.push(frameOf(toJson(open)));
        open = null;
        frames.push(frameOf(data));
        continue;
      }
      const json = this.#repair?.(event) === true ? null : data;
      const next: Open = this.#open(event, json);
      if (open !== null && !this.#takeIn(open, next)) {
        // That an answer begins is told by what came with it.
        if (this.#traits.isOpening?.(open.event) !== true) frames.push(frameOf(toJson(open)));
        open = next;
      }
      open ??= next;
    }
    if (open !== null) frames.push(frameOf(toJson(open)));
    return frames.join('');
  }

  #open(event: EventObject, json: string | null): Open {
    const delta = this.#traits.readDelta(event);
    return { event, delta, texts: delta === null ? [] : [textOf(delta)], json };
  }

  /** Puts `next` into the event before it, where one event can say both. */
  #takeIn(open: Open, next: Open): boolean {
    if (open.delta !== null && next.delta !== null && open.delta.key === next.delta.key) {
      open.texts.push(textOf(next.delta));
      return true;
    }
    if (this.#traits.takeEnd?.(open.event, next.event) !== true) return false;
    open.json = null;
    return true;
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

// Makes a stream that the SDK reads rightly: noise is skipped, broken pieces of the answer end the stream as an error,
// wire repairs are applied, and events that came in one network piece become one where it can say the same (the SDK's cost
// is per event, not per byte).
import { AppError } from '../../base/app-error.ts';
import { isObject, type DeltaText, type EventObject, type WireTraits } from '../wire-traits.ts';
import { LightReadableStream, takesEvents, type StreamEvent } from './light-streams.ts';
import { readEvents, type EventBatch } from './read-events.ts';

/** An event that may still take in what follows it. */
interface Open {
  readonly event: EventObject;
  /** Where its last piece of text lies. */
  delta: DeltaText | null;
  /** The pieces that this text stands for. */
  texts: string[];
  /** The event as JSON; null once it was changed. */
  json: string | null;
}

function textOf(delta: DeltaText): string {
  const text = delta.holder[delta.field];
  return typeof text === 'string' ? text : '';
}

/** Puts the pieces of its last text together in the event itself. */
function settleText(open: Open): void {
  if (open.delta === null || open.texts.length < 2) return;
  open.delta.holder[open.delta.field] = open.texts.join('');
  open.json = null;
}

function toJson(open: Open): string {
  settleText(open);
  return open.json ?? JSON.stringify(open.event);
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

  /** What is left of a batch, in order. What the body's end cut off is no event. */
  toEvents(batch: EventBatch): StreamEvent[] {
    const events: StreamEvent[] = [];
    let open: Open | null = null;
    for (const data of batch.data) {
      const event = this.#parse(data, batch.last);
      if (event === null) continue;
      if (event === 'done') {
        if (open !== null) events.push({ data: toJson(open) });
        open = null;
        events.push({ data });
        continue;
      }
      const json = this.#repair?.(event) === true ? null : data;
      const next: Open = this.#open(event, json);
      if (open !== null && !this.#takeIn(open, next)) {
        // That an answer begins is told by what came with it.
        if (this.#traits.isOpening?.(open.event) !== true) events.push({ data: toJson(open) });
        open = next;
      }
      open ??= next;
    }
    if (open !== null) events.push({ data: toJson(open) });
    return events;
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
    settleText(open);
    if (this.#traits.takeNext?.(open.event, next.event) !== true) return false;
    open.json = null;
    // Pieces that follow belong to what came last, also where that has no text yet.
    open.delta = next.delta;
    open.texts = next.texts;
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

/** Events in their framing, for an SDK that parses bytes. Line ends in JSON are between tokens, so a space does as well. */
function toBytes(events: readonly StreamEvent[]): StreamEvent {
  const text = events.map(({ data }) => `data: ${data.replaceAll('\n', ' ')}\n\n`).join('');
  return new TextEncoder().encode(text) as unknown as StreamEvent;
}

/**
 * The body's events as the SDK gets them where the build put light-streams.ts in place of its own decoder and parser;
 * else their bytes.
 * Errors of the body, and provider.bad-response of a damaged piece, end it. Cancelling it ends `body`.
 */
export function normaliseEvents(
  body: AsyncIterable<Uint8Array>,
  traits: WireTraits,
  warn: (message: string) => void,
): LightReadableStream<StreamEvent> {
  const normaliser = new EventNormaliser(traits, warn);
  const batches = readEvents(body);
  return new LightReadableStream<StreamEvent>({
    async pull(controller) {
      for (;;) {
        const next = await batches.next();
        if (next.done === true) {
          controller.close();
          return;
        }
        const events = normaliser.toEvents(next.value);
        if (takesEvents()) for (const event of events) controller.enqueue(event);
        else if (events.length > 0) controller.enqueue(toBytes(events));
        if (events.length > 0) return;
      }
    },
    async cancel() {
      await batches.return(undefined);
    },
  });
}

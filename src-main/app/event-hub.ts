// Numbers events (epoch, n) and brings them to the windows that subscribed, in one batch a frame. Deltas of one frame
// become one event; a batch stays below 256 KB.
import type { AppEvent, EventEnvelope, SessionEvent } from '../contract/events.ts';
import type { SessionId } from '../contract/ids.ts';

const FRAME_MS = 16;
const BATCH_CHARACTERS = 200_000;

type BatchListener = (windowId: number, events: EventEnvelope[]) => void;

export class EventHub {
  readonly epoch: string;
  readonly #subscriptions = new Map<number, Set<SessionId>>();
  readonly #queues = new Map<number, EventEnvelope[]>();
  readonly #numbers = new Map<SessionId | null, number>();
  #listener: BatchListener = () => {};
  #timer: NodeJS.Timeout | null = null;

  /** `epoch` is random per start of main. */
  constructor(epoch: string) {
    this.epoch = epoch;
  }

  /** Takes the batches; one listener only. */
  onBatch(listener: BatchListener): void {
    this.#listener = listener;
  }

  /** Number of the newest event of a session; 0 = none yet. Queued deltas are sent first, so that none is lost. */
  lastNumber(sessionId: SessionId): number {
    return this.#numbers.get(sessionId) ?? 0;
  }

  subscribe(windowId: number, sessionId: SessionId): void {
    this.addWindow(windowId).add(sessionId);
  }

  unsubscribe(windowId: number, sessionId: SessionId): void {
    this.#subscriptions.get(windowId)?.delete(sessionId);
  }

  /** A window that hears app events from now on. */
  addWindow(windowId: number): Set<SessionId> {
    let sessions = this.#subscriptions.get(windowId);
    if (!sessions) this.#subscriptions.set(windowId, (sessions = new Set()));
    return sessions;
  }

  removeWindow(windowId: number): void {
    this.#subscriptions.delete(windowId);
    this.#queues.delete(windowId);
  }

  /** Whether any window shows this session. */
  isShown(sessionId: SessionId): boolean {
    return [...this.#subscriptions.values()].some((sessions) => sessions.has(sessionId));
  }

  /** `made` is the event, or makes it: what nobody sees need not be made. */
  publish(sessionId: SessionId, made: SessionEvent | (() => SessionEvent)): void {
    const windows = [...this.#subscriptions].filter(([, sessions]) => sessions.has(sessionId));
    if (windows.length === 0) {
      // Nobody is behind: the number still rises, so that a snapshot taken later is newer.
      this.#next(sessionId);
      return;
    }
    const event = typeof made === 'function' ? made() : made;
    if (
      this.#join(
        sessionId,
        event,
        windows.map(([id]) => id),
      )
    )
      return;
    const envelope: EventEnvelope = { epoch: this.epoch, n: this.#next(sessionId), sessionId, event };
    for (const [windowId] of windows) this.#enqueue(windowId, envelope);
  }

  publishApp(event: AppEvent): void {
    const envelope: EventEnvelope = { epoch: this.epoch, n: this.#next(null), sessionId: null, event };
    for (const windowId of this.#subscriptions.keys()) this.#enqueue(windowId, envelope);
  }

  /** Sends what is queued now. */
  flush(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    for (const [windowId, queue] of this.#queues) {
      this.#queues.delete(windowId);
      for (const batch of intoBatches(queue)) this.#listener(windowId, batch);
    }
  }

  #next(key: SessionId | null): number {
    const n = (this.#numbers.get(key) ?? 0) + 1;
    this.#numbers.set(key, n);
    return n;
  }

  #enqueue(windowId: number, envelope: EventEnvelope): void {
    const queue = this.#queues.get(windowId);
    if (queue) queue.push(envelope);
    else this.#queues.set(windowId, [envelope]);
    this.#timer ??= setTimeout(() => {
      this.flush();
    }, FRAME_MS);
  }

  /** Joins a delta to the newest queued event of its session, when that is a delta of the same text in every window. */
  #join(sessionId: SessionId, event: SessionEvent, windowIds: readonly number[]): boolean {
    const last = windowIds.map((id) => this.#queues.get(id)?.findLast((queued) => queued.sessionId === sessionId));
    const first = last[0];
    if (!first || first.sessionId === null || last.some((queued) => queued !== first)) return false;
    const joined = joinDeltas(first.event, event);
    if (!joined) return false;
    first.event = joined;
    return true;
  }
}

function joinDeltas(a: SessionEvent, b: SessionEvent): SessionEvent | null {
  if (a.type === 'text-delta' && b.type === 'text-delta' && a.step === b.step) return { ...a, text: a.text + b.text };
  if (a.type === 'reasoning-delta' && b.type === 'reasoning-delta' && a.step === b.step) {
    return { ...a, text: a.text + b.text };
  }
  if (a.type === 'call-output' && b.type === 'call-output' && a.callId === b.callId)
    return { ...a, text: a.text + b.text };
  if (a.type === 'call-draft' && b.type === 'call-draft' && a.name === b.name) return b;
  if (a.type === 'meter-update' && b.type === 'meter-update') return b;
  return null;
}

function intoBatches(events: EventEnvelope[]): EventEnvelope[][] {
  const batches: EventEnvelope[][] = [];
  let batch: EventEnvelope[] = [];
  let size = 0;
  for (const event of events) {
    const length = sizeOf(event);
    if (batch.length > 0 && size + length > BATCH_CHARACTERS) {
      batches.push(batch);
      batch = [];
      size = 0;
    }
    batch.push(event);
    size += length;
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}

/** Rough size: exact for the events that can be large. */
function sizeOf({ event }: EventEnvelope): number {
  if (event.type === 'text-delta' || event.type === 'reasoning-delta' || event.type === 'call-output')
    return event.text.length;
  return event.type === 'entries-append' ? JSON.stringify(event.entries).length : 2_000;
}

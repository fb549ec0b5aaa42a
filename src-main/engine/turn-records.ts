// Collects the records of a session's rounds as they happen (EVT-13). Only the newest are kept.
import type { Entry } from '../contract/entries.ts';
import type { TurnId } from '../contract/ids.ts';
import type { TurnRecord } from '../contract/turn-records.ts';
import type { EngineEvent } from './engine-events.ts';
import type { Clock } from './ports.ts';

const MOST_KEPT = 4096;

export class TurnRecords {
  readonly #clock: Clock;
  readonly #records: TurnRecord[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Oldest first. */
  list(): TurnRecord[] {
    return [...this.#records];
  }

  /** A request is about to be sent. */
  sent(given: Omit<Extract<TurnRecord, { type: 'context' }>, 'type' | 'atMs'>): void {
    this.#add({ type: 'context', atMs: this.#clock.nowMs(), ...given });
  }

  take(event: EngineEvent): void {
    if (event.type === 'entries-append') for (const entry of event.entries) this.#takeEntry(entry);
    else if (event.type === 'retry') {
      const { turnId, attempt, waitMs, error } = event;
      this.#add({ type: 'retry', turnId, atMs: this.#clock.nowMs(), attempt, waitMs, code: error.code });
    }
  }

  #takeEntry({ kind, data, atMs }: Entry): void {
    if (kind === 'assistant-message') {
      const { turnId, step, usage, finish, durationMs } = data;
      this.#add({ type: 'usage', turnId, atMs, step, usage });
      this.#add({ type: 'finish', turnId, atMs, step, finish, durationMs });
    } else if (kind === 'abort') {
      this.#add({ type: 'abort', turnId: data.turnId, atMs, source: data.source });
    } else if (kind === 'turn-end') {
      this.#add({ type: 'end', turnId: data.turnId, atMs, outcome: data.outcome });
    }
  }

  #add(record: TurnRecord): void {
    this.#records.push(record);
    // In large pieces, as each cut moves all that stays.
    if (this.#records.length > MOST_KEPT * 2) this.#records.splice(0, MOST_KEPT);
  }
}

/** The records as JSON lines, as `<name>.events.jsonl` beside an exported session holds them (EVT-14). */
export function toRecordLines(records: readonly TurnRecord[], turnId?: TurnId): string {
  const wanted = turnId === undefined ? records : records.filter((record) => record.turnId === turnId);
  return wanted.map((record) => `${JSON.stringify(record)}\n`).join('');
}

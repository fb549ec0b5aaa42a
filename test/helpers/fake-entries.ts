// Builds entries of one session for tests of the window: ids, times and numbers rise by themselves.
import type { EntryData, EntryKind, WindowEntry } from '../../src-main/contract/entries.ts';
import { callIdSchema, entryIdSchema, turnIdSchema } from '../../src-main/contract/ids.ts';
import type { CallId, SessionId, TurnId } from '../../src-main/contract/ids.ts';

/** The time at which all made-up chats happened. */
export const FAKE_NOW = Date.parse('2026-03-12T10:24:00Z');

export const turnId = (text: string): TurnId => turnIdSchema.parse(text);
export const callId = (text: string): CallId => callIdSchema.parse(text);

export interface EntryMaker {
  readonly entries: WindowEntry[];
  /** Appends one entry, one second after the last, and gives it. */
  add<K extends EntryKind>(kind: K, data: EntryData<K>): WindowEntry;
}

/** A maker of entries; `startMs` is the time of the first. */
export function createEntryMaker(sessionId: SessionId, startMs = FAKE_NOW - 120_000, firstSeq = 1): EntryMaker {
  const entries: WindowEntry[] = [];
  return {
    entries,
    add(kind, data) {
      const seq = firstSeq + entries.length;
      const id = entryIdSchema.parse(`${sessionId}-e${seq}`);
      const parentId = entries.at(-1)?.id ?? null;
      const entry = { id, atMs: startMs + entries.length * 1000, kind, data, sessionId, parentId, seq } as WindowEntry;
      entries.push(entry);
      return entry;
    },
  };
}

// A journal that keeps nothing: for sessions that live in memory alone. Entries get their places, and that is all.
import type { Entry, NewEntry } from '../contract/entries.ts';
import type { SessionId } from '../contract/ids.ts';
import type { Journal } from './ports.ts';

/** A journal for one session, from its first entry on. */
export function ephemeralJournal(sessionId: SessionId): Journal {
  let last: Entry | null = null;
  return {
    lasting: false,
    append: async (entries) =>
      entries.map((entry: NewEntry): Entry => {
        last = { ...entry, sessionId, parentId: last?.id ?? null, seq: last ? last.seq + 1 : 0 };
        return last;
      }),
  };
}

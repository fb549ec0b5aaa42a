// The running text of an open step, kept against a crash as appended chunks: rewriting it whole would write many times
// its size. Commits here are not synced; the next append of entries removes the chunks.
import type { SessionId } from '../contract/ids.ts';
import { sessionNumber } from './read-entries.ts';
import type { StoreDatabase } from './store-database.ts';
import { sessionNotFound } from './store-error.ts';

/** Text and reasoning so far, of one turn. */
export interface Partial {
  turnId: string;
  text: string;
  reasoning: string;
}

interface PartialColumns {
  turn_id: string;
  text: string;
  reasoning: string;
}

/** The running text, or null. */
export function getPartial(database: StoreDatabase, id: SessionId): Partial | null {
  const rows = database.all<PartialColumns>(
    `SELECT turn_id, text, reasoning FROM partial JOIN session ON session.number = partial.session
     WHERE session.id = ? ORDER BY partial.number`,
    id,
  );
  const [first] = rows;
  if (first === undefined) return null;
  return {
    turnId: first.turn_id,
    text: rows.map((row) => row.text).join(''),
    reasoning: rows.map((row) => row.reasoning).join(''),
  };
}

/** Where a chunk may end: not between the two halves of one character, which could not be stored apart. */
function wholeLength(text: string): number {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
}

/** Writes running text on a connection of its own; remembers what is stored, so that only what is new is written. */
export class PartialWriter {
  readonly #open: () => StoreDatabase;
  #database: StoreDatabase | null = null;
  readonly #stored = new Map<SessionId, Partial & { chunks: number }>();
  /** Sessions that this process writes and of which nothing is stored. */
  readonly #empty = new Set<SessionId>();

  /** `open` gives the connection (synchronous=NORMAL) at the first write. */
  constructor(open: () => StoreDatabase) {
    this.#open = open;
  }

  /** Keeps the text as it is now: appended where it goes on from what is stored, else replaced whole. */
  put(id: SessionId, partial: Partial): void {
    this.#empty.delete(id);
    this.#database ??= this.#open();
    const database = this.#database;
    const number = sessionNumber(database, id);
    if (number === null) throw sessionNotFound(id);
    const text = partial.text.slice(0, wholeLength(partial.text));
    const reasoning = partial.reasoning.slice(0, wholeLength(partial.reasoning));
    const before = this.#stored.get(id);
    const goesOn =
      before?.turnId === partial.turnId && text.startsWith(before.text) && reasoning.startsWith(before.reasoning);
    const from = goesOn ? before : { text: '', reasoning: '', chunks: 0 };
    database.write(() => {
      if (!goesOn) database.run('DELETE FROM partial WHERE session = ?', number);
      database.run(
        'INSERT INTO partial (session, number, turn_id, text, reasoning) VALUES (?, ?, ?, ?, ?)',
        number,
        from.chunks,
        partial.turnId,
        text.slice(from.text.length),
        reasoning.slice(from.reasoning.length),
      );
    });
    this.#stored.set(id, { turnId: partial.turnId, text, reasoning, chunks: from.chunks + 1 });
  }

  /** Forgets what is stored of a session: an append has removed it. */
  forget(id: SessionId): void {
    this.#stored.delete(id);
    this.#empty.add(id);
  }

  /** Whether anything may be stored of a session. */
  mayHold(id: SessionId): boolean {
    return !this.#empty.has(id);
  }

  /** Takes for possible that something is stored: another process may have written the session until now. */
  doubt(id: SessionId): void {
    this.#empty.delete(id);
  }

  close(): void {
    this.#database?.close();
    this.#database = null;
  }
}

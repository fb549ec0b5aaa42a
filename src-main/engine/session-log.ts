// What a session knows and how it gets to know more: entries go through the journal first, then into the state and the
// projection, then they are announced. Commits happen one after the other; a refused commit loses nothing.
import { AppError } from '../base/app-error.ts';
import { newId } from '../base/new-id.ts';
import type { Entry, EntryData, EntryKind, NewEntry, Outcome } from '../contract/entries.ts';
import type { EntryId } from '../contract/ids.ts';
import { GIVEN_UP, settleWithin } from './await-signal.ts';
import { addUsage } from './budgets.ts';
import { foldEntry, type OpenTurn, type SessionState } from './fold-history.ts';
import type { Clock, Journal } from './ports.ts';
import { Projection } from './project-request.ts';

/** How long a journal that does not answer is waited for after a stop. */
const JOURNAL_WAIT_MS = 10_000;

export class SessionLog {
  readonly state: SessionState;
  readonly projection = new Projection();
  readonly #journal: Journal;
  readonly #clock: Clock;
  readonly #announce: (entries: Entry[]) => void;
  #buffer: NewEntry[] = [];
  #commits: Promise<unknown> = Promise.resolve();
  #stuck = false;

  /** `history` was folded into `state` already. */
  constructor(input: {
    state: SessionState;
    history: readonly Entry[];
    journal: Journal;
    clock: Clock;
    announce: (entries: Entry[]) => void;
  }) {
    this.state = input.state;
    this.#journal = input.journal;
    this.#clock = input.clock;
    this.#announce = input.announce;
    for (const entry of input.history) this.projection.append(entry);
  }

  /** Entries that wait for the next flush, in order. */
  get unsaved(): readonly NewEntry[] {
    return this.#buffer;
  }

  /** A new entry, dated now. */
  make<K extends EntryKind>(kind: K, data: EntryData<K>): NewEntry {
    const atMs = this.#clock.nowMs();
    return { id: newId<EntryId>(atMs), atMs, kind, data } as NewEntry;
  }

  /** The end of a turn, whose last step may still wait for the flush; `partial` is what had arrived of a cut answer. */
  turnEnd(open: OpenTurn, outcome: Outcome, partial?: { text: string; reasoning: string }): NewEntry {
    const kept = partial && (partial.text !== '' || partial.reasoning !== '') ? { partial } : {};
    const durationMs = Math.max(0, this.#clock.nowMs() - open.startedAtMs);
    const unsaved = this.#buffer.filter((entry) => entry.kind === 'assistant-message');
    const usage = unsaved.reduce((sum, { data }) => addUsage(sum, data.usage), open.use.usage);
    const steps = open.steps + unsaved.length;
    return this.make('turn-end', { turnId: open.turnId, outcome, steps, durationMs, usage, ...kept });
  }

  /** Puts an entry into the next flush. */
  add(entry: NewEntry): void {
    this.#buffer.push(entry);
  }

  /** Puts other entries in the place of those that wait. */
  replaceUnsaved(entries: readonly NewEntry[]): void {
    this.#buffer = [...entries];
  }

  /**
   * Commits what waits, as one transaction. Rejects with the journal's error; then all of it waits again. A journal that
   * gives no answer is given up some time after `signal` aborted (store.io); nothing is committed any more then, as what
   * became of those entries cannot be known.
   */
  async flush(signal?: AbortSignal): Promise<void> {
    if (this.#buffer.length === 0) return;
    const batch = this.#buffer.splice(0);
    try {
      const work = this.commit(batch);
      if (!signal) {
        await work;
        return;
      }
      const patience = { signal, clock: this.#clock, graceMs: JOURNAL_WAIT_MS };
      if ((await settleWithin(work, patience)) !== GIVEN_UP) return;
      this.#stuck = true;
      throw noAnswer();
    } catch (error) {
      this.#buffer.unshift(...batch);
      throw error;
    }
  }

  /** Commits entries after all that were given before, as one transaction. Rejects with the journal's error. */
  async commit(entries: readonly NewEntry[]): Promise<void> {
    if (this.#stuck) throw noAnswer();
    const work = this.#commits.then(async () => {
      const stored = await this.#journal.append(entries);
      for (const entry of stored) {
        foldEntry(this.state, entry);
        this.projection.append(entry);
      }
      this.#announce(stored);
    });
    this.#commits = work.catch(() => undefined);
    await work;
  }
}

function noAnswer(): AppError {
  return new AppError(
    'store.io',
    'The disk gave no answer, so this chat cannot go on. Restart Warrant: it shows what was saved.',
  );
}

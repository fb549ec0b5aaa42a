// The verbs by which a person changes what of a conversation the model is sent: compact it, go on with a fresh objective,
// and take that back. At a boundary alone; the transcript never changes.
import { fromWireError } from '../base/app-error.ts';
import type { ContextView } from '../contract/context.ts';
import type { Entry } from '../contract/entries.ts';
import type { CallId, EntryId } from '../contract/ids.ts';
import type { ContextKeeper, ReductionWish } from './context-keeper.ts';
import type { ModelRequest } from './ports.ts';
import type { SessionLog } from './session-log.ts';
import type { VerbGuard } from './verb-guard.ts';

/** What became of a wish; `messages` = how many are told by a note now. */
export interface Reduced {
  readonly skipped: boolean;
  readonly messages: number;
}

export interface ReductionSurroundings {
  readonly guard: VerbGuard;
  readonly log: SessionLog;
  readonly context: ContextKeeper;
  readonly entries: readonly Entry[];
  readonly pinned: () => ReadonlySet<CallId>;
  readonly request: () => ModelRequest;
  readonly issued: () => number;
  /** Characters of the next request. */
  readonly characters: () => number;
}

export class Reductions {
  readonly #around: ReductionSurroundings;

  /** Made by the session. */
  constructor(around: ReductionSurroundings) {
    this.#around = around;
  }

  /**
   * Sets the older part of the conversation aside, with a summary that keeps `focus` above all. `skipped` = there is
   * nothing to fold: nothing was asked or stored (CTX-04). Codes session.input-pending while a turn is open; the model's
   * error when it gives no summary, with nothing changed then (CTX-03).
   */
  async compact(wish: {
    by: string;
    focus?: string;
    note?: 'program' | 'model';
    signal?: AbortSignal;
  }): Promise<Reduced> {
    const { by, focus = '', note = 'model', signal = new AbortController().signal } = wish;
    return this.#reduce({ cause: 'person', by, focus, note, signal });
  }

  /**
   * Goes on with a fresh objective: everything before is set aside but for the newest messages (`keepNone`: for none), and
   * a note gives the objective. Codes session.input-pending, store.*.
   */
  async newContext(wish: { by: string; objective: string; keepNone?: boolean }): Promise<Reduced> {
    const { by, objective, keepNone = false } = wish;
    const { signal } = new AbortController();
    return this.#reduce({ cause: 'new-context', by, focus: objective, note: 'program', keepNone, signal });
  }

  /** What the next request holds; changes nothing. */
  async view(): Promise<ContextView> {
    const { describeContext } = await import('./describe-context.ts');
    const { context, entries, request, pinned, issued } = this.#around;
    return describeContext({
      ...{ request: request(), entries, tokens: (characters) => context.tokens(characters) },
      ...{ window: context.windowTokens, limit: context.limitTokens, pinned: pinned(), issued: issued() },
    });
  }

  /** Takes a reduction back: the model is sent what it set aside. Gives whether there was one. Code session.input-pending. */
  async undo(of: EntryId, by: string): Promise<boolean> {
    const { guard, log, entries } = this.#around;
    return guard.withoutTurn('other', async () => {
      const isThere = entries.some((entry) => entry.kind === 'reduction' && entry.id === of);
      const isUndone = entries.some((entry) => entry.kind === 'reduction-undo' && entry.data.of === of);
      if (!isThere || isUndone) return false;
      await log.commit([log.make('reduction-undo', { of, by })]);
      return true;
    });
  }

  /** Leaves the result of one call out of what the model is sent; `undo` takes that back. False = it is out already. */
  async leaveOut(callId: CallId, by: string): Promise<boolean> {
    const { guard, log, context, characters } = this.#around;
    return guard.withoutTurn('other', async () => {
      const planned = context.leaveOut(callId, { characters: characters(), by });
      if (planned) await log.commit([log.make('reduction', planned)]);
      return planned !== null;
    });
  }

  /** Keeps the result of a call from being set aside by itself, or lets it again. */
  async pin(callId: CallId, on: boolean, by: string): Promise<void> {
    const { guard, log } = this.#around;
    await guard.withoutTurn('other', () => log.commit([log.make('context-pin', { callId, on, by })]));
  }

  async #reduce(wish: Omit<ReductionWish, 'characters'>): Promise<Reduced> {
    const { guard, log, context, characters } = this.#around;
    return guard.withoutTurn('other', async () => {
      const planned = await context.plan({ ...wish, characters: characters() });
      if (!planned) return { skipped: true, messages: 0 };
      if ('error' in planned) throw fromWireError(planned.error);
      await log.commit([log.make('reduction', planned)]);
      return { skipped: false, messages: planned.fold === null ? 0 : planned.fold.to - planned.fold.from };
    });
  }
}

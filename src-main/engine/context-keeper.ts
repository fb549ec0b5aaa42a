// Keeps requests within the model's window: knows how full the next one is, plans what is set aside, and learns a window
// that is not known from a refusal. It stores nothing: a plan becomes an entry, and the projection follows entries.
import type { EntryData, Usage } from '../contract/entries.ts';
import type { WireError } from '../contract/errors.ts';
import type { CallId } from '../contract/ids.ts';
import { COMPACTION, type Limits } from '../contract/limits.ts';
import { ContextGauge } from './context-gauge.ts';
import type { PlannedReduction } from './plan-reduction.ts';
import type { Clock, Model, ModelMessage } from './ports.ts';
import type { Projection } from './project-request.ts';
import { ReducedView, stubOf } from './reduced-view.ts';
import type { SummaryResult } from './summarise.ts';

/** How a session keeps to its model's window. */
export interface ContextConfig {
  /** Tokens of the window, where they are known better than the model's own say; null = as the model says. */
  readonly windowTokens?: number | null;
  /** Old parts are set aside by themselves as the window fills; on unless false. */
  readonly automatic?: boolean;
  /** A request that would not fit is refused before it is sent, where the window is known; on unless false (CONF-24). */
  readonly guard?: boolean;
  /** A model writes the note of what is set aside by itself; otherwise the program does (CTX-21). */
  readonly summaries?: boolean;
  /** Messages at the beginning that are never set aside: a prefix that a provider keeps cached (CTX-12). */
  readonly protectedMessages?: number;
}

export type ReductionCause = EntryData<'reduction'>['cause'];

export interface ReductionWish {
  readonly cause: ReductionCause;
  /** Characters of the request as it would be sent now. */
  readonly characters: number;
  readonly by: string;
  readonly signal: AbortSignal;
  /** What to keep above all, or the fresh objective; '' = nothing in particular. */
  readonly focus?: string;
  /** Who writes the note; left out = as configured. */
  readonly note?: 'program' | 'model';
  /** The note may fall back to the program's when the model gives none; otherwise nothing is reduced then. */
  readonly fallback?: boolean;
  /** true = keep none of the newest messages. */
  readonly keepNone?: boolean;
}

/** A summary of less than this costs more than it is worth (characters). */
const SUMMARY_FLOOR = 8000;
/** What a window is taken for that is not known, in tokens. */
const UNKNOWN_WINDOW = 32_000;

export interface ContextSurroundings {
  readonly config: ContextConfig;
  readonly projection: Projection;
  readonly model: () => Model;
  readonly limits: Limits;
  readonly clock: Clock;
}

export class ContextKeeper {
  readonly #around: ContextSurroundings;
  readonly #gauge = new ContextGauge();
  /** The window of a model that did not say it, as a refusal showed. */
  #learned: { readonly model: string; readonly tokens: number } | null = null;
  /** Characters at which there was nothing to set aside: it is not tried again before it is worth it. */
  #vainAt = 0;

  constructor(around: ContextSurroundings) {
    this.#around = around;
  }

  /** Tokens of the window; null = not known. */
  get windowTokens(): number | null {
    const model = this.#around.model();
    const said = this.#around.config.windowTokens ?? model.capabilities.contextWindow;
    const learned = this.#learned?.model === model.ref ? this.#learned.tokens : null;
    return said === null || learned === null ? (said ?? learned) : Math.min(said, learned);
  }

  /** The limit that a request is held to before it is sent; null = none (CTX-23). */
  get limitTokens(): number | null {
    return this.#around.config.guard === false ? null : this.windowTokens;
  }

  /** Tokens of a request of so many characters. */
  tokens(characters: number): number {
    return this.#gauge.tokens(characters);
  }

  /** Whether old parts are to be set aside before a request of so many characters. */
  isFull(characters: number): boolean {
    if (this.#around.config.automatic === false) return false;
    const window = this.windowTokens;
    if (window === null || this.#gauge.tokens(characters) <= window * COMPACTION.atShare) return false;
    return characters > this.#vainAt * 1.03;
  }

  /** Why a request of so many characters is not sent; null = it fits, or nothing is known. */
  refusal(characters: number): WireError | null {
    const window = this.limitTokens;
    const tokens = this.#gauge.tokens(characters);
    if (window === null || this.#gauge.leastTokens(characters) <= window) return null;
    return {
      code: 'provider.context-too-long',
      message: `This chat does not fit into the model's window any more (about ${tokens} of ${window} tokens), and nothing more of it can be set aside. Start afresh with /new-context, clear it with /clear, or pick a model with a larger window.`,
      retryable: false,
      details: { tokens, window },
    };
  }

  /** Takes what the provider billed for a request of so many characters. */
  note(characters: number, usage: Usage | null): void {
    this.#gauge.note(characters, usage);
  }

  /**
   * What to set aside, as the data of its entry; null when there is nothing worth it. An error is the summary's, where the
   * wish does not let the program write the note instead.
   */
  async plan(wish: ReductionWish): Promise<EntryData<'reduction'> | { error: WireError } | null> {
    if (wish.cause === 'too-long') this.#learn(wish.characters);
    const { planReduction } = await import('./plan-reduction.ts');
    const { done, open, view } = this.#around.projection.settled;
    const { protectedMessages = 0 } = this.#around.config;
    const window = this.windowTokens;
    const keepTokens = Math.min(COMPACTION.keepTokens, (window ?? Infinity) * COMPACTION.keepShare);
    const planned = planReduction({
      ...{ done, open, protectedMessages, characters: wish.characters },
      folded: view?.folded ?? 0,
      isAside: (callId) => view?.isAside(callId) ?? false,
      isPinned: (callId) => this.#around.projection.pinned.has(callId),
      keepCharacters: wish.keepNone === true ? 0 : this.#gauge.characters(keepTokens),
      targetCharacters: window === null ? 0 : this.#gauge.characters(window * COMPACTION.targetShare),
      fold: wish.cause === 'person' || wish.cause === 'new-context',
    });
    const made = planned && (await this.#toData(wish, planned));
    if (made === null) this.#vainAt = wish.characters;
    return made;
  }

  /** The result of one call set aside, as the data of its entry; null = there is none, or it is already. */
  leaveOut(callId: CallId, how: { characters: number; by: string }): EntryData<'reduction'> | null {
    const { done, open, view } = this.#around.projection.settled;
    const message = [...done, ...open].find((one) => one.role === 'tool' && one.callId === callId);
    if (message?.role !== 'tool' || view?.isAside(callId) === true) return null;
    const before = this.#gauge.tokens(how.characters);
    const saved = message.content.length - stubOf(message).content.length;
    if (saved <= 0) return null;
    const after = this.#gauge.tokens(how.characters - saved);
    const rest = { fold: null, focus: '', note: 'none', usage: null } as const;
    return { cause: 'left-out', calls: [callId], before, after, by: how.by, ...rest };
  }

  /** A refusal says that the window is smaller than the request was. */
  #learn(characters: number): void {
    const model = this.#around.model().ref;
    const tokens = Math.max(1, Math.floor(this.#gauge.tokens(characters) * 0.9));
    this.#learned = { model, tokens: Math.min(tokens, this.windowTokens ?? tokens) };
  }

  async #toData(
    wish: ReductionWish,
    planned: PlannedReduction,
  ): Promise<EntryData<'reduction'> | { error: WireError } | null> {
    const { cause, focus = '', by } = wish;
    const note = planned.fold && (await this.#note(wish, planned.fold));
    if (note && 'error' in note) return note;
    const data: EntryData<'reduction'> = {
      ...{ cause, focus, by },
      fold: planned.fold && note && { ...planned.fold, text: note.text },
      calls: [...planned.calls],
      note: note ? note.by : 'none',
      before: this.#gauge.tokens(wish.characters),
      after: 0,
      usage: note?.usage ?? null,
    };
    const { done, view } = this.#around.projection.settled;
    const saved = (view ?? new ReducedView().fill(done)).savingOf(data, this.#around.projection.settled);
    // A note that is as long as what it stands for makes no room.
    if (saved <= 0) return null;
    return { ...data, after: this.#gauge.tokens(wish.characters - saved) };
  }

  async #note(wish: ReductionWish, { from, to }: { from: number; to: number }): Promise<Note | { error: WireError }> {
    const { done, view } = this.#around.projection.settled;
    const begun = view?.objective ?? null;
    const messages = done.slice(Math.max(from, begun?.to ?? 0), to);
    const { focus = '' } = wish;
    const isFresh = wish.cause === 'new-context';
    const about = isFresh ? { objective: focus, focus: '' } : { objective: begun?.text ?? '', focus };
    const summary = await this.#summary(wish, messages);
    if (summary && 'error' in summary) return summary;
    const { foldNote } = await import('./fold-note.ts');
    const text = foldNote({ messages, count: to - from, ...about, summary: summary?.text ?? null });
    return { text, by: summary === null ? 'program' : 'model', usage: summary?.usage ?? null };
  }

  /** What a model makes of the messages; null = it is not asked, or the program's own note does. */
  async #summary(wish: ReductionWish, messages: readonly ModelMessage[]): Promise<SummaryResult | null> {
    const { config, model, limits, clock } = this.#around;
    const wanted = wish.note ?? (config.summaries === true ? 'model' : 'program');
    if (wanted === 'program') return null;
    const mayFallBack = wish.fallback === true;
    const { summarise, transcript } = await import('./summarise.ts');
    if (mayFallBack && transcript(messages).length < SUMMARY_FLOOR) return null;
    const characters = this.#gauge.characters((this.windowTokens ?? UNKNOWN_WINDOW) * 0.7);
    const focus = wish.cause === 'new-context' ? '' : (wish.focus ?? '');
    const given = await summarise({ model: model(), messages, focus, characters, limits, clock, signal: wish.signal });
    return 'error' in given && mayFallBack ? null : given;
  }
}

interface Note {
  readonly text: string;
  readonly by: 'program' | 'model';
  readonly usage: Usage | null;
}

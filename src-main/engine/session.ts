// A live session: the verbs that drive a chat. One caller at a time drives it (submit, step, runTurn); setters marked as
// safe may be called while a step runs and apply to its next read of them. Everything that happens is committed through
// the journal before it is announced.
import { AppError } from '../base/app-error.ts';
import type { Listener } from '../base/emitter.ts';
import type { Disposable } from '../base/disposable.ts';
import { newId } from '../base/new-id.ts';
import type { Mode } from '../contract/authority.ts';
import type { Attachment, Entry, NewEntry, Outcome } from '../contract/entries.ts';
import type { WireError } from '../contract/errors.ts';
import type { TurnId } from '../contract/ids.ts';
import type { SessionSnapshot } from '../contract/session-snapshot.ts';
import { assertDecisions, type Decisions } from './approval-decisions.ts';
import { STOPPED } from './await-signal.ts';
import { leftBehind } from './close-calls.ts';
import type { EngineEvent } from './engine-events.ts';
import type { EngineToolLinks } from './engine-tools.ts';
import type { OpenTurn } from './fold-history.ts';
import { assertModelFits } from './model-fit.ts';
import type { Approver, Asker, Model } from './ports.ts';
import type { StepResult } from './run-step.ts';
import { Reductions } from './reductions.ts';
import { SessionFacts, type SessionParts } from './session-facts.ts';
import { StrictFeed, type EventConsumer } from './strict-consumer.ts';
import type { SchemaTier } from './tool-menu.ts';
import { effectsOfTurn, type Turn } from './turn-report.ts';
import { VerbGuard } from './verb-guard.ts';

export type { Decisions };

export interface StepOptions {
  /** Given for a turn that waits: exactly these calls are answered, any other waiting call counts as rejected. */
  readonly decisions?: Decisions;
  /** Must not miss an event: when it fails, the model is stopped and the turn ends as failed, and is rolled back (EVT-08). */
  readonly consumer?: EventConsumer;
}

export interface SendOptions extends Pick<StepOptions, 'consumer'> {
  readonly attachments?: readonly Attachment[];
  /** The id that the turn gets: a job that is tried again keeps its own (LOOP-16). */
  readonly turnId?: TurnId;
  /** Hears each event of the turn, in order. */
  readonly onEvent?: Listener<EngineEvent>;
}

type Partial = NonNullable<Extract<StepResult, { type: 'ended' }>['partial']>;

export class Session extends SessionFacts {
  readonly #links: EngineToolLinks;
  readonly #guard: VerbGuard;
  /** Verbs that change what of the conversation the model is sent. */
  readonly reductions: Reductions;
  #sink: Disposable | null = null;
  #recording: Disposable | null = null;

  /** Use createSession. */
  constructor(parts: SessionParts) {
    super(parts);
    this.#links = parts.links;
    this.#guard = new VerbGuard({
      isRunning: () => this.running !== null,
      isOpen: () => this.state.open !== null,
      flush: () => this.log.flush(),
      letGo: () => {
        this.driver.letGo();
      },
    });
    this.reductions = new Reductions({
      guard: this.#guard,
      log: this.log,
      context: this.context,
      entries: this.entries,
      pinned: () => this.log.projection.pinned,
      request: () => this.request(),
      issued: () => this.issuedRequests,
      characters: () => this.requestCharacters(),
    });
  }

  /**
   * The session as a value that can be copied, stored and given to resumeSession. Code session.not-at-boundary while a
   * step or a verb runs.
   */
  async snapshot(): Promise<SessionSnapshot> {
    this.#guard.assertResting();
    const { toSnapshot } = await import('./to-snapshot.ts');
    this.#guard.assertResting();
    return toSnapshot(this, { entries: this.entries, nowMs: this.ports.clock.nowMs() });
  }

  /** The one listener of a host that takes over showing it, in the place of the one before; null = none (EVT-10). */
  setSink(sink: Listener<EngineEvent> | null): void {
    this.#sink?.dispose();
    this.#sink = sink && this.events.on(sink);
  }

  /**
   * Who is handed each batch of entries as it is stored, in full and in order, from now on and in the place of the one
   * before; null = nobody (STORE-12). What it does changes nothing in the conversation.
   */
  setRecorder(recorder: Listener<readonly Entry[]> | null): void {
    this.#recording?.dispose();
    this.#recording =
      recorder &&
      this.events.on((event) => {
        if (event.type === 'entries-append') recorder(event.entries);
      });
  }

  // ---- Driving it ----

  /**
   * Opens a turn with a message, durably; gives its id, which is `turnId` where that is given. Codes:
   * session.input-pending while a turn is open, ipc.invalid-input for a message that is empty or larger than
   * limits.messageBytes and for the id of a completed turn, store.*; nothing was stored then.
   */
  async submit(text: string, attachments: readonly Attachment[] = [], turnId?: TurnId): Promise<TurnId> {
    const size = attachments.reduce((sum, attachment) => sum + attachment.text.length, text.length);
    const most = this.authority.limits.messageBytes;
    if (size > most || (text.trim() === '' && attachments.length === 0)) {
      const words = size > most ? `The message has ${size} characters; ${most} at most are taken.` : 'It says nothing.';
      throw new AppError('ipc.invalid-input', `This message was not sent: ${words}`, { details: { size, most } });
    }
    if (turnId !== undefined && this.turn(turnId)?.outcome?.type === 'completed') {
      throw new AppError('ipc.invalid-input', 'This message was not sent: the turn of that id is completed already.');
    }
    return this.#opened(
      (id) => this.log.make('user-message', { turnId: id, text, attachments: [...attachments] }),
      turnId,
    );
  }

  /** Opens a turn that goes on from the last one, without a new message. Code session.input-pending. */
  async continueTurn(): Promise<TurnId> {
    return this.#opened((turnId) => this.log.make('turn-continue', { turnId, of: this.state.lastTurnId }));
  }

  /** Submits a message and runs its turn; gives what it came to. Rejects as `submit` and `runTurn` do. */
  async send(text: string, options: SendOptions = {}): Promise<Turn> {
    const { attachments, turnId, onEvent, consumer } = options;
    const listening = onEvent ? this.on(onEvent) : null;
    try {
      const opened = await this.submit(text, attachments, turnId);
      const outcome = await this.runTurn(consumer ? { consumer } : {});
      const turn = this.turn(opened);
      if (!turn) throw nothingToAnswer();
      return { ...turn, outcome };
    } finally {
      listening?.dispose();
    }
  }

  /**
   * Steps until the turn ends; gives how. Rejects as `step` does, never for what a model or a tool did. `decisions` are
   * for the first step alone.
   */
  async runTurn(options: StepOptions = {}): Promise<Outcome> {
    const { decisions: _first, ...always } = options;
    let result = await this.step(options);
    while (result.type === 'continue') result = await this.step(always);
    return result.outcome;
  }

  /**
   * One model round and its calls, ending at a boundary; the outcome is stored when the turn ended. Codes:
   * session.not-at-boundary without an open turn or while a step runs, approval.not-waiting for a decision on a call that
   * does not wait, store.* when an earlier end could not be stored yet (nothing was done then). A journal that fails in
   * the step ends the turn as failed.
   */
  async step(options: StepOptions = {}): Promise<StepResult> {
    const { open } = this.state;
    this.#guard.assertResting();
    if (!open) throw nothingToAnswer();
    if (options.decisions) assertDecisions(options.decisions, open.pending);
    const { consumer } = options;
    const work = consumer ? this.#strictStep(open, { ...options, consumer }) : this.#plainStep(open, options);
    this.running = work;
    try {
      return await work;
    } finally {
      this.running = null;
    }
  }

  /**
   * Stops the turn, also one that is about to begin; safe at any time. Answered once the turn has come to rest: as
   * cancelled, or as interrupted when nobody wished it (the program ends).
   */
  stop(source: string, how: 'cancelled' | 'interrupted' = 'cancelled'): void {
    this.driver.stop({ how, source }, this.#guard.isOpening || (this.state.open !== null && !this.isWaiting));
  }

  /**
   * Closes an open turn that is not running: every call without a result gets one, and the turn ends. Used at the next
   * open after a crash (`interrupted`), or when a person gives up a waiting turn (`cancelled`). Rejects with the journal's
   * error; the turn is still open then.
   */
  async closeTurn(how: 'interrupted' | 'cancelled', source: string, partial?: Partial): Promise<void> {
    await this.#guard.resting(async () => {
      const { open } = this.state;
      if (!open) return;
      const outcome: Outcome = how === 'interrupted' ? { type: 'interrupted' } : { type: 'cancelled', source };
      await this.log.commit(this.#ending(open, { outcome, source, partial }));
      this.#ended(open.turnId, outcome);
    });
  }

  /**
   * Takes the conversation back to where a turn began: the open one, or the last one if it did not complete. Does nothing
   * (null) when there is none. `remains` = what its calls did all the same; nothing of that is undone. Codes:
   * session.not-at-boundary while a step runs, store.*.
   */
  async abortTurn(by: string): Promise<{ turnId: TurnId; remains: string[] } | null> {
    return this.#guard.resting(async () => {
      const { open, lastOutcome, lastTurnId } = this.state;
      const isCut = lastOutcome !== null && lastOutcome.type !== 'completed';
      const turnId = open?.turnId ?? (isCut ? lastTurnId : null);
      if (turnId === null) return null;
      const remains = effectsOfTurn(this.entries, { turnId, isEffectful: (tool) => this.#isEffectful(tool) });
      const outcome: Outcome = { type: 'cancelled', source: by };
      const ending = open ? this.#ending(open, { outcome, source: by }) : [];
      await this.log.commit([...ending, this.log.make('turn-discard', { turnId, by, remains })]);
      if (open) this.#ended(turnId, outcome);
      return { turnId, remains };
    });
  }

  /** Takes the last abortTurn back, while nothing came after it; gives whether there was one. Codes as abortTurn. */
  async restoreTurn(by: string): Promise<boolean> {
    return this.#guard.resting(async () => {
      const { discarded, open } = this.state;
      if (!discarded || open) return false;
      await this.log.commit([this.log.make('turn-restore', { turnId: discarded.turnId, by })]);
      return true;
    });
  }

  /** Forgets the conversation for the model; the transcript stays. Code session.input-pending while a turn is open. */
  async clearContext(by: string): Promise<void> {
    await this.#guard.withoutTurn('other', () => this.log.commit([this.log.make('context-clear', { by })]));
  }

  /**
   * The normal end: a running turn is stopped as interrupted and comes to rest, listeners are let go, and every verb is
   * refused from then on (session.closed). A turn that waits, or rests between steps, stays as it is. May be called again.
   */
  async close(): Promise<void> {
    this.#guard.close();
    this.stop('close', 'interrupted');
    while (this.running) await this.running.catch(() => undefined);
    this.driver.letGo();
    this.events.clear();
  }

  // ---- Setters, safe while a step runs; each rejects with the journal's error and has changed nothing then ----

  async setMode(mode: Mode, by: string): Promise<void> {
    if (mode !== this.state.mode) await this.log.commit([this.log.make('mode', { mode, by })]);
  }

  async setConfinement(on: boolean, by: string): Promise<void> {
    if (on !== this.state.confinement) await this.log.commit([this.log.make('confinement', { on, by })]);
  }

  /** Replaces the enabled subset, whole or not at all. Code authority.tool-unavailable. */
  async setEnabledTools(names: readonly string[], by: string): Promise<void> {
    const unknown = names.filter((name) => !this.tools.has(name));
    if (unknown.length > 0) {
      throw new AppError('authority.tool-unavailable', `Not in this chat's authority: ${unknown.join(', ')}.`, {
        details: { unknown },
      });
    }
    await this.log.commit([this.log.make('enabled-tools', { tools: [...new Set(names)].sort(), by })]);
  }

  /** Another model from the next step on. Code authority.model-unfit. */
  async setModel(model: Model, by: string): Promise<void> {
    const previous = this.currentModel.ref;
    assertModelFits(model, { systemPrompt: this.config.systemPrompt, tools: this.tools.size > 0 });
    if (model.ref !== previous) await this.log.commit([this.log.make('model', { model: model.ref, previous, by })]);
    this.currentModel = model;
  }

  /** How much of the declarations the next request tells: of all tools, or of one; null = back to that of all. */
  setSchemaTier(tier: SchemaTier | null, tool?: string): void {
    this.menu.setTier(tier, tool);
  }

  /** Who answers questions from now on; null = nobody. Installing one changes no gate (AUTH-24). */
  setApprover(approver: Approver | null): void {
    this.approver = approver;
  }

  /** Who answers what the model asks from now on; null = nobody. */
  setAsker(asker: Asker | null): void {
    this.#links.asker = asker;
  }

  /** Stores facts that are not the engine's (title, queue, authority), in order with its own. */
  async record(entries: readonly NewEntry[]): Promise<void> {
    await this.log.commit(entries);
  }

  // ---- Inside ----

  async #plainStep(open: OpenTurn, { decisions }: StepOptions): Promise<StepResult> {
    // What a failed journal still owes may be the end of this very turn.
    await this.log.flush();
    if (this.state.open !== open) throw nothingToAnswer();
    return this.driver.step(open, decisions ?? null);
  }

  async #strictStep(open: OpenTurn, options: StepOptions & { consumer: EventConsumer }): Promise<StepResult> {
    const feed = new StrictFeed(options.consumer, (cause) => {
      const error = consumerFailed(cause);
      this.driver.stop({ how: 'cancelled', source: 'consumer', error }, this.state.open !== null);
      return error;
    });
    const listening = this.events.on((event) => {
      feed.take(event);
    });
    try {
      const result = await this.#plainStep(open, options);
      await feed.settled();
      const { error } = feed;
      return error ? await this.#rollBack(open.turnId, error) : result;
    } finally {
      listening.dispose();
    }
  }

  /** Takes a turn back whose consumer failed; where a tool may have run, its whole batch stays (HIST-03). */
  async #rollBack(turnId: TurnId, error: WireError): Promise<StepResult> {
    const { open } = this.state;
    const outcome: Outcome = { type: 'failed', error };
    const { unsaved } = this.log;
    const isEnding = unsaved.some((entry) => entry.kind === 'turn-end');
    const ran = effectsOfTurn(this.entries, { turnId, isEffectful: () => true });
    const isKept = ran.length > 0 || unsaved.some((entry) => entry.kind === 'tool-start');
    if (open && !isEnding) for (const entry of this.#ending(open, { outcome })) this.log.add(entry);
    if (!isKept) this.log.add(this.log.make('turn-discard', { turnId, by: 'consumer', remains: [] }));
    // What the journal refuses now waits for the next verb, as at any other end.
    await this.log.flush(AbortSignal.abort(STOPPED)).catch(() => undefined);
    if (open && !isEnding) this.#ended(turnId, outcome);
    return { type: 'ended', outcome };
  }

  /** The entries that close an open turn: its calls answered, who stopped it, and how it ended. */
  #ending(open: OpenTurn, how: { outcome: Outcome; source?: string; partial?: Partial | undefined }): NewEntry[] {
    const { turnId, pending } = open;
    const { outcome, source, partial } = how;
    return [
      ...pending.map((call) => this.log.make('tool-result', leftBehind(turnId, call))),
      ...(source === undefined ? [] : [this.log.make('abort', { turnId, source })]),
      this.log.turnEnd(open, outcome, partial),
    ];
  }

  #ended(turnId: TurnId, outcome: Outcome): void {
    this.driver.letGo();
    this.events.emit({ type: 'turn-end', turnId, outcome });
  }

  async #opened(make: (turnId: TurnId) => NewEntry, turnId?: TurnId): Promise<TurnId> {
    return this.#guard.withoutTurn('open', async () => {
      const id = turnId ?? newId<TurnId>(this.ports.clock.nowMs());
      await this.log.commit([make(id)]);
      return id;
    });
  }

  #isEffectful(tool: string): boolean {
    const kind = this.tools.get(tool)?.declaration.class;
    return kind !== 'read' && kind !== 'clock';
  }
}

function consumerFailed(cause: unknown): WireError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return {
    code: 'internal',
    message: `What follows this chat could not take an event, so the turn was ended: ${reason}`,
    retryable: false,
  };
}

function nothingToAnswer(): AppError {
  return new AppError('session.not-at-boundary', 'There is no message to answer.');
}

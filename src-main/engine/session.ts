// A live session: the verbs that drive a chat. One caller at a time drives it (submit, step, runTurn); setters marked as
// safe may be called while a step runs and apply to its next read of them. Everything that happens is committed through
// the journal before it is announced.
import { AppError } from '../base/app-error.ts';
import { Emitter, type Listener } from '../base/emitter.ts';
import type { Disposable } from '../base/disposable.ts';
import { newId } from '../base/new-id.ts';
import type { AuthoritySnapshot, Grant, Mode } from '../contract/authority.ts';
import type { Attachment, NewEntry, Outcome } from '../contract/entries.ts';
import type { TurnId } from '../contract/ids.ts';
import { assertDecisions, type Decisions } from './approval-decisions.ts';
import type { ResolvedAuthority } from './authority.ts';
import type { SessionConfig } from './build-session.ts';
import { leftBehind } from './close-calls.ts';
import type { EngineEvent } from './engine-events.ts';
import { waitsForApproval, type OpenTurn, type SessionState } from './fold-history.ts';
import { assertModelFits } from './model-fit.ts';
import { toolMenu } from './modes.ts';
import type { Approver, Model, ModelRequest, SessionPorts, Tool } from './ports.ts';
import type { StepResult } from './run-step.ts';
import { bindTool } from './sealed-tool.ts';
import { SessionLog } from './session-log.ts';
import { TurnDriver } from './turn-driver.ts';

export type { Decisions };

interface StepOptions {
  /** Given for a turn that waits: exactly these calls are answered, any other waiting call counts as rejected. */
  readonly decisions?: Decisions;
}

type Partial = NonNullable<Extract<StepResult, { type: 'ended' }>['partial']>;

export class Session {
  readonly authority: AuthoritySnapshot;
  readonly authorityDigest: string;
  readonly #config: SessionConfig;
  readonly #ports: SessionPorts;
  readonly #state: SessionState;
  readonly #log: SessionLog;
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #events = new Emitter<EngineEvent>();
  readonly #driver: TurnDriver;
  #model: Model;
  #approver: Approver | null;
  /** A step runs. */
  #busy = false;
  /** A verb that is not a step is on its way to the journal. */
  #verb: 'open' | 'other' | null = null;

  /** Use createSession. */
  constructor(input: {
    config: SessionConfig;
    ports: SessionPorts;
    authority: ResolvedAuthority;
    state: SessionState;
  }) {
    const { config, ports, authority, state } = input;
    this.#config = config;
    this.#ports = ports;
    this.#state = state;
    this.#model = ports.model;
    this.#approver = ports.approver;
    this.authority = authority.snapshot;
    this.authorityDigest = authority.digest;
    const given = new Map(ports.tools.map((tool) => [tool.declaration.name, tool]));
    this.#tools = new Map(
      authority.snapshot.tools.flatMap((declaration) => {
        const tool = given.get(declaration.name);
        return tool ? [[declaration.name, bindTool(tool, declaration)]] : [];
      }),
    );
    this.#log = new SessionLog({
      state,
      history: config.history,
      journal: ports.journal,
      clock: ports.clock,
      announce: (entries) => {
        this.#events.emit({ type: 'entries-append', entries });
      },
    });
    this.#driver = new TurnDriver({
      sessionId: config.sessionId,
      systemPrompt: config.systemPrompt,
      limits: authority.snapshot.limits,
      ports,
      state,
      log: this.#log,
      events: this.#events,
      tools: this.#tools,
      isEnabled: (tool) => this.#isEnabled(tool),
      request: () => this.request(),
      model: () => this.#model,
      approver: () => this.#approver,
    });
  }

  // ---- What it is right now ----

  get mode(): Mode {
    return this.#state.mode;
  }
  get confinement(): boolean {
    return this.#state.confinement;
  }
  get model(): Model {
    return this.#model;
  }
  /** Names of the enabled tools, in the order of the ceiling. */
  get enabledTools(): string[] {
    return [...this.#tools.keys()].filter((name) => this.#isEnabled(name));
  }
  get openTurn(): Readonly<OpenTurn> | null {
    return this.#state.open;
  }
  get lastOutcome(): Outcome | null {
    return this.#state.lastOutcome;
  }
  /** A step runs now. */
  get isRunning(): boolean {
    return this.#busy;
  }
  /** The turn rests at a question that nobody answered yet. */
  get isWaiting(): boolean {
    return !this.#busy && this.#state.open !== null && waitsForApproval(this.#state.open);
  }
  get grants(): Grant[] {
    return this.#driver.grants;
  }
  /** Tool calls executed over the session's life (LOOP-21). */
  get executedCalls(): number {
    return this.#state.executedCalls;
  }
  /** Steps over the session's life; clearing does not reset it (LOOP-25). */
  get stepCount(): number {
    return this.#state.stepCount;
  }

  /** Announces what happens, in order; the answer ends it. */
  on(listener: Listener<EngineEvent>): Disposable {
    return this.#events.on(listener);
  }

  /** The next request as it would be sent now (TOOL-21). */
  request(): ModelRequest {
    const tools = toolMenu({
      ceiling: this.authority.tools,
      enabled: new Set(this.enabledTools),
      mode: this.#state.mode,
      allowed: (tool) => this.#isEverAllowed(tool),
      referenced: this.#log.projection.referencedTools,
    });
    return { system: this.#config.systemPrompt, messages: this.#log.projection.messages(), tools };
  }

  // ---- Driving it ----

  /**
   * Opens a turn with a message, durably. Codes: session.input-pending while a turn is open, ipc.invalid-input for a
   * message that is empty or larger than limits.messageBytes, store.*; nothing was stored then.
   */
  async submit(text: string, attachments: readonly Attachment[] = []): Promise<TurnId> {
    const size = attachments.reduce((sum, attachment) => sum + attachment.text.length, text.length);
    const most = this.authority.limits.messageBytes;
    if (size > most || (text.trim() === '' && attachments.length === 0)) {
      const words = size > most ? `The message has ${size} characters; ${most} at most are taken.` : 'It says nothing.';
      throw new AppError('ipc.invalid-input', `This message was not sent: ${words}`, { details: { size, most } });
    }
    return this.#opened((turnId) => this.#log.make('user-message', { turnId, text, attachments: [...attachments] }));
  }

  /** Opens a turn that goes on from the last one, without a new message. Code session.input-pending. */
  async continueTurn(): Promise<TurnId> {
    return this.#opened((turnId) => this.#log.make('turn-continue', { turnId, of: this.#state.lastTurnId }));
  }

  /**
   * Steps until the turn ends; gives how. Rejects as `step` does, never for what a model or a tool did. `decisions` are
   * for the first step alone.
   */
  async runTurn(options: StepOptions = {}): Promise<Outcome> {
    let result = await this.step(options);
    while (result.type === 'continue') result = await this.step();
    return result.outcome;
  }

  /**
   * One model round and its calls, ending at a boundary; the outcome is stored when the turn ended. Codes:
   * session.not-at-boundary without an open turn or while a step runs, approval.not-waiting for a decision on a call that
   * does not wait, store.* when an earlier end could not be stored yet (nothing was done then). A journal that fails in
   * the step ends the turn as failed.
   */
  async step(options: StepOptions = {}): Promise<StepResult> {
    const { open } = this.#state;
    if (this.#busy || this.#verb) throw new AppError('session.not-at-boundary', 'A step is running already.');
    if (!open) throw nothingToAnswer();
    if (options.decisions) assertDecisions(options.decisions, open.pending);
    this.#busy = true;
    try {
      // What a failed journal still owes may be the end of this very turn.
      await this.#log.flush();
      if (this.#state.open !== open) throw nothingToAnswer();
      return await this.#driver.step(open, options.decisions ?? null);
    } finally {
      this.#busy = false;
    }
  }

  /**
   * Stops the turn, also one that is about to begin; safe at any time. Answered once the turn has come to rest: as
   * cancelled, or as interrupted when nobody wished it (the program ends).
   */
  stop(source: string, how: 'cancelled' | 'interrupted' = 'cancelled'): void {
    this.#driver.stop({ how, source }, this.#verb === 'open' || (this.#state.open !== null && !this.isWaiting));
  }

  /**
   * Closes an open turn that is not running: every call without a result gets one, and the turn ends. Used at the next
   * open after a crash (`interrupted`), or when a person gives up a waiting turn (`cancelled`). Rejects with the journal's
   * error; the turn is still open then.
   */
  async closeTurn(how: 'interrupted' | 'cancelled', source: string, partial?: Partial): Promise<void> {
    if (this.#busy || this.#verb) throw new AppError('session.not-at-boundary', 'Stop the running turn first.');
    this.#verb = 'other';
    try {
      await this.#log.flush();
      const { open } = this.#state;
      if (!open) return;
      const outcome: Outcome = how === 'interrupted' ? { type: 'interrupted' } : { type: 'cancelled', source };
      await this.#log.commit([
        ...open.pending.map((call) => this.#log.make('tool-result', leftBehind(open.turnId, call))),
        this.#log.make('abort', { turnId: open.turnId, source }),
        this.#log.turnEnd(open, outcome, partial),
      ]);
      this.#driver.letGo();
      this.#events.emit({ type: 'turn-end', turnId: open.turnId, outcome });
    } finally {
      this.#verb = null;
    }
  }

  /** Forgets the conversation for the model; the transcript stays. Code session.input-pending while a turn is open. */
  async clearContext(by: string): Promise<void> {
    await this.#exclusive('other', () => this.#log.commit([this.#log.make('context-clear', { by })]));
  }

  // ---- Setters, safe while a step runs; each rejects with the journal's error and has changed nothing then ----

  async setMode(mode: Mode, by: string): Promise<void> {
    if (mode !== this.#state.mode) await this.#log.commit([this.#log.make('mode', { mode, by })]);
  }

  async setConfinement(on: boolean, by: string): Promise<void> {
    if (on !== this.#state.confinement) await this.#log.commit([this.#log.make('confinement', { on, by })]);
  }

  /** Replaces the enabled subset, whole or not at all. Code authority.tool-unavailable. */
  async setEnabledTools(names: readonly string[], by: string): Promise<void> {
    const unknown = names.filter((name) => !this.#tools.has(name));
    if (unknown.length > 0) {
      throw new AppError('authority.tool-unavailable', `Not in this chat's authority: ${unknown.join(', ')}.`, {
        details: { unknown },
      });
    }
    await this.#log.commit([this.#log.make('enabled-tools', { tools: [...new Set(names)].sort(), by })]);
  }

  /** Another model from the next step on. Code authority.model-unfit. */
  async setModel(model: Model, by: string): Promise<void> {
    const previous = this.#model.ref;
    assertModelFits(model, { systemPrompt: this.#config.systemPrompt, tools: this.#tools.size > 0 });
    if (model.ref !== previous) await this.#log.commit([this.#log.make('model', { model: model.ref, previous, by })]);
    this.#model = model;
  }

  /** Who answers questions from now on; null = nobody. Installing one changes no gate (AUTH-24). */
  setApprover(approver: Approver | null): void {
    this.#approver = approver;
  }

  /** Stores facts that are not the engine's (title, queue, authority), in order with its own. */
  async record(entries: readonly NewEntry[]): Promise<void> {
    await this.#log.commit(entries);
  }

  // ---- Inside ----

  async #opened(make: (turnId: TurnId) => NewEntry): Promise<TurnId> {
    return this.#exclusive('open', async () => {
      const turnId = newId<TurnId>(this.#ports.clock.nowMs());
      await this.#log.commit([make(turnId)]);
      return turnId;
    });
  }

  /** Runs a verb that is for a session without an open turn; what a failed journal still owes is stored first. */
  async #exclusive<T>(kind: 'open' | 'other', verb: () => Promise<T>): Promise<T> {
    if (this.#busy || this.#verb) throw inputPending();
    this.#verb = kind;
    try {
      await this.#log.flush();
      if (this.#state.open) throw inputPending();
      return await verb();
    } finally {
      this.#verb = null;
      // A stop that came meanwhile was for the turn that did not open.
      if (!this.#state.open) this.#driver.letGo();
    }
  }

  #isEnabled(tool: string): boolean {
    return this.#state.enabled === null || this.#state.enabled.includes(tool);
  }

  /** Whether any call of this tool could pass the rules; rules that cannot be read allow none. */
  #isEverAllowed(tool: string): boolean {
    try {
      return this.#ports.policy?.judge({ tool, args: {}, effects: [] })?.effect !== 'deny';
    } catch {
      return false;
    }
  }
}

function nothingToAnswer(): AppError {
  return new AppError('session.not-at-boundary', 'There is no message to answer.');
}

function inputPending(): AppError {
  return new AppError(
    'session.input-pending',
    'A message is still being answered. Wait, stop it, or queue the next one.',
  );
}

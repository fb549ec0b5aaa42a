// A live session: the verbs that drive a chat. One caller at a time drives it (submit, step, runTurn); setters marked as
// safe may be called while a step runs and apply to its next read of them. Everything that happens is committed through
// the journal before it is announced.
import { AppError, toWireError } from '../base/app-error.ts';
import { Emitter, type Listener } from '../base/emitter.ts';
import type { Disposable } from '../base/disposable.ts';
import { newId } from '../base/new-id.ts';
import type { AuthoritySnapshot, Grant, Mode, ToolDeclaration } from '../contract/authority.ts';
import type { Attachment, EntryData, EntryKind, NewEntry, Outcome } from '../contract/entries.ts';
import type { CallId, EntryId, TurnId } from '../contract/ids.ts';
import type { ResolvedAuthority } from './authority.ts';
import { newTurnUse, type TurnUse } from './budgets.ts';
import type { SessionConfig } from './build-session.ts';
import type { EngineEvent } from './engine-events.ts';
import { foldEntry, waitsForApproval, type OpenTurn, type SessionState } from './fold-history.ts';
import type { GateEnvironment } from './gate-call.ts';
import { LoopGuard } from './loop-guard.ts';
import { toolMenu } from './modes.ts';
import type {
  ApprovalAnswer,
  ApprovalQuestion,
  Approver,
  Model,
  ModelRequest,
  SessionPorts,
  Tool,
  ToolContext,
} from './ports.ts';
import { Projection } from './project-request.ts';
import { notRun, runStep, type StepResult } from './run-step.ts';
import { ArgumentValidator } from './validate-arguments.ts';

/** Answers that were given while nobody waited for them (APPR-09), by call. */
export type Decisions = ReadonlyMap<CallId, ApprovalAnswer>;

interface TurnRun {
  readonly controller: AbortController;
  readonly use: TurnUse;
  readonly guard: LoopGuard;
  source: string;
  deadline: boolean;
}

const PARTIAL_EVERY_MS = 1000;

export class Session {
  readonly authority: AuthoritySnapshot;
  readonly authorityDigest: string;
  readonly #config: SessionConfig;
  readonly #ports: SessionPorts;
  readonly #state: SessionState;
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #declarations: readonly ToolDeclaration[];
  readonly #validator = new ArgumentValidator();
  readonly #projection = new Projection();
  readonly #events = new Emitter<EngineEvent>();
  readonly #grants = new Map<string, { grant: Grant; grantedBy: string }>();
  #model: Model;
  #approver: Approver | null;
  #buffer: NewEntry[] = [];
  #commits: Promise<unknown> = Promise.resolve();
  #run: TurnRun | null = null;
  #busy = false;
  #decisions: Decisions = new Map();
  #lastPartialMs = 0;

  /** Use createSession. */
  constructor(input: {
    config: SessionConfig;
    ports: SessionPorts;
    authority: ResolvedAuthority;
    state: SessionState;
  }) {
    this.#config = input.config;
    this.#ports = input.ports;
    this.#state = input.state;
    this.#model = input.ports.model;
    this.#approver = input.ports.approver;
    this.authority = input.authority.snapshot;
    this.authorityDigest = input.authority.digest;
    this.#tools = new Map(input.ports.tools.map((tool) => [tool.declaration.name, tool]));
    this.#declarations = this.authority.tools;
    for (const entry of input.config.history) this.#projection.append(entry);
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
    const { enabled } = this.#state;
    return this.#declarations.map((tool) => tool.name).filter((name) => enabled === null || enabled.includes(name));
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
    return [...this.#grants.values()].map((held) => held.grant);
  }
  /** Tool calls executed over the session's life (LOOP-21). */
  get executedCalls(): number {
    return this.#state.executedCalls;
  }

  /** Announces what happens, in order; the answer ends it. */
  on(listener: Listener<EngineEvent>): Disposable {
    return this.#events.on(listener);
  }

  /** The next request as it would be sent now (TOOL-21). */
  request(): ModelRequest {
    const { policy } = this.#ports;
    const enabled = new Set(this.enabledTools);
    const tools = toolMenu({
      ceiling: this.#declarations,
      enabled,
      mode: this.#state.mode,
      allowed: (tool) => policy?.judge({ tool, args: {}, effects: [] })?.effect !== 'deny',
      referenced: this.#projection.referencedTools,
    });
    return { system: this.#config.systemPrompt, messages: this.#projection.messages(), tools };
  }

  // ---- Driving it ----

  /** Opens a turn with a message, durably. Code session.input-pending while a turn is open. */
  async submit(text: string, attachments: readonly Attachment[] = []): Promise<TurnId> {
    this.#assertNoOpenTurn();
    const turnId = newId<TurnId>(this.#ports.clock.nowMs());
    await this.#record('user-message', { turnId, text, attachments: [...attachments] });
    return turnId;
  }

  /** Opens a turn that goes on from the last one, without a new message. Code session.input-pending. */
  async continueTurn(): Promise<TurnId> {
    this.#assertNoOpenTurn();
    const turnId = newId<TurnId>(this.#ports.clock.nowMs());
    await this.#record('turn-continue', { turnId, of: this.#state.lastTurnId });
    return turnId;
  }

  /** Steps until the turn ends; gives how. Never rejects for what a model or a tool did. */
  async runTurn(options: { decisions?: Decisions } = {}): Promise<Outcome> {
    for (;;) {
      const result = await this.step(options);
      if (result.type === 'ended') return result.outcome;
    }
  }

  /**
   * One model round and its calls, ending at a boundary; the outcome is stored when the turn ended. Code
   * session.not-at-boundary without an open turn or while a step runs. A journal that fails ends the turn as failed.
   */
  async step(options: { decisions?: Decisions } = {}): Promise<StepResult> {
    const open = this.#state.open;
    if (!open || this.#busy) {
      throw new AppError(
        'session.not-at-boundary',
        open ? 'A step is running already.' : 'There is no message to answer.',
      );
    }
    this.#busy = true;
    this.#decisions = options.decisions ?? new Map();
    const run = (this.#run ??= this.#beginRun());
    try {
      const result = await this.#step(open, run);
      if (result.type === 'continue') return result;
      return await this.#end(open, run, result);
    } catch (cause) {
      return this.#endAfterFault(open, run, cause);
    } finally {
      this.#busy = false;
    }
  }

  /** Stops the running step; safe at any time. Answered once the turn has come to rest. */
  stop(source: string): void {
    if (!this.#run) return;
    this.#run.source = source;
    this.#run.controller.abort();
  }

  /**
   * Closes an open turn that is not running: every call without a result gets one, and the turn ends. Used at the next
   * open after a crash (`interrupted`), or when a person gives up a waiting turn (`cancelled`).
   */
  async closeTurn(
    how: 'interrupted' | 'cancelled',
    source: string,
    partial?: { text: string; reasoning: string },
  ): Promise<void> {
    const open = this.#state.open;
    if (!open) return;
    if (this.#busy) throw new AppError('session.not-at-boundary', 'Stop the running turn first.');
    for (const call of open.pending) {
      const content = call.started
        ? 'Interrupted: Warrant stopped while this ran. It may or may not have taken effect; check before repeating it.'
        : 'Not started: the turn was interrupted before it ran.';
      const status = call.started ? 'interrupted' : 'cancelled';
      this.#add('tool-result', { ...notRun(open.turnId, call, content), summary: call.summary, status });
    }
    this.#add('abort', { turnId: open.turnId, source });
    const outcome: Outcome = how === 'interrupted' ? { type: 'interrupted' } : { type: 'cancelled', source };
    this.#addTurnEnd(open, outcome, partial);
    this.#run = null;
    await this.#flush();
    this.#events.emit({ type: 'turn-end', turnId: open.turnId, outcome });
  }

  /** Forgets the conversation for the model; the transcript stays. Code session.input-pending while a turn is open. */
  async clearContext(by: string): Promise<void> {
    this.#assertNoOpenTurn();
    await this.#record('context-clear', { by });
  }

  // ---- Setters, safe while a step runs ----

  async setMode(mode: Mode, by: string): Promise<void> {
    if (mode !== this.#state.mode) await this.#record('mode', { mode, by });
  }

  async setConfinement(on: boolean, by: string): Promise<void> {
    if (on !== this.#state.confinement) await this.#record('confinement', { on, by });
  }

  /** Replaces the enabled subset, whole or not at all. Code authority.tool-unavailable. */
  async setEnabledTools(names: readonly string[], by: string): Promise<void> {
    const unknown = names.filter((name) => !this.#tools.has(name));
    if (unknown.length > 0) {
      throw new AppError('authority.tool-unavailable', `Not in this chat's authority: ${unknown.join(', ')}.`, {
        details: { unknown },
      });
    }
    await this.#record('enabled-tools', { tools: [...new Set(names)].sort(), by });
  }

  /** Another model from the next step on. */
  async setModel(model: Model, by: string): Promise<void> {
    const previous = this.#model.ref;
    this.#model = model;
    if (model.ref !== previous) await this.#record('model', { model: model.ref, previous, by });
  }

  /** Who answers questions from now on; null = nobody. Installing one changes no gate (AUTH-24). */
  setApprover(approver: Approver | null): void {
    this.#approver = approver;
  }

  /** Stores facts that are not the engine's (title, queue, authority), in order with its own. */
  async record(entries: readonly NewEntry[]): Promise<void> {
    await this.#commit(entries);
  }

  // ---- Inside ----

  async #step(open: OpenTurn, run: TurnRun): Promise<StepResult> {
    return runStep({
      turnId: open.turnId,
      step: open.steps + (open.pending.length > 0 ? 0 : 1),
      env: this.#environment(open.turnId, run),
      guard: run.guard,
      use: run.use,
      model: this.#model,
      lifetimeCalls: this.#state.executedCalls,
      pending: open.pending,
      request: () => this.request(),
      add: (entry) => {
        this.#buffer.push(entry);
      },
      flush: () => this.#flush(),
      emit: (event) => {
        this.#events.emit(event);
      },
      counted: () => {},
      progress: (text, reasoning) => {
        this.#keepPartial(open.turnId, text, reasoning);
      },
    });
  }

  #beginRun(): TurnRun {
    const run: TurnRun = {
      controller: new AbortController(),
      use: newTurnUse(),
      guard: new LoopGuard(this.authority.limits),
      source: '',
      deadline: false,
    };
    const deadlineMs = this.authority.limits.turnDeadlineMs;
    if (deadlineMs > 0) {
      const cancel = this.#ports.clock.after(deadlineMs, () => {
        run.deadline = true;
        run.controller.abort();
      });
      run.controller.signal.addEventListener('abort', cancel, { once: true });
    }
    return run;
  }

  #environment(turnId: TurnId, run: TurnRun): GateEnvironment {
    const { limits } = this.authority;
    const signal = run.controller.signal;
    const approver = this.#approver;
    return {
      tools: this.#tools,
      limits,
      validator: this.#validator,
      approver: approver || this.#decisions.size > 0 ? { ask: (question, abort) => this.#ask(question, abort) } : null,
      policy: this.#ports.policy,
      clock: this.#ports.clock,
      turnId,
      signal,
      mode: () => this.#state.mode,
      confinement: () => this.#state.confinement,
      isEnabled: (tool) => this.#state.enabled === null || this.#state.enabled.includes(tool),
      findGrant: (grant) => this.#grants.get(grantKey(grant)) ?? null,
      addGrant: (grant) => {
        this.#grants.set(grantKey(grant), { grant, grantedBy: 'person' });
      },
      context: (callId) => this.#toolContext(callId, signal),
      recordQuestion: async (entry) => {
        this.#buffer.push(entry);
        await this.#flush();
      },
    };
  }

  #toolContext(callId: CallId, signal: AbortSignal): ToolContext {
    return {
      callId,
      sessionId: this.#config.sessionId,
      limits: this.authority.limits,
      confinement: this.#state.confinement,
      signal,
      output: (text) => {
        this.#events.emit({ type: 'call-output', callId, text });
      },
    };
  }

  /** A decision that was given beforehand answers when it was given for exactly this; else the approver is asked. */
  async #ask(question: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalAnswer> {
    const decided = this.#decisions.get(question.callId);
    if (decided && (decided.type !== 'allow' || decided.digest === question.prepared.digest)) return decided;
    if (this.#approver) return this.#approver.ask(question, signal);
    return { type: 'deny', reason: 'nobody is there to answer', by: 'policy' };
  }

  async #end(open: OpenTurn, run: TurnRun, result: Extract<StepResult, { type: 'ended' }>): Promise<StepResult> {
    const outcome = this.#named(result.outcome, run);
    run.controller.abort();
    this.#run = null;
    if (outcome.type !== 'awaiting-approval') {
      if (outcome.type === 'cancelled') this.#add('abort', { turnId: open.turnId, source: outcome.source });
      this.#addTurnEnd(open, outcome, result.partial);
    }
    await this.#flush();
    this.#events.emit({ type: 'turn-end', turnId: open.turnId, outcome });
    return { type: 'ended', outcome };
  }

  /** A cancel is told apart from the deadline, and gets its source. */
  #named(outcome: Outcome, run: TurnRun): Outcome {
    if (outcome.type !== 'cancelled') return outcome;
    if (run.deadline)
      return { type: 'budget-reached', budget: 'deadline', limit: this.authority.limits.turnDeadlineMs };
    return { type: 'cancelled', source: run.source };
  }

  /** The journal failed, or the engine has a fault: what can be stored is; the turn never stays half open in memory. */
  async #endAfterFault(open: OpenTurn, run: TurnRun, cause: unknown): Promise<StepResult> {
    const outcome: Outcome = { type: 'failed', error: toWireError(cause) };
    this.#buffer = [];
    run.controller.abort();
    this.#run = null;
    try {
      for (const call of this.#state.open?.pending ?? []) {
        this.#add('tool-result', {
          ...notRun(open.turnId, call, 'Interrupted: it could not be recorded whether this ran.'),
          status: 'interrupted',
        });
      }
      this.#addTurnEnd(open, outcome);
      await this.#flush();
    } catch {
      // The journal still refuses; the turn is closed at the next open, from what is stored.
      this.#buffer = [];
    }
    this.#events.emit({ type: 'turn-end', turnId: open.turnId, outcome });
    return { type: 'ended', outcome };
  }

  #assertNoOpenTurn(): void {
    if (!this.#state.open) return;
    throw new AppError(
      'session.input-pending',
      'A message is still being answered. Wait, stop it, or queue the next one.',
    );
  }

  #keepPartial(turnId: TurnId, text: string, reasoning: string): void {
    const nowMs = this.#ports.clock.nowMs();
    if (nowMs - this.#lastPartialMs < PARTIAL_EVERY_MS) return;
    this.#lastPartialMs = nowMs;
    this.#ports.journal.partial?.(turnId, text, reasoning);
  }

  #addTurnEnd(open: OpenTurn, outcome: Outcome, partial?: { text: string; reasoning: string }): void {
    const kept = partial && (partial.text !== '' || partial.reasoning !== '') ? { partial } : {};
    const durationMs = Math.max(0, this.#ports.clock.nowMs() - open.startedAtMs);
    this.#add('turn-end', {
      turnId: open.turnId,
      outcome,
      steps: this.#state.open?.steps ?? open.steps,
      durationMs,
      ...kept,
    });
  }

  #add<K extends EntryKind>(kind: K, data: EntryData<K>): void {
    const atMs = this.#ports.clock.nowMs();
    this.#buffer.push({ id: newId<EntryId>(atMs), atMs, kind, data } as NewEntry);
  }

  async #record<K extends EntryKind>(kind: K, data: EntryData<K>): Promise<void> {
    const atMs = this.#ports.clock.nowMs();
    await this.#commit([{ id: newId<EntryId>(atMs), atMs, kind, data } as NewEntry]);
  }

  async #flush(): Promise<void> {
    if (this.#buffer.length === 0) return;
    await this.#commit(this.#buffer.splice(0));
  }

  /** Commits in order, one after the other; what is announced was committed. */
  async #commit(entries: readonly NewEntry[]): Promise<void> {
    const work = this.#commits.then(async () => {
      const stored = await this.#ports.journal.append(entries);
      for (const entry of stored) {
        foldEntry(this.#state, entry);
        this.#projection.append(entry);
      }
      this.#events.emit({ type: 'entries-append', entries: stored });
    });
    this.#commits = work.catch(() => undefined);
    await work;
  }
}

const grantKey = (grant: Grant): string => `${grant.tool}\n${grant.covers}`;

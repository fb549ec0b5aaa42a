// Works on one open turn at a time: gives a step all that it reads, ends the turn with its outcome, and brings it to rest
// when the journal or the engine itself fails. The session decides when; see session.ts for the verbs.
import { toWireError } from '../base/app-error.ts';
import type { Emitter } from '../base/emitter.ts';
import type { Grant } from '../contract/authority.ts';
import type { Outcome } from '../contract/entries.ts';
import type { CallId, SessionId, TurnId } from '../contract/ids.ts';
import type { Limits } from '../contract/limits.ts';
import { answerQuestion, type Decisions } from './approval-decisions.ts';
import { afterFault, leftBehind } from './close-calls.ts';
import type { ContextKeeper } from './context-keeper.ts';
import type { EngineEvent } from './engine-events.ts';
import type { OpenTurn, SessionState } from './fold-history.ts';
import type { GateEnvironment, ParallelCalls } from './gate-types.ts';
import type { Approver, Model, ModelRequest, SessionPorts, Tool, ToolContext } from './ports.ts';
import { runStep, type Room, type StepResult } from './run-step.ts';
import type { SessionLog } from './session-log.ts';
import { TurnRun, type Stop } from './turn-run.ts';
import { ArgumentValidator } from './validate-arguments.ts';

/** What a turn is worked on with; functions are read anew each time, as the session may change meanwhile. */
export interface TurnSurroundings {
  readonly sessionId: SessionId;
  readonly systemPrompt: string;
  readonly limits: Limits;
  readonly parallel: ParallelCalls;
  readonly checkpoints: boolean;
  readonly ports: SessionPorts;
  readonly state: SessionState;
  readonly log: SessionLog;
  readonly events: Emitter<EngineEvent>;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly isEnabled: (tool: string) => boolean;
  /** The request that is sent now, for this round. */
  readonly request: (at: { turnId: TurnId; step: number }) => ModelRequest;
  readonly model: () => Model;
  readonly context: ContextKeeper;
  /** A request leaves now. */
  readonly issued: () => void;
  readonly approver: () => Approver | null;
}

type Ended = Extract<StepResult, { type: 'ended' }>;

const PARTIAL_EVERY_MS = 1000;

export class TurnDriver {
  readonly #around: TurnSurroundings;
  readonly #validator = new ArgumentValidator();
  readonly #grants = new Map<string, Grant>();
  #run: TurnRun | null = null;
  #stopAtStart: Stop | null = null;
  #lastPartialMs = 0;

  constructor(around: TurnSurroundings) {
    this.#around = around;
  }

  /** Session grants given so far. */
  get grants(): Grant[] {
    return [...this.#grants.values()];
  }

  /** One step of the open turn; never rejects: a journal that fails, or a fault, ends the turn as failed. */
  async step(open: OpenTurn, decisions: Decisions | null): Promise<StepResult> {
    const run = (this.#run ??= new TurnRun(this.#around.limits, this.#around.ports.clock));
    const begun = new Set<CallId>();
    if (this.#stopAtStart !== null) run.stop(this.#stopAtStart);
    try {
      const result = await this.#step(open, { run, begun, decisions });
      return result.type === 'continue' ? result : await this.#end(open, run, result);
    } catch (cause) {
      return this.#endAfterFault(open, run, { cause, begun });
    }
  }

  /** Cancels the turn that is worked on; `about to begin` turns are cancelled in their first step. */
  stop(stop: Stop, aboutToBegin: boolean): void {
    if (this.#run) this.#run.stop(stop);
    else if (aboutToBegin) this.#stopAtStart = stop;
  }

  /** Nothing of the turn stays: no timer, no listener, no wish to stop it. */
  letGo(): void {
    this.#run?.end();
    this.#run = null;
    this.#stopAtStart = null;
  }

  async #step(
    open: OpenTurn,
    how: { run: TurnRun; begun: Set<CallId>; decisions: Decisions | null },
  ): Promise<StepResult> {
    const { run, begun, decisions } = how;
    const flush = async (): Promise<void> => this.#flush(run);
    await flush();
    const cut = open.pending.filter((call) => call.started);
    for (const call of cut) this.#around.log.add(this.#around.log.make('tool-result', leftBehind(open.turnId, call)));
    if (cut.length > 0) await flush();
    const pending = open.pending;
    const at = { turnId: open.turnId, step: open.steps + (pending.length > 0 ? 0 : 1) };
    return runStep({
      ...at,
      env: this.#environment(open, run, decisions),
      guard: run.guard,
      use: { ...open.use },
      model: this.#around.model(),
      lifetimeCalls: this.#around.state.executedCalls,
      pending,
      request: () => this.#around.request(at),
      requestCharacters: () => this.#around.systemPrompt.length + this.#around.log.projection.characters,
      add: (entry) => {
        this.#around.log.add(entry);
      },
      flush,
      emit: (event) => {
        this.#around.events.emit(event);
      },
      begun: (callId) => void begun.add(callId),
      progress: (text, reasoning) => {
        this.#keepPartial(open.turnId, text, reasoning);
      },
      room: this.#room(run),
    });
  }

  #room(run: TurnRun): Room {
    const { context, issued } = this.#around;
    return {
      isFull: (characters) => context.isFull(characters),
      refusal: (characters) => context.refusal(characters),
      note: (characters, usage) => {
        context.note(characters, usage);
      },
      issued,
      make: async (cause, characters) => {
        const by = 'program';
        const planned = await context.plan({ cause, characters, by, signal: run.signal, fallback: true });
        if (!planned || 'error' in planned || run.signal.aborted) return false;
        this.#around.log.add(this.#around.log.make('reduction', planned));
        await this.#flush(run);
        return true;
      },
    };
  }

  /** Commits what waits; when that fails, nothing of the turn goes on running. */
  async #flush(run: TurnRun): Promise<void> {
    try {
      await this.#around.log.flush(run.signal);
    } catch (error) {
      run.end();
      throw error;
    }
  }

  #environment(open: OpenTurn, run: TurnRun, decisions: Decisions | null): GateEnvironment {
    const { clock, policy, checkpointer } = this.#around.ports;
    const waiting = new Set(open.pending.filter((call) => call.asked).map((call) => call.callId));
    const ask: Approver['ask'] = (question, signal) =>
      answerQuestion(question, { decisions, waiting, approver: this.#around.approver(), signal });
    const limits = (): Limits => this.#limits();
    return {
      tools: this.#around.tools,
      get limits() {
        return limits();
      },
      validator: this.#validator,
      approver: this.#around.approver() || (decisions && decisions.size > 0) ? { ask } : null,
      policy,
      checkpointer: this.#around.checkpoints ? (checkpointer ?? null) : null,
      clock,
      turnId: open.turnId,
      parallel: this.#around.parallel,
      signal: run.signal,
      mode: () => this.#around.state.mode,
      confinement: () => this.#around.state.confinement,
      isEnabled: this.#around.isEnabled,
      findGrant: (grant) => (this.#grants.has(grantKey(grant)) ? { grantedBy: 'person' } : null),
      addGrant: (grant) => {
        this.#grants.set(grantKey(grant), grant);
      },
      context: (callId) => this.#toolContext(callId, run.signal),
      recordQuestion: async (entry) => {
        this.#around.log.add(entry);
        await this.#flush(run);
      },
    };
  }

  /** What the snapshot allows, narrowed by what the person's settings say now. */
  #limits(): Limits {
    const ceiling = this.#around.limits;
    return this.#around.ports.policy?.limits?.(ceiling) ?? ceiling;
  }

  #toolContext(callId: CallId, signal: AbortSignal): ToolContext {
    return {
      callId,
      sessionId: this.#around.sessionId,
      limits: this.#limits(),
      confinement: this.#around.state.confinement,
      signal,
      output: (text) => {
        this.#around.events.emit({ type: 'call-output', callId, text });
      },
    };
  }

  async #end(open: OpenTurn, run: TurnRun, result: Ended): Promise<StepResult> {
    const outcome = run.named(result.outcome);
    if (outcome.type !== 'awaiting-approval') {
      // Whoever cancelled is told in a marker of its own (CANC-12).
      if (outcome.type === 'cancelled' || outcome.type === 'interrupted') {
        const source = outcome.type === 'cancelled' ? outcome.source : 'close';
        this.#around.log.add(this.#around.log.make('abort', { turnId: open.turnId, source }));
      }
      this.#around.log.add(this.#around.log.turnEnd(open, outcome, result.partial));
    }
    await this.#flush(run);
    this.letGo();
    this.#around.events.emit({ type: 'turn-end', turnId: open.turnId, outcome });
    return { type: 'ended', outcome };
  }

  /**
   * The journal failed, or the engine has a fault: the turn ends, with all that happened in it. Where the journal still
   * refuses, that stays in memory and is stored before the next turn.
   */
  async #endAfterFault(
    open: OpenTurn,
    run: TurnRun,
    fault: { cause: unknown; begun: ReadonlySet<CallId> },
  ): Promise<StepResult> {
    const outcome: Outcome = { type: 'failed', error: toWireError(fault.cause) };
    run.end();
    const { turnId, pending } = open;
    const { kept, results } = afterFault({ turnId, unsaved: this.#around.log.unsaved, pending, begun: fault.begun });
    this.#around.log.replaceUnsaved([
      ...kept,
      ...results.map((result) => this.#around.log.make('tool-result', result)),
    ]);
    this.#around.log.add(this.#around.log.turnEnd(open, outcome));
    // A second refusal is the same fault, and is told already; the entries wait.
    await this.#around.log.flush(run.signal).catch(() => undefined);
    this.letGo();
    this.#around.events.emit({ type: 'turn-end', turnId, outcome });
    return { type: 'ended', outcome };
  }

  #keepPartial(turnId: TurnId, text: string, reasoning: string): void {
    const nowMs = this.#around.ports.clock.nowMs();
    if (nowMs - this.#lastPartialMs < PARTIAL_EVERY_MS) return;
    this.#lastPartialMs = nowMs;
    this.#around.ports.journal.partial?.(turnId, text, reasoning);
  }
}

const grantKey = (grant: Grant): string => `${grant.tool}\n${grant.covers}`;

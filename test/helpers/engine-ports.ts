// In-memory ports for engine tests: a clock that only moves when told, a model that says what a script says, tools that
// note what they did, a journal that can refuse or hang, an approver that answers in order. All count what is left open.
import { setImmediate as tick } from 'node:timers/promises';
import type { Effect, EffectKind, Mode, ToolClass } from '../../src-main/contract/authority.ts';
import type { Entry, EntryKind, EntryOf, FinishReason, NewEntry, Usage } from '../../src-main/contract/entries.ts';
import type { CallId, SessionId } from '../../src-main/contract/ids.ts';
import type { Limits } from '../../src-main/contract/limits.ts';
import { AppError } from '../../src-main/base/app-error.ts';
import { newId } from '../../src-main/base/new-id.ts';
import { createSession } from '../../src-main/engine/build-session.ts';
import type { SessionConfig } from '../../src-main/engine/session-config.ts';
import type { EngineEvent } from '../../src-main/engine/engine-events.ts';
import type {
  ApprovalAnswer,
  ApprovalQuestion,
  Approver,
  Clock,
  Journal,
  Model,
  ModelCapabilities,
  ModelEvent,
  ModelRequest,
  PreparedCall,
  SessionPorts,
  Tool,
  ToolContext,
  ToolOutcome,
  ToolRefusal,
} from '../../src-main/engine/ports.ts';
import type { Session } from '../../src-main/engine/session.ts';

/** Waits until a condition holds; fails after some thousand turns of the event loop, which loading a module may take. */
export async function until(condition: () => boolean, what = 'the condition'): Promise<void> {
  const giveUpMs = performance.now() + 10_000;
  for (let turns = 0; !condition(); turns++) {
    if (turns > 20_000 && performance.now() > giveUpMs) throw new Error(`waited in vain for ${what}`);
    await tick();
  }
}

/** Time that moves by `advance` alone. */
export class FakeClock implements Clock {
  #nowMs = 1_700_000_000_000;
  #timers = new Map<symbol, { atMs: number; fire: () => void }>();

  nowMs(): number {
    return this.#nowMs;
  }
  after(ms: number, fire: () => void): () => void {
    const key = Symbol('timer');
    this.#timers.set(key, { atMs: this.#nowMs + ms, fire });
    return () => void this.#timers.delete(key);
  }
  /** Timers that neither fired nor were cancelled. */
  get timers(): number {
    return this.#timers.size;
  }
  /** Moves on, firing what is due, each at its time. */
  async advance(ms: number): Promise<void> {
    const endMs = this.#nowMs + ms;
    for (;;) {
      const due = [...this.#timers].filter(([, timer]) => timer.atMs <= endMs).sort((a, b) => a[1].atMs - b[1].atMs)[0];
      if (!due) break;
      this.#timers.delete(due[0]);
      this.#nowMs = Math.max(this.#nowMs, due[1].atMs);
      due[1].fire();
      for (let turns = 0; turns < 5; turns++) await tick();
    }
    this.#nowMs = endMs;
    for (let turns = 0; turns < 5; turns++) await tick();
  }
}

// ---- Model -------------------------------------------------------------------------------------------------------

export type Round = readonly ModelEvent[] | ((request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>);

export const NO_USAGE: Usage = { input: 0, output: 0, cachedInput: 0, reasoning: 0, costUsd: null };
export const text = (words: string): ModelEvent => ({ type: 'text', text: words });
export const finish = (reason: FinishReason = 'stop', usage: Usage | null = NO_USAGE): ModelEvent => ({
  type: 'finish',
  reason,
  usage,
});
let lastProviderId = 0;
export const call = (name: string, args: unknown = {}, providerId = `p${++lastProviderId}`): ModelEvent => ({
  type: 'call',
  providerId,
  name,
  argumentsText: typeof args === 'string' ? args : JSON.stringify(args),
});
/** A round that answers in words. */
export const say = (words: string): Round => [text(words), finish()];
/** A round that proposes calls. */
export const calls = (...events: ModelEvent[]): Round => [...events, finish('tool-calls')];

const ANY: ModelCapabilities = {
  tools: null,
  systemPrompt: null,
  reasoningHistory: null,
  images: null,
  contextWindow: null,
};

/** Says one round of the script after the other; the last one again and again. */
export class ScriptedModel implements Model {
  readonly ref: string;
  readonly capabilities: ModelCapabilities;
  readonly requests: ModelRequest[] = [];
  readonly signals: AbortSignal[] = [];
  readonly #rounds: readonly Round[];

  constructor(rounds: readonly Round[], options: { ref?: string; capabilities?: Partial<ModelCapabilities> } = {}) {
    this.#rounds = rounds;
    this.ref = options.ref ?? 'test:scripted';
    this.capabilities = { ...ANY, ...options.capabilities };
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const round = this.#rounds[Math.min(this.requests.length, this.#rounds.length - 1)] ?? say('');
    this.requests.push(request);
    this.signals.push(signal);
    if (typeof round === 'function') yield* round(request, signal);
    else yield* round;
  }
}

// ---- Tools -------------------------------------------------------------------------------------------------------

export interface TestToolOptions {
  effects?: readonly EffectKind[] | ((args: unknown) => Effect[]);
  class?: ToolClass;
  cancellation?: 'finish' | 'interrupt';
  confined?: boolean;
  grant?: boolean;
  parameters?: Record<string, unknown>;
  prepare?: (args: unknown, context: ToolContext) => Promise<PreparedCall | ToolRefusal>;
  run?: (prepared: PreparedCall, context: ToolContext) => Promise<ToolOutcome>;
}

export interface TestTool extends Tool {
  /** Arguments of the calls that ran, in order. */
  readonly ran: unknown[];
  readonly contexts: ToolContext[];
  prepared: number;
}

export const ok = (content = 'done'): ToolOutcome => ({ status: 'ok', content, facts: {}, changes: [] });

/** A tool named `name`; by default it reads inside and says "done". */
export function testTool(name: string, options: TestToolOptions = {}): TestTool {
  const { effects = ['read-inside'], run, prepare } = options;
  const toEffects = (args: unknown): Effect[] =>
    typeof effects === 'function' ? effects(args) : effects.map((kind) => ({ kind, target: JSON.stringify(args) }));
  const tool: TestTool = {
    ran: [],
    contexts: [],
    prepared: 0,
    declaration: {
      name,
      description: name,
      parameters: options.parameters ?? { type: 'object' },
      class: options.class ?? 'read',
      cancellation: options.cancellation ?? 'interrupt',
      builtin: false,
    },
    async prepare(args, context) {
      tool.prepared += 1;
      if (prepare) return prepare(args, context);
      return {
        summary: `${name} ${JSON.stringify(args)}`,
        effects: toEffects(args),
        preview: { type: 'none' },
        digest: JSON.stringify([name, args, context.confinement]),
        grant: options.grant === false ? null : { tool: name, covers: JSON.stringify(args), describes: 'this' },
        confined: options.confined ?? context.confinement,
        state: args,
      };
    },
    async run(prepared, context) {
      tool.ran.push(prepared.state);
      tool.contexts.push(context);
      return run ? run(prepared, context) : ok();
    },
  };
  return tool;
}

export const writer = (name = 'write', options: TestToolOptions = {}): TestTool =>
  testTool(name, { effects: ['write-inside'], class: 'write', cancellation: 'finish', ...options });

// ---- Journal, approver -------------------------------------------------------------------------------------------

/** Keeps entries in memory. `onAppend` runs before they are kept: what it throws refuses the append. */
export class MemoryJournal implements Journal {
  readonly entries: Entry[] = [];
  appends = 0;
  onAppend: (number: number, entries: readonly NewEntry[]) => Promise<void> | void = () => {};

  constructor(history: readonly Entry[] = []) {
    this.entries.push(...history);
  }

  async append(entries: readonly NewEntry[]): Promise<Entry[]> {
    await this.onAppend(this.appends++, entries);
    return entries.map((entry) => {
      const stored: Entry = {
        ...entry,
        sessionId: SESSION,
        parentId: this.entries.at(-1)?.id ?? null,
        seq: this.entries.length,
      };
      this.entries.push(stored);
      return stored;
    });
  }

  of<K extends EntryKind>(kind: K): EntryOf<K>[] {
    return this.entries.filter((entry): entry is EntryOf<K> => entry.kind === kind);
  }
}

export const diskFull = (): AppError => new AppError('store.disk-full', 'The disk is full.');

type Answer = ApprovalAnswer | ((question: ApprovalQuestion, signal: AbortSignal) => Promise<ApprovalAnswer>);

/** Gives the answers in order; the last one again and again. `allow` and `session` answer for what was asked. */
export class ScriptedApprover implements Approver {
  readonly questions: ApprovalQuestion[] = [];
  readonly signals: AbortSignal[] = [];
  readonly #answers: readonly ('allow' | 'session' | Answer)[];

  constructor(...answers: ('allow' | 'session' | Answer)[]) {
    this.#answers = answers;
  }

  async ask(question: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalAnswer> {
    const answer = this.#answers[Math.min(this.questions.length, this.#answers.length - 1)] ?? 'allow';
    this.questions.push(question);
    this.signals.push(signal);
    if (typeof answer === 'function') return answer(question, signal);
    if (typeof answer === 'object') return answer;
    const { digest } = question.prepared;
    return { type: 'allow', lasting: answer === 'session' ? 'session' : 'once', digest };
  }
}

export const deny = (reason = 'no'): ApprovalAnswer => ({ type: 'deny', reason, by: 'person' });

// ---- Session -----------------------------------------------------------------------------------------------------

export const SESSION = newId<SessionId>();

export interface Rig {
  session: Session;
  clock: FakeClock;
  model: ScriptedModel;
  journal: MemoryJournal;
  events: EngineEvent[];
}

export interface RigOptions
  extends
    Partial<Omit<SessionPorts, 'clock' | 'model' | 'journal'>>,
    Pick<SessionConfig, 'askUser' | 'context' | 'contextTools' | 'deferredTools' | 'enabledTools' | 'parallelCalls'> {
  rounds?: readonly Round[];
  model?: ScriptedModel;
  journal?: MemoryJournal;
  clock?: FakeClock;
  mode?: Mode;
  confinement?: boolean;
  limits?: Partial<Limits>;
  systemPrompt?: string;
  history?: readonly Entry[];
}

export const WORKSPACE = { path: '/project', dev: '1', ino: '2', guarantee: 'descriptor' } as const;

/** A configuration; ask mode and confinement on unless told otherwise. */
export function rigConfig(options: RigOptions = {}): SessionConfig {
  const { askUser, context, contextTools, deferredTools, enabledTools, parallelCalls } = options;
  return {
    sessionId: SESSION,
    workspace: WORKSPACE,
    systemPrompt: options.systemPrompt ?? 'You help.',
    limits: options.limits ?? {},
    environment: { path: 'p', home: 'h' },
    mode: options.mode ?? 'ask',
    confinement: options.confinement ?? true,
    history: options.history ?? [],
    ...(askUser === undefined ? {} : { askUser }),
    ...(context === undefined ? {} : { context }),
    ...(contextTools === undefined ? {} : { contextTools }),
    ...(deferredTools === undefined ? {} : { deferredTools }),
    ...(enabledTools === undefined ? {} : { enabledTools }),
    ...(parallelCalls === undefined ? {} : { parallelCalls }),
  };
}

/** Ports with nobody to ask and a confinement that works unless told otherwise. */
export function rigPorts(options: RigOptions = {}): SessionPorts & Pick<Rig, 'clock' | 'model' | 'journal'> {
  return {
    clock: options.clock ?? new FakeClock(),
    model: options.model ?? new ScriptedModel(options.rounds ?? [say('hello')]),
    journal: options.journal ?? new MemoryJournal(options.history),
    tools: options.tools ?? [],
    approver: options.approver ?? null,
    asker: options.asker ?? null,
    policy: options.policy ?? null,
    confiner: options.confiner ?? { status: () => ({ available: true, reason: '' }) },
  };
}

/** A session over in-memory ports. */
export async function makeRig(options: RigOptions = {}): Promise<Rig> {
  const ports = rigPorts(options);
  return toRig(await createSession(rigConfig(options), ports), ports);
}

/** The session with what it runs on, and all that it announces from now on. */
export function toRig(session: Session, ports: Pick<Rig, 'clock' | 'model' | 'journal'>): Rig {
  const { clock, model, journal } = ports;
  const events: EngineEvent[] = [];
  session.on((event) => void events.push(event));
  return { session, clock, model, journal, events };
}

/** Submits a message and runs its turn. */
export async function ask(rig: Rig, words = 'go'): ReturnType<Session['runTurn']> {
  await rig.session.submit(words);
  return rig.session.runTurn();
}

/** The status and content of each result, in order. */
export const results = (rig: Rig): { status: string; content: string }[] =>
  rig.journal.of('tool-result').map(({ data }) => ({ status: data.status, content: data.content }));

/** Ids of the calls that the model proposed, in order. */
export const callIds = (rig: Rig): CallId[] =>
  rig.journal
    .of('assistant-message')
    .flatMap(({ data }) => data.parts.flatMap((part) => (part.type === 'tool-call' ? [part.callId] : [])));

/** A promise that never settles, for ports that hang. */
export const never = <T>(): Promise<T> => new Promise<T>(() => {});

/** A round that says some events and then hangs until it is aborted, if it minds that at all. */
export const hangs = (events: readonly ModelEvent[] = [], mindsAbort = true): Round =>
  async function* (_request, signal) {
    yield* events;
    await new Promise<void>((resolve) => {
      if (mindsAbort) signal.addEventListener('abort', () => resolve(), { once: true });
    });
  };

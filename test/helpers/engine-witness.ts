// Watches an engine from the outside of its ports while random things happen to it, and notes each breach of what must
// hold. A breach is noted, not thrown: an exception in a port is swallowed by the engine.
import { expect } from 'vitest';
import type { EffectKind } from '../../src-main/contract/authority.ts';
import type { Entry } from '../../src-main/contract/entries.ts';
import type { CallId, TurnId } from '../../src-main/contract/ids.ts';
import type { EngineEvent } from '../../src-main/engine/engine-events.ts';
import { assertValidHistory } from '../../src-main/engine/fold-history.ts';
import type { ModelMessage, PreparedCall, ToolContext, ToolOutcome } from '../../src-main/engine/ports.ts';
import { ok, testTool, writer, type Rig, type TestTool, type TestToolOptions } from './engine-ports.ts';

/** What the tools of a script do, one after the other. */
export type RunKind = 'ok' | 'throw' | 'rubbish' | 'hang' | 'slow';

/** What tools changed so far: each write the thing that it names, each command everything. */
export class World {
  #commands = 0;
  readonly #writes = new Map<string, number>();

  versionOf(target: string): number {
    return this.#commands + (this.#writes.get(target) ?? 0);
  }

  change(tool: string, target: string): void {
    if (tool === 'shell') this.#commands += 1;
    if (tool === 'write' || tool === 'sneak') this.#writes.set(target, (this.#writes.get(target) ?? 0) + 1);
  }
}

interface Prepared {
  readonly args: unknown;
  readonly target: string;
  readonly version: number;
}

export class Witness {
  readonly breaches: string[] = [];
  /** What a person allowed, as call and digest. */
  readonly allowed = new Set<string>();
  /** What a person granted for the session, as tool and thing. */
  readonly granted = new Set<string>();
  readonly world: World;
  readonly #policy: string;
  rig: Rig | null = null;

  constructor(policy: string, world = new World()) {
    this.#policy = policy;
    this.world = world;
  }

  /** A tool begins to run. */
  ran(tool: string, prepared: PreparedCall, context: ToolContext): void {
    const { args, target, version } = prepared.state as Prepared;
    if (!isPlainArguments(args)) this.breaches.push(`${tool} ran with arguments that it does not take`);
    if (version !== this.world.versionOf(target)) this.breaches.push(`${tool} ran on what it was not prepared for`);
    if (this.#policy === 'throw') this.breaches.push(`${tool} ran although the rules could not be read`);
    if (this.#policy === 'deny shell' && tool === 'shell') this.breaches.push('shell ran although a rule denies it');
    this.world.change(tool, target);
    const { rig } = this;
    if (!rig) return;
    const { callId } = context;
    const started = rig.journal.of('tool-start').some(({ data }) => data.callId === callId);
    if (CHANGES.has(tool) && !started) this.breaches.push(`${tool} began before its start was stored`);
    if (NOT_IN_PLAN.has(tool) && rig.session.mode === 'plan') this.breaches.push(`${tool} ran in plan mode`);
    if (!rig.session.enabledTools.includes(tool)) this.breaches.push(`${tool} ran while it was off`);
    if (context.confinement !== rig.session.confinement) this.breaches.push(`${tool} ran under another confinement`);
    if (context.signal.aborted) this.breaches.push(`${tool} began after a stop`);
  }

  /** Who let a call run could do so: a person for exactly what they were shown, and a mode what is in its column. */
  judged(entries: readonly Entry[]): void {
    for (const { kind, data } of entries) {
      if (kind !== 'verdict' || data.decision !== 'run') continue;
      const { tool, by } = data;
      const isShown = data.changed !== undefined || this.allowed.has(`${data.callId} ${data.digest}`);
      if (by.who === 'person' && !isShown) this.breaches.push(`${tool} was allowed by nobody`);
      if (tool === 'secret' && by.who !== 'person') this.breaches.push('a secret was read unasked');
      if (by.who === 'mode' && by.mode !== 'auto' && CHANGES.has(tool)) this.breaches.push(`${tool} ran unasked`);
      if (by.who === 'mode' && this.#policy === 'ask') this.breaches.push(`${tool} ran although a rule asks`);
      const isGranted = data.effects.some(({ target }) => this.granted.has(`${tool} ${target}`));
      if (by.who === 'grant' && !isGranted) this.breaches.push(`${tool} was granted by nobody`);
    }
  }

  requested(messages: readonly ModelMessage[]): void {
    const waiting: CallId[] = [];
    for (const message of messages) {
      if (message.role === 'tool' ? message.callId !== waiting.shift() : waiting.length > 0)
        this.breaches.push('a request with open calls');
      if (message.role !== 'assistant') continue;
      for (const part of message.parts) if (part.type === 'tool-call') waiting.push(part.callId);
    }
    if (waiting.length > 0) this.breaches.push('a request that ends with open calls');
  }

  /** What was told piece by piece is what was stored: an answer that began again would be told twice (EVT-03). */
  told(events: readonly EngineEvent[]): void {
    const told = new Map<string, string>();
    for (const event of events) {
      if (event.type === 'text-delta') {
        const key = `${event.turnId} ${event.step}`;
        told.set(key, (told.get(key) ?? '') + event.text);
      } else if (event.type === 'entries-append') {
        for (const { kind, data } of event.entries) {
          if (kind !== 'assistant-message') continue;
          const stored = data.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
          if ((told.get(`${data.turnId} ${data.step}`) ?? '') !== stored) this.breaches.push('another answer was told');
        }
      }
    }
  }
}

/** `sneak` calls itself a tool that reads and writes; `idle` calls itself one of commands and only looks. */
const KINDS: Record<string, EffectKind> = {
  secret: 'read-secret',
  write: 'write-inside',
  shell: 'command',
  sneak: 'write-inside',
};
const CHANGES: ReadonlySet<string> = new Set(['write', 'shell', 'sneak']);
const NOT_IN_PLAN: ReadonlySet<string> = new Set([...CHANGES, 'idle']);

function isPlainArguments(args: unknown): boolean {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return false;
  return !('n' in args) || Number.isInteger(args.n);
}

/** The tools of a script; what was prepared is bound to the world as it was. */
export function witnessedTools(runs: readonly RunKind[], witness: Witness): TestTool[] {
  let ran = 0;
  const options = (name: string): TestToolOptions => ({
    parameters: { type: 'object', properties: { n: { type: 'integer' } } },
    prepare: async (args, { confinement }): Promise<PreparedCall> => {
      const target = JSON.stringify(args);
      const version = witness.world.versionOf(target);
      const kind = KINDS[name] ?? 'read-inside';
      return {
        summary: `${name} ${target}`,
        effects: [{ kind, target }],
        preview: { type: 'none' },
        digest: JSON.stringify([name, args, confinement, version]),
        grant: { tool: name, covers: target, describes: 'this' },
        confined: confinement,
        state: { args, target, version } satisfies Prepared,
      };
    },
    run: async (prepared, context): Promise<ToolOutcome> => {
      witness.ran(name, prepared, context);
      const how = runs[ran++ % runs.length];
      if (how === 'throw') throw new TypeError('broken tool');
      if (how === 'rubbish') return JSON.parse('{"status":5}') as ToolOutcome;
      if (how === 'hang') return new Promise(() => {});
      if (how === 'slow') await new Promise((resolve) => setImmediate(resolve));
      return ok();
    },
  });
  return [
    testTool('read', options('read')),
    testTool('secret', options('secret')),
    writer('write', options('write')),
    writer('shell', { class: 'command', ...options('shell') }),
    testTool('sneak', { cancellation: 'finish', ...options('sneak') }),
    testTool('idle', { class: 'command', ...options('idle') }),
  ];
}

/** Nothing ran without a verdict, and nothing ran twice. */
export function expectWarrants(entries: readonly Entry[], tools: readonly TestTool[]): void {
  const allowed = new Set(
    entries.flatMap((entry) => (entry.kind === 'verdict' && entry.data.decision === 'run' ? [entry.data.callId] : [])),
  );
  const ran = tools.flatMap((tool) => tool.contexts.map((context) => context.callId));
  expect(ran.filter((callId) => !allowed.has(callId))).toEqual([]);
  expect(new Set(ran).size).toBe(ran.length);
}

/** Every call has exactly one result. */
export function expectWholeHistory(entries: readonly Entry[]): void {
  assertValidHistory(entries);
  const called = entries.flatMap((entry) =>
    entry.kind === 'assistant-message'
      ? entry.data.parts.flatMap((part) => (part.type === 'tool-call' ? [part.callId] : []))
      : [],
  );
  const answered = entries.flatMap((entry) => (entry.kind === 'tool-result' ? [entry.data.callId] : []));
  expect(answered.toSorted()).toEqual(called.toSorted());
}

export interface Budgets {
  readonly toolCalls?: number;
  readonly toolRounds?: number;
  readonly modelRounds?: number;
  readonly sessionToolCalls?: number;
  readonly loopSameCallInRow?: number;
}

/** No turn went beyond its budgets. `rested` = a turn waited meanwhile, after which its calls are looked at anew. */
export function expectWithinBudgets(entries: readonly Entry[], budgets: Budgets, rested: boolean): void {
  const started = new Set(entries.flatMap((entry) => (entry.kind === 'tool-start' ? [entry.data.callId] : [])));
  const turns = new Map<TurnId, { starts: number; rounds: number; callRounds: number; inRow: [string, number] }>();
  const over: string[] = [];
  const check = (name: keyof Budgets, used: number): void => {
    if (used > (budgets[name] ?? Infinity)) over.push(`${name}: ${used}`);
  };
  for (const { kind, data } of entries) {
    if (kind !== 'assistant-message' && kind !== 'tool-start') continue;
    const turn = turns.get(data.turnId) ?? { starts: 0, rounds: 0, callRounds: 0, inRow: ['', 0] };
    turns.set(data.turnId, turn);
    if (kind === 'tool-start') {
      turn.starts += 1;
      continue;
    }
    const calls = data.parts.filter((part) => part.type === 'tool-call');
    turn.rounds += 1;
    turn.callRounds += calls.some(({ callId }) => started.has(callId)) ? 1 : 0;
    for (const { name, argumentsText, callId } of calls) {
      const key = `${name} ${argumentsText === '' ? '{}' : argumentsText}`;
      turn.inRow = turn.inRow[0] === key ? [key, turn.inRow[1] + 1] : [key, 1];
      if (!rested && started.has(callId)) check('loopSameCallInRow', turn.inRow[1] + 1);
    }
  }
  for (const { starts, rounds, callRounds } of turns.values()) {
    check('toolCalls', starts);
    check('modelRounds', rounds);
    check('toolRounds', callRounds);
  }
  check('sessionToolCalls', started.size);
  expect(over).toEqual([]);
}

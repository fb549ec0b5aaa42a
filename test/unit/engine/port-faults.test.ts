// Each port of the engine throws, rejects, hangs, or is dead from then on, at each of its calls, one by one, over a
// script with questions, changed arguments, a suspended turn, a question of the model and a stop. Whatever fails: the
// session comes to rest within its deadline, its history stays valid, and no timer, listener or promise is left.
import { getEventListeners } from 'node:events';
import { beforeAll, describe, expect, test } from 'vitest';
import { sha256Hex } from '../../../src-main/base/digest.ts';
import type { Entry, Outcome } from '../../../src-main/contract/entries.ts';
import type { CallId } from '../../../src-main/contract/ids.ts';
import { createSession } from '../../../src-main/engine/build-session.ts';
import { assertValidHistory } from '../../../src-main/engine/fold-history.ts';
import type {
  ApprovalAnswer,
  Clock,
  Model,
  ModelEvent,
  SessionPorts,
  Tool,
  ToolContext,
} from '../../../src-main/engine/ports.ts';
import { checkLeaks } from '../../helpers/leak-check.ts';
import {
  call,
  calls,
  deny,
  never,
  ok,
  rigConfig,
  rigPorts,
  say,
  ScriptedApprover,
  testTool,
  toRig,
  writer,
  type Rig,
  type Round,
} from '../../helpers/engine-ports.ts';

checkLeaks();

type How = 'throws' | 'rejects' | 'hangs' | 'is dead from then on';
interface Fault {
  readonly at: number;
  readonly how: How;
}

/** How long after its deadline a turn may still be: what a tool and a journal are waited for, one after the other. */
const DEADLINE_MS = 60_000;
const REST_MS = DEADLINE_MS + 25_000;

/** Counts the calls of each method of the ports, fails one of them as told, and keeps every signal that was given out. */
class FaultyPorts {
  readonly counts = new Map<string, number>();
  readonly signals = new Set<AbortSignal>();
  readonly #method: string;
  readonly #fault: Fault;
  /** Switched off once the session rests: what follows shows what is left of it. */
  armed = true;
  met = false;

  constructor(method: string, fault: Fault) {
    this.#method = method;
    this.#fault = fault;
  }

  #next(method: string): How | null {
    const at = this.counts.get(method) ?? 0;
    this.counts.set(method, at + 1);
    if (!this.armed || method !== this.#method) return null;
    const { how } = this.#fault;
    if (at !== this.#fault.at && !(how === 'is dead from then on' && at > this.#fault.at)) return null;
    this.met = true;
    return how;
  }

  /** A call that answers at once: every fault is a throw. */
  now<T>(method: string, work: () => T): T {
    if (this.#next(method) !== null) throw new TypeError(`${method} is broken`);
    return work();
  }

  /** A call that answers later. */
  later<T>(method: string, work: () => Promise<T>): Promise<T> {
    const how = this.#next(method);
    if (how === null) return work();
    if (how === 'hangs') return never();
    if (how === 'throws') throw new TypeError(`${method} is broken`);
    return Promise.reject(new TypeError(`${method} is broken`));
  }

  keep(signal: AbortSignal): void {
    this.signals.add(signal);
  }

  clock(real: Clock): Clock {
    return {
      nowMs: () => this.now('clock.nowMs', () => real.nowMs()),
      after: (ms, fire) => {
        const how = this.#next('clock.after');
        // A timer that never comes is the hang of a clock.
        if (how === 'hangs') return () => {};
        if (how !== null) throw new TypeError('clock.after is broken');
        return real.after(ms, fire);
      },
    };
  }

  model(real: Model): Model {
    return {
      ref: real.ref,
      capabilities: real.capabilities,
      stream: (request, signal) => {
        this.keep(signal);
        const events = this.now('model.stream', () => real.stream(request, signal)[Symbol.asyncIterator]());
        const iterator: AsyncIterator<ModelEvent> = {
          next: () => this.later('model.next', () => events.next()),
          return: (value) =>
            this.later('model.return', async () => (await events.return?.(value)) ?? { done: true, value: undefined }),
        };
        return { [Symbol.asyncIterator]: () => iterator };
      },
    };
  }

  tool(real: Tool): Tool {
    return {
      declaration: real.declaration,
      prepare: (args, context) =>
        this.later('tool.prepare', () => this.#with(context, () => real.prepare(args, context))),
      run: (prepared, context) => this.later('tool.run', () => this.#with(context, () => real.run(prepared, context))),
    };
  }

  #with<T>(context: ToolContext, work: () => Promise<T>): Promise<T> {
    this.keep(context.signal);
    return work();
  }
}

// ---- The script ----

const WRITE_5 = '{"n":55}';

function rounds(): Round[] {
  const asked = calls(call('ask_user', { question: 'Which?', options: ['a', 'b'] }), call('write', { n: 5 }));
  return [
    calls(call('read', { n: 1 }), call('read', { n: 2 }), call('write', { n: 3 }), call('write', { n: 4 })),
    asked,
    calls(call('write', { n: 3 }), call('read', { n: 6 })),
    say('the first turn'),
    calls(call('read', { n: 7 }), call('write', { n: 8 })),
    say('the second turn'),
    calls(call('slow', {}), call('write', { n: 9 })),
    say('end'),
  ];
}

interface Played {
  readonly rig: Rig;
  readonly outcomes: Outcome[];
  readonly ran: CallId[];
  readonly restedAfterMs: number;
}

async function play(faulty: FaultyPorts): Promise<Played | { refused: unknown }> {
  const ran: CallId[] = [];
  const base = rigPorts({ rounds: rounds() });
  let stop: () => void = () => {};
  const noted = (tool: Tool): Tool => ({
    ...tool,
    run: (prepared, context) => {
      ran.push(context.callId);
      return tool.run(prepared, context);
    },
  });
  const slow = testTool('slow', {
    run: (_prepared, { signal }) => {
      stop();
      return new Promise((resolve) => {
        const end = (): void => resolve({ ...ok(), status: 'cancelled' });
        if (signal.aborted) end();
        else signal.addEventListener('abort', end, { once: true });
      });
    },
  });
  const change = (digest: string): ApprovalAnswer => ({
    type: 'allow',
    lasting: 'once',
    digest,
    changedArguments: WRITE_5,
  });
  const approver = new ScriptedApprover(
    'session',
    async () => deny('not that'),
    async ({ prepared }) => change(prepared.digest),
    async () => ({ type: 'suspend' }),
    'allow',
  );
  const ports: SessionPorts = {
    ...base,
    clock: faulty.clock(base.clock),
    model: faulty.model(base.model),
    tools: [testTool('read'), writer(), slow].map((tool) => faulty.tool(noted(tool))),
    journal: {
      append: (entries) => faulty.later('journal.append', () => base.journal.append(entries)),
      partial: () => {
        faulty.now('journal.partial', () => undefined);
      },
    },
    approver: {
      ask: (question, signal) =>
        faulty.later('approver.ask', () => {
          faulty.keep(signal);
          return approver.ask(question, signal);
        }),
    },
    asker: {
      askUser: (_question, signal) =>
        faulty.later('asker.askUser', async () => {
          faulty.keep(signal);
          return 'a';
        }),
    },
    policy: {
      ready: () => faulty.later('policy.ready', async () => undefined),
      uncovered: () => faulty.now('policy.uncovered', () => null),
      judge: () => faulty.now('policy.judge', () => null),
      limits: (ceiling) => faulty.now('policy.limits', () => ceiling),
    },
  };
  const config = rigConfig({ askUser: true, limits: { turnDeadlineMs: DEADLINE_MS, providerRetries: 1 } });
  let session;
  try {
    session = await createSession({ ...config, mode: 'ask' }, ports);
  } catch (refused) {
    return { refused };
  }
  const rig = toRig(session, base);
  stop = () => rig.session.stop('person');
  const outcomes: Outcome[] = [];
  let restedAfterMs = 0;
  for (let turn = 0; turn < 3; turn++) {
    if (!(await settles(rig, () => rig.session.submit('go'))).ok) continue;
    for (;;) {
      const startedMs = base.clock.nowMs();
      const waiting = rig.journal.of('approval-request').at(-1)?.data;
      const decided = outcomes.at(-1)?.type === 'awaiting-approval' && waiting && rig.session.isWaiting;
      const answer: ApprovalAnswer = { type: 'allow', lasting: 'once', digest: waiting?.digest ?? '' };
      const given = decided ? { decisions: new Map([[waiting.callId, answer]]) } : {};
      const result = await settles(rig, () => rig.session.runTurn(given));
      restedAfterMs = Math.max(restedAfterMs, base.clock.nowMs() - startedMs);
      if (!result.ok) break;
      outcomes.push(result.value);
      if (result.value.type !== 'awaiting-approval' || decided) break;
    }
  }
  return { rig, outcomes, ran, restedAfterMs };
}

/** What a verb comes to while time passes; a verb that does not come to rest is a breach. A stop comes after a while. */
async function settles<T>(
  rig: Rig,
  verb: () => Promise<T>,
): Promise<{ ok: true; value: T } | { ok: false; error: unknown }> {
  const over = new AbortController();
  const work = verb().then(
    (value) => ({ ok: true, value }) as const,
    (error: unknown) => ({ ok: false, error }) as const,
  );
  const ended = work.finally(() => over.abort());
  for (let at = 0; !over.signal.aborted; at++) {
    if (at > 120) return { ok: false, error: 'it does not come to rest' };
    // A digest is made beside the loop and takes its own time: those that are on their way come first.
    for (let digests = 0; digests < 3; digests++) await sha256Hex('');
    await rig.clock.advance(at < 20 ? 0 : 1000);
  }
  return ended;
}

// ---- What must hold ----

function brokenHistory(entries: readonly Entry[], isStuck: boolean): string[] {
  try {
    assertValidHistory(entries);
  } catch (error) {
    return [`the history is invalid: ${String(error)}`];
  }
  if (isStuck) return [];
  const proposed = entries.flatMap((entry) =>
    entry.kind === 'assistant-message'
      ? entry.data.parts.flatMap((part) => (part.type === 'tool-call' ? [part.callId] : []))
      : [],
  );
  const answered = new Set(entries.flatMap((entry) => (entry.kind === 'tool-result' ? [entry.data.callId] : [])));
  return proposed.filter((callId) => !answered.has(callId)).map((callId) => `the call ${callId} has no result`);
}

async function breaches(method: string, fault: Fault): Promise<string[] | null> {
  const faulty = new FaultyPorts(method, fault);
  const played = await play(faulty);
  if (!faulty.met) return null;
  if ('refused' in played) return [];
  const { rig, ran, restedAfterMs } = played;
  faulty.armed = false;
  const found: string[] = [];
  if (restedAfterMs > REST_MS) found.push(`it rested after ${restedAfterMs} ms`);
  if (rig.session.isRunning) found.push('a step still runs');
  if (new Set(ran).size !== ran.length) found.push('a call ran twice');
  // A disk that hangs is never written again: what it was given last is unknown.
  const isStuck = method === 'journal.append' && fault.how === 'hangs';
  const closed = await settles(rig, () => rig.session.closeTurn('cancelled', 'person'));
  const next = await settles(rig, () => rig.session.submit('next'));
  if (isStuck) {
    if (next.ok) found.push('a message was taken by a disk that gave no answer');
  } else if (!closed.ok || !next.ok) found.push('the chat cannot be gone on with');
  const started = new Set(rig.journal.of('tool-start').map(({ data }) => data.callId));
  if (!isStuck && ran.some((callId) => !started.has(callId))) found.push('a call ran without a start that is stored');
  found.push(...brokenHistory(rig.journal.entries, isStuck));
  await settles(rig, () => rig.session.close());
  if (rig.clock.timers > 0) found.push(`${rig.clock.timers} timers are left`);
  const listeners = [...faulty.signals].reduce((sum, signal) => sum + getEventListeners(signal, 'abort').length, 0);
  if (listeners > 0) found.push(`${listeners} listeners are left on signals`);
  return found.map((breach) => `${method} ${fault.how} at its call ${fault.at}: ${breach}`);
}

// Loading a module takes any number of turns of the loop, by which the scripts' time is counted.
beforeAll(() =>
  Promise.all([
    import('ajv/dist/2020.js'),
    import('ajv-formats'),
    import('../../../src-main/engine/foreign-values.ts'),
    import('../../../src-main/engine/to-snapshot.ts'),
  ]),
);

test('without a fault the script has every port called, and ends as it should', async () => {
  const faulty = new FaultyPorts('', { at: 0, how: 'throws' });
  const played = await play(faulty);
  if ('refused' in played) throw played.refused;
  expect(played.outcomes.map(({ type }) => type)).toEqual(['completed', 'awaiting-approval', 'completed', 'cancelled']);
  for (const { methods } of PORTS) for (const method of methods) expect(faulty.counts.get(method)).toBeGreaterThan(0);
  expect(await breaches('clock.after', { at: 999, how: 'throws' })).toBeNull();
});

test('MODE-05: a confinement that cannot be asked holds nothing: auto mode without an approver is refused', async () => {
  const confiner = {
    status: () => {
      throw new TypeError('broken');
    },
  };
  const refused = createSession(rigConfig({ mode: 'auto' }), { ...rigPorts(), confiner });
  await expect(refused).rejects.toMatchObject({ code: 'authority.invalid' });
});

const PORTS: { port: string; methods: string[]; hows: How[] }[] = [
  { port: 'clock', methods: ['clock.nowMs'], hows: ['throws'] },
  { port: 'clock', methods: ['clock.after'], hows: ['throws', 'hangs'] },
  { port: 'model', methods: ['model.stream'], hows: ['throws', 'is dead from then on'] },
  {
    port: 'model',
    methods: ['model.next', 'model.return'],
    hows: ['throws', 'rejects', 'hangs', 'is dead from then on'],
  },
  { port: 'tool', methods: ['tool.prepare', 'tool.run'], hows: ['throws', 'rejects', 'hangs', 'is dead from then on'] },
  { port: 'journal', methods: ['journal.append'], hows: ['throws', 'rejects', 'hangs', 'is dead from then on'] },
  { port: 'journal', methods: ['journal.partial'], hows: ['throws', 'is dead from then on'] },
  { port: 'approver', methods: ['approver.ask'], hows: ['throws', 'rejects', 'hangs', 'is dead from then on'] },
  { port: 'asker', methods: ['asker.askUser'], hows: ['throws', 'rejects', 'hangs'] },
  { port: 'policy', methods: ['policy.ready'], hows: ['throws', 'rejects', 'hangs', 'is dead from then on'] },
  {
    port: 'policy',
    methods: ['policy.uncovered', 'policy.judge', 'policy.limits'],
    hows: ['throws', 'is dead from then on'],
  },
];

describe('a port that fails at each of its calls, one by one', () => {
  const cases = PORTS.flatMap(({ methods, hows }) => methods.flatMap((method) => hows.map((how) => ({ method, how }))));
  test.each(cases)('$method $how: the session rests in time, whole and without a leak', async ({ method, how }) => {
    const found: string[] = [];
    let at = 0;
    for (; at < 1000; at++) {
      const broken = await breaches(method, { at, how });
      if (broken === null) break;
      found.push(...broken);
    }
    expect(found).toEqual([]);
    expect(at).toBeGreaterThan(0);
  });
});

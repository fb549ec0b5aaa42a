// What the engine costs by itself, over in-memory ports: a step late in a long session against an early one, the
// projection of what is settled, and an authority of 200 tools against writing the same declarations as JSON.
// Run: node test/bench/engine.ts [--steps N] (1,000 by default). Prints one JSON line a figure.
import { newId } from '../../src-main/base/new-id.ts';
import type { Entry, NewEntry } from '../../src-main/contract/entries.ts';
import type { CallId, EntryId, SessionId, TurnId } from '../../src-main/contract/ids.ts';
import { resolveAuthority } from '../../src-main/engine/authority.ts';
import { createSession } from '../../src-main/engine/build-session.ts';
import type { Journal, Model, SessionPorts, Tool } from '../../src-main/engine/ports.ts';
import { Projection } from '../../src-main/engine/project-request.ts';
import type { Session } from '../../src-main/engine/session.ts';

const given = process.argv.indexOf('--steps');
const STEPS = given < 0 ? 1_000 : Number(process.argv[given + 1]);
/** A turn is this many steps with a call and one that ends it. */
const CALLS_A_TURN = 9;

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
/** The lower quartile: what a busy machine adds is left out. */
const quick = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 4)] ?? Number.NaN;
const print = (figure: string, facts: Record<string, number>): void => {
  const rounded = Object.entries(facts).map(([name, value]) => [name, Number(value.toPrecision(3))]);
  console.log(JSON.stringify({ figure, ...Object.fromEntries(rounded) }));
};

function memoryJournal(sessionId: SessionId): Journal {
  let seq = 0;
  let parentId: EntryId | null = null;
  return {
    append: async (fresh) =>
      fresh.map((entry): Entry => {
        const stored = { ...entry, sessionId, parentId, seq: ++seq };
        parentId = stored.id;
        return stored;
      }),
  };
}

/** A model that reads nothing of its request: what is measured is the engine. */
function busyModel(): Model {
  let asked = 0;
  return {
    ref: 'bench:busy',
    capabilities: { tools: true, systemPrompt: true, reasoningHistory: null, images: null, contextWindow: null },
    async *stream() {
      asked += 1;
      if (asked % (CALLS_A_TURN + 1) === 0) yield { type: 'text', text: 'Done.' };
      else yield { type: 'call', providerId: `c${asked}`, name: 'look', argumentsText: `{"at":${asked}}` };
      yield { type: 'finish', reason: 'stop', usage: null };
    },
  };
}

const look: Tool = {
  declaration: {
    name: 'look',
    description: 'Looks at a place',
    parameters: { type: 'object', properties: { at: { type: 'integer' } }, required: ['at'] },
    builtin: false,
    class: 'clock',
    cancellation: 'interrupt',
  },
  prepare: async (args) => ({
    summary: 'Look',
    effects: [{ kind: 'clock', target: 'here' }],
    preview: { type: 'none' },
    digest: JSON.stringify(args),
    grant: null,
    confined: true,
    state: null,
  }),
  run: async () => ({ status: 'ok', content: 'a place', facts: {}, changes: [] }),
};

const clock = {
  nowMs: Date.now,
  after: (ms: number, fire: () => void) => clearTimeout.bind(null, setTimeout(fire, ms)),
};
const workspace = { path: '/', dev: '0', ino: '0', guarantee: 'checked' } as const;
const environment = { path: '', home: '' };

function start(): Promise<Session> {
  const sessionId = newId<SessionId>();
  const ports: SessionPorts = {
    clock,
    model: busyModel(),
    journal: memoryJournal(sessionId),
    tools: [look],
    approver: null,
    policy: null,
    confiner: null,
  };
  const config = {
    sessionId,
    workspace,
    systemPrompt: '',
    mode: 'ask',
    confinement: true,
    history: [],
    limits: {},
  } as const;
  return createSession({ ...config, environment }, ports);
}

/** Milliseconds of each turn, a step. */
async function stepTimes(session: Session, steps: number): Promise<number[]> {
  const times: number[] = [];
  for (let done = 0; done < steps; done += CALLS_A_TURN + 1) {
    const from = performance.now();
    await session.submit('Go on.');
    await session.runTurn();
    times.push((performance.now() - from) / (CALLS_A_TURN + 1));
  }
  return times;
}

async function benchSteps(): Promise<void> {
  // Once for the compiler, so that early steps are not slow for being the first.
  await stepTimes(await start(), 300);
  const times = await stepTimes(await start(), STEPS);
  const some = Math.max(4, Math.floor(times.length / 10));
  const [early, late] = [quick(times.slice(0, some)), quick(times.slice(-some))];
  print(`the engine's own time a step, at ${STEPS} steps against the first ones`, {
    ratio: late / early,
    earlyMs: early,
    lateMs: late,
  });
}

function benchProjection(): void {
  const entries: Entry[] = [];
  const sessionId = newId<SessionId>();
  const turnId = newId<TurnId>();
  const add = (entry: Pick<NewEntry, 'kind' | 'data'>): void => {
    entries.push({
      ...entry,
      id: newId<EntryId>(),
      atMs: 0,
      sessionId,
      parentId: null,
      seq: entries.length + 1,
    } as Entry);
  };
  for (let step = 1; entries.length < 2_000; step++) {
    const callId = newId<CallId>();
    const call = { type: 'tool-call', callId, name: 'look', argumentsText: '{"at":1}' } as const;
    add({
      kind: 'assistant-message',
      data: { turnId, step, model: 'm', parts: [call], finish: 'tool-calls', usage: null, durationMs: 1 },
    });
    add({
      kind: 'tool-result',
      data: {
        turnId,
        callId,
        tool: 'look',
        summary: 'Look',
        status: 'ok',
        content: 'a place',
        facts: {},
        changes: [],
        durationMs: 1,
      },
    });
  }
  const times: number[] = [];
  const again: number[] = [];
  for (let n = 0; n < 200; n++) {
    const projection = new Projection();
    const from = performance.now();
    for (const entry of entries) projection.append(entry);
    projection.messages();
    const settled = performance.now();
    projection.messages();
    times.push(settled - from);
    again.push(performance.now() - settled);
  }
  print('projection of 2,000 entries', { ms: median(times), againMs: median(again) });
}

async function benchAuthority(): Promise<void> {
  const tools = Array.from({ length: 200 }, (_, n) => ({
    ...look.declaration,
    name: `look_${n}`,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 6 }, (_each, k) => [
          `p${k}`,
          { type: 'string', description: `What ${k} is for, in a few words.` },
        ]),
      ),
      required: ['p0'],
      additionalProperties: false,
    },
  }));
  const config = { workspace, tools, limits: { toolDeclarations: 200 }, environment };
  const [resolved, written]: [number[], number[]] = [[], []];
  for (let n = 0; n < 60; n++) {
    const from = performance.now();
    await resolveAuthority(config);
    const middle = performance.now();
    JSON.stringify(tools);
    if (n < 20) continue;
    resolved.push(middle - from);
    written.push(performance.now() - middle);
  }
  print('authority of 200 tools against JSON.stringify of them', {
    ratio: median(resolved) / median(written),
    ms: median(resolved),
  });
}

await benchSteps();
benchProjection();
await benchAuthority();

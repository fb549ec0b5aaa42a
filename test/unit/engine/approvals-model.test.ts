// Approvals of a step against a model of them: whatever the order of answers, however often the program ends in between,
// each call is answered once and does what was said, in its turn. Long form: WARRANT_RUNS=50000.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Entry, Outcome } from '../../../src-main/contract/entries.ts';
import type { CallId } from '../../../src-main/contract/ids.ts';
import type { ApprovalAnswer, ApprovalQuestion, Approver } from '../../../src-main/engine/ports.ts';
import {
  call,
  calls,
  makeRig,
  say,
  testTool,
  until,
  writer,
  type Rig,
  type Round,
  type TestTool,
} from '../../helpers/engine-ports.ts';

const RUNS = Math.ceil(Number(process.env['WARRANT_RUNS'] ?? 5000) / 10);

/** A person's desk in one process: what waits there, and what was asked of it. */
class Desk implements Approver {
  readonly asked: string[] = [];
  readonly waiting = new Map<string, { question: ApprovalQuestion; settle: (answer: ApprovalAnswer) => void }>();

  async ask(question: ApprovalQuestion): Promise<ApprovalAnswer> {
    this.asked.push(question.argumentsText);
    return new Promise((resolve) => {
      const settle = (answer: ApprovalAnswer): void => {
        this.waiting.delete(question.argumentsText);
        resolve(answer);
      };
      this.waiting.set(question.argumentsText, { question, settle });
    });
  }
}

const one = fc.record({
  tool: fc.constantFrom('write', 'write', 'write', 'read'),
  path: fc.constantFrom('a', 'b', 'c', 'd'),
  says: fc.constantFrom('allow', 'allow', 'deny'),
});
const script = fc.record({
  batch: fc.array(one, { minLength: 1, maxLength: 5 }),
  /** What happens next: which of those that wait is answered, or the program ends. */
  acts: fc.array(fc.oneof({ weight: 3, arbitrary: fc.nat(4) }, { weight: 1, arbitrary: fc.constant('end' as const) }), {
    maxLength: 12,
  }),
  /** Decisions for all that waits are given at once after the n-th end, as a command does, instead of one by one. */
  together: fc.boolean(),
});
type Script = typeof script extends fc.Arbitrary<infer T> ? T : never;

interface Process {
  readonly rig: Rig;
  readonly desk: Desk;
  readonly write: TestTool;
}

class World {
  readonly #given: Script;
  readonly ran: unknown[] = [];
  readonly answered: string[] = [];
  #now: Process | null = null;
  #turn: Promise<Outcome> | null = null;
  outcome: Outcome | null = null;

  constructor(given: Script) {
    this.#given = given;
  }

  get entries(): Entry[] {
    return this.#now?.rig.journal.entries ?? [];
  }

  async begin(): Promise<void> {
    const rounds = calls(...this.#given.batch.map(({ tool, path }, n) => call(tool, { n, path })));
    this.#now = await this.#start([], [rounds, say('end')]);
    await this.#now.rig.session.submit('go');
    this.#run(this.#now.rig.session.runTurn());
  }

  /** Waits until all that can be asked now is, or the turn ended. */
  async rest(): Promise<void> {
    let seen = -1;
    const { desk } = this.#process();
    while (this.outcome === null && desk.asked.length !== seen) {
      seen = desk.asked.length;
      await until(() => this.outcome !== null || desk.waiting.size > 0);
      for (let turns = 0; turns < 8; turns++) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  answer(n: number): void {
    const { desk } = this.#process();
    const [text, waiting] = [...desk.waiting][n % Math.max(1, desk.waiting.size)] ?? [];
    if (text === undefined || !waiting) return;
    this.answered.push(text);
    waiting.settle(this.#decisionOn(text, waiting.question.prepared.digest));
  }

  /** The program ends while questions wait, and is started again with nothing but what was stored. */
  async endAndStart(): Promise<void> {
    const { desk, rig } = this.#process();
    for (const { settle } of [...desk.waiting.values()]) settle({ type: 'suspend' });
    await until(() => this.outcome !== null);
    if (this.outcome?.type !== 'awaiting-approval') return;
    const stored = JSON.parse(JSON.stringify(rig.journal.entries)) as Entry[];
    this.#now = await this.#start(stored, [say('end')]);
    const { session } = this.#now.rig;
    expect(session.isWaiting).toBe(true);
    const waiting = session.openTurn?.pending.filter((call) => call.asked) ?? [];
    this.outcome = null;
    if (!this.#given.together) this.#run(session.runTurn());
    else {
      this.answered.push(...waiting.map((call) => call.argumentsText));
      const decisions = waiting.map((call): [CallId, ApprovalAnswer] => [
        call.callId,
        this.#decisionOn(call.argumentsText, call.question?.digest ?? ''),
      ]);
      this.#run(session.runTurn({ decisions: new Map(decisions) }));
    }
  }

  #decisionOn(argumentsText: string, digest: string): ApprovalAnswer {
    const { n } = JSON.parse(argumentsText) as { n: number };
    if (this.#given.batch[n]?.says === 'deny') return { type: 'deny', reason: '', by: 'person' };
    return { type: 'allow', lasting: 'once', digest };
  }

  #run(turn: Promise<Outcome>): void {
    this.#turn = turn.then((outcome) => (this.outcome = outcome));
  }

  async #start(history: readonly Entry[], rounds: readonly Round[]): Promise<Process> {
    const desk = new Desk();
    const write = writer('write', {
      effects: (args) => [{ kind: 'write-inside', target: (args as { path: string }).path }],
      run: async ({ state }) => (this.ran.push(state), { status: 'ok', content: 'done', facts: {}, changes: [] }),
    });
    const rig = await makeRig({ tools: [write, testTool('read')], approver: desk, rounds, history });
    return { rig, desk, write };
  }

  #process(): Process {
    if (!this.#now) throw new Error('nothing was begun');
    return this.#now;
  }

  async ended(): Promise<void> {
    await this.#turn;
  }
}

async function play(given: Script): Promise<void> {
  const world = new World(given);
  await world.begin();
  const acts = [...given.acts];
  for (let steps = 0; world.outcome === null; steps++) {
    if (steps > 60) throw new Error('the turn does not come to rest');
    await world.rest();
    const act = acts.shift() ?? 0;
    if (act === 'end') await world.endAndStart();
    else world.answer(act);
  }
  await world.ended();

  expect(world.outcome).toEqual({ type: 'completed' });
  const writes = given.batch.flatMap(({ tool, path, says }, n) => (tool === 'write' ? [{ n, path, says }] : []));
  expect(world.ran).toEqual(writes.filter(({ says }) => says === 'allow').map(({ n, path }) => ({ n, path })));
  // Nobody was asked twice for the same thing, and nothing was decided without an answer.
  const texts = writes.map(({ n, path }) => JSON.stringify({ n, path }));
  expect(world.answered.toSorted()).toEqual(texts.toSorted());
  const results = world.entries.filter((entry) => entry.kind === 'tool-result');
  expect(new Set(results.map(({ data }) => data.callId)).size).toBe(given.batch.length);
  expect(results).toHaveLength(given.batch.length);
}

test(
  'APPR-06: whatever ran in between, a call runs as exactly what its person allowed, or not at all',
  { timeout: 20_000 + RUNS * 400 },
  async () => {
    const acts = fc.array(fc.nat(4), { maxLength: 12 });
    const batch = fc.array(fc.constantFrom('write', 'shell'), { minLength: 2, maxLength: 5 });
    await fc.assert(fc.asyncProperty(batch, acts, playChanging), { numRuns: RUNS });
  },
);

/** Commands change what later writes would do, after those were asked about. */
async function playChanging(batch: readonly string[], acts: readonly number[]): Promise<void> {
  let version = 0;
  const [ran, allowed] = [new Set<string>(), new Set<string>()];
  const versioned = (name: string): TestTool =>
    writer(name, {
      effects: (args) => [{ kind: name === 'shell' ? 'command' : 'write-inside', target: JSON.stringify(args) }],
      prepare: async (args) => ({
        summary: name,
        effects: [{ kind: name === 'shell' ? 'command' : 'write-inside', target: JSON.stringify(args) }],
        preview: { type: 'none' },
        digest: `${name} ${JSON.stringify(args)} ${name === 'shell' ? '' : version}`,
        grant: null,
        confined: true,
        state: name === 'shell' ? null : version,
      }),
      run: async ({ digest, state }) => {
        if (state !== null) expect(state).toBe(version);
        ran.add(digest);
        if (name === 'shell') version += 1;
        return { status: 'ok', content: 'done', facts: {}, changes: [] };
      },
    });
  const desk = new Desk();
  const rounds = [calls(...batch.map((name, n) => call(name, { n }))), say('end')];
  const rig = await makeRig({ tools: [versioned('write'), versioned('shell')], approver: desk, rounds });
  await rig.session.submit('go');
  const ended = new AbortController();
  const turn = rig.session.runTurn().finally(() => ended.abort());
  for (let at = 0; !ended.signal.aborted; at++) {
    await until(() => ended.signal.aborted || desk.waiting.size > 0);
    const [, waiting] = [...desk.waiting][(acts[at] ?? 0) % Math.max(1, desk.waiting.size)] ?? [];
    if (!waiting) continue;
    const { digest } = waiting.question.prepared;
    allowed.add(digest);
    waiting.settle({ type: 'allow', lasting: 'once', digest });
    for (let turns = 0; turns < 4; turns++) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await turn).toEqual({ type: 'completed' });
  expect(ran.size).toBe(batch.length);
  expect([...ran].filter((digest) => !allowed.has(digest))).toEqual([]);
}

test(
  'APPR-09, APPR-14: answers in any order, over any number of restarts, do what they say once and in the order of the calls',
  { timeout: 20_000 + RUNS * 400 },
  async () => {
    await fc.assert(fc.asyncProperty(script, play), { numRuns: RUNS });
  },
);

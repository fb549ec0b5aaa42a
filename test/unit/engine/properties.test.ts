// Whatever models, tools, people and disks do: the history stays valid, nothing runs without a warrant, nothing begins
// before its start is stored, every turn comes to rest, and a resume is the same session. Long form: WARRANT_RUNS=50000.
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { Entry, Outcome } from '../../../src-main/contract/entries.ts';
import type { CallId } from '../../../src-main/contract/ids.ts';
import { resumeSession } from '../../../src-main/engine/resume-session.ts';
import type { ApprovalAnswer, ApprovalQuestion, ModelEvent, Policy } from '../../../src-main/engine/ports.ts';
import {
  call,
  diskFull,
  finish,
  hangs,
  makeRig,
  MemoryJournal,
  never,
  rigConfig,
  rigPorts,
  say,
  ScriptedApprover,
  ScriptedModel,
  text,
  toRig,
  type Rig,
  type RigOptions,
  type Round,
} from '../../helpers/engine-ports.ts';
import {
  expectWarrants,
  expectWholeHistory,
  expectWithinBudgets,
  Witness,
  witnessedTools,
  type Budgets,
  type RunKind,
  type World,
} from '../../helpers/engine-witness.ts';

const RUNS = Number(process.env['WARRANT_RUNS'] ?? 5000);

// ---- What may happen ----

const argumentTexts = fc.constantFrom(
  '{"n":"x"}',
  '{"n":1}',
  '{"n":2}',
  '{"n":3}',
  '{"n":4}',
  '{"n":5}',
  '',
  '{"n',
  '[]',
);
/** Often the first, sometimes one of the others: the deep paths need many things to go well. */
const mostly = <T>(often: T, ...others: T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(often) }, { weight: 1, arbitrary: fc.constantFrom(often, ...others) });
const event: fc.Arbitrary<ModelEvent> = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom('a', 'b ', '').map(text) },
  { weight: 1, arbitrary: fc.constant<ModelEvent>({ type: 'reasoning', text: 'r' }) },
  { weight: 1, arbitrary: fc.constant<ModelEvent>({ type: 'activity' }) },
  {
    weight: 5,
    arbitrary: fc
      .tuple(
        fc.constantFrom('read', 'secret', 'write', 'write', 'shell', 'sneak', 'idle', 'gone'),
        argumentTexts,
        fc.constantFrom('x', 'y', 'z'),
      )
      .map(([name, args, id]) => call(name, args, id)),
  },
);
const endings = ['finish', 'length', 'cut', 'error', 'fatal', 'hang', 'deaf', 'throw'] as const;
const round: fc.Arbitrary<Round> = fc
  .tuple(fc.array(event, { minLength: 1, maxLength: 5 }), mostly(...endings))
  .map(([events, ending]) => toRound(events, ending));

function toRound(events: ModelEvent[], ending: (typeof endings)[number]): Round {
  const failed = (retryable: boolean): ModelEvent => ({
    type: 'error',
    error: { code: 'provider.unavailable', message: '', retryable },
    retryAfterMs: null,
  });
  if (ending === 'finish' || ending === 'length') return [...events, finish(ending === 'length' ? 'length' : 'stop')];
  if (ending === 'cut') return events;
  if (ending === 'error' || ending === 'fatal') return [...events, failed(ending === 'error')];
  if (ending === 'hang' || ending === 'deaf') return hangs(events, ending === 'hang');
  return async function* () {
    yield* events;
    throw new TypeError('broken adapter');
  };
}

const answerKinds = [
  ...['allow', 'allow', 'allow', 'session', 'session', 'deny', 'suspend', 'suspend', 'throw', 'hang'],
  ...['wrong', 'wrong', 'change', 'plan', 'plan', 'off', 'off', 'unconfine', 'unconfine'],
] as const;

const script = fc.record({
  rounds: fc.array(round, { minLength: 1, maxLength: 4 }),
  mode: fc.constantFrom('plan', 'ask', 'ask', 'auto'),
  runs: fc.array(mostly<RunKind>('ok', 'throw', 'rubbish', 'hang', 'slow'), { minLength: 1, maxLength: 6 }),
  answers: fc.array(fc.constantFrom(...answerKinds), { minLength: 1, maxLength: 6 }),
  approver: mostly(true, false),
  policy: mostly('none', 'allow', 'ask', 'deny shell', 'throw'),
  refuses: fc.oneof(
    { weight: 2, arbitrary: fc.constant<number[]>([]) },
    { weight: 1, arbitrary: fc.array(fc.nat(9), { maxLength: 2 }) },
  ),
  hangsAt: fc.option(fc.nat(12), { freq: 12, nil: null }),
  stopAt: fc.option(fc.nat(20), { freq: 3, nil: null }),
  deadline: fc.constantFrom(0, 0, 0, 30_000),
  /** The event at which somebody who hears it stops the turn. */
  stopsAtEvent: fc.option(fc.nat(14), { freq: 5, nil: null }),
  budgets: fc.constantFrom<Budgets>(
    ...[{}, {}, {}, { toolCalls: 1 }, { toolRounds: 1 }, { modelRounds: 1 }],
    ...[{ sessionToolCalls: 1 }, { loopSameCallInRow: 2 }, { loopSameCallInRow: 2 }],
  ),
  /** Rounds are said this many times, one after the other. */
  repeats: mostly(1, 3),
  /** The event at which a consumer that must not miss any fails. */
  failsAt: fc.option(fc.nat(14), { freq: 5, nil: null }),
});
type Script = typeof script extends fc.Arbitrary<infer T> ? T : never;

function makeApprover(given: Script, witness: Witness): ScriptedApprover {
  const answers = given.answers.map(
    (how) =>
      async ({ callId, prepared, argumentsText, tool }: ApprovalQuestion): Promise<ApprovalAnswer> => {
        const allow: ApprovalAnswer = {
          type: 'allow',
          lasting: how === 'session' ? 'session' : 'once',
          digest: prepared.digest,
        };
        if (how === 'deny') return { type: 'deny', reason: '', by: 'person' };
        if (how === 'suspend') return { type: 'suspend' };
        if (how === 'throw') throw new TypeError('broken approver');
        if (how === 'hang') return never();
        if (how === 'wrong') return { ...allow, digest: 'wrong' };
        if (how === 'change' && argumentsText !== '{"n":9}') return { ...allow, changedArguments: '{"n":9}' };
        witness.allowed.add(`${callId} ${prepared.digest}`);
        if (how === 'session') witness.granted.add(`${tool} ${JSON.stringify(JSON.parse(argumentsText || '{}'))}`);
        if (how === 'plan') await witness.rig?.session.setMode('plan', 'person').catch(() => undefined);
        if (how === 'off') await witness.rig?.session.setEnabledTools(['read'], 'person').catch(() => undefined);
        if (how === 'unconfine') await witness.rig?.session.setConfinement(false, 'person').catch(() => undefined);
        return allow;
      },
  );
  return new ScriptedApprover(...answers);
}

function makePolicy(given: Script): Policy | null {
  if (given.policy === 'none') return null;
  return {
    judge({ tool }) {
      if (given.policy === 'throw') throw new TypeError('broken rules');
      if (given.policy === 'deny shell')
        return tool === 'shell' ? { effect: 'deny', ruleId: 'r', rule: 'no shell' } : null;
      return { effect: given.policy === 'allow' ? 'allow' : 'ask', ruleId: 'r', rule: given.policy };
    },
  };
}

function makeJournal(given: Script, onHang: () => void): MemoryJournal {
  const journal = new MemoryJournal();
  journal.onAppend = (number) => {
    if (given.refuses.includes(number)) throw diskFull();
    if (number !== given.hangsAt) return undefined;
    onHang();
    return never();
  };
  return journal;
}

/** Runs the open turn while time passes; stops it when the script says, or when it waits for ever. */
async function drive(rig: Rig, { stopAt, stopsAtEvent, failsAt }: Script): Promise<Outcome> {
  const ended = new AbortController();
  let [events, heard] = [0, 0];
  const listening = rig.session.on(() => {
    if (heard++ === stopsAtEvent) rig.session.stop('person');
  });
  const consumer = (): void => {
    if (events++ === failsAt) throw new TypeError('broken consumer');
  };
  const turn = rig.session.runTurn(failsAt === null ? {} : { consumer }).finally(() => ended.abort());
  for (let at = 0; !ended.signal.aborted; at++) {
    if (at === (stopAt ?? 40)) rig.session.stop('person');
    if (at > 200) throw new Error('the turn does not come to rest');
    await rig.clock.advance(at < 15 ? 0 : 10_000);
  }
  listening.dispose();
  return turn;
}

/** As text, which is compared many times as fast as the values. */
const facts = ({ session }: Rig): string =>
  JSON.stringify([
    session.mode,
    session.enabledTools,
    session.executedCalls,
    session.stepCount,
    session.lastOutcome,
    session.openTurn,
    session.request(),
  ]);

async function play(given: Script): Promise<Outcome['type'] | 'not opened'> {
  const witness = new Witness(given.policy);
  const tools = witnessedTools(given.runs, witness);
  const policy = makePolicy(given);
  const options: RigOptions = {
    tools,
    policy,
    mode: given.mode,
    approver: given.approver ? makeApprover(given, witness) : null,
    limits: { turnDeadlineMs: given.deadline, idleStreamMs: 50_000, providerRetries: 1, ...given.budgets },
  };
  const stuck = new AbortController();
  const journal = makeJournal(given, () => stuck.abort());
  const rounds = given.rounds.flatMap((one) => Array.from({ length: given.repeats }, () => one));
  const model = new ScriptedModel([...rounds, say('end')]);
  const rig = await makeRig({ ...options, journal, model });
  witness.rig = rig;
  const authority = JSON.stringify(rig.session.authority);
  if (given.hangsAt === 0) return 'not opened';
  const opened = await rig.session.submit('go').then(
    () => true,
    () => false,
  );
  if (!opened) return 'not opened';
  const outcome = await drive(rig, given);

  expect(rig.clock.timers).toBe(0);
  witness.judged(journal.entries);
  journal.onAppend = () => {};
  if (!stuck.signal.aborted) {
    // What a refusing journal owes is stored with the next verb; a waiting turn is gone on with elsewhere.
    if (outcome.type === 'awaiting-approval')
      await resumeElsewhere({ rig, options, outcome, given, allowed: witness.allowed, world: witness.world });
    await rig.session.closeTurn('cancelled', 'person');
    const isTakenBack = outcome.type === 'failed' && outcome.error.message.includes('broken consumer');
    if (isTakenBack && journal.of('tool-start').length === 0) expect(rig.session.history()).toEqual([]);
    await rig.session.submit('next');
    expectWholeHistory(journal.entries);
    await expectTakenBack(rig);
    // What holds in this process alone (unconfined auto, that which nobody holds) is proven elsewhere.
    const comparable = rig.session.mode !== 'auto' || rig.session.confinement;
    const history = JSON.parse(JSON.stringify(journal.entries)) as Entry[];
    const again: RigOptions = { ...options, history, enabledTools: rig.session.enabledTools };
    if (!comparable) expect((await makeRig(again)).session.mode).toBe('ask');
    if (comparable) {
      expect(facts(await makeRig(again))).toBe(facts(rig));
      expect(facts(await resumedFromValue(rig, again))).toBe(facts(rig));
    }
  }
  for (const request of model.requests) witness.requested(request.messages);
  witness.told(rig.events);
  if (!stuck.signal.aborted) expectWithinBudgets(journal.entries, given.budgets, outcome.type === 'awaiting-approval');
  // What a disk that hangs was given last may or may not be there.
  expectWarrants(journal.entries, stuck.signal.aborted ? [] : tools);
  expect(JSON.stringify(rig.session.authority)).toBe(authority);
  expect(witness.breaches).toEqual([]);
  return outcome.type;
}

/** A turn is taken back to where it began, and that is taken back too. */
async function expectTakenBack({ session }: Rig): Promise<void> {
  const whole = session.history();
  await session.abortTurn('person');
  expect(session.history()).toEqual(whole.slice(0, -1));
  await session.restoreTurn('person');
  expect(session.history()).toEqual(whole);
}

async function resumedFromValue(rig: Rig, options: RigOptions): Promise<Rig> {
  const snapshot: unknown = JSON.parse(JSON.stringify(await rig.session.snapshot()));
  const { sessionId: _id, history: _history, ...config } = rigConfig(options);
  const ports = rigPorts(options);
  return toRig(await resumeSession(snapshot, config, ports), ports);
}

/** A suspended turn in another process: what was allowed for exactly this runs, anything else does not. */
async function resumeElsewhere(from: {
  rig: Rig;
  options: RigOptions;
  outcome: Extract<Outcome, { type: 'awaiting-approval' }>;
  given: Script;
  allowed: ReadonlySet<string>;
  world: World;
}): Promise<void> {
  const { rig, outcome, given } = from;
  const witness = new Witness(given.policy, from.world);
  const tools = witnessedTools(['ok'], witness);
  const history = JSON.parse(JSON.stringify(rig.journal.entries)) as Entry[];
  const { enabledTools } = rig.session;
  const next = await makeRig({ ...from.options, tools, approver: null, rounds: [say('end')], history, enabledTools });
  witness.rig = next;
  for (const one of from.allowed) witness.allowed.add(one);
  const questions = next.journal.of('approval-request');
  const yes = given.runs.length % 2 === 0;
  const decisions = new Map(
    outcome.callIds.map((callId): [CallId, ApprovalAnswer] => {
      const digest = questions.findLast(({ data }) => data.callId === callId)?.data.digest ?? '';
      if (yes) witness.allowed.add(`${callId} ${digest}`);
      return [callId, yes ? { type: 'allow', lasting: 'once', digest } : { type: 'deny', reason: '', by: 'person' }];
    }),
  );
  const { type } = await next.session.runTurn({ decisions });
  if (Object.keys(given.budgets).length === 0) expect(type).toBe('completed');
  expectWholeHistory(next.journal.entries);
  expectWarrants(next.journal.entries, tools);
  witness.judged(next.journal.entries);
  if (!yes) {
    const decided = new Set(outcome.callIds);
    expect(tools.flatMap((tool) => tool.contexts).filter((context) => decided.has(context.callId))).toEqual([]);
  }
  expect(witness.breaches).toEqual([]);
}

// The time that the scripts are given is counted in turns of the loop, of which loading a module takes any number.
beforeAll(() => Promise.all([import('ajv/dist/2020.js'), import('ajv-formats')]));

test(
  'HIST-02: over random models, tools, people, stops and disks, every invariant of the engine holds',
  { timeout: 20_000 + RUNS * 200 },
  async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(script, async (given) => {
        seen.add(await play(given));
      }),
      { numRuns: RUNS },
    );
    // Random scripts that never got anywhere would prove nothing.
    for (const type of ['completed', 'failed', 'cancelled', 'awaiting-approval']) expect(seen).toContain(type);
  },
);

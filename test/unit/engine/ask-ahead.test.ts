// Several questions of one step: asked together where that can be, each answered alone and in any order, while the calls
// themselves run in theirs.
import { describe, expect, test } from 'vitest';
import type { ApprovalAnswer, ApprovalQuestion, Approver } from '../../../src-main/engine/ports.ts';
import {
  ask,
  call,
  calls,
  diskFull,
  makeRig,
  never,
  ok,
  results,
  say,
  ScriptedApprover,
  testTool,
  until,
  writer,
  type Rig,
  type RigOptions,
} from '../../helpers/engine-ports.ts';

/** Keeps questions open until the test answers them. */
class Desk implements Approver {
  readonly questions: ApprovalQuestion[] = [];
  readonly #answers = new Map<string, (answer: ApprovalAnswer) => void>();

  async ask(question: ApprovalQuestion): Promise<ApprovalAnswer> {
    this.questions.push(question);
    return new Promise((resolve) => this.#answers.set(question.callId, resolve));
  }
  /** Answers the question that was asked as the n-th, from 0. */
  answer(n: number, how: 'allow' | 'session' | 'deny' | 'suspend' = 'allow'): void {
    const question = this.questions[n];
    if (!question) throw new Error(`question ${n} was not asked`);
    const { digest } = question.prepared;
    const given: ApprovalAnswer =
      how === 'suspend'
        ? { type: 'suspend' }
        : how === 'deny'
          ? { type: 'deny', reason: 'no', by: 'person' }
          : { type: 'allow', lasting: how === 'session' ? 'session' : 'once', digest };
    this.#answers.get(question.callId)?.(given);
  }
  get asked(): string[] {
    return this.questions.map((question) => question.argumentsText);
  }
}

const targeted = (args: unknown): { kind: 'write-inside'; target: string }[] => [
  { kind: 'write-inside', target: (args as { path: string }).path },
];
const write = (options = {}): ReturnType<typeof writer> => writer('write', { effects: targeted, ...options });
const three = calls(call('write', { path: 'a' }), call('write', { path: 'b' }), call('write', { path: 'c' }));

async function started(options: RigOptions & { desk: Desk }): Promise<{ rig: Rig; turn: ReturnType<typeof ask> }> {
  const rig = await makeRig({ approver: options.desk, ...options });
  await rig.session.submit('go');
  return { rig, turn: rig.session.runTurn() };
}

describe('questions of one step', () => {
  test('APPR-06: all are stored and asked at once, answered in any order, and the calls run in theirs', async () => {
    const [tool, desk] = [write(), new Desk()];
    const { rig, turn } = await started({ desk, tools: [tool], rounds: [three, say('end')] });
    await until(() => desk.questions.length === 3, 'three questions');
    expect(rig.journal.of('approval-request').map(({ data }) => data.argumentsText)).toEqual(desk.asked);
    desk.answer(2);
    desk.answer(1, 'deny');
    await until(() => rig.journal.of('verdict').length === 2, 'answers that are stored before their turn');
    expect(tool.ran).toEqual([]);
    desk.answer(0);
    expect(await turn).toEqual({ type: 'completed' });
    expect(tool.ran).toEqual([{ path: 'a' }, { path: 'c' }]);
    expect(results(rig).map(({ status }) => status)).toEqual(['ok', 'denied', 'ok']);
    expect(rig.journal.of('verdict')).toHaveLength(3);
    expect(rig.journal.of('approval-request')).toHaveLength(3);
  });

  test('a question about what an earlier call changes waits for that call', async () => {
    const [tool, desk] = [write(), new Desk()];
    const [a, b] = [call('write', { path: 'a', n: 1 }), call('write', { path: 'b' })];
    const rounds = [calls(a, call('write', { path: 'a', n: 2 }), b), say('end')];
    const { turn } = await started({ desk, tools: [tool], rounds });
    await until(() => desk.questions.length === 2, 'two questions');
    expect(desk.asked).toEqual(['{"path":"a","n":1}', '{"path":"b"}']);
    desk.answer(0);
    await until(() => desk.questions.length === 3, 'the third question');
    expect(tool.ran).toHaveLength(1);
    desk.answer(2);
    desk.answer(1);
    await turn;
    expect(tool.ran).toEqual([{ path: 'a', n: 1 }, { path: 'a', n: 2 }, { path: 'b' }]);
  });

  test('a permission for the session answers the same thing later in the step, which is not asked about meanwhile', async () => {
    const [tool, desk] = [writer('sh', { effects: ['command'], class: 'command' }), new Desk()];
    const rounds = [calls(call('sh', { n: 1 }), call('sh', { n: 2 }), call('sh', { n: 1 })), say('end')];
    const { turn } = await started({ desk, tools: [tool], rounds });
    await until(() => desk.questions.length === 2, 'two questions');
    desk.answer(0, 'session');
    desk.answer(1);
    expect(await turn).toEqual({ type: 'completed' });
    expect([desk.questions.length, tool.ran.length]).toEqual([2, 3]);
  });

  test('an answer stands for what was shown alone: what another call changed since is shown and asked anew', async () => {
    let version = 1;
    const sh = writer('sh', { effects: ['command'], class: 'command', run: async () => ((version = 2), ok()) });
    const tool = write({
      prepare: async (args: unknown) => ({
        summary: 'write',
        effects: targeted(args),
        preview: { type: 'none' },
        digest: `base ${version}`,
        grant: null,
        confined: true,
        state: version,
      }),
    });
    const desk = new Desk();
    const rounds = [calls(call('sh'), call('write', { path: 'a' })), say('end')];
    const { turn } = await started({ desk, tools: [sh, tool], rounds });
    await until(() => desk.questions.length === 2, 'two questions');
    desk.answer(1);
    desk.answer(0);
    await until(() => desk.questions.length === 3, 'the question that is asked anew');
    expect(desk.questions.map(({ prepared }) => prepared.digest).slice(1)).toEqual(['base 1', 'base 2']);
    expect(tool.ran).toEqual([]);
    desk.answer(2);
    await turn;
    expect(tool.ran).toEqual([2]);
  });

  test('calls that nobody is asked about run in their turn, not before an earlier question is answered', async () => {
    const done: string[] = [];
    const noted = (name: string) => async () => {
      await new Promise((resolve) => setImmediate(resolve));
      done.push(name);
      return ok();
    };
    const [tool, read, desk] = [
      write({ run: noted('write') }),
      testTool('read', { run: async () => (done.push('read'), ok()) }),
      new Desk(),
    ];
    const rounds = [calls(call('write', { path: 'a' }), call('read'), call('write', { path: 'b' })), say('end')];
    const { turn } = await started({ desk, tools: [tool, read], rounds });
    await until(() => desk.questions.length === 2, 'two questions');
    expect(read.ran).toEqual([]);
    desk.answer(0);
    desk.answer(1);
    await turn;
    expect(done).toEqual(['write', 'read', 'write']);
  });

  test('a call that takes for ever to prepare holds up no earlier answer', async () => {
    const hanging = testTool('slow', { effects: ['read-secret'], prepare: () => never() });
    const [tool, desk] = [write(), new Desk()];
    const rounds = [calls(call('write', { path: 'a' }), call('slow')), say('end')];
    const { rig, turn } = await started({ desk, tools: [tool, hanging], rounds });
    await until(() => hanging.prepared === 1);
    desk.answer(0);
    await until(() => tool.ran.length === 1);
    rig.session.stop('person');
    expect(await turn).toMatchObject({ type: 'cancelled' });
  });

  test('narrowing while they wait ends each in its turn, whatever was answered', async () => {
    const [tool, desk] = [write(), new Desk()];
    const { rig, turn } = await started({ desk, tools: [tool], rounds: [three, say('end')] });
    await until(() => desk.questions.length === 3, 'three questions');
    desk.answer(1);
    desk.answer(2);
    await rig.session.setMode('plan', 'person');
    desk.answer(0);
    await turn;
    expect(tool.ran).toEqual([]);
    expect(results(rig).map(({ status }) => status)).toEqual(['denied', 'denied', 'denied']);
  });

  test('a question that the disk refuses ends the turn, and nothing of the step runs', async () => {
    const [tool, desk] = [write(), new Desk()];
    const rig = await makeRig({ approver: desk, tools: [tool], rounds: [three, say('end')] });
    rig.journal.onAppend = (number) => {
      if (number === 2) throw diskFull();
    };
    expect(await ask(rig)).toMatchObject({ type: 'failed', error: { code: 'store.disk-full' } });
    expect(tool.ran).toEqual([]);
    expect(results(rig).map(({ status }) => status)).toEqual(['cancelled', 'cancelled', 'cancelled']);
    expect(rig.clock.timers).toBe(0);
  });
});

describe('questions of one step, left for later', () => {
  test('APPR-08: the turn waits with all that was asked, and a person may decide them together', async () => {
    const approver = new ScriptedApprover({ type: 'suspend' });
    const rig = await makeRig({ approver, tools: [write()], rounds: [three, say('end')] });
    const outcome = await ask(rig);
    const asked = rig.journal.of('approval-request').map(({ data }) => data);
    expect(outcome).toEqual({ type: 'awaiting-approval', callIds: asked.map(({ callId }) => callId) });
    expect(asked).toHaveLength(3);
    const tool = write();
    const history = structuredClone(rig.journal.entries);
    const next = await makeRig({ tools: [tool], rounds: [say('end')], history });
    const decisions = new Map(
      asked.map(({ callId, digest }, n): [typeof callId, ApprovalAnswer] => [
        callId,
        n === 1 ? { type: 'deny', reason: '', by: 'person' } : { type: 'allow', lasting: 'once', digest },
      ]),
    );
    expect(await next.session.runTurn({ decisions })).toEqual({ type: 'completed' });
    expect(tool.ran).toEqual([{ path: 'a' }, { path: 'c' }]);
    // What is stored as asked is not stored again.
    expect(next.journal.of('approval-request')).toHaveLength(3);
  });

  test('APPR-09: an answer that was given before the rest was left is not asked for again, and only what waits waits', async () => {
    const desk = new Desk();
    const { rig, turn } = await started({ desk, tools: [write()], rounds: [three, say('end')] });
    await until(() => desk.questions.length === 3, 'three questions');
    desk.answer(1);
    desk.answer(2, 'deny');
    await until(() => rig.journal.of('verdict').length === 2, 'stored answers');
    desk.answer(0, 'suspend');
    expect(await turn).toEqual({ type: 'awaiting-approval', callIds: [desk.questions[0]?.callId] });
    const [tool, later] = [write(), new Desk()];
    const history = structuredClone(rig.journal.entries);
    const next = await makeRig({ approver: later, tools: [tool], rounds: [say('end')], history });
    expect(next.session.isWaiting).toBe(true);
    const resumed = next.session.runTurn();
    await until(() => later.questions.length === 1);
    later.answer(0);
    expect(await resumed).toEqual({ type: 'completed' });
    expect(tool.ran).toEqual([{ path: 'a' }, { path: 'b' }]);
    expect(results(next).map(({ status }) => status)).toEqual(['ok', 'ok', 'denied']);
  });

  test('an answer that was stored does not stand for another effect', async () => {
    const desk = new Desk();
    const { rig, turn } = await started({ desk, tools: [write()], rounds: [three, say('end')] });
    await until(() => desk.questions.length === 3, 'three questions');
    desk.answer(1);
    await until(() => rig.journal.of('verdict').length === 1, 'a stored answer');
    desk.answer(0, 'suspend');
    await turn;
    const [tool, later] = [write(), new ScriptedApprover('allow')];
    const history = structuredClone(rig.journal.entries);
    const next = await makeRig({ approver: later, tools: [tool], rounds: [say('end')], history });
    // The digest of a prepared call holds its confinement.
    await next.session.setConfinement(false, 'person');
    await next.session.runTurn();
    expect(later.questions.map(({ argumentsText }) => argumentsText).toSorted()).toEqual([
      '{"path":"a"}',
      '{"path":"b"}',
      '{"path":"c"}',
    ]);
    expect(tool.ran).toHaveLength(3);
  });

  test('one that is left lets go of the others: nothing of the step waits on', async () => {
    const desk = new Desk();
    const { rig, turn } = await started({ desk, tools: [write()], rounds: [three, say('end')] });
    await until(() => desk.questions.length === 3, 'three questions');
    desk.answer(0, 'suspend');
    expect(await turn).toMatchObject({ type: 'awaiting-approval', callIds: { length: 3 } });
    expect([rig.session.isRunning, rig.session.isWaiting, rig.clock.timers]).toEqual([false, true, 0]);
  });
});

// Turns as values and boundaries: what happens inside a step, where a stop and a clear are honoured, what a failure leaves,
// and what a caller gets.
import { describe, expect, test } from 'vitest';
import { newId } from '../../../src-main/base/new-id.ts';
import type { TurnId } from '../../../src-main/contract/ids.ts';
import { resumeSession } from '../../../src-main/engine/resume-session.ts';
import type { ModelEvent } from '../../../src-main/engine/ports.ts';
import {
  ask,
  call,
  calls,
  diskFull,
  finish,
  hangs,
  makeRig,
  NO_USAGE,
  ok,
  results,
  rigConfig,
  rigPorts,
  say,
  ScriptedApprover,
  testTool,
  text,
  until,
  writer,
  type Rig,
} from '../../helpers/engine-ports.ts';

const roles = (rig: Rig): string[] => rig.session.history().map((message) => message.role);
const broken: ModelEvent = {
  type: 'error',
  error: { code: 'provider.auth', message: 'no', retryable: false },
  retryAfterMs: null,
};

describe('boundaries', () => {
  test('LOOP-03: a stop between rounds is honoured by a running turn exactly as by steps taken by hand', async () => {
    const rounds = [calls(call('read', { n: 1 })), calls(call('read', { n: 2 })), say('end')];
    const outcomes = [];
    for (const byHand of [true, false]) {
      const rig = await makeRig({ tools: [testTool('read')], rounds });
      await rig.session.submit('go');
      rig.session.on((event) => {
        const isRest = event.type === 'entries-append' && event.entries.some((entry) => entry.kind === 'step-end');
        if (isRest && rig.session.stepCount === 2) rig.session.stop('person');
      });
      if (byHand) {
        await rig.session.step();
        await rig.session.step();
        outcomes.push(await rig.session.step());
      } else outcomes.push({ type: 'ended', outcome: await rig.session.runTurn() });
      outcomes.push(rig.model.requests.length, roles(rig), rig.journal.of('abort').length);
    }
    expect(outcomes.slice(0, 4)).toEqual(outcomes.slice(4));
    expect(outcomes[1]).toBe(2);
  });

  test('LOOP-01: at a boundary nothing streams or runs, and all of the state can be stored', async () => {
    const tool = testTool('read');
    let open = 0;
    const round = async function* (): AsyncGenerator<ModelEvent> {
      open += 1;
      try {
        yield* [call('read'), call('read', { n: 2 }), finish('tool-calls')];
      } finally {
        open -= 1;
      }
    };
    const rig = await makeRig({ tools: [tool], rounds: [round, say('end')] });
    await rig.session.submit('go');
    await rig.session.step();
    expect([open, tool.ran.length]).toEqual([0, 2]);
    expect([rig.session.isRunning, rig.session.openTurn?.pending]).toEqual([false, []]);
    const snapshot = await rig.session.snapshot();
    expect(JSON.parse(JSON.stringify(snapshot))).toEqual(snapshot);
  });

  test('LOOP-04: deltas come and people are asked inside of a step, never between steps', async () => {
    const running: boolean[] = [];
    const approver = new ScriptedApprover(async ({ prepared }) => {
      running.push(rig.session.isRunning);
      return { type: 'allow', lasting: 'once', digest: prepared.digest };
    });
    const rig = await makeRig({
      tools: [writer()],
      approver,
      rounds: [[text('a'), call('write'), finish('tool-calls')], say('end')],
    });
    await rig.session.submit('go');
    rig.session.on((event) => {
      if (event.type === 'text-delta' || event.type === 'call-start') running.push(rig.session.isRunning);
    });
    await rig.session.step();
    const heard = rig.events.length;
    await rig.clock.advance(60_000);
    expect(rig.events).toHaveLength(heard);
    await rig.session.step();
    expect(running).toEqual([true, true, true, true]);
  });

  test('LOOP-07: a clear is for a boundary without a turn, and its state can be taken at once', async () => {
    const rig = await makeRig({ rounds: [hangs([text('a')]), say('on')] });
    await rig.session.submit('go');
    const turn = rig.session.runTurn();
    await until(() => rig.model.requests.length === 1);
    await expect(rig.session.clearContext('person')).rejects.toMatchObject({ code: 'session.input-pending' });
    await expect(rig.session.snapshot()).rejects.toMatchObject({ code: 'session.not-at-boundary' });
    rig.session.stop('person');
    await turn;
    await rig.session.clearContext('person');
    const { sessionId: _id, history: _history, ...config } = rigConfig();
    const next = await resumeSession(await rig.session.snapshot(), config, rigPorts());
    expect([next.history(), next.stepCount]).toEqual([[], rig.session.stepCount]);
  });
});

describe('what a failure leaves', () => {
  test('LOOP-11: a failed turn leaves the conversation as it was before it, but for the message, which can be gone on with', async () => {
    const rig = await makeRig({ rounds: [say('one'), [text('half'), broken], say('two')] });
    await ask(rig);
    const before = rig.session.history();
    expect(await ask(rig, 'next')).toMatchObject({ type: 'failed' });
    expect(rig.session.history()).toEqual([...before, { role: 'user', text: 'next' }]);
    await rig.session.abortTurn('person');
    expect(rig.session.history()).toEqual(before);
    await rig.session.restoreTurn('person');
    await rig.session.continueTurn();
    expect(await rig.session.runTurn()).toEqual({ type: 'completed' });
    expect(roles(rig)).toEqual(['user', 'assistant', 'user', 'assistant']);
  });

  test('LOOP-11: what a tool did in a turn that failed stays, whole', async () => {
    const rounds = [calls(call('write', { n: 1 }), call('write', { n: 2 })), [text('half'), broken]];
    const rig = await makeRig({ tools: [writer()], mode: 'auto', rounds });
    expect(await ask(rig)).toMatchObject({ type: 'failed' });
    expect(roles(rig)).toEqual(['user', 'assistant', 'tool', 'tool']);
    expect(JSON.stringify(rig.session.history())).not.toContain('half');
  });

  test('LOOP-09, LOOP-15: what a model, a tool or a person does is never thrown by a step; a journal that fails is told by its code', async () => {
    const tool = writer('write', { run: async () => Promise.reject(new TypeError('broken tool')) });
    const approver = new ScriptedApprover(async () => Promise.reject(new TypeError('broken approver')));
    const throws = async function* (): AsyncGenerator<ModelEvent> {
      yield text('a');
      throw new TypeError('broken adapter');
    };
    const rig = await makeRig({ tools: [tool], approver, rounds: [calls(call('write')), throws] });
    await rig.session.submit('go');
    expect(await rig.session.step()).toEqual({ type: 'continue' });
    await rig.session.setMode('auto', 'person');
    expect(await rig.session.step()).toMatchObject({
      outcome: { type: 'failed', error: { code: 'provider.bad-response' } },
    });
    await rig.session.submit('next');
    rig.journal.onAppend = () => {
      throw diskFull();
    };
    expect(await rig.session.step()).toMatchObject({ outcome: { type: 'failed', error: { code: 'store.disk-full' } } });
    await expect(rig.session.step()).rejects.toMatchObject({ code: 'store.disk-full' });
  });

  test('LOOP-14: a budget, a loop and a question are outcomes beside the completed one, and each is stored but the last', async () => {
    const same = calls(call('write'));
    const outcomes = [];
    for (const [limits, approver] of [
      [{ toolRounds: 1 }, new ScriptedApprover('allow')],
      [{}, new ScriptedApprover('allow')],
      [{}, new ScriptedApprover({ type: 'suspend' })],
    ] as const) {
      const rig = await makeRig({ tools: [writer()], limits, approver, rounds: [same] });
      const outcome = await ask(rig);
      outcomes.push([outcome.type, rig.journal.of('turn-end').at(-1)?.data.outcome.type]);
    }
    expect(outcomes).toEqual([
      ['budget-reached', 'budget-reached'],
      ['loop-detected', 'loop-detected'],
      ['awaiting-approval', undefined],
    ]);
  });

  test('APPR-12: a turn that waits has finished nothing: its end is stored when it is resumed to it', async () => {
    const rig = await makeRig({
      tools: [writer()],
      approver: new ScriptedApprover({ type: 'suspend' }, 'allow'),
      rounds: [calls(call('write')), say('end')],
    });
    expect(await ask(rig)).toMatchObject({ type: 'awaiting-approval' });
    expect([rig.journal.of('turn-end'), rig.journal.of('tool-result'), rig.session.lastOutcome]).toEqual([
      [],
      [],
      null,
    ]);
    expect(await rig.session.runTurn()).toEqual({ type: 'completed' });
    expect(rig.journal.of('turn-end')).toHaveLength(1);
  });
});

describe('what a caller gets', () => {
  const usage = { ...NO_USAGE, input: 10, output: 2, costUsd: 0.5 };

  test('LOOP-10: events come in order while it runs, and then the turn with its answer and what it committed', async () => {
    const rounds = [
      [text('let me see'), call('read'), finish('tool-calls', usage)],
      [{ type: 'reasoning', text: 'hm' }, text('a'), text('b'), finish('stop', usage)],
    ] as const;
    const rig = await makeRig({ tools: [testTool('read')], rounds });
    const heard: string[] = [];
    const turn = await rig.session.send('go', { onEvent: (event) => heard.push(event.type) });
    expect(turn).toMatchObject({ outcome: { type: 'completed' }, text: 'ab', reasoning: 'hm', steps: 2 });
    expect(turn.usage).toMatchObject({ input: 20, output: 4, costUsd: 1 });
    expect(turn.messages).toEqual(rig.session.history());
    expect(heard).toEqual(rig.events.map((event) => event.type));
    await rig.session.send('next');
    expect(heard.filter((type) => type === 'turn-end')).toHaveLength(1);
  });

  test('HIST-06, CONF-28: a turn tells exactly the batch that it committed, the history is all of it', async () => {
    const rounds = [say('one'), calls(call('write', { n: 1 }), call('gone')), say('two')];
    const rig = await makeRig({ tools: [writer()], mode: 'auto', rounds });
    const first = await rig.session.send('a');
    const before = rig.journal.appends;
    const second = await rig.session.send('b');
    expect(second.messages.map((message) => message.role)).toEqual(['user', 'assistant', 'tool', 'tool', 'assistant']);
    expect(rig.session.history()).toEqual([...first.messages, ...second.messages]);
    const committed = rig.journal.entries.filter((entry) => JSON.stringify(entry.data).includes(second.turnId));
    expect(committed.at(-1)?.kind).toBe('turn-end');
    // The message; the batch up to the first effect; its results with the step's end; the answer with the turn's.
    expect(rig.journal.appends - before).toBe(4);
  });

  test('LOOP-12: a plain send gives the final words, and names the budget that ended it before', async () => {
    const rounds = [calls(call('read', { n: 1 })), calls(call('read', { n: 2 })), say('the answer')];
    const rig = await makeRig({ tools: [testTool('read')], rounds });
    expect((await rig.session.send('go')).text).toBe('the answer');
    const short = await makeRig({ tools: [testTool('read')], rounds, limits: { modelRounds: 2 } });
    expect(await short.session.send('go')).toMatchObject({
      text: '',
      outcome: { type: 'budget-reached', budget: 'model-rounds' },
    });
  });

  test('LOOP-16: the id of a turn may be given: a job that is tried again keeps it, one that was done is refused', async () => {
    const rig = await makeRig({ rounds: [[broken], say('done'), say('more')] });
    const turnId = newId<TurnId>();
    expect(await rig.session.send('job', { turnId })).toMatchObject({ turnId, outcome: { type: 'failed' } });
    await rig.session.abortTurn('job');
    const turn = await rig.session.send('job', { turnId });
    expect(turn).toMatchObject({ turnId, text: 'done', outcome: { type: 'completed' } });
    expect(rig.model.requests[1]?.messages).toEqual([{ role: 'user', text: 'job' }]);
    await expect(rig.session.send('job', { turnId })).rejects.toMatchObject({ code: 'ipc.invalid-input' });
    expect((await rig.session.send('other')).turnId).not.toBe(turnId);
  });

  test('HIST-01: the session keeps one conversation, whole and in order, from the entries that are stored', async () => {
    const rounds = [calls(call('read', { n: 1 }), call('read', { n: 2 })), say('one'), say('two')];
    const tool = testTool('read', { run: async ({ state }) => ok(JSON.stringify(state)) });
    const rig = await makeRig({ tools: [tool], rounds });
    await ask(rig, 'a');
    await ask(rig, 'b');
    const told = rig.session.history().map((message) => {
      if (message.role === 'assistant')
        return message.parts.map((part) => (part.type === 'text' ? part.text : part.type)).join();
      return message.role === 'tool' ? message.content : message.text;
    });
    expect(told).toEqual(['a', 'tool-call,tool-call', '{"n":1}', '{"n":2}', 'one', 'b', 'two']);
    expect(rig.model.requests.at(-1)?.messages).toEqual(rig.session.history().slice(0, -1));
    expect(results(rig)).toHaveLength(2);
  });

  test('the state in memory is never given out: what a caller does to it changes nothing', async () => {
    const rig = await makeRig();
    const turn = await rig.session.send('go');
    rig.session.history().splice(0);
    (turn.messages as unknown[]).splice(0);
    (rig.session.records() as unknown[]).splice(0);
    expect([rig.session.history().length, rig.session.turn()?.messages.length]).toEqual([2, 2]);
    expect(rig.session.records().length).toBeGreaterThan(0);
  });
});

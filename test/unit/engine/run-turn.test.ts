// Turns: steps and boundaries, order of calls, budgets each by its name, the loop guard, what is counted.
import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../../src-main/contract/entries.ts';
import type { ModelEvent } from '../../../src-main/engine/ports.ts';
import type { Limits } from '../../../src-main/contract/limits.ts';
import {
  ask,
  call,
  callIds,
  calls,
  finish,
  hangs,
  makeRig,
  never,
  NO_USAGE,
  ok,
  results,
  say,
  ScriptedApprover,
  testTool,
  text,
  until,
  writer,
  type RigOptions,
} from '../../helpers/engine-ports.ts';

const read = (): ReturnType<typeof testTool> => testTool('read');
/** Rounds that each propose one call, with other arguments every time. */
const busy = (rounds: number): ReturnType<typeof calls>[] =>
  Array.from({ length: rounds }, (_, n) => calls(call('read', { n })));

describe('steps and turns', () => {
  test('LOOP-01, LOOP-02: a step is one round and its calls; a turn is steps until there are no calls', async () => {
    const rig = await makeRig({ tools: [read()], rounds: [...busy(2), say('end')] });
    await rig.session.submit('go');
    expect(await rig.session.step()).toEqual({ type: 'continue' });
    expect([rig.model.requests.length, rig.session.isRunning, rig.session.openTurn?.pending]).toEqual([1, false, []]);
    expect(await rig.session.step()).toEqual({ type: 'continue' });
    expect(await rig.session.step()).toEqual({ type: 'ended', outcome: { type: 'completed' } });
    expect(rig.session.openTurn).toBeNull();
  });

  test('the end of a turn counts its steps, also the one that is stored with it', async () => {
    const rig = await makeRig({ tools: [read()], rounds: [...busy(2), say('end')] });
    await ask(rig);
    expect(rig.journal.of('turn-end')[0]?.data.steps).toBe(3);
    expect(rig.journal.of('step-end').map(({ data }) => data.step)).toEqual([1, 2, 3]);
    expect(rig.journal.of('assistant-message').map(({ data }) => data.step)).toEqual([1, 2, 3]);
  });

  test('a turn without calls is two commits: the message, and all of the answer', async () => {
    const rig = await makeRig({ rounds: [say('hi')] });
    await ask(rig);
    expect(rig.journal.appends).toBe(2);
    expect(rig.journal.entries.map((entry) => entry.kind)).toEqual([
      'user-message',
      'assistant-message',
      'step-end',
      'turn-end',
    ]);
  });

  test('LOOP-05: while a turn is open, another message, a continue and a clear are refused', async () => {
    const rig = await makeRig();
    await rig.session.submit('go');
    for (const verb of [
      () => rig.session.submit('again'),
      () => rig.session.continueTurn(),
      () => rig.session.clearContext('person'),
    ]) {
      await expect(verb()).rejects.toMatchObject({ code: 'session.input-pending' });
    }
  });

  test('AUTH-17: two messages at once open one turn; two steps at once are one', async () => {
    const rig = await makeRig();
    const both = await Promise.allSettled([rig.session.submit('a'), rig.session.submit('b')]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    const steps = await Promise.allSettled([rig.session.step(), rig.session.step()]);
    expect(steps.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(rig.journal.of('user-message')).toHaveLength(1);
    await expect(rig.session.step()).rejects.toMatchObject({ code: 'session.not-at-boundary' });
  });

  test('a message that is empty or too large is refused, and nothing is stored', async () => {
    const rig = await makeRig({ limits: { messageBytes: 10 } });
    for (const words of ['', ' \n', 'eleven chars']) {
      await expect(rig.session.submit(words)).rejects.toMatchObject({ code: 'ipc.invalid-input' });
    }
    expect(rig.journal.appends).toBe(0);
    expect(rig.session.openTurn).toBeNull();
  });

  test('H13, TOOL-10: a request above the ceiling is never given to the model', async () => {
    const parts: [RigOptions, string][] = [
      [{}, 'x'.repeat(50)],
      [{ systemPrompt: 'x'.repeat(50) }, 'go'],
      [{ tools: [testTool('read', { parameters: { type: 'object' } })] }, 'x'.repeat(2)],
    ];
    for (const [options, words] of parts) {
      const rig = await makeRig({ limits: { requestBytes: 40, schemaBytes: 40 }, ...options });
      const outcome = await ask(rig, words);
      expect(outcome).toMatchObject({ type: 'failed', error: { code: 'provider.context-too-long' } });
      expect(rig.model.requests).toEqual([]);
    }
  });

  test('TOOL-10: what a model wrote counts too: its arguments and the data that its service wants back', async () => {
    const limits = { requestBytes: 300, schemaBytes: 100 };
    const signed: ModelEvent = { type: 'reasoning', text: 'hm', metadata: { signature: 's'.repeat(300) } };
    for (const part of [call('read', { long: 'x'.repeat(300) }), signed]) {
      const rounds = [[part, call('read'), finish('tool-calls')], say('end')];
      const rig = await makeRig({ tools: [read()], limits, rounds });
      expect(await ask(rig)).toMatchObject({ type: 'failed', error: { code: 'provider.context-too-long' } });
      expect(rig.model.requests).toHaveLength(1);
    }
  });

  test('LOOP-06, LOOP-25: a clear empties the conversation and keeps counters, mode and grants', async () => {
    const approver = new ScriptedApprover('session');
    const rig = await makeRig({ tools: [writer()], approver, rounds: [calls(call('write')), say('end')] });
    await ask(rig);
    await rig.session.clearContext('person');
    expect(rig.session.request().messages).toEqual([]);
    expect([rig.session.stepCount, rig.session.executedCalls, rig.session.grants.length]).toEqual([2, 1, 1]);
    await ask(rig, 'next');
    expect(rig.model.requests.at(-1)?.messages).toEqual([{ role: 'user', text: 'next' }]);
    expect(rig.session.stepCount).toBe(3);
  });
});

describe('the calls of one step', () => {
  test('TOOL-09: each call gets an id of ours, used in history, verdict, start, context and result', async () => {
    const tool = writer();
    const rig = await makeRig({
      tools: [tool],
      mode: 'auto',
      rounds: [calls(call('write', {}, 'theirs')), say('end')],
    });
    await ask(rig);
    const [id] = callIds(rig);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    const { journal } = rig;
    const ids = [journal.of('verdict'), journal.of('tool-start'), journal.of('tool-result')].map(
      (of) => of[0]?.data.callId,
    );
    expect([...ids, tool.contexts[0]?.callId]).toEqual([id, id, id, id]);
    expect(JSON.stringify(journal.entries)).not.toContain('theirs');
  });

  test('T8, T10: two calls under one id are two calls, the same call told twice is one', async () => {
    const tool = read();
    const rounds = [
      calls(call('read', { a: 1 }, 'x'), call('read', { a: 2 }, 'x'), call('read', { a: 1 }, 'x')),
      say('end'),
    ];
    const rig = await makeRig({ tools: [tool], rounds });
    await ask(rig);
    expect(tool.ran).toEqual([{ a: 1 }, { a: 2 }]);
    expect(new Set(callIds(rig)).size).toBe(2);
  });

  test('T11: nothing after the finish counts: a call is run once', async () => {
    const tool = read();
    const rounds = [[call('read', {}, 'x'), finish('tool-calls'), call('read', { b: 1 }, 'y'), finish()], say('end')];
    const rig = await makeRig({ tools: [tool], rounds });
    await ask(rig);
    expect(tool.ran).toEqual([{}]);
  });

  test('LOOP-24: reads run side by side, up to their limit; a write waits for them and runs alone', async () => {
    let open = 0;
    let most = 0;
    let during = -1;
    let release: () => void = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const slow = testTool('slow', {
      run: async () => {
        most = Math.max(most, ++open);
        if (open === 3) release();
        await released;
        open -= 1;
        return ok();
      },
    });
    const write = writer('write', { run: async () => ((during = open), ok()) });
    const four = [1, 2, 3, 4].map((n) => call('slow', { n }));
    const rounds = [calls(...four, call('write')), say('end')];
    const rig = await makeRig({ tools: [slow, write], mode: 'auto', limits: { parallelReads: 3 }, rounds });
    await ask(rig);
    expect([most, during]).toEqual([3, 0]);
    expect(results(rig).map(({ status }) => status)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok']);
  });

  test.each([
    ['none', [1, 1, 1, 1]],
    ['all', [1, 2, 3, 4]],
  ] as const)(
    'LOOP-24, CONF-09: set to %s, the calls of a step overlap accordingly, writes too',
    async (how, expected) => {
      let open = 0;
      const most: number[] = [];
      const run = async (): Promise<ReturnType<typeof ok>> => {
        most.push(++open);
        for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve));
        open -= 1;
        return ok();
      };
      const tools = [testTool('read', { run }), writer('write', { run })];
      const batch = [call('read', { n: 1 }), call('write', { n: 2 }), call('read', { n: 3 }), call('write', { n: 4 })];
      const rig = await makeRig({ tools, mode: 'auto', parallelCalls: how, rounds: [calls(...batch), say('end')] });
      expect(await ask(rig)).toEqual({ type: 'completed' });
      expect(most).toEqual(expected);
      const starts = rig.journal.of('tool-start').map(({ seq }) => seq);
      expect([starts.length, results(rig).every(({ status }) => status === 'ok')]).toEqual([4, true]);
    },
  );

  test('results reach the model in the order of the calls, whichever ended first', async () => {
    let release: () => void = () => {};
    const later = new Promise<void>((resolve) => (release = resolve));
    const tool = testTool('read', {
      run: async ({ state }) => {
        if (JSON.stringify(state) === '{"n":1}') await later;
        else release();
        return ok(JSON.stringify(state));
      },
    });
    const rig = await makeRig({
      tools: [tool],
      rounds: [calls(call('read', { n: 1 }), call('read', { n: 2 })), say('end')],
    });
    await ask(rig);
    const told = rig.model.requests[1]?.messages.flatMap((message) =>
      message.role === 'tool' ? [message.content] : [],
    );
    expect(told).toEqual(['{"n":1}', '{"n":2}']);
  });

  test('CONF-09: a read that a person was asked about does not run beside others', async () => {
    let open = 0;
    const most: number[] = [];
    const secret = testTool('secret', {
      effects: ['read-secret'],
      run: async () => (most.push(++open), await new Promise((done) => setImmediate(done)), (open -= 1), ok()),
    });
    const rounds = [calls(call('secret', { a: 1 }), call('secret', { a: 2 })), say('end')];
    const rig = await makeRig({ tools: [secret], approver: new ScriptedApprover('allow'), rounds });
    await ask(rig);
    expect(most).toEqual([1, 1]);
  });

  test('TOOL-14: a result is cut at its limit, says so, and no character is cut in two', async () => {
    const tool = testTool('read', { run: async () => ok('😀'.repeat(500)) });
    const rig = await makeRig({ tools: [tool], limits: { resultCharacters: 100 }, rounds: [...busy(1), say('end')] });
    await ask(rig);
    const content = results(rig)[0]?.content ?? '';
    expect(content.length).toBeLessThanOrEqual(100);
    expect(content).toContain('[cut here: 900 more characters]');
    expect(content.isWellFormed()).toBe(true);
  });
});

describe('budgets (LOOP-14: outcomes, not errors)', () => {
  const usage = { ...NO_USAGE, input: 60, output: 5, costUsd: 0.5 };
  const paid = [call('read', { n: 1 }), finish('tool-calls', usage)];
  const cases: [string, Partial<Limits>, Outcome, number][] = [
    ['LOOP-17: tool rounds', { toolRounds: 2 }, { type: 'budget-reached', budget: 'tool-rounds', limit: 2 }, 2],
    ['LOOP-22: model rounds', { modelRounds: 2 }, { type: 'budget-reached', budget: 'model-rounds', limit: 2 }, 2],
    ['CONF-13: tool calls', { toolCalls: 2 }, { type: 'budget-reached', budget: 'tool-calls', limit: 2 }, 2],
    [
      'LOOP-21: calls of the session',
      { sessionToolCalls: 3 },
      { type: 'budget-reached', budget: 'session-tool-calls', limit: 3 },
      3,
    ],
  ];
  test.each(cases)('%s', async (_name, limits, outcome, ran) => {
    const tool = read();
    const rig = await makeRig({ tools: [tool], limits, rounds: busy(9) });
    expect(await ask(rig)).toEqual(outcome);
    expect(tool.ran).toHaveLength(ran);
    expect(rig.journal.of('tool-result')).toHaveLength(callIds(rig).length);
    expect(rig.session.lastOutcome).toEqual(outcome);
  });

  test("LOOP-18: tokens, from the provider's figures", async () => {
    const rig = await makeRig({ tools: [read()], limits: { turnTokens: 65 }, rounds: [paid, say('end')] });
    expect(await ask(rig)).toEqual({ type: 'budget-reached', budget: 'tokens', limit: 65 });
  });

  test('LOOP-18: tokens, estimated where the provider gives none', async () => {
    const rounds = [[text('x'.repeat(400)), call('read'), finish('tool-calls', null)], say('end')];
    const rig = await makeRig({ tools: [read()], limits: { turnTokens: 100 }, rounds });
    expect(await ask(rig)).toMatchObject({ budget: 'tokens' });
  });

  test('CONF-13: cost', async () => {
    const rig = await makeRig({ tools: [read()], limits: { turnCostUsd: 0.5 }, rounds: [paid, say('end')] });
    expect(await ask(rig)).toEqual({ type: 'budget-reached', budget: 'cost', limit: 0.5 });
  });

  test('LOOP-17: the answer after the last allowed round costs nothing', async () => {
    const rig = await makeRig({ tools: [read()], limits: { toolRounds: 1 }, rounds: [...busy(1), say('end')] });
    expect(await ask(rig)).toEqual({ type: 'completed' });
  });

  test('LOOP-19: the deadline ends whatever is active, by its name, and is gone afterwards', async () => {
    const tool = testTool('read', { run: () => never() });
    const rig = await makeRig({ tools: [tool], limits: { turnDeadlineMs: 5000 }, rounds: busy(1) });
    await rig.session.submit('go');
    const turn = rig.session.runTurn();
    await until(() => tool.ran.length === 1);
    await rig.clock.advance(5000);
    expect(await turn).toEqual({ type: 'budget-reached', budget: 'deadline', limit: 5000 });
    expect(results(rig)[0]?.status).toBe('cancelled');
    expect(rig.clock.timers).toBe(0);
  });

  test('LOOP-20: a resumed turn has a fresh deadline and what was left of its other budgets', async () => {
    const write = writer();
    const approver = new ScriptedApprover({ type: 'suspend' });
    const limits = { turnDeadlineMs: 5000, toolRounds: 1 };
    const rounds = [calls(call('write', { n: 1 })), calls(call('write', { n: 2 })), say('end')];
    const rig = await makeRig({ tools: [write], approver, limits, rounds });
    expect(await ask(rig)).toMatchObject({ type: 'awaiting-approval' });
    expect(rig.clock.timers).toBe(0);
    await rig.clock.advance(60_000);
    rig.session.setApprover(new ScriptedApprover('allow'));
    expect(await rig.session.runTurn()).toEqual({ type: 'budget-reached', budget: 'tool-rounds', limit: 1 });
    expect(write.ran).toEqual([{ n: 1 }]);

    const late = await makeRig({ tools: [write], approver, limits, rounds: [...rounds.slice(0, 1), hangs()] });
    expect(await ask(late)).toMatchObject({ type: 'awaiting-approval' });
    await late.clock.advance(60_000);
    late.session.setApprover(new ScriptedApprover('allow'));
    const turn = late.session.runTurn();
    await until(() => late.model.requests.length === 2);
    await late.clock.advance(4999);
    expect(late.session.isRunning).toBe(true);
    await late.clock.advance(1);
    expect(await turn).toEqual({ type: 'budget-reached', budget: 'deadline', limit: 5000 });
  });
});

describe('the loop guard', () => {
  const same = calls(call('read', { a: 1, b: 2 }));

  test('LOOP-23: the same call three times in a row ends the turn, however its arguments are spelt', async () => {
    const tool = read();
    const rounds = [same, calls(call('read', '{ "b": 2, "a": 1 }')), same, say('end')];
    const rig = await makeRig({ tools: [tool], rounds });
    expect(await ask(rig)).toEqual({ type: 'loop-detected', call: 'read', times: 3 });
    expect(tool.ran).toHaveLength(2);
    expect(results(rig).map(({ status }) => status)).toEqual(['ok', 'ok', 'cancelled']);
  });

  test('LOOP-23: five times among the last twelve ends it, four do not', async () => {
    const other = (n: number): ReturnType<typeof calls> => calls(call('read', { n }));
    const rounds = [same, other(1), same, other(2), same, other(3), same, other(4), same, say('end')];
    const five = await makeRig({ tools: [read()], rounds });
    expect(await ask(five)).toEqual({ type: 'loop-detected', call: 'read', times: 5 });
    const four = await makeRig({ tools: [read()], rounds: [...rounds.slice(0, 8), say('end')] });
    expect(await ask(four)).toEqual({ type: 'completed' });
  });

  test('LOOP-23: it can be switched off', async () => {
    const limits = { loopSameCallInRow: 0, loopSameCallInWindow: 0 };
    const rig = await makeRig({
      tools: [read()],
      limits,
      rounds: [...Array.from({ length: 20 }, () => same), say('end')],
    });
    expect(await ask(rig)).toEqual({ type: 'completed' });
  });

  test('calls after the repeated one get a result too', async () => {
    const rounds = [same, same, calls(call('read', { a: 1, b: 2 }), call('read', { z: 1 })), say('end')];
    const rig = await makeRig({ tools: [read()], rounds });
    expect(await ask(rig)).toMatchObject({ type: 'loop-detected' });
    expect(rig.journal.of('tool-result')).toHaveLength(4);
  });
});

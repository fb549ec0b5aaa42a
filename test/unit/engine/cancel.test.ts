// Stop, at every stage of a turn: it always comes to rest, every call has one result, and nothing is left behind.
import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { ModelEvent } from '../../../src-main/engine/ports.ts';
import {
  ask,
  call,
  callIds,
  calls,
  hangs,
  makeRig,
  never,
  ok,
  results,
  say,
  ScriptedApprover,
  ScriptedModel,
  testTool,
  text,
  until,
  writer,
  type Rig,
} from '../../helpers/engine-ports.ts';

const CANCELLED = { type: 'cancelled', source: 'person' };

/** Every call of the model has one result, the turn is closed, and no timer is left. */
function expectAtRest(rig: Rig): void {
  const answered = rig.journal.of('tool-result').map(({ data }) => data.callId);
  expect(answered.toSorted()).toEqual(callIds(rig).toSorted());
  expect(rig.session.openTurn).toBeNull();
  expect([rig.clock.timers, rig.session.isRunning]).toEqual([0, false]);
  expect(rig.journal.of('turn-end')).toHaveLength(1);
}

describe('CANC-01: stop', () => {
  test.each([true, false])('CANC-07: while the model streams (adapter minds the abort: %s)', async (minds) => {
    const rig = await makeRig({ rounds: [hangs([text('half')], minds)] });
    await rig.session.submit('go');
    const turn = rig.session.runTurn();
    await until(() => rig.events.some((event) => event.type === 'text-delta'));
    rig.session.stop('person');
    await rig.clock.advance(0);
    await rig.clock.advance(1000);
    expect(await turn).toEqual(CANCELLED);
    expect(rig.journal.of('assistant-message')).toEqual([]);
    expect(rig.journal.of('turn-end')[0]?.data.partial?.text).toBe('half');
    expect(rig.journal.of('abort')[0]?.data.source).toBe('person');
    expectAtRest(rig);
  });

  test('while it waits to try again', async () => {
    const failing = [
      { type: 'error', error: { code: 'provider.unavailable', message: '', retryable: true }, retryAfterMs: 9000 },
    ] as const;
    const rig = await makeRig({ rounds: [failing] });
    await rig.session.submit('go');
    const turn = rig.session.runTurn();
    await until(() => rig.events.some((event) => event.type === 'retry'));
    rig.session.stop('person');
    expect(await turn).toEqual(CANCELLED);
    expectAtRest(rig);
  });

  test('before the first step: the model is not called', async () => {
    const rig = await makeRig();
    const submitting = rig.session.submit('go');
    rig.session.stop('person');
    await submitting;
    expect(await rig.session.runTurn()).toEqual(CANCELLED);
    expect(rig.model.requests).toEqual([]);
    expectAtRest(rig);
    expect(await ask(rig, 'next')).toEqual({ type: 'completed' });
  });

  test('between two steps: the next one does nothing', async () => {
    const rig = await makeRig({ tools: [testTool('read')], rounds: [calls(call('read')), say('end')] });
    await rig.session.submit('go');
    await rig.session.step();
    rig.session.stop('person');
    expect(await rig.session.step()).toEqual({ type: 'ended', outcome: CANCELLED });
    expect(rig.model.requests).toHaveLength(1);
    expectAtRest(rig);
  });

  test.each([true, false])('APPR-25: while a person is asked (approver minds the abort: %s)', async (minds) => {
    const tool = writer();
    const approver = new ScriptedApprover(async (_question, signal) => {
      if (minds) await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      return minds ? { type: 'deny', reason: '', by: 'policy' } : never();
    });
    const rounds = [calls(call('write', { n: 1 }), call('write', { n: 2 })), say('end')];
    const rig = await makeRig({ tools: [tool], approver, rounds });
    await rig.session.submit('go');
    const turn = rig.session.runTurn();
    await until(() => approver.questions.length === 2);
    rig.session.stop('person');
    expect(await turn).toEqual(CANCELLED);
    expect(tool.ran).toEqual([]);
    expect(results(rig).map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
    expectAtRest(rig);
  });

  test('while a tool prepares, also one that hangs', async () => {
    const tool = testTool('read', { prepare: () => never() });
    const rig = await makeRig({ tools: [tool], rounds: [calls(call('read')), say('end')] });
    await rig.session.submit('go');
    const turn = rig.session.runTurn();
    await until(() => tool.prepared === 1);
    rig.session.stop('person');
    expect(await turn).toEqual(CANCELLED);
    expectAtRest(rig);
  });

  test('CANC-03: a started call is waited for, and the rest of the batch is not begun', async () => {
    let done: () => void = () => {};
    const tool = writer('write', { run: () => new Promise((resolve) => (done = () => resolve(ok('written')))) });
    const rounds = [calls(call('write', { n: 1 }), call('write', { n: 2 }), call('write', { n: 3 })), say('end')];
    const rig = await makeRig({ tools: [tool], mode: 'auto', rounds });
    await rig.session.submit('go');
    const turn = rig.session.runTurn();
    await until(() => tool.ran.length === 1);
    rig.session.stop('person');
    await rig.clock.advance(9000);
    expect(rig.session.isRunning).toBe(true);
    done();
    expect(await turn).toEqual(CANCELLED);
    expect(results(rig).map(({ status, content }) => [status, content.slice(0, 7)])).toEqual([
      ['ok', 'written'],
      ['cancelled', 'Not sta'],
      ['cancelled', 'Not sta'],
    ]);
    expect(tool.ran).toHaveLength(1);
    expectAtRest(rig);
  });

  test('CONF-30: a started call that does not end in 10 s is told as of unknown outcome', async () => {
    const tool = writer('write', { run: () => never() });
    const rig = await makeRig({ tools: [tool], mode: 'auto', rounds: [calls(call('write')), say('end')] });
    await rig.session.submit('go');
    const turn = rig.session.runTurn();
    await until(() => tool.ran.length === 1);
    rig.session.stop('person');
    await rig.clock.advance(10_000);
    expect(await turn).toEqual(CANCELLED);
    expect(results(rig)[0]?.status).toBe('unknown');
    expectAtRest(rig);
  });

  test('CANC-04: an interruptible call is given up at once, and what it says later is dropped', async () => {
    let late: () => void = () => {};
    const tool = testTool('read', {
      run: (_prepared, context) =>
        new Promise((resolve) => {
          late = () => {
            context.output('late');
            resolve(ok());
          };
        }),
    });
    const rig = await makeRig({
      tools: [tool],
      rounds: [calls(call('read', { n: 1 }), call('read', { n: 2 })), say('end')],
    });
    await rig.session.submit('go');
    const turn = rig.session.runTurn();
    await until(() => tool.ran.length === 2);
    rig.session.stop('person');
    expect(await turn).toEqual(CANCELLED);
    late();
    await rig.clock.advance(1);
    expect(rig.events.some((event) => event.type === 'call-output')).toBe(false);
    expect(results(rig)).toHaveLength(2);
    expectAtRest(rig);
  });

  test('between a start that became durable and its effect: the effect does not begin', async () => {
    const tool = writer();
    const rig = await makeRig({ tools: [tool], mode: 'auto', rounds: [calls(call('write')), say('end')] });
    rig.journal.onAppend = (_number, entries) => {
      if (entries.some((entry) => entry.kind === 'tool-start')) rig.session.stop('person');
    };
    expect(await ask(rig)).toEqual(CANCELLED);
    expect(tool.ran).toEqual([]);
    expect(results(rig)[0]?.status).toBe('cancelled');
    expectAtRest(rig);
  });

  test('TOOL-22: by whoever hears that a call starts: the effect does not begin', async () => {
    const tool = writer();
    const rig = await makeRig({ tools: [tool], mode: 'auto', rounds: [calls(call('write')), say('end')] });
    rig.session.on((event) => {
      if (event.type === 'call-start') rig.session.stop('person');
    });
    expect(await ask(rig)).toEqual(CANCELLED);
    expect(tool.ran).toEqual([]);
    expectAtRest(rig);
  });

  test('an answer that was whole when it was stopped stays whole', async () => {
    const rig = await makeRig({ rounds: [[text('all'), { type: 'finish', reason: 'stop', usage: null }]] });
    rig.session.on((event) => {
      if (event.type === 'text-delta') queueMicrotask(() => queueMicrotask(() => rig.session.stop('person')));
    });
    const outcome = await ask(rig);
    const stored = rig.journal.of('assistant-message').length;
    expect([outcome.type, stored]).toEqual(stored === 1 ? ['completed', 1] : ['cancelled', 0]);
    expectAtRest(rig);
  });

  test('CANC-08, CONF-05: what was finished stays, and the turn can be gone on with', async () => {
    const tool = testTool('read');
    const rig = await makeRig({ tools: [tool], rounds: [calls(call('read')), hangs(), say('end')] });
    await rig.session.submit('go');
    const turn = rig.session.runTurn();
    await until(() => rig.model.requests.length === 2);
    rig.session.stop('person');
    await turn;
    await rig.session.continueTurn();
    expect(await rig.session.runTurn()).toEqual({ type: 'completed' });
    expect(rig.model.requests[2]?.messages.map((message) => message.role)).toEqual(['user', 'assistant', 'tool']);
    expect(tool.ran).toHaveLength(1);
  });

  test('the first source counts, and stop with no turn does nothing', async () => {
    const rig = await makeRig({ rounds: [hangs(), say('end')] });
    rig.session.stop('nobody');
    await rig.session.submit('go');
    const turn = rig.session.runTurn();
    await until(() => rig.model.requests.length === 1);
    rig.session.stop('person');
    rig.session.stop('shutdown');
    expect(await turn).toEqual(CANCELLED);
    rig.session.stop('late');
    expect(await ask(rig)).toEqual({ type: 'completed' });
  });
});

describe('who stopped, and what began', () => {
  test('CANC-02: whoever is given the signal can wait for it beside its own work, and sees it at once', async () => {
    const seen: string[] = [];
    const watch = (who: string, signal: AbortSignal): Promise<never> =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          seen.push(who);
          reject(new TypeError('stopped'));
        });
      });
    const tool = testTool('read', {
      run: async (_prepared, { signal }) => Promise.race([watch('tool', signal), never<never>()]),
    });
    const rig = await makeRig({ tools: [tool], rounds: [calls(call('read')), say('end')] });
    await rig.session.submit('go');
    const turn = rig.session.runTurn();
    await until(() => tool.ran.length === 1);
    rig.session.stop('person');
    expect(seen).toEqual(['tool']);
    expect(await turn).toEqual(CANCELLED);
    expectAtRest(rig);
  });

  test('CANC-06: a stream that has no way to be ended is dropped: it is asked for nothing more', async () => {
    let asked = 0;
    const next = async (): Promise<IteratorResult<ModelEvent>> => {
      asked += 1;
      return asked === 1 ? { done: false, value: text('half') } : never();
    };
    const stream = (): AsyncIterable<ModelEvent> => ({ [Symbol.asyncIterator]: () => ({ next }) });
    const rig = await makeRig({ model: Object.assign(new ScriptedModel([]), { stream }) });
    await rig.session.submit('go');
    const turn = rig.session.runTurn();
    await until(() => asked === 2);
    rig.session.stop('person');
    expect(await turn).toEqual(CANCELLED);
    await rig.clock.advance(10_000);
    expect(asked).toBe(2);
    expectAtRest(rig);
  });

  test('CANC-12: the marker names who stopped it, and what was finished before it stands', async () => {
    const rounds = [calls(call('write', { n: 1 })), hangs([text('half')])];
    const rig = await makeRig({ tools: [writer()], mode: 'auto', rounds });
    await rig.session.submit('go');
    const turn = rig.session.runTurn();
    await until(() => rig.model.requests.length === 2);
    rig.session.stop('watchdog');
    expect(await turn).toEqual({ type: 'cancelled', source: 'watchdog' });
    const kinds = rig.journal.entries.map((entry) => entry.kind);
    expect(kinds.slice(-3)).toEqual(['step-end', 'abort', 'turn-end']);
    expect(rig.journal.of('abort')[0]?.data.source).toBe('watchdog');
    expect(results(rig)).toEqual([{ status: 'ok', content: 'done' }]);
    expectAtRest(rig);
  });

  test('CONF-29: a stop closes the turn, so that a message, a clear or going on are taken at once', async () => {
    for (const verb of ['submit', 'clearContext', 'continueTurn'] as const) {
      const rig = await makeRig({ rounds: [hangs(), say('on')] });
      await rig.session.submit('go');
      const turn = rig.session.runTurn();
      await until(() => rig.model.requests.length === 1);
      rig.session.stop('person');
      await turn;
      await rig.session[verb]('next');
      if (verb !== 'clearContext') expect(await rig.session.runTurn()).toEqual({ type: 'completed' });
    }
  });
});

test('no listener is left on any signal that a port was given, however the turn ended', async () => {
  const listeners = (signals: readonly AbortSignal[]): number[] =>
    signals.map((signal) => getEventListeners(signal, 'abort').length);
  const tool = testTool('secret', { effects: ['read-secret'] });
  const approver = new ScriptedApprover('allow');
  const rounds = [calls(call('secret', { n: 1 }), call('secret', { n: 2 })), calls(call('secret', { n: 3 }))];
  const rig = await makeRig({ tools: [tool], approver, rounds: [...rounds, say('end')] });
  await rig.session.submit('go');
  await rig.session.step();
  // Between steps the turn's signal is alive: nothing may hang on it.
  const midway = [...rig.model.signals, ...approver.signals, ...tool.contexts.map((context) => context.signal)];
  expect(new Set(listeners(midway))).toEqual(new Set([0]));
  await rig.session.runTurn();
  expect(new Set(listeners([...rig.model.signals, ...approver.signals]))).toEqual(new Set([0]));
  expect(rig.clock.timers).toBe(0);
});

// One model round: deltas, retries, stalls, cuts and adapters that break their contract.
import { describe, expect, test } from 'vitest';
import type { WireError } from '../../../src-main/contract/errors.ts';
import type { ModelEvent } from '../../../src-main/engine/ports.ts';
import {
  ask,
  call,
  calls,
  finish,
  hangs,
  makeRig,
  say,
  testTool,
  text,
  until,
  type Rig,
  type Round,
} from '../../helpers/engine-ports.ts';

const error = (code: WireError['code'], retryAfterMs: number | null = null, retryable = true): ModelEvent => ({
  type: 'error',
  error: { code, message: code, retryable },
  retryAfterMs,
});
const deltas = (rig: Rig): string =>
  rig.events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');
const answers = (rig: Rig): string[] =>
  rig.journal
    .of('assistant-message')
    .map(({ data }) => data.parts.map((part) => (part.type === 'text' ? part.text : '')).join(''));
const retries = (rig: Rig): number[] => rig.events.flatMap((event) => (event.type === 'retry' ? [event.waitMs] : []));

/** Starts a turn and lets time run until it ends. */
async function runWhileTimePasses(rig: Rig): ReturnType<typeof ask> {
  await rig.session.submit('go');
  const ended = new AbortController();
  const turn = rig.session.runTurn().finally(() => ended.abort());
  for (let seconds = 0; !ended.signal.aborted && seconds < 4000; seconds++) await rig.clock.advance(1000);
  return turn;
}

describe('the answer', () => {
  test('EVT-03: the deltas concatenate to the answer, across calls, empty deltas and reasoning', async () => {
    const reasoning = (words: string): ModelEvent => ({ type: 'reasoning', text: words });
    const round = [reasoning('r1'), text('a'), text(''), text('b'), call('read'), text('c'), finish('tool-calls')];
    const rig = await makeRig({ tools: [testTool('read')], rounds: [round, say('d')] });
    await ask(rig);
    expect(deltas(rig)).toBe('abcd');
    expect(answers(rig).join('')).toBe('abcd');
    expect(rig.journal.of('assistant-message')[0]?.data.parts.map((part) => part.type)).toEqual([
      'reasoning',
      'text',
      'tool-call',
      'text',
    ]);
  });

  test('EVT-07: deltas are told before the answer is stored, and the stored answer is no delta', async () => {
    const rig = await makeRig({ rounds: [[text('a'), text('b'), finish()]] });
    await ask(rig);
    const kinds = rig.events.map((event) =>
      event.type === 'entries-append' ? event.entries.map((entry) => entry.kind).join(' ') : event.type,
    );
    expect(kinds).toEqual([
      'user-message',
      'step-start',
      'text-delta',
      'text-delta',
      'assistant-message step-end turn-end',
      'turn-end',
    ]);
  });

  test.each(['stop', 'other', 'tool-calls'] as const)(
    'an empty answer (%s) is a failure, not a completed turn',
    async (reason) => {
      const rig = await makeRig({ rounds: [[finish(reason)]], limits: { providerRetries: 0 } });
      expect(await ask(rig)).toMatchObject({ type: 'failed', error: { code: 'provider.bad-response' } });
      expect(rig.journal.of('assistant-message')).toEqual([]);
    },
  );

  test('an answer of reasoning alone is a failure that keeps the reasoning as partial', async () => {
    const rig = await makeRig({ rounds: [[{ type: 'reasoning', text: 'hm' }, finish()]] });
    expect(await ask(rig)).toMatchObject({ type: 'failed', error: { code: 'provider.bad-response' } });
    expect(rig.journal.of('turn-end')[0]?.data.partial).toEqual({ text: '', reasoning: 'hm' });
    expect(rig.model.requests).toHaveLength(1);
  });

  test('an answer cut by the token limit is never shown as whole, and its calls never run', async () => {
    const tool = testTool('read');
    const rig = await makeRig({ tools: [tool], rounds: [[text('half'), call('read', '{"pa'), finish('length')]] });
    expect(await ask(rig)).toMatchObject({ type: 'failed', error: { code: 'provider.answer-cut' } });
    expect(tool.ran).toEqual([]);
    expect(rig.journal.of('assistant-message')[0]?.data).toMatchObject({ finish: 'length', parts: [{ text: 'half' }] });
    await rig.session.continueTurn();
    expect(rig.session.request().messages.map((message) => message.role)).toEqual(['user', 'assistant', 'user']);
  });

  test('PERF-07: a hundred thousand deltas are one answer, and leave nothing behind', async () => {
    const many = Array.from({ length: 100_000 }, () => text('ab '));
    const rig = await makeRig({ rounds: [[...many, finish()]] });
    expect(await ask(rig)).toEqual({ type: 'completed' });
    expect(answers(rig)[0]).toHaveLength(300_000);
    expect(rig.clock.timers).toBe(0);
  });
});

describe('retries', () => {
  test('T17: before any output the same model is tried again, after the wait that it asked for', async () => {
    const rig = await makeRig({
      rounds: [[error('provider.rate-limited', 7000)], [error('provider.unavailable')], say('hi')],
    });
    expect(await runWhileTimePasses(rig)).toEqual({ type: 'completed' });
    expect(retries(rig)).toEqual([7000, 1000]);
    expect(answers(rig)).toEqual(['hi']);
  });

  test.each([
    ['text', text('x')],
    ['reasoning', { type: 'reasoning', text: 'x' }],
    ['a growing call', { type: 'call-draft', name: 'read', bytes: 3 }],
    ['a call', call('read')],
  ] as [string, ModelEvent][])('T17: after %s nothing is tried again', async (_name, event) => {
    const tool = testTool('read');
    const rig = await makeRig({ tools: [tool], rounds: [[event, error('provider.unavailable')], say('hi')] });
    expect(await runWhileTimePasses(rig)).toMatchObject({ type: 'failed', error: { code: 'provider.unavailable' } });
    expect(rig.model.requests).toHaveLength(1);
    expect(tool.ran).toEqual([]);
  });

  test('CONF-15: what is not retryable, or asks for a very long wait, is told at once', async () => {
    for (const first of [error('provider.auth', null, false), error('provider.rate-limited', 3_600_000)]) {
      const rig = await makeRig({ rounds: [[first], say('hi')] });
      expect(await ask(rig)).toMatchObject({ type: 'failed' });
      expect(retries(rig)).toEqual([]);
    }
  });

  test('retries end: three by default', async () => {
    const rig = await makeRig({ rounds: [[error('provider.unavailable')]] });
    expect(await runWhileTimePasses(rig)).toMatchObject({ type: 'failed' });
    expect(retries(rig)).toEqual([500, 1000, 2000]);
    expect(rig.model.requests).toHaveLength(4);
  });
});

describe('streams that do not end well', () => {
  test('a stream without an end is a cut answer: kept as partial, never as an answer', async () => {
    const rig = await makeRig({ rounds: [[text('half')]] });
    expect(await ask(rig)).toMatchObject({ type: 'failed', error: { code: 'provider.stream-cut' } });
    expect(answers(rig)).toEqual([]);
    expect(rig.journal.of('turn-end')[0]?.data.partial).toEqual({ text: 'half', reasoning: '' });
    await rig.session.submit('next');
    expect(JSON.stringify(rig.session.request())).not.toContain('half');
  });

  test('T19: a stream that ends inside a call runs nothing of it', async () => {
    const tool = testTool('read');
    const rig = await makeRig({
      tools: [tool],
      rounds: [[call('read'), { type: 'call-draft', name: 'read', bytes: 1 }]],
    });
    expect(await ask(rig)).toMatchObject({ error: { code: 'provider.stream-cut' } });
    expect(tool.ran).toEqual([]);
  });

  test('T16: a stream that goes silent is stalled after the idle time', async () => {
    const rig = await makeRig({ rounds: [hangs([text('a')])], limits: { idleStreamMs: 5000 } });
    const outcome = await runWhileTimePasses(rig);
    expect(outcome).toMatchObject({ type: 'failed', error: { code: 'provider.stalled' } });
    expect(rig.journal.of('turn-end')[0]?.data.partial?.text).toBe('a');
  });

  test('T16: data of any kind keeps it alive; what the adapter does not tell (comments) does not', async () => {
    let send: (event: ModelEvent) => void = () => {};
    const live: Round = async function* () {
      for (;;) {
        const event = await new Promise<ModelEvent>((resolve) => (send = resolve));
        yield event;
        if (event.type === 'finish') return;
      }
    };
    const rig = await makeRig({ rounds: [live], limits: { idleStreamMs: 5000 } });
    await rig.session.submit('go');
    const turn = rig.session.runTurn();
    await until(() => rig.model.requests.length === 1);
    for (const event of [{ type: 'activity' }, text('a'), { type: 'activity' }, text('b'), finish()] as ModelEvent[]) {
      await rig.clock.advance(4900);
      send(event);
      await rig.clock.advance(0);
    }
    expect(await turn).toEqual({ type: 'completed' });
    expect(answers(rig)).toEqual(['ab']);
  });

  test.each([true, false])('a stall before any output is tried again (adapter minds the abort: %s)', async (minds) => {
    const rig = await makeRig({ rounds: [hangs([], minds), say('hi')], limits: { idleStreamMs: 5000 } });
    expect(await runWhileTimePasses(rig)).toEqual({ type: 'completed' });
    expect(rig.clock.timers).toBe(0);
  });

  test.each([
    [
      'throws while it streams',
      async function* () {
        await Promise.resolve();
        throw new TypeError('boom');
      },
    ],
    [
      'throws at once',
      () => {
        throw new TypeError('boom');
      },
    ],
    ['gives no stream', () => JSON.parse('{}') as never],
  ] as [string, Round][])('an adapter that %s fails the round, not the session', async (_name, round) => {
    const rig = await makeRig({ rounds: [round], limits: { providerRetries: 0 } });
    expect(await ask(rig)).toMatchObject({ type: 'failed', error: { code: 'provider.bad-response' } });
    expect(rig.session.openTurn).toBeNull();
    expect(rig.clock.timers).toBe(0);
  });

  test('CANC-05: an early end waits until the stream has left', async () => {
    let left = false;
    const round: Round = async function* () {
      try {
        yield text('a');
        yield error('provider.unavailable');
      } finally {
        // Longer than anything that the turn's end does by itself.
        await new Promise((resolve) => setImmediate(resolve));
        left = true;
      }
    };
    const rig = await makeRig({ rounds: [round] });
    await ask(rig);
    expect(left).toBe(true);
  });

  test('calls of a round that failed never run, those of a good one do', async () => {
    const tool = testTool('read');
    const rounds = [calls(call('read', { n: 1 })), [call('read', { n: 2 }), error('provider.stream-cut')]];
    const rig = await makeRig({ tools: [tool], rounds });
    expect(await ask(rig)).toMatchObject({ type: 'failed' });
    expect(tool.ran).toEqual([{ n: 1 }]);
  });
});

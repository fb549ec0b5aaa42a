// Events: their order and tags, the contract of deltas with the answer, consumers that must not miss any, and the records
// of the rounds.
import { writeFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { turnRecordSchema } from '../../../src-main/contract/turn-records.ts';
import type { EngineEvent } from '../../../src-main/engine/engine-events.ts';
import type { ModelEvent } from '../../../src-main/engine/ports.ts';
import { toRecordLines } from '../../../src-main/engine/turn-records.ts';
import {
  ask,
  call,
  calls,
  diskFull,
  finish,
  hangs,
  makeRig,
  NO_USAGE,
  say,
  ScriptedModel,
  testTool,
  text,
  until,
  writer,
  type Rig,
} from '../../helpers/engine-ports.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

const usage = { ...NO_USAGE, input: 10, output: 2 };
const reasoning = (words: string): ModelEvent => ({ type: 'reasoning', text: words });
const whole = (answer: { text?: string; reasoning?: string }): ModelEvent => ({
  type: 'finish',
  reason: 'stop',
  usage: null,
  ...answer,
});
const joined = (rig: Rig, type: 'text-delta' | 'reasoning-delta'): string =>
  rig.events.map((event) => (event.type === type ? event.text : '')).join('');
const kinds = (events: readonly EngineEvent[]): string[] =>
  events.map((event) =>
    event.type === 'entries-append' ? event.entries.map((entry) => entry.kind).join(' ') : event.type,
  );

describe('order and tags', () => {
  test('EVT-01: every event is a typed value, and a listener hears them in the order in which they happened', async () => {
    const rounds = [[text('a'), call('write'), finish('tool-calls')], say('b')];
    const rig = await makeRig({ tools: [writer()], mode: 'auto', rounds });
    await ask(rig);
    expect(kinds(rig.events)).toEqual([
      'user-message',
      'step-start',
      'text-delta',
      'assistant-message verdict tool-start',
      'call-start',
      'call-end',
      'tool-result step-end',
      'step-start',
      'text-delta',
      'assistant-message step-end turn-end',
      'turn-end',
    ]);
  });

  test('EVT-02: what a provider tells on its way carries turn and step, and the usage of the end alone is committed', async () => {
    const failing: ModelEvent = {
      type: 'error',
      error: { code: 'provider.unavailable', message: '', retryable: true },
      retryAfterMs: 0,
    };
    const rounds = [
      [failing],
      [text('a'), { type: 'call-draft', name: 'read', bytes: 3 }, call('read'), finish('tool-calls', usage)],
      [reasoning('r'), text('b'), finish('stop', { ...usage, input: 30 })],
    ] as const;
    const rig = await makeRig({ tools: [testTool('read')], rounds });
    await rig.session.submit('go');
    const turn = rig.session.runTurn();
    await until(() => rig.events.some((event) => event.type === 'retry'));
    await rig.clock.advance(0);
    await turn;
    const turnId = rig.session.turn()?.turnId;
    const told = rig.events.flatMap((event) => ('step' in event ? [[event.type, event.turnId, event.step]] : []));
    expect(told).toEqual([
      ['step-start', turnId, 1],
      ['retry', turnId, 1],
      ['text-delta', turnId, 1],
      ['call-draft', turnId, 1],
      ['step-start', turnId, 2],
      ['reasoning-delta', turnId, 2],
      ['text-delta', turnId, 2],
    ]);
    expect(rig.journal.of('assistant-message').map(({ data }) => data.usage?.input)).toEqual([10, 30]);
  });

  test('EVT-10: the sink of a host is put in the place of the one before, and changes nothing else', async () => {
    const heard: string[] = [];
    const rig = await makeRig();
    const before = rig.session.request();
    rig.session.setSink((event) => heard.push(`first ${event.type}`));
    await rig.session.submit('go');
    rig.session.setSink((event) => heard.push(`second ${event.type}`));
    await rig.session.step();
    rig.session.setSink(null);
    await rig.session.send('next');
    expect(heard[0]).toBe('first entries-append');
    expect(heard.slice(1).every((one) => one.startsWith('second'))).toBe(true);
    expect(heard.filter((one) => one.endsWith('turn-end'))).toHaveLength(1);
    expect(rig.session.request().tools).toEqual(before.tools);
  });

  test('EVT-11, CANC-12: a turn that was stopped is told live, by whom, and marked in what is stored', async () => {
    const rig = await makeRig({ rounds: [hangs([text('half')])] });
    await rig.session.submit('go');
    const turn = rig.session.runTurn();
    await until(() => rig.events.some((event) => event.type === 'text-delta'));
    rig.session.stop('person');
    await turn;
    const outcome = { type: 'cancelled', source: 'person' };
    expect(rig.events.at(-1)).toMatchObject({ type: 'turn-end', outcome });
    expect(rig.journal.of('abort').map(({ data }) => data.source)).toEqual(['person']);
    expect(rig.journal.of('turn-end')[0]?.data).toMatchObject({ outcome, partial: { text: 'half' } });
  });

  test('EVT-16: a clear takes the conversation from the model, and nothing from what a host shows', async () => {
    const rig = await makeRig();
    await ask(rig);
    const shown = rig.events.flatMap((event) => (event.type === 'entries-append' ? event.entries : []));
    await rig.session.clearContext('person');
    expect(rig.session.history()).toEqual([]);
    const later = rig.events.flatMap((event) => (event.type === 'entries-append' ? event.entries : []));
    expect(later.slice(0, shown.length)).toEqual(shown);
    expect(rig.journal.entries.slice(0, shown.length)).toEqual(shown);
    expect(later.at(-1)?.kind).toBe('context-clear');
  });
});

describe('deltas and the answer', () => {
  test('EVT-04: what the terminal answer has beyond what was streamed is told before the end', async () => {
    const rig = await makeRig({ rounds: [[text('ab'), whole({ text: 'abcd' })]] });
    expect(await ask(rig)).toEqual({ type: 'completed' });
    expect(joined(rig, 'text-delta')).toBe('abcd');
    expect(kinds(rig.events).slice(-3)).toEqual(['text-delta', 'assistant-message step-end turn-end', 'turn-end']);
    expect(rig.session.turn()?.text).toBe('abcd');
  });

  test('EVT-04: an answer that comes at the end alone is told as one delta', async () => {
    const rig = await makeRig({ rounds: [[whole({ text: 'all' })]] });
    expect(await ask(rig)).toEqual({ type: 'completed' });
    expect([joined(rig, 'text-delta'), rig.session.turn()?.text]).toEqual(['all', 'all']);
  });

  test.each([
    ['other words', 'xy'],
    ['fewer words', 'a'],
    ['none', ''],
  ])('EVT-05: a terminal answer of %s than was streamed fails the turn, and is no answer', async (_name, terminal) => {
    const rig = await makeRig({ rounds: [[text('ab'), whole({ text: terminal })], say('again')] });
    expect(await ask(rig)).toMatchObject({ type: 'failed', error: { code: 'provider.protocol' } });
    expect(rig.journal.of('assistant-message')).toEqual([]);
    expect(rig.journal.of('turn-end')[0]?.data.partial?.text).toBe('ab');
    expect(rig.model.requests).toHaveLength(1);
  });

  test('EVT-06: reasoning keeps the same contract: a rest is told, another one fails the turn', async () => {
    const rest = await makeRig({ rounds: [[reasoning('h'), text('a'), whole({ reasoning: 'hm', text: 'a' })]] });
    expect(await ask(rest)).toEqual({ type: 'completed' });
    expect([joined(rest, 'reasoning-delta'), rest.session.turn()?.reasoning]).toEqual(['hm', 'hm']);
    const late = await makeRig({ rounds: [[text('a'), whole({ reasoning: 'hm' })]] });
    await ask(late);
    expect(joined(late, 'reasoning-delta')).toBe('hm');
    const other = await makeRig({ rounds: [[reasoning('h'), text('a'), whole({ reasoning: 'x' })]] });
    expect(await ask(other)).toMatchObject({ type: 'failed', error: { code: 'provider.protocol' } });
  });

  test('EVT-09, HIST-07: reasoning stays in events and in the turn where the model cannot be sent it, and is in no request', async () => {
    const rounds = [[reasoning('hm'), text('a'), finish()], say('b')];
    const model = new ScriptedModel(rounds, { capabilities: { reasoningHistory: false } });
    const rig = await makeRig({ model });
    const turn = await rig.session.send('go');
    expect([joined(rig, 'reasoning-delta'), turn.reasoning]).toEqual(['hm', 'hm']);
    expect(JSON.stringify([turn.messages, rig.session.history()])).not.toContain('hm');
    await rig.session.send('next');
    expect(JSON.stringify(model.requests)).not.toContain('hm');
    expect(model.requests[1]?.messages[1]).toMatchObject({ role: 'assistant', parts: [{ type: 'text', text: 'a' }] });
  });
});

describe('EVT-08, CONF-22: a consumer that must not miss an event', () => {
  const failsAt = (type: EngineEvent['type']) => (event: EngineEvent) => {
    if (event.type === type) throw new TypeError('disk of the recorder');
  };

  test.each([
    ['step-start', ''],
    ['text-delta', 'a'],
    ['entries-append', 'ab'],
    ['turn-end', 'ab'],
  ] as const)(
    'EVT-08: when it fails at %s the model is stopped and awaited, and the turn is taken back',
    async (type, told) => {
      let left = false;
      const round = async function* (): AsyncGenerator<ModelEvent> {
        try {
          yield text('a');
          yield text('b');
          yield finish();
        } finally {
          left = true;
        }
      };
      const rig = await makeRig({ rounds: [say('one'), round, say('three')] });
      await ask(rig);
      const before = rig.session.history();
      const said = joined(rig, 'text-delta');
      await rig.session.submit('next');
      const outcome = await rig.session.runTurn({ consumer: failsAt(type) });
      expect(outcome).toMatchObject({
        type: 'failed',
        error: { message: expect.stringContaining('recorder') as string },
      });
      expect(type === 'step-start' || left).toBe(true);
      expect(joined(rig, 'text-delta')).toBe(said + told);
      expect(rig.session.history()).toEqual(before);
      expect([rig.session.openTurn, rig.clock.timers]).toEqual([null, 0]);
      expect(await ask(rig, 'again')).toEqual({ type: 'completed' });
      expect(rig.model.requests.at(-1)?.messages).toEqual([...before, { role: 'user', text: 'again' }]);
    },
  );

  test('EVT-08: what it rejects later counts as well, and events keep their order for it', async () => {
    const heard: string[] = [];
    const slow = async (event: EngineEvent): Promise<void> => {
      await new Promise((resolve) => setImmediate(resolve));
      heard.push(event.type);
    };
    const rig = await makeRig({ rounds: [[text('a'), text('b'), finish()], say('two')] });
    await rig.session.send('go', { consumer: slow });
    expect(heard).toEqual(rig.events.slice(1).map((event) => event.type));
    const turn = await rig.session.send('next', { consumer: () => Promise.reject(new TypeError('late')) });
    expect(turn).toMatchObject({ outcome: { type: 'failed' }, messages: [] });
  });

  test('EVT-08: once a tool ran its batch stays, whole', async () => {
    const rounds = [calls(call('write', { n: 1 }), call('write', { n: 2 })), say('end')];
    const tool = writer();
    const rig = await makeRig({ tools: [tool], mode: 'auto', rounds });
    await rig.session.submit('go');
    const outcome = await rig.session.runTurn({ consumer: failsAt('call-end') });
    expect(outcome).toMatchObject({ type: 'failed' });
    expect(tool.ran).toEqual([{ n: 1 }]);
    expect(rig.session.history().map((message) => message.role)).toEqual(['user', 'assistant', 'tool', 'tool']);
    expect(rig.journal.of('turn-discard')).toEqual([]);
  });

  test('EVT-08: a journal that refuses meanwhile is owed the end once, and the turn is taken back when it takes it', async () => {
    const rig = await makeRig({ rounds: [say('one'), say('two')] });
    rig.journal.onAppend = (number) => {
      if (number === 1 || number === 2 || number === 3) throw diskFull();
    };
    await rig.session.submit('go');
    expect(await rig.session.runTurn({ consumer: failsAt('step-start') })).toMatchObject({ type: 'failed' });
    rig.journal.onAppend = () => {};
    await rig.session.submit('next');
    expect([rig.journal.of('turn-end').length, rig.journal.of('turn-discard').length]).toEqual([1, 1]);
    expect(rig.session.history()).toEqual([{ role: 'user', text: 'next' }]);
  });

  test('EVT-08: with one step at a time it is the same, and a turn that waits is taken back too', async () => {
    const approver = { ask: async () => ({ type: 'suspend' }) as const };
    const rig = await makeRig({ tools: [writer()], approver, rounds: [calls(call('write')), say('end')] });
    await rig.session.submit('go');
    expect(await rig.session.step({ consumer: failsAt('turn-end') })).toMatchObject({ outcome: { type: 'failed' } });
    expect([rig.session.history(), rig.session.openTurn, rig.session.isWaiting]).toEqual([[], null, false]);
  });
});

describe('records of the rounds', () => {
  async function recorded(): Promise<Rig> {
    const failing: ModelEvent = {
      type: 'error',
      error: { code: 'provider.rate-limited', message: '', retryable: true },
      retryAfterMs: 0,
    };
    const rounds = [[failing], [call('read'), finish('tool-calls', usage)], hangs([text('b')])] as const;
    const rig = await makeRig({ tools: [testTool('read')], rounds });
    await rig.session.submit('go');
    const turn = rig.session.runTurn();
    await until(() => rig.events.some((event) => event.type === 'retry'));
    await rig.clock.advance(0);
    await until(() => rig.model.requests.length === 3);
    rig.session.stop('person');
    await turn;
    return rig;
  }

  test('EVT-13: each round is bracketed by what was sent, used and how it ended, with retries and stops between (no effort or goal yet)', async () => {
    const rig = await recorded();
    expect(rig.session.records().map((record) => record.type)).toEqual([
      'context',
      'retry',
      'usage',
      'finish',
      'context',
      'abort',
      'end',
    ]);
    expect(rig.session.records()).toMatchObject([
      { step: 1, messages: 1, tools: 1, characters: 2, model: 'test:scripted' },
      { attempt: 1, code: 'provider.rate-limited' },
      { step: 1, usage },
      { step: 1, finish: 'tool-calls' },
      { step: 2, messages: 3 },
      { source: 'person' },
      { outcome: { type: 'cancelled' } },
    ]);
  });

  test('EVT-14: the records can be kept beside a session as lines of JSON', async () => {
    const rig = await recorded();
    const file = path.join(await tempFolder(), `${rig.session.id}.events.jsonl`);
    await writeFile(file, toRecordLines(rig.session.records()));
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    expect(lines.map((line) => turnRecordSchema.parse(JSON.parse(line)))).toEqual(rig.session.records());
    expect(toRecordLines(rig.session.records(), rig.session.turn()?.turnId)).toBe(`${lines.join('\n')}\n`);
  });
});

// The request is kept within the model's window: old results and the old beginning are set aside for the model alone,
// each of it inverts exactly, no pair is ever cut, and what does not fit is refused before it is sent.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Entry } from '../../../src-main/contract/entries.ts';
import type { ContextConfig } from '../../../src-main/engine/context-keeper.ts';
import type { ModelEvent, ModelMessage, ModelRequest } from '../../../src-main/engine/ports.ts';
import { Projection } from '../../../src-main/engine/project-request.ts';
import {
  ask,
  call,
  calls,
  finish,
  makeRig,
  ok,
  say,
  ScriptedModel,
  testTool,
  text,
  type Rig,
  type RigOptions,
  type Round,
} from '../../helpers/engine-ports.ts';

const tooLong: ModelEvent = {
  type: 'error',
  error: { code: 'provider.context-too-long', message: 'too long', retryable: false },
  retryAfterMs: null,
};
const sizeOf = (request: ModelRequest | undefined): number => JSON.stringify(request?.messages ?? '').length;
const long = (n: number, characters = 6000): string => `${n} `.padEnd(characters, 'word ');

/** A chat with a model of this window whose tool gives long results. */
async function rigWith(
  options: RigOptions & { window?: number | null; context?: ContextConfig; characters?: number },
): Promise<Rig> {
  const { window = 10_000, rounds = [say('hello')], characters, ...rest } = options;
  let n = 0;
  const read = testTool('read', { run: async () => ok(long(n++, characters)) });
  const model = new ScriptedModel(rounds, { capabilities: { contextWindow: window } });
  return makeRig({ model, tools: [read], ...rest });
}

/** Rounds that read so many times, one after the other, and then answer. */
const reads = (count: number): Round[] => [
  ...Array.from({ length: count }, (_, n) => calls(call('read', { n }))),
  say('read it all'),
];

/** Each call has its result right behind its message, and no result is without its call. */
function expectValid(messages: readonly ModelMessage[]): void {
  const open: string[] = [];
  for (const message of messages) {
    if (message.role === 'tool') expect(message.callId).toBe(open.shift());
    else expect(open).toEqual([]);
    if (message.role === 'assistant')
      for (const part of message.parts) if (part.type === 'tool-call') open.push(part.callId);
  }
  expect(open).toEqual([]);
}

const reductions = (rig: Rig) => rig.journal.of('reduction');

describe('a window that fills', () => {
  test('CTX-17: old results are set aside in the request, and history itself is never changed', async () => {
    const rig = await rigWith({ rounds: reads(12) });
    expect(await ask(rig)).toEqual({ type: 'completed' });
    expect(reductions(rig).length).toBeGreaterThan(0);
    const sent = rig.model.requests.at(-1);
    expect(sizeOf(sent) * 0.3).toBeLessThan(10_000);
    for (const request of rig.model.requests) expectValid(request.messages);
    const whole = rig.session.history().filter((message) => message.role === 'tool');
    expect(whole.map(({ content }) => content)).toEqual(Array.from({ length: 12 }, (_, n) => long(n)));
    expect(rig.session.request().messages).not.toEqual(rig.session.history());
  });

  test('CTX-07: a chat is made to fit at 80 % of the known window, in the middle of a turn too, and not before', async () => {
    const rig = await rigWith({ rounds: reads(12) });
    await ask(rig);
    const [first] = reductions(rig);
    expect(first?.data).toMatchObject({ cause: 'full', by: 'program' });
    expect(first?.data.before).toBeGreaterThan(8000);
    expect(first?.data.after).toBeLessThan(8000);
    const small = await rigWith({ rounds: reads(3) });
    await ask(small);
    expect(reductions(small)).toEqual([]);
  });

  test('a window that is not known, or automatic that is off, sets nothing aside by itself', async () => {
    for (const how of [{ window: null }, { context: { automatic: false, guard: false } }]) {
      const rig = await rigWith({ rounds: reads(12), ...how });
      await ask(rig);
      expect(reductions(rig)).toEqual([]);
      expect(rig.session.request().messages).toEqual(rig.session.history());
    }
  });

  test('what is sent begins the same from step to step for as long as nothing is set aside', async () => {
    const rig = await rigWith({ rounds: reads(12) });
    await ask(rig);
    const { requests } = rig.model;
    let changes = 0;
    for (const [at, request] of requests.entries()) {
      const before = requests[at - 1];
      if (before?.messages.some((message, n) => n < before.messages.length - 1 && message !== request.messages[n]))
        changes += 1;
    }
    expect(changes).toBeLessThanOrEqual(reductions(rig).length);
  });

  test('CTX-12: neither a reduction nor a fresh start touches a protected beginning', async () => {
    const rig = await rigWith({ rounds: reads(30), characters: 4000, context: { protectedMessages: 3 } });
    await ask(rig);
    expect(reductions(rig).some(({ data }) => data.fold !== null)).toBe(true);
    await rig.session.reductions.newContext({ by: 'person', objective: 'other', keepNone: true });
    for (const request of [...rig.model.requests, rig.session.request()]) {
      const same = Math.min(3, request.messages.length);
      expect(request.messages.slice(0, same)).toEqual(rig.session.history().slice(0, same));
    }
  });
});

describe('a person compacts', () => {
  const talk = async (): Promise<Rig> => {
    const rig = await rigWith({
      window: 4000,
      context: { automatic: false, guard: false },
      rounds: [...Array.from({ length: 6 }, (_, n) => say(long(n, 1500))), say('SUMMARY'), say('after')],
    });
    for (let n = 0; n < 6; n++) await ask(rig, `question ${n} ${long(n, 1500)}`);
    return rig;
  };

  test('CTX-01: asks the model for a summary, which stands in the place of what is folded; the newest stays', async () => {
    const rig = await talk();
    const steps = rig.session.stepCount;
    const whole = rig.session.history();
    const reduced = await rig.session.reductions.compact({ by: 'person' });
    expect(reduced.skipped).toBe(false);
    const { messages } = rig.session.request();
    expect(messages).toHaveLength(whole.length - reduced.messages + 1);
    expect(messages[0]).toMatchObject({ role: 'user', text: expect.stringContaining('SUMMARY') as string });
    expect(messages.slice(1)).toEqual(whole.slice(reduced.messages));
    expect(messages[1]?.role).not.toBe('tool');
    // The summary is asked without tools, and is no step (CTX-02).
    expect(rig.model.requests.at(-1)?.tools).toEqual([]);
    expect(rig.session.stepCount).toBe(steps);
    await ask(rig, 'on');
    expect(rig.model.requests.at(-1)?.messages[0]).toEqual(messages[0]);
  });

  test('CTX-10: focus text is given to whoever summarises and stands on the note; without it there is none', async () => {
    const rig = await talk();
    await rig.session.reductions.compact({ by: 'person', focus: 'the parser' });
    expect(JSON.stringify(rig.model.requests.at(-1)?.messages)).toContain('Keep above all: the parser');
    expect(JSON.stringify(rig.session.request().messages[0])).toContain('the parser');
    expect(reductions(rig).at(-1)?.data.focus).toBe('the parser');
    const plain = await talk();
    await plain.session.reductions.compact({ by: 'person' });
    expect(JSON.stringify(plain.session.request().messages[0])).not.toContain('above all');
  });

  test('CTX-02: it is refused while a turn is open, and leaves a session that can be taken as a value', async () => {
    const rig = await talk();
    await rig.session.submit('open');
    await expect(rig.session.reductions.compact({ by: 'person' })).rejects.toMatchObject({
      code: 'session.input-pending',
    });
    await rig.session.closeTurn('cancelled', 'person');
    await rig.session.reductions.compact({ by: 'person' });
    expect((await rig.session.snapshot()).sessionId).toBe(rig.session.id);
  });

  test('CTX-03: when the summary fails, nothing is changed', async () => {
    const rig = await rigWith({
      window: 4000,
      context: { automatic: false, guard: false },
      limits: { providerRetries: 0 },
      rounds: [...Array.from({ length: 6 }, (_, n) => say(long(n, 3000))), [text('half'), tooLong]],
    });
    for (let n = 0; n < 6; n++) await ask(rig, `question ${n}`);
    const before = [rig.journal.entries.length, rig.session.request()];
    await expect(rig.session.reductions.compact({ by: 'person' })).rejects.toMatchObject({
      code: 'provider.context-too-long',
    });
    expect([rig.journal.entries.length, rig.session.request()]).toEqual(before);
  });

  test('CTX-04: a conversation that is too small is skipped: nothing is asked, nothing is stored', async () => {
    const rig = await rigWith({ rounds: [say('a'), say('b')] });
    await ask(rig);
    const entries = rig.journal.entries.length;
    expect(await rig.session.reductions.compact({ by: 'person' })).toEqual({ skipped: true, messages: 0 });
    expect([rig.journal.entries.length, rig.model.requests.length]).toEqual([entries, 1]);
  });

  test('CTX-13: a fresh objective comes first, then a note of what was set aside, then the newest messages', async () => {
    const rig = await talk();
    const whole = rig.session.history();
    const { messages: aside } = await rig.session.reductions.newContext({ by: 'person', objective: 'Write the docs' });
    const { messages, system } = rig.session.request();
    expect(system).toBe('You help.');
    const [note] = messages;
    expect(note).toMatchObject({
      role: 'user',
      text: expect.stringContaining('from here on: Write the docs') as string,
    });
    expect(JSON.stringify(note)).toContain(`${aside} earlier messages`);
    expect(messages.slice(1)).toEqual(whole.slice(aside));
    // What is folded later still knows the objective.
    await rig.session.reductions.compact({ by: 'person', note: 'program' });
    expect(JSON.stringify(rig.session.request().messages[0])).toContain('Write the docs');
  });

  test('a reduction is taken back: the request is what it was, and taking it back once more does nothing', async () => {
    const rig = await talk();
    const before = rig.session.request();
    await rig.session.reductions.compact({ by: 'person', note: 'program' });
    const id = reductions(rig)[0]?.id;
    if (!id) throw new TypeError('nothing was reduced');
    expect(await rig.session.reductions.undo(id, 'person')).toBe(true);
    expect(rig.session.request()).toEqual(before);
    expect(await rig.session.reductions.undo(id, 'person')).toBe(false);
  });
});

describe('a request that does not fit', () => {
  const huge = 'x'.repeat(60_000);

  test('CTX-23: is refused before it is sent, where a limit is known; without one there is no guard', async () => {
    const rig = await rigWith({ window: 10_000 });
    expect(rig.session.contextLimit).toBe(10_000);
    expect(await ask(rig, huge)).toMatchObject({ type: 'failed', error: { code: 'provider.context-too-long' } });
    expect([rig.model.requests.length, rig.session.issuedRequests]).toEqual([0, 0]);
    for (const how of [{ window: null }, { context: { guard: false } }]) {
      const open = await rigWith({ window: 10_000, ...how });
      expect(open.session.contextLimit).toBeNull();
      expect(await ask(open, huge)).toEqual({ type: 'completed' });
    }
  });

  test('CTX-23: a request that may fit is sent while no provider has said how many tokens its text takes', async () => {
    const words = 'word '.repeat(8000);
    const rig = await rigWith({ window: 10_000, rounds: [say('it fits')] });
    expect(rig.session.contextUse.tokens).toBeLessThan(10_000);
    expect(await ask(rig, words)).toEqual({ type: 'completed' });
    expect(rig.session.contextUse.tokens).toBeGreaterThan(10_000);
  });

  test('CONF-24: the guard is armed by itself where the window is known, after setting aside was tried', async () => {
    const rig = await rigWith({ window: 6000, rounds: reads(8) });
    expect(await ask(rig)).toEqual({ type: 'completed' });
    expect(reductions(rig).length).toBeGreaterThan(0);
  });

  test('CTX-28: a request counts as sent from the moment it leaves, whatever came of it', async () => {
    const rig = await rigWith({ window: null, rounds: [[tooLong], say('x')], limits: { providerRetries: 0 } });
    expect(rig.session.issuedRequests).toBe(0);
    expect(await ask(rig)).toMatchObject({ type: 'failed' });
    expect(rig.session.issuedRequests).toBe(1);
  });

  test('a provider that says "too long" gets less, once; when that is too long too, the turn ends with its words', async () => {
    const rig = await rigWith({ window: null, rounds: [...reads(8).slice(0, 8), [tooLong], say('fits now')] });
    expect(await ask(rig)).toEqual({ type: 'completed' });
    expect(reductions(rig).map(({ data }) => data.cause)).toEqual(['too-long']);
    const [before, after] = rig.model.requests.slice(-2);
    expect(sizeOf(after)).toBeLessThan(sizeOf(before) * 0.7);
    const never = await rigWith({ window: null, rounds: [...reads(8).slice(0, 8), [tooLong]] });
    expect(await ask(never)).toMatchObject({ type: 'failed', error: { code: 'provider.context-too-long' } });
    expect(reductions(never)).toHaveLength(1);
    expect(never.model.requests).toHaveLength(10);
  });

  test('CTX-24: how full the next request is can be read at any time, by the count that decides', async () => {
    const rig = await rigWith({
      rounds: [[text('a'), finish('stop', { input: 5000, output: 1, cachedInput: 0, reasoning: 0, costUsd: null })]],
    });
    await ask(rig, 'x'.repeat(10_000));
    const before = JSON.stringify(rig.journal.entries);
    expect(rig.session.contextUse.window).toBe(10_000);
    expect(rig.session.contextUse.tokens / 5000).toBeCloseTo(1, 1);
    expect(JSON.stringify(rig.journal.entries)).toBe(before);
  });
});

test('TOOL-20: what was set aside is searched and read by tools that are advertised from then on, and not before', async () => {
  const needle = (n: number): string => (n === 1 ? `the needle is 7f3a ${long(n)}` : long(n));
  let n = 0;
  let callId = '';
  const read = testTool('read', {
    run: async (_prepared, context) => {
      if (n === 1) callId = context.callId;
      return ok(needle(n++));
    },
  });
  const rounds: Round[] = [
    ...reads(12).slice(0, 12),
    calls(call('sidecar_search', { query: 'needle' })),
    // Its id is known by now.
    async function* () {
      yield call('expand_reduction', { id: callId });
      yield finish('tool-calls');
    },
    calls(call('expand_reduction', { id: 'nothing' })),
    say('found'),
  ];
  const model = new ScriptedModel(rounds, { capabilities: { contextWindow: 10_000 } });
  const rig = await makeRig({ model, tools: [read], contextTools: true });
  expect(await ask(rig)).toEqual({ type: 'completed' });
  const offered = model.requests.map(({ tools }) => tools.map(({ name }) => name).join());
  expect(offered[0]).toBe('read');
  expect(offered.at(-1)).toBe('expand_reduction,read,sidecar_search');
  const [found, whole, none] = rig.journal.of('tool-result').slice(-3);
  expect(found?.data.content).toContain('the needle is 7f3a');
  expect(whole?.data.content).toBe(needle(1));
  expect(none?.data).toMatchObject({ status: 'error' });
  const again = await makeRig({ tools: [read], contextTools: true, history: rig.journal.entries });
  expect(again.session.request().tools).toHaveLength(3);
});

test('CTX-19: over random chats and reductions every request is whole, fits, and inverts to the very messages', async () => {
  const step = fc.record({
    results: fc.array(fc.nat(9000), { minLength: 1, maxLength: 3 }),
    compact: fc.constantFrom('no', 'no', 'no', 'person', 'new', 'undo', 'discard'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), fc.nat(4), async (steps, kept) => {
      const rounds = steps.flatMap(({ results }): Round[] => [
        calls(...results.map((characters, n) => call('read', { characters, n }))),
        say('done'),
      ]);
      const read = testTool('read', {
        run: async ({ state }) => ok('y'.repeat((state as { characters: number }).characters)),
      });
      const model = new ScriptedModel(rounds, { capabilities: { contextWindow: 6000 } });
      const rig = await makeRig({ model, tools: [read], context: { protectedMessages: kept } });
      for (const { compact } of steps) {
        const turn = await ask(rig, `message ${'z'.repeat(kept * 500)}`);
        expect(['completed', 'failed']).toContain(turn.type);
        if (turn.type === 'failed') expect(turn.error.code).toBe('provider.context-too-long');
        if (compact === 'person') await rig.session.reductions.compact({ by: 'person', note: 'program' });
        if (compact === 'new')
          await rig.session.reductions.newContext({ by: 'person', objective: 'o', keepNone: true });
        const last = reductions(rig).at(-1)?.id;
        if (compact === 'undo' && last) await rig.session.reductions.undo(last, 'person');
        if (compact === 'discard') {
          await rig.session.abortTurn('person');
          await rig.session.restoreTurn('person');
        }
      }
      for (const request of model.requests) {
        expectValid(request.messages);
        expect(request.messages.slice(0, kept)).toEqual(
          rig.session.history().slice(0, Math.min(kept, request.messages.length)),
        );
      }
      const entries = JSON.parse(JSON.stringify(rig.journal.entries)) as Entry[];
      const plain = new Projection();
      for (const entry of entries.filter(({ kind }) => kind !== 'reduction')) plain.append(entry);
      expect(rig.session.history()).toEqual(plain.sent());
      const again = new Projection();
      for (const entry of entries) again.append(entry);
      expect(again.sent()).toEqual(rig.session.request().messages);
      for (const { id } of reductions(rig)) await rig.session.reductions.undo(id, 'person');
      expect(rig.session.request().messages).toEqual(rig.session.history());
    }),
    { numRuns: Number(process.env['WARRANT_RUNS'] ?? 150) },
  );
});

test('CTX-21: a model writes the note of what is set aside by itself only where that is switched on, and CTX-22 falls back', async () => {
  const summaries = async (on: boolean, summary: Round): Promise<Rig> => {
    const steps = Array.from({ length: 40 }, (_, n) => calls(call('read', { n })));
    // Whoever is asked for a summary is offered no tools.
    const stream: Round = async function* (request, signal) {
      const round = request.tools.length === 0 ? summary : (steps.shift() ?? say('end'));
      if (typeof round === 'function') yield* round(request, signal);
      else yield* round;
    };
    const rig = await rigWith({
      rounds: [stream],
      characters: 550,
      context: { summaries: on },
      limits: { providerRetries: 0 },
      window: 4500,
    });
    expect(await ask(rig, long(0, 3000))).toEqual({ type: 'completed' });
    return rig;
  };
  const notes = (rig: Rig) => new Set(reductions(rig).flatMap(({ data }) => (data.fold === null ? [] : [data.note])));
  expect(notes(await summaries(false, say('SUMMARY')))).toEqual(new Set(['program']));
  expect(notes(await summaries(true, say('SUMMARY')))).toContain('model');
  expect(notes(await summaries(true, [text('half'), tooLong]))).toEqual(new Set(['program']));
});

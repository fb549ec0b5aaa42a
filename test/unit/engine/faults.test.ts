// The journal refuses or hangs at each of its calls: the turn ends with a typed failure, what happened is stored once it
// can be, what did not happen is not, and no effect begins unrecorded.
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src-main/base/app-error.ts';
import {
  ask,
  call,
  callIds,
  calls,
  diskFull,
  makeRig,
  never,
  results,
  say,
  ScriptedApprover,
  testTool,
  until,
  writer,
  type Rig,
  type TestTool,
} from '../../helpers/engine-ports.ts';

async function rigWithWrites(): Promise<{ rig: Rig; write: TestTool; read: TestTool }> {
  const [write, read] = [writer(), testTool('read')];
  const rounds = [
    calls(call('read', { n: 0 }), call('write', { n: 1 }), call('read', { n: 2 }), call('write', { n: 3 })),
    calls(call('write', { n: 4 })),
    say('end'),
  ];
  const rig = await makeRig({ tools: [write, read], approver: new ScriptedApprover('allow'), rounds });
  return { rig, write, read };
}

const FULL = { type: 'failed', error: { code: 'store.disk-full' } };

/** One result a call, and a result that is no "not started" for each call that ran. */
function expectComplete(rig: Rig, write: TestTool): void {
  const answered = rig.journal.of('tool-result').map(({ data }) => data.callId);
  expect(answered.toSorted()).toEqual(callIds(rig).toSorted());
  const started = new Set(rig.journal.of('tool-start').map(({ data }) => data.callId));
  const ranWithoutStart = write.contexts.filter((context) => !started.has(context.callId));
  expect(ranWithoutStart).toEqual([]);
  expect(rig.clock.timers).toBe(0);
}

describe('a journal that refuses', () => {
  // Appends of this script: 0 message, 1 question, 2 start, 3 question, 4 start, 5 results, 6 question, ...
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('once, at append %i: the turn fails, and the chat goes on', async (number) => {
    const { rig, write } = await rigWithWrites();
    let effectsBefore = -1;
    rig.journal.onAppend = (now) => {
      if (now !== number) return;
      effectsBefore = write.ran.length;
      throw diskFull();
    };
    expect(await ask(rig)).toMatchObject(FULL);
    expect(write.ran).toHaveLength(effectsBefore);
    expect(rig.session.openTurn).toBeNull();
    expectComplete(rig, write);
    await rig.session.submit('next');
    expect(rig.session.request().messages.at(-1)).toEqual({ role: 'user', text: 'next' });
  });

  test('HIST-04: a failure before anything ran rolls the proposed batch back', async () => {
    const rig = await makeRig({ tools: [writer()], mode: 'auto', rounds: [calls(call('write')), say('end')] });
    rig.journal.onAppend = (number) => {
      if (number === 1) throw diskFull();
    };
    await ask(rig);
    expect(rig.journal.entries.map((entry) => entry.kind)).toEqual(['user-message', 'turn-end']);
  });

  test('HIST-03: once a call ran, what it gave is stored, and the rest of the batch is answered', async () => {
    const write = writer();
    const rounds = [calls(call('write', { n: 1 }), call('write', { n: 2 })), say('end')];
    const rig = await makeRig({ tools: [write], mode: 'auto', rounds });
    rig.journal.onAppend = (number) => {
      if (number === 2) throw diskFull();
    };
    await ask(rig);
    expect(write.ran).toEqual([{ n: 1 }]);
    expect(results(rig).map(({ status }) => status)).toEqual(['ok', 'cancelled']);
    expect(rig.journal.of('tool-start')).toHaveLength(1);
  });

  test('for a while: what could not be stored is stored before the next message', async () => {
    const write = writer();
    const rig = await makeRig({ tools: [write], mode: 'auto', rounds: [calls(call('write')), say('end')] });
    let full = false;
    rig.journal.onAppend = (number) => {
      full ||= number === 2;
      if (full) throw diskFull();
    };
    expect(await ask(rig)).toMatchObject(FULL);
    await expect(rig.session.submit('next')).rejects.toMatchObject({ code: 'store.disk-full' });
    await expect(rig.session.step()).rejects.toMatchObject({ code: 'store.disk-full' });
    rig.journal.onAppend = () => {};
    await rig.session.submit('next');
    expect(rig.journal.entries.map((entry) => entry.kind).slice(-4)).toEqual([
      'tool-result',
      'step-end',
      'turn-end',
      'user-message',
    ]);
    expect(results(rig)).toEqual([{ status: 'ok', content: 'done' }]);
    expect(write.ran).toHaveLength(1);
  });

  test('a step after such a failure is refused once the end is stored: there is nothing to answer', async () => {
    const rig = await makeRig();
    rig.journal.onAppend = (number) => {
      if (number === 1 || number === 2) throw diskFull();
    };
    await ask(rig);
    await expect(rig.session.step()).rejects.toMatchObject({ code: 'session.not-at-boundary' });
    expect(rig.session.openTurn).toBeNull();
  });

  test('setters and verbs change nothing when it refuses', async () => {
    const rig = await makeRig({ tools: [testTool('read')] });
    rig.journal.onAppend = () => {
      throw new AppError('store.locked', 'locked');
    };
    const { session } = rig;
    for (const verb of [
      () => session.setMode('auto', 'person'),
      () => session.setConfinement(false, 'person'),
      () => session.setEnabledTools([], 'person'),
      () => session.submit('go'),
      () => session.clearContext('person'),
    ]) {
      await expect(verb()).rejects.toMatchObject({ code: 'store.locked' });
    }
    expect([session.mode, session.confinement, session.enabledTools]).toEqual(['ask', true, ['read']]);
    expect([session.openTurn, rig.events]).toEqual([null, []]);
  });

  test('reads that run when it refuses are ended before the turn is', async () => {
    let aborted = false;
    const read = testTool('read', {
      run: (_prepared, { signal }) => new Promise(() => signal.addEventListener('abort', () => (aborted = true))),
    });
    const rig = await makeRig({ tools: [read, writer()], mode: 'auto', rounds: [calls(call('read'), call('write'))] });
    await rig.session.setMode('ask', 'person');
    rig.session.setApprover(new ScriptedApprover('allow'));
    rig.journal.onAppend = (_number, entries) => {
      if (entries.some((entry) => entry.kind === 'approval-request')) throw diskFull();
    };
    expect(await ask(rig)).toMatchObject(FULL);
    const stored = rig.journal.entries.length;
    await rig.clock.advance(1);
    expect([aborted, rig.journal.entries.length]).toEqual([true, stored]);
    expect(results(rig).map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
  });
});

describe('a journal that hangs', () => {
  test.each([1, 2, 3, 5])('at append %i: stop still ends the turn, and nothing is stored twice', async (number) => {
    const { rig, write } = await rigWithWrites();
    let hanging = false;
    rig.journal.onAppend = (now) => {
      if (now !== number) return;
      hanging = true;
      return never();
    };
    await rig.session.submit('go');
    const turn = rig.session.runTurn();
    await until(() => hanging);
    const ran = write.ran.length;
    rig.session.stop('person');
    await rig.clock.advance(10_000);
    expect(await turn).toMatchObject({ type: 'failed', error: { code: 'store.io' } });
    expect(write.ran).toHaveLength(ran);
    await expect(rig.session.submit('next')).rejects.toMatchObject({ code: 'store.io' });
    expect(rig.clock.timers).toBe(0);
  });
});

test('EVT-01: what is announced as stored was stored, in order', async () => {
  const { rig } = await rigWithWrites();
  const seen: string[] = [];
  rig.session.on((event) => {
    if (event.type !== 'entries-append') return;
    for (const entry of event.entries) {
      seen.push(entry.id);
      expect(rig.journal.entries.some((stored) => stored.id === entry.id)).toBe(true);
    }
  });
  await ask(rig);
  expect(seen).toEqual(rig.journal.entries.map((entry) => entry.id));
});

test('CONF-22: a listener that throws harms neither the turn nor the other listeners', async () => {
  const rig = await makeRig();
  let heard = 0;
  rig.session.on(() => {
    throw new TypeError('broken sink');
  });
  rig.session.on(() => {
    heard += 1;
  });
  expect(await ask(rig)).toEqual({ type: 'completed' });
  expect(heard).toBe(rig.events.length);
});

// Turns that stop at a question: suspended, stored, opened again elsewhere, decided. And turns that a crash cut.
import { describe, expect, test } from 'vitest';
import type { CallId } from '../../../src-main/contract/ids.ts';
import type { ApprovalAnswer } from '../../../src-main/engine/ports.ts';
import {
  ask,
  call,
  calls,
  deny,
  makeRig,
  results,
  say,
  ScriptedApprover,
  testTool,
  writer,
  type Rig,
  type RigOptions,
  type TestTool,
} from '../../helpers/engine-ports.ts';

const AWAY = new ScriptedApprover({ type: 'suspend' });

/** A session whose turn waits for an answer to a write, after a read and before another read. */
async function suspended(): Promise<{ rig: Rig; read: TestTool; write: TestTool; callId: CallId }> {
  const [read, write] = [testTool('read'), writer()];
  const rounds = [calls(call('read', { n: 1 }), call('write', { n: 2 }), call('read', { n: 3 })), say('end')];
  const rig = await makeRig({ tools: [read, write], approver: AWAY, rounds });
  const outcome = await ask(rig);
  const [callId] = outcome.type === 'awaiting-approval' ? outcome.callIds : [];
  if (!callId) throw new Error('nothing waits');
  return { rig, read, write, callId };
}

/** The same chat in another process: only what was stored goes over. */
async function reopened(from: Rig, options: RigOptions): Promise<Rig> {
  const history = structuredClone(from.journal.entries);
  return makeRig({ rounds: [say('end')], ...options, history });
}

const digestOf = (rig: Rig): string => rig.journal.of('approval-request')[0]?.data.digest ?? '';
const allow = (digest: string): ApprovalAnswer => ({ type: 'allow', lasting: 'once', digest });

describe('suspended turns', () => {
  test('APPR-08: the turn stops with what waits; earlier calls are done, later ones not begun', async () => {
    const { rig, read, write, callId } = await suspended();
    expect(rig.session.isWaiting).toBe(true);
    expect(rig.journal.of('approval-request').map(({ data }) => data.callId)).toEqual([callId]);
    expect([read.ran, write.ran]).toEqual([[{ n: 1 }], []]);
    expect(rig.journal.of('turn-end')).toEqual([]);
    expect(rig.clock.timers).toBe(0);
  });

  test('APPR-09: in another process, an allowed call runs, and the rest of its batch after it', async () => {
    const { rig, callId } = await suspended();
    const [read, write] = [testTool('read'), writer()];
    const next = await reopened(rig, { tools: [read, write] });
    expect(next.session.isWaiting).toBe(true);
    const decisions = new Map([[callId, allow(digestOf(rig))]]);
    expect(await next.session.runTurn({ decisions })).toEqual({ type: 'completed' });
    expect([write.ran, read.ran]).toEqual([[{ n: 2 }], [{ n: 3 }]]);
    expect(results(next).map(({ status }) => status)).toEqual(['ok', 'ok', 'ok']);
    expect(next.model.requests[0]?.messages.map((message) => message.role)).toEqual([
      'user',
      'assistant',
      'tool',
      'tool',
      'tool',
    ]);
  });

  test('APPR-09: a denied call reports the reason', async () => {
    const { rig, callId } = await suspended();
    const next = await reopened(rig, { tools: [testTool('read'), writer()] });
    await next.session.runTurn({ decisions: new Map([[callId, deny('not now')]]) });
    expect(results(next)[1]).toEqual({ status: 'denied', content: 'The person denied this call: not now' });
  });

  test('APPR-10: where decisions are given, a waiting call without one counts as rejected', async () => {
    const { rig } = await suspended();
    const write = writer();
    const approver = new ScriptedApprover('allow');
    const next = await reopened(rig, { tools: [testTool('read'), write], approver });
    await next.session.runTurn({ decisions: new Map() });
    expect([results(next)[1]?.status, write.ran, approver.questions]).toEqual(['denied', [], []]);
  });

  test('APPR-11: a decision on a call that does not wait is refused, and nothing is done', async () => {
    const { rig, callId } = await suspended();
    const done = rig.journal.of('tool-result')[0]?.data.callId ?? callId;
    const before = rig.journal.entries.length;
    for (const other of [done, 'nothing' as CallId]) {
      const decisions = new Map([[other, deny()]]);
      await expect(rig.session.step({ decisions })).rejects.toMatchObject({ code: 'approval.not-waiting' });
    }
    expect([rig.journal.entries.length, rig.session.isWaiting]).toEqual([before, true]);
  });

  test('a decision for something else than what would run now does not count', async () => {
    const { rig, callId } = await suspended();
    const write = writer();
    const next = await reopened(rig, { tools: [testTool('read'), write] });
    await next.session.runTurn({ decisions: new Map([[callId, allow('another digest')]]) });
    expect(write.ran).toEqual([]);
    expect(results(next)[1]?.content).toContain('has changed since');
  });

  test('a deny rule or a tool switched off meanwhile still ends a call that was allowed', async () => {
    const { rig, callId } = await suspended();
    const write = writer();
    const policy = {
      judge: ({ tool }: { tool: string }) =>
        tool === 'write' ? ({ effect: 'deny', ruleId: 'r', rule: 'no' } as const) : null,
    };
    const next = await reopened(rig, { tools: [testTool('read'), write], policy });
    await next.session.runTurn({ decisions: new Map([[callId, allow(digestOf(rig))]]) });
    expect([results(next)[1]?.status, write.ran]).toEqual(['denied', []]);
  });

  test('CONF-10: without decisions the question is put to whoever is there now', async () => {
    const { rig, write } = await suspended();
    rig.session.setApprover(new ScriptedApprover('allow'));
    expect(await rig.session.runTurn()).toEqual({ type: 'completed' });
    expect(write.ran).toEqual([{ n: 2 }]);
  });

  test('decisions are for the step that they were given to, not for the rest of the turn', async () => {
    const write = writer();
    const rounds = [calls(call('write', { n: 1 })), calls(call('write', { n: 2 })), say('end')];
    const rig = await makeRig({ tools: [write], approver: AWAY, rounds });
    const first = await ask(rig);
    const ids = first.type === 'awaiting-approval' ? first.callIds : [];
    const decisions = new Map(ids.map((id) => [id, allow(digestOf(rig))]));
    expect(await rig.session.runTurn({ decisions })).toMatchObject({ type: 'awaiting-approval' });
    expect(write.ran).toEqual([{ n: 1 }]);
  });

  test('APPR-13, CONF-11: a message while it waits is refused; giving the turn up is its own verb', async () => {
    const { rig, write } = await suspended();
    await expect(rig.session.submit('next')).rejects.toMatchObject({ code: 'session.input-pending' });
    await rig.session.closeTurn('cancelled', 'person');
    expect(results(rig).map(({ status }) => status)).toEqual(['ok', 'cancelled', 'cancelled']);
    expect(rig.session.lastOutcome).toEqual({ type: 'cancelled', source: 'person' });
    expect(await ask(rig, 'next')).toEqual({ type: 'completed' });
    expect(write.ran).toEqual([]);
  });

  test('APPR-20: grants of a session end with its process (the part of them in the engine)', async () => {
    const approver = new ScriptedApprover('session');
    const rig = await makeRig({ tools: [writer()], approver, rounds: [calls(call('write')), say('end')] });
    await ask(rig);
    expect(rig.session.grants).toHaveLength(1);
    const next = await reopened(rig, { tools: [writer()] });
    expect(next.session.grants).toEqual([]);
  });
});

describe('H1, H2: turns that a crash cut', () => {
  /** What was stored when the process died right after the n-th append of a turn with one write. */
  async function cutAfter(appends: number): Promise<{ rig: Rig; write: TestTool }> {
    const write = writer();
    const rounds = [calls(call('write'), call('write', { n: 2 })), say('end')];
    const rig = await makeRig({ tools: [write], mode: 'auto', rounds });
    const stored: Rig['journal']['entries'] = [];
    rig.journal.onAppend = (number) => {
      if (number === appends) stored.push(...structuredClone(rig.journal.entries));
    };
    await ask(rig);
    const again = writer();
    const next = await makeRig({ tools: [again], mode: 'auto', rounds: [say('end')], history: stored });
    return { rig: next, write: again };
  }

  test('a started call is told as interrupted, one that was not started as such, and the turn ends', async () => {
    const { rig } = await cutAfter(2);
    await rig.session.closeTurn('interrupted', 'restart', { text: 'some', reasoning: '' });
    expect(results(rig).map(({ status }) => status)).toEqual(['interrupted', 'cancelled']);
    expect(rig.journal.of('turn-end')[0]?.data).toMatchObject({
      outcome: { type: 'interrupted' },
      partial: { text: 'some' },
    });
    expect(rig.session.openTurn).toBeNull();
    await rig.session.closeTurn('interrupted', 'restart');
    expect(rig.journal.of('turn-end')).toHaveLength(1);
  });

  test('a started call is not run again by a step, whether or not the turn was closed first', async () => {
    const { rig, write } = await cutAfter(2);
    expect(await rig.session.runTurn()).toEqual({ type: 'completed' });
    expect(write.ran).toEqual([{ n: 2 }]);
    expect(results(rig).map(({ status }) => status)).toEqual(['interrupted', 'ok']);
  });

  test.each([1, 2, 3, 4])('cut after append %i, the next request is valid', async (appends) => {
    const { rig } = await cutAfter(appends);
    await rig.session.closeTurn('interrupted', 'restart');
    expect(await ask(rig, 'next')).toEqual({ type: 'completed' });
    const messages = rig.model.requests[0]?.messages ?? [];
    const called = messages.flatMap((message) =>
      message.role === 'assistant'
        ? message.parts.flatMap((part) => (part.type === 'tool-call' ? [part.callId] : []))
        : [],
    );
    const answered = messages.flatMap((message) => (message.role === 'tool' ? [message.callId] : []));
    expect(answered).toEqual(called);
  });
});

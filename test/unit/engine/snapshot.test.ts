// A session as a value: taken between steps, copied, resumed over other ports; and a turn that is taken back.
import { describe, expect, test } from 'vitest';
import { sessionSnapshotSchema, type SessionSnapshot } from '../../../src-main/contract/session-snapshot.ts';
import { resumeSession, type ResumeConfig } from '../../../src-main/engine/resume-session.ts';
import type { Session } from '../../../src-main/engine/session.ts';
import {
  ask,
  call,
  calls,
  finish,
  hangs,
  makeRig,
  MemoryJournal,
  rigConfig,
  rigPorts,
  say,
  ScriptedApprover,
  ScriptedModel,
  testTool,
  text,
  until,
  WORKSPACE,
  writer,
  type Rig,
  type RigOptions,
} from '../../helpers/engine-ports.ts';

/** Resumes with nothing but the value and other ports. */
async function resumed(snapshot: unknown, options: RigOptions & Partial<ResumeConfig> = {}): Promise<Session> {
  const { sessionId: _id, history: _history, ...config } = rigConfig(options);
  const { acceptDrift, workspace } = options;
  return resumeSession(
    snapshot,
    { ...config, ...(workspace ? { workspace } : {}), ...(acceptDrift === undefined ? {} : { acceptDrift }) },
    rigPorts(options),
  );
}
const copied = (snapshot: SessionSnapshot): unknown => JSON.parse(JSON.stringify(snapshot));
const facts = (session: Session): unknown => [
  session.id,
  session.history(),
  session.stepCount,
  session.executedCalls,
  session.openTurn,
  session.lastOutcome,
  session.mode,
  session.request(),
];

async function midway(): Promise<Rig> {
  const rounds = [calls(call('read', { n: 1 })), say('one'), calls(call('read', { n: 2 })), say('two')];
  const rig = await makeRig({ tools: [testTool('read')], rounds });
  await ask(rig);
  await rig.session.submit('next');
  await rig.session.step();
  return rig;
}

describe('a snapshot', () => {
  test('HIST-09: it holds conversation, counters, the open turn and its input, and is copied and resumed to the same', async () => {
    const rig = await midway();
    const snapshot = await rig.session.snapshot();
    const next = await resumed(copied(snapshot), { tools: [testTool('read')], rounds: [say('two')] });
    expect(facts(next)).toEqual(facts(rig.session));
    expect(await next.runTurn()).toEqual({ type: 'completed' });
    expect(next.history().at(-1)).toMatchObject({ role: 'assistant', parts: [{ text: 'two' }] });
    // Nothing of that reached the first one, nor the value.
    expect(rig.session.openTurn?.steps).toBe(1);
    expect(await rig.session.snapshot()).toMatchObject({ state: snapshot.state });
  });

  test('HIST-09: input that no step has taken yet is resumed as well', async () => {
    const rig = await makeRig();
    await rig.session.submit('pending');
    const next = await resumed(copied(await rig.session.snapshot()));
    expect(await next.runTurn()).toEqual({ type: 'completed' });
    expect(next.turn()?.messages[0]).toEqual({ role: 'user', text: 'pending' });
  });

  test('HIST-09: it is for a boundary: while a step runs there is none', async () => {
    const rig = await makeRig({ rounds: [hangs([text('half')])] });
    await rig.session.submit('go');
    const turn = rig.session.runTurn();
    await until(() => rig.events.some((event) => event.type === 'text-delta'));
    await expect(rig.session.snapshot()).rejects.toMatchObject({ code: 'session.not-at-boundary' });
    rig.session.stop('person');
    await turn;
    expect(JSON.stringify((await rig.session.snapshot()).state)).toContain('half');
  });

  test('CANC-07: after a stop it can be taken, and holds no half message of the conversation', async () => {
    const rig = await makeRig({ rounds: [hangs([text('half'), call('read')])], tools: [testTool('read')] });
    await rig.session.submit('go');
    const turn = rig.session.runTurn();
    await until(() => rig.events.some((event) => event.type === 'text-delta'));
    rig.session.stop('person');
    await turn;
    const next = await resumed(copied(await rig.session.snapshot()), { tools: [testTool('read')] });
    expect([next.history(), next.lastOutcome]).toEqual([
      [{ role: 'user', text: 'go' }],
      { type: 'cancelled', source: 'person' },
    ]);
  });

  test('HIST-10: envelope and version are the contract’s, the state within is the engine’s own', async () => {
    const rig = await midway();
    const snapshot = await rig.session.snapshot();
    const envelope = sessionSnapshotSchema.parse(copied(snapshot));
    expect(envelope).toEqual({ ...snapshot, state: envelope.state });
    expect([envelope.format, envelope.version, envelope.sessionId]).toEqual(['warrant-session', 1, rig.session.id]);
    expect([envelope.authority, envelope.authorityDigest]).toEqual([
      rig.session.authority,
      rig.session.authorityDigest,
    ]);
    expect(sessionSnapshotSchema.parse({ ...envelope, state: 'anything' }).state).toBe('anything');
  });

  test.each([
    ['nothing', null],
    ['another version', { version: 2 }],
    ['no entries', { state: {} }],
    ['a damaged entry', { state: { entries: [{ kind: 'user-message' }] } }],
  ])('of %s nothing is resumed', async (_name, change) => {
    const snapshot = await (await midway()).session.snapshot();
    const damaged = change === null ? null : { ...snapshot, ...change };
    await expect(resumed(damaged, { tools: [testTool('read')] })).rejects.toMatchObject({
      code: 'session.history-invalid',
    });
  });

  test('HIST-11: a resume takes the conversation alone: who answers, what fences, listens and stores is given anew', async () => {
    const approver = new ScriptedApprover('session');
    const rounds = [calls(call('write', { n: 1 })), say('one')];
    const rig = await makeRig({ tools: [writer()], approver, rounds });
    await ask(rig);
    await rig.session.setEnabledTools([], 'person');
    const journal = new MemoryJournal();
    const heard = rig.events.length;
    const model = new ScriptedModel([calls(call('write', { n: 1 })), say('two')]);
    const next = await resumed(await rig.session.snapshot(), { tools: [writer()], journal, model });
    expect([next.grants, next.enabledTools]).toEqual([[], ['write']]);
    const turn = await next.send('again');
    expect(turn.messages[2]).toMatchObject({ content: expect.stringContaining('nobody is there') as string });
    expect([approver.questions.length, rig.events.length]).toEqual([1, heard]);
    expect(journal.of('user-message')).toHaveLength(1);
  });

  test('HIST-12: nothing outside is part of it: models and tools are connected anew', async () => {
    const rig = await midway();
    const snapshot = await rig.session.snapshot();
    expect(() => structuredClone(snapshot)).not.toThrow();
    const tool = testTool('read');
    const model = new ScriptedModel([calls(call('read', { n: 9 })), say('end')]);
    const next = await resumed(snapshot, { tools: [tool], model });
    await next.runTurn();
    expect(tool.ran).toEqual([{ n: 9 }]);
    expect([rig.model.requests.length, model.requests.length]).toEqual([3, 2]);
  });

  test('AUTH-07: authority is resolved anew and compared first: what differs is told, and nothing goes on unless it is accepted', async () => {
    const snapshot = await (await midway()).session.snapshot();
    const journal = new MemoryJournal();
    const workspace = { ...WORKSPACE, ino: '9' };
    const model = new ScriptedModel([say('x')]);
    const other = { tools: [testTool('read', { cancellation: 'finish' })], journal, workspace, model } as const;
    await expect(resumed(snapshot, other)).rejects.toMatchObject({
      code: 'authority.drift',
      details: { changes: [{ part: 'folder identity' }, { part: 'tool read cancellation' }] },
    });
    expect([journal.appends, model.requests.length]).toEqual([0, 0]);
    expect((await resumed(snapshot, { ...other, acceptDrift: true })).authority.workspace.ino).toBe('9');
  });
});

describe('reasoning in history', () => {
  const thought = [{ type: 'reasoning', text: 'hm' }, text('a'), finish()] as const;

  test('HIST-07: a model that cannot keep reasoning is sent none, also none that another one produced', async () => {
    const rig = await makeRig({ rounds: [thought] });
    await ask(rig);
    const plain = new ScriptedModel([say('b'), say('c')], {
      capabilities: { reasoningHistory: false },
      ref: 'test:plain',
    });
    const next = await makeRig({ model: plain, history: rig.journal.entries });
    await ask(next, 'next');
    await ask(next, 'last');
    expect(JSON.stringify(plain.requests)).not.toContain('hm');
    expect(plain.requests[1]?.messages[1]).toBe(plain.requests[0]?.messages[1]);
    await next.session.setModel(new ScriptedModel([say('d')]), 'person');
    expect(JSON.stringify(next.session.history())).toContain('hm');
  });

  test('HIST-08: where it is not known nothing is refused and nothing is taken out', async () => {
    const rig = await makeRig({ rounds: [thought, say('b')] });
    await ask(rig);
    await ask(rig, 'next');
    expect(rig.model.requests[1]?.messages[1]).toMatchObject({
      parts: [{ type: 'reasoning', text: 'hm' }, { type: 'text' }],
    });
  });

  test('an answer that is nothing but reasoning and a call keeps its call', async () => {
    const model = new ScriptedModel(
      [[{ type: 'reasoning', text: 'hm' }, call('read'), finish('tool-calls')], say('b')],
      {
        capabilities: { reasoningHistory: false },
      },
    );
    await ask(await makeRig({ model, tools: [testTool('read')] }));
    expect(model.requests[1]?.messages[1]).toMatchObject({ parts: [{ type: 'tool-call' }] });
  });
});

describe('a turn that is taken back', () => {
  test('CANC-09: the conversation goes back to where it began, with its rounds, and another message is taken', async () => {
    const rig = await midway();
    const before = 4;
    const { turnId } = rig.session.openTurn ?? {};
    expect(await rig.session.abortTurn('person')).toEqual({ turnId, remains: [] });
    expect([rig.session.history().length, rig.session.openTurn, rig.session.lastOutcome]).toEqual([before, null, null]);
    expect(rig.session.turn()?.messages).toEqual([]);
    await ask(rig, 'other');
    expect(rig.model.requests.at(-1)?.messages.slice(before)).toEqual([{ role: 'user', text: 'other' }]);
  });

  test('CANC-09: it does nothing where no turn is open or was cut', async () => {
    const rig = await makeRig();
    expect(await rig.session.abortTurn('person')).toBeNull();
    await ask(rig);
    const entries = rig.journal.entries.length;
    expect(await rig.session.abortTurn('person')).toBeNull();
    expect([rig.journal.entries.length, rig.session.history().length]).toEqual([entries, 2]);
  });

  test('CANC-10: it is for a boundary: after a stop has come to rest, not while a step runs', async () => {
    const rig = await makeRig({ rounds: [hangs([text('half')])] });
    await rig.session.submit('go');
    const turn = rig.session.runTurn();
    await until(() => rig.model.requests.length === 1);
    await expect(rig.session.abortTurn('person')).rejects.toMatchObject({ code: 'session.not-at-boundary' });
    rig.session.stop('person');
    await turn;
    expect(await rig.session.abortTurn('person')).toMatchObject({ remains: [] });
    expect(rig.session.history()).toEqual([]);
  });

  test('CONF-05: it is stored, says which effects remain, can be taken back, and resumes to the same', async () => {
    const rounds = [say('one'), calls(call('write', { n: 1 }), call('read')), hangs()];
    const tools = [writer(), testTool('read')];
    const rig = await makeRig({ tools, mode: 'auto', rounds });
    await ask(rig);
    await rig.session.submit('next');
    const turn = rig.session.runTurn();
    await until(() => rig.model.requests.length === 3);
    rig.session.stop('person');
    await turn;
    const whole = rig.session.history();
    expect(await rig.session.abortTurn('person')).toMatchObject({ remains: ['write {"n":1}'] });
    expect(rig.journal.of('turn-discard')[0]?.data).toMatchObject({ by: 'person', remains: ['write {"n":1}'] });
    expect(rig.session.history()).toHaveLength(2);
    const discarded = await resumed(await rig.session.snapshot(), { tools, mode: 'auto' });
    expect(discarded.history()).toEqual(rig.session.history());
    expect(await rig.session.restoreTurn('person')).toBe(true);
    expect([rig.session.history(), rig.session.lastOutcome?.type]).toEqual([whole, 'cancelled']);
    expect(await rig.session.restoreTurn('person')).toBe(false);
    const restored = await resumed(await rig.session.snapshot(), { tools, mode: 'auto' });
    expect(restored.history()).toEqual(whole);
    await restored.continueTurn();
    expect(await restored.runTurn()).toEqual({ type: 'completed' });
  });

  test('a turn that waits is taken back with its questions, and a message after that ends the way back', async () => {
    const approver = new ScriptedApprover({ type: 'suspend' });
    const rig = await makeRig({ tools: [writer()], approver, rounds: [calls(call('write')), say('end')] });
    await ask(rig);
    await rig.session.abortTurn('person');
    expect([rig.session.isWaiting, rig.session.openTurn, rig.session.history()]).toEqual([false, null, []]);
    expect(rig.journal.of('tool-result').map(({ data }) => data.status)).toEqual(['cancelled']);
    await ask(rig, 'other');
    expect(await rig.session.restoreTurn('person')).toBe(false);
  });
});

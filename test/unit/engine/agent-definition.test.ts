// An agent as a value, what its sessions share with each other (nothing), and what a host can read and end.
import { describe, expect, test } from 'vitest';
import type { CallId } from '../../../src-main/contract/ids.ts';
import { AgentDefinition } from '../../../src-main/engine/agent-definition.ts';
import type { TranscriptMessage } from '../../../src-main/engine/import-transcript.ts';
import {
  ask,
  call,
  calls,
  FakeClock,
  makeRig,
  MemoryJournal,
  never,
  rigConfig,
  rigPorts,
  say,
  ScriptedApprover,
  ScriptedModel,
  testTool,
  until,
  writer,
  type RigOptions,
} from '../../helpers/engine-ports.ts';

function agent(options: RigOptions = {}): AgentDefinition {
  const { sessionId: _id, history: _history, ...config } = rigConfig(options);
  const { journal: _journal, ...ports } = rigPorts(options);
  return new AgentDefinition(config, ports);
}
const names = (definition: AgentDefinition): string[] => definition.ports.tools.map((tool) => tool.declaration.name);
const callId = 'c1' as CallId;
const called: TranscriptMessage = {
  role: 'assistant',
  model: 'm',
  parts: [{ type: 'tool-call', callId, name: 'read', argumentsText: '{}' }],
};
const answered: TranscriptMessage = { role: 'tool', callId, name: 'read', content: 'x', failed: false };
const user = (text: string): TranscriptMessage => ({ role: 'user', text });
const said = (text: string): TranscriptMessage => ({ role: 'assistant', model: 'm', parts: [{ type: 'text', text }] });

describe('an agent as a value', () => {
  test('AUTH-22: a list of tools replaces the list before it, one tool is added to it', () => {
    const [a, b, c] = [testTool('a'), testTool('b'), testTool('c')];
    const first = agent().withTools([a, b]);
    expect(names(first.withTools([c]))).toEqual(['c']);
    expect(names(first.withTool(c))).toEqual(['a', 'b', 'c']);
    expect(names(first)).toEqual(['a', 'b']);
  });

  test('AUTH-23: it is copied and used again, and each start stands alone unless a history is given', async () => {
    const definition = agent({ rounds: [say('one')] });
    const other = definition.with({ systemPrompt: 'You differ.' });
    const [a, b, c] = await Promise.all([definition.start(), definition.start(), other.start()]);
    await a.send('apple');
    expect(a.id).not.toBe(b.id);
    expect([b.history(), c.history(), b.stepCount]).toEqual([[], [], 0]);
    expect([a.config.systemPrompt, c.config.systemPrompt]).toEqual(['You help.', 'You differ.']);
    const journal = new MemoryJournal();
    const kept = await definition.start({ journal, sessionId: a.id });
    await kept.send('pear');
    const again = await definition.start({ journal, sessionId: a.id, history: journal.entries });
    expect(again.history()).toEqual(kept.history());
  });

  test('AUTH-03: what it could do is computed by the path that a start takes, and uses nothing up', async () => {
    const definition = agent({ tools: [testTool('read'), writer()], askUser: true, deferredTools: ['read'] });
    const resolved = await definition.authority();
    const session = await definition.start();
    expect([resolved.snapshot, resolved.digest]).toEqual([session.authority, session.authorityDigest]);
    expect((await definition.authority()).digest).toBe(resolved.digest);
  });

  test('AUTH-02: a configuration that cannot hold starts nothing, in no weaker form either', async () => {
    const journal = new MemoryJournal();
    for (const broken of [
      agent({ deferredTools: ['gone'] }),
      agent({ limits: { toolCalls: -1 } }),
      agent({ tools: [testTool('ask_user')], askUser: true }),
    ]) {
      await expect(broken.start({ journal })).rejects.toMatchObject({ code: 'authority.invalid' });
    }
    expect(journal.appends).toBe(0);
  });

  test('AUTH-18: a model may be shared by several agents, or be one agent’s own', async () => {
    const shared = new ScriptedModel([say('shared')]);
    const [a, b] = [agent({ model: shared }), agent({ model: shared, tools: [testTool('read')] })];
    const own = agent({ model: new ScriptedModel([say('own')]) });
    const words = await Promise.all([a, b, own].map(async (one) => (await (await one.start()).send('go')).text));
    expect(words).toEqual(['shared', 'shared', 'own']);
    expect(shared.requests).toHaveLength(2);
  });
});

describe('a transcript to go on from', () => {
  test('LOOP-13: it needs no system message, the agent adds its own; or a run begins with one message alone', async () => {
    const tools = [testTool('read')];
    const model = new ScriptedModel([say('on')]);
    const definition = agent({ tools, model });
    const journal = new MemoryJournal();
    const transcript = [user('q'), called, answered, said('a'), user('more')];
    const session = await definition.start({ transcript, journal });
    expect(await session.runTurn()).toEqual({ type: 'completed' });
    expect(model.requests[0]).toMatchObject({ system: 'You help.', messages: transcript });
    expect(journal.entries.map((entry) => entry.kind).slice(0, 6)).toEqual([
      'user-message',
      'assistant-message',
      'tool-result',
      'assistant-message',
      'turn-end',
      'user-message',
    ]);
    await (await definition.start()).send('alone');
    expect(model.requests[1]?.messages).toEqual([user('alone')]);
  });

  test('CONF-28: the history of a session is such a transcript', async () => {
    const rounds = [calls(call('read')), say('a'), say('b')];
    const definition = agent({ tools: [testTool('read')], rounds });
    const session = await definition.start();
    await session.send('q');
    const copy = await definition.start({ transcript: session.history() });
    expect(copy.history()).toEqual(session.history());
    expect((await copy.send('next')).messages).toEqual([user('next'), { ...said('b'), model: 'test:scripted' }]);
  });

  test('AUTH-15, CONF-04: a system prompt of its own and one of the agent are refused, never merged', async () => {
    const transcript: TranscriptMessage[] = [{ role: 'system', text: 'From there.' }, user('q'), said('a')];
    await expect(agent().start({ transcript })).rejects.toMatchObject({ code: 'authority.invalid' });
    const model = new ScriptedModel([say('on')]);
    const session = await agent({ model, systemPrompt: '' }).start({ transcript });
    await session.send('next');
    expect(model.requests[0]?.system).toBe('From there.');
  });

  test.each<[string, TranscriptMessage[]]>([
    ['a call without a result', [user('q'), called, said('a')]],
    ['a call without a result at its end', [user('q'), called]],
    ['the same call twice', [user('q'), called, answered, called, answered]],
    ['two results of one call', [user('q'), called, answered, answered]],
    ['a result of another tool', [user('q'), called, { ...answered, name: 'grep' }]],
    ['a result without its call', [user('q'), answered]],
    ['an answer to nothing', [said('a')]],
    ['a late system message', [user('q'), { role: 'system', text: 's' }]],
  ])('HIST-05: with %s it is refused, and nothing is stored', async (_name, transcript) => {
    const journal = new MemoryJournal();
    const definition = agent({ tools: [testTool('read'), testTool('grep')] });
    await expect(definition.start({ transcript, journal })).rejects.toMatchObject({ code: 'session.history-invalid' });
    expect(journal.appends).toBe(0);
  });

  test('HIST-05: a call of a tool that is not declared is refused', async () => {
    const transcript = [user('q'), called, answered, said('a')];
    await expect(agent().start({ transcript })).rejects.toMatchObject({ code: 'session.history-invalid' });
  });
});

describe('what a session is built from', () => {
  test('AUTH-05: who approves, asks and judges is no part of the authority', async () => {
    const tools = [writer()];
    const bare = await makeRig({ tools });
    const policy = { judge: () => ({ effect: 'allow', ruleId: 'r', rule: 'all' }) as const };
    const approver = new ScriptedApprover('session');
    const full = await makeRig({ tools, policy, approver, asker: { askUser: async () => 'yes' } });
    expect(full.session.authorityDigest).toBe(bare.session.authorityDigest);
    expect(JSON.stringify(full.session.authority)).not.toMatch(/polic|approv|rule|grant/);
  });

  test('AUTH-21: its configuration can be read afterwards, and not be changed', async () => {
    const { session } = await makeRig({ tools: [testTool('a')], deferredTools: ['a'], limits: { toolCalls: 7 } });
    expect(session.config).toMatchObject({ systemPrompt: 'You help.', deferredTools: ['a'], limits: { toolCalls: 7 } });
    expect(() => Object.assign(session.config, { systemPrompt: 'Do harm.' })).toThrow(TypeError);
    expect(() => Object.assign(session.config.limits, { toolCalls: 9 })).toThrow(TypeError);
    expect(session.request().system).toBe('You help.');
  });

  test('AUTH-14: keeping reasoning in history is never needed to build, also with a history that has some', async () => {
    const thinks = new ScriptedModel([[{ type: 'reasoning', text: 'hm' }, { type: 'text', text: 'a' }, FINISH]]);
    const rig = await makeRig({ model: thinks });
    await ask(rig);
    for (const reasoningHistory of [false, null, true]) {
      const model = new ScriptedModel([say('b')], { capabilities: { reasoningHistory } });
      const next = await makeRig({ model, history: rig.journal.entries });
      expect(await ask(next)).toEqual({ type: 'completed' });
    }
  });

  test('AUTH-24: giving somebody to ask, or to answer the model, switches nothing on', async () => {
    const rig = await makeRig({ tools: [writer()], mode: 'plan', rounds: [calls(call('write')), say('end')] });
    const before = [rig.session.request().tools, rig.session.authorityDigest, rig.session.mode];
    rig.session.setApprover(new ScriptedApprover('session'));
    rig.session.setAsker({ askUser: async () => 'yes' });
    expect([rig.session.request().tools, rig.session.authorityDigest, rig.session.mode]).toEqual(before);
    await ask(rig);
    expect(rig.journal.of('tool-result')[0]?.data.status).toBe('denied');
  });

  test('AUTH-26: closing ends what runs, lets go of all, and may always be called', async () => {
    const tool = testTool('read', { run: () => never() });
    const clock = new FakeClock();
    const rig = await makeRig({ tools: [tool], clock, rounds: [calls(call('read')), say('end')] });
    await rig.session.submit('go');
    const turn = rig.session.runTurn();
    await until(() => tool.ran.length === 1);
    await rig.session.close();
    expect(await turn).toEqual({ type: 'interrupted' });
    const heard = rig.events.length;
    await rig.session.close();
    for (const verb of [() => rig.session.submit('more'), () => rig.session.step(), () => rig.session.snapshot()]) {
      await expect(verb()).rejects.toMatchObject({ code: 'session.closed' });
    }
    expect([clock.timers, rig.events.length]).toEqual([0, heard]);
  });

  test('AUTH-16: two sessions in one process, with stores of their own, never meet', async () => {
    const tool = writer();
    const rounds = [calls(call('write')), say('end')];
    const a = await makeRig({ tools: [tool], approver: new ScriptedApprover('session'), rounds });
    const b = await makeRig({ tools: [tool], rounds });
    const outcomes = await Promise.all([ask(a, 'apple'), ask(b, 'pear')]);
    await a.session.setEnabledTools([], 'person');
    await a.session.setMode('plan', 'person');
    await a.session.setConfinement(false, 'person');
    a.session.setSchemaTier('brief');
    expect(outcomes).toEqual([{ type: 'completed' }, { type: 'completed' }]);
    const { session } = b;
    expect([session.grants, session.enabledTools, session.mode, session.confinement]).toEqual([
      [],
      ['write'],
      'ask',
      true,
    ]);
    expect(b.journal.of('tool-result')[0]?.data.status).toBe('denied');
    expect(JSON.stringify([session.request(), b.journal.entries])).not.toContain('apple');
  });
});

const FINISH = { type: 'finish', reason: 'stop', usage: null } as const;

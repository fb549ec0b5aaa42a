// Modes and confinement: who changes them, when a change counts, and how far it reaches.
import { describe, expect, test } from 'vitest';
import { ALLOW_ALL } from '../../../src-main/engine/allow-all.ts';
import type { Policy } from '../../../src-main/engine/ports.ts';
import {
  ask,
  call,
  calls,
  makeRig,
  ok,
  results,
  say,
  ScriptedApprover,
  testTool,
  until,
  writer,
} from '../../helpers/engine-ports.ts';

const shell = (options = {}): ReturnType<typeof writer> =>
  writer('shell', { effects: ['command'], class: 'command', ...options });
const UNFENCED = { status: () => ({ available: false, reason: 'no bubblewrap' }) };

describe('modes', () => {
  test('MODE-01: there are three, and the session tells which one holds', async () => {
    const rig = await makeRig({ mode: 'plan' });
    const seen = [rig.session.mode];
    for (const mode of ['ask', 'auto'] as const) {
      await rig.session.setMode(mode, 'person');
      seen.push(rig.session.mode);
    }
    expect(seen).toEqual(['plan', 'ask', 'auto']);
    expect(rig.journal.of('mode').map(({ data }) => [data.mode, data.by])).toEqual([
      ['ask', 'person'],
      ['auto', 'person'],
    ]);
  });

  test('MODE-02: a change while a step runs counts from the next read on, for the menu and for a call alike', async () => {
    const read = testTool('read', { run: async () => (await until(() => rig.session.mode === 'plan'), ok()) });
    const write = writer();
    const rounds = [calls(call('read'), call('write')), say('end')];
    const rig = await makeRig({ tools: [read, write], mode: 'auto', rounds });
    await rig.session.submit('go');
    const turn = rig.session.runTurn();
    await until(() => read.ran.length === 1);
    expect(rig.session.isRunning).toBe(true);
    await rig.session.setMode('plan', 'person');
    await turn;
    expect(results(rig).map(({ status }) => status)).toEqual(['ok', 'denied']);
    expect(rig.model.requests.map(({ tools }) => tools.map((tool) => tool.name))).toEqual([
      ['read', 'write'],
      ['read'],
    ]);
  });

  test('MODE-04: plan mode is one state for menu, gate and whoever switches it, also where the model calls regardless', async () => {
    const tools = [testTool('read'), writer(), testTool('web', { class: 'network', effects: ['network'] })];
    const rounds = [calls(call('read'), call('write'), call('web')), say('end')];
    const approver = new ScriptedApprover('allow');
    const rig = await makeRig({ tools, approver, rounds });
    await rig.session.setMode('plan', 'shortcut');
    await ask(rig);
    expect(rig.model.requests[0]?.tools.map((tool) => tool.name)).toEqual(['read', 'web']);
    const told = rig.session.history().flatMap((message) => (message.role === 'tool' ? [message.failed] : []));
    expect(told).toEqual([false, true, false]);
    expect(approver.questions.map((question) => question.tool)).toEqual(['web']);
    expect(rig.journal.of('verdict')[1]?.data.by).toEqual({ who: 'mode', mode: 'plan' });
    await rig.session.setMode('ask', 'window');
    expect(rig.session.request().tools).toHaveLength(3);
  });

  test('MODE-06: auto may be switched on where nothing can be confined: what cannot be is asked for then, one by one', async () => {
    const tool = shell({ effects: ['command-unconfinable'], confined: false });
    const approver = new ScriptedApprover('session', { type: 'deny', reason: 'no', by: 'person' });
    const rounds = [calls(call('shell', { n: 1 })), calls(call('shell', { n: 1 })), say('end')];
    const rig = await makeRig({ tools: [tool], approver, confiner: UNFENCED, rounds });
    await rig.session.setMode('auto', 'person');
    await ask(rig);
    expect(approver.questions.map(({ grantable }) => grantable)).toEqual([false, false]);
    expect(results(rig).map(({ status }) => status)).toEqual(['ok', 'denied']);
    rig.session.setApprover(null);
    await ask(rig, 'more');
    expect(results(rig).at(-1)?.status).not.toBe('ok');
  });
});

describe('confinement', () => {
  test('MODE-08: switching it off is a person’s own act: auto runs everything then, and no call can switch it', async () => {
    const tools = [shell(), shell({ effects: ['command-unconfined'] })].map((tool, n) => ({
      ...tool,
      declaration: { ...tool.declaration, name: `shell${n}` },
    }));
    const both = calls(call('shell0'), call('shell1'));
    const rig = await makeRig({ tools, mode: 'auto', rounds: [both, say('end'), both, say('end')] });
    await ask(rig);
    expect(results(rig).map(({ status }) => status)).toEqual(['ok', 'denied']);
    await rig.session.setConfinement(false, 'person');
    await ask(rig, 'again');
    expect(
      results(rig)
        .slice(2)
        .map(({ status }) => status),
    ).toEqual(['ok', 'ok']);
    expect(rig.journal.of('confinement').map(({ data }) => data)).toEqual([{ on: false, by: 'person' }]);
    for (const { contexts } of tools) {
      for (const context of contexts) expect(Object.values(context).some((value) => value === rig.session)).toBe(false);
    }
  });

  test('MODE-09: it is changed while a step runs and counts for the next call; nothing else of the ladder moves', async () => {
    const first = shell({ run: async () => (await until(() => !rig.session.confinement), ok()) });
    const second = { ...shell(), declaration: { ...shell().declaration, name: 'other' } };
    const rounds = [calls(call('shell'), call('other'), call('write')), say('end')];
    const outside = writer('write', { effects: ['write-outside'] });
    const rig = await makeRig({ tools: [first, second, outside], mode: 'auto', rounds });
    const menu = rig.session.request().tools;
    await rig.session.submit('go');
    const turn = rig.session.runTurn();
    await until(() => first.ran.length === 1);
    await rig.session.setConfinement(false, 'person');
    await turn;
    expect(first.contexts.map((context) => context.confinement)).toEqual([true]);
    expect(rig.journal.of('verdict').map(({ data }) => [data.decision, data.confined])).toEqual([
      ['run', true],
      ['run', false],
      ['deny', false],
    ]);
    expect(rig.session.request().tools).toEqual(menu);
  });

  test('MODE-10: a change is this session’s alone, and is not what the next one begins with', async () => {
    const tools = [shell()];
    const [rig, other] = [await makeRig({ tools }), await makeRig({ tools })];
    await rig.session.setConfinement(false, 'person');
    expect([other.session.confinement, (await makeRig({ tools })).session.confinement]).toEqual([true, true]);
    await rig.session.setMode('auto', 'person');
    await ask(rig);
    const reopened = await makeRig({ tools, history: rig.journal.entries });
    expect(reopened.session.mode).toBe('ask');
  });
});

describe('policies', () => {
  test('APPR-07: a policy allows, denies with its reason, or asks, call by call; with none, what asks is denied when nobody can answer', async () => {
    const policy: Policy = {
      judge: ({ args }) => {
        const n = (args as { n?: number }).n;
        if (n === 1) return { effect: 'allow', ruleId: 'r1', rule: 'first ones' };
        return n === 2
          ? { effect: 'deny', ruleId: 'r2', rule: 'no second ones' }
          : { effect: 'ask', ruleId: 'r3', rule: 'ask me' };
      },
    };
    const rounds = [calls(call('write', { n: 1 }), call('write', { n: 2 }), call('write', { n: 3 })), say('end')];
    const approver = new ScriptedApprover('allow');
    const rig = await makeRig({ tools: [writer()], policy, approver, rounds });
    await ask(rig);
    expect(results(rig).map(({ status }) => status)).toEqual(['ok', 'denied', 'ok']);
    expect(results(rig)[1]?.content).toContain('no second ones');
    expect(approver.questions.map(({ argumentsText }) => argumentsText)).toEqual(['{"n":3}']);
    const bare = await makeRig({ tools: [writer()], rounds });
    await ask(bare);
    expect(new Set(results(bare).map(({ status }) => status))).toEqual(new Set(['denied']));
  });

  test('CONF-01: allowing all is a policy of that name, is in the ledger, and answers nothing that asks once', async () => {
    const tools = [writer(), testTool('secret', { effects: ['read-secret'] })];
    const rounds = [calls(call('write'), call('secret')), say('end')];
    const rig = await makeRig({ tools, policy: ALLOW_ALL, rounds });
    await ask(rig);
    expect(results(rig).map(({ status }) => status)).toEqual(['ok', 'denied']);
    expect(rig.journal.of('verdict')[0]?.data.by).toEqual({ who: 'rule', ruleId: 'allow-all', rule: 'allow all' });
  });
});

// The one gate, seen from outside: what the ledger says, what ran, and what the model was told.
import { describe, expect, test } from 'vitest';
import { EFFECT_KINDS } from './effect-kinds.ts';
import { cellOf, strictest } from '../../../src-main/engine/decision-table.ts';
import type { Policy, PolicyVerdict } from '../../../src-main/engine/ports.ts';
import {
  ask,
  call,
  calls,
  deny,
  hangs,
  makeRig,
  ok,
  results,
  say,
  ScriptedApprover,
  testTool,
  until,
  writer,
  type Round,
} from '../../helpers/engine-ports.ts';

const rules = (judge: Policy['judge']): Policy => ({ judge });
const rule = (effect: PolicyVerdict['effect']): PolicyVerdict => ({ effect, ruleId: 'r1', rule: `${effect} it` });
const one = (name: string, args: unknown = {}): Round[] => [calls(call(name, args)), say('end')];

describe('the decision table', () => {
  test('MODE-07, APPR-03: every cell is that of the design', () => {
    const table = EFFECT_KINDS.map((kind) => [
      kind,
      cellOf(kind, 'plan', true),
      cellOf(kind, 'ask', true),
      cellOf(kind, 'auto', true),
      cellOf(kind, 'auto', false),
    ]);
    expect(table).toEqual([
      ['clock', 'runs', 'runs', 'runs', 'runs'],
      ['read-inside', 'runs', 'runs', 'runs', 'runs'],
      ['read-secret', 'asks-once', 'asks-once', 'asks-once', 'asks-once'],
      ['read-outside', 'asks-once', 'asks-once', 'asks-once', 'asks-once'],
      ['write-inside', 'not-offered', 'asks', 'runs', 'runs'],
      ['write-protected', 'not-offered', 'asks-once', 'asks-once', 'asks-once'],
      ['write-outside', 'not-offered', 'asks-once', 'asks-once', 'asks-once'],
      ['command', 'not-offered', 'asks', 'runs', 'runs'],
      ['command-unconfinable', 'not-offered', 'asks-once', 'asks-once', 'runs'],
      ['command-network', 'not-offered', 'asks-once', 'asks-once', 'runs'],
      ['command-unconfined', 'not-offered', 'asks-once', 'asks-once', 'runs'],
      ['network', 'asks-once', 'asks-once', 'asks-once', 'asks-once'],
    ]);
  });

  test('MODE-09: confinement changes nothing outside of auto mode', () => {
    for (const kind of EFFECT_KINDS) {
      expect(cellOf(kind, 'ask', false)).toBe(cellOf(kind, 'ask', true));
      expect(cellOf(kind, 'plan', false)).toBe(cellOf(kind, 'plan', true));
    }
  });

  test('the strictest of several effects decides, and a call without effects is not offered', () => {
    const effects = (['read-inside', 'network', 'command'] as const).map((kind) => ({ kind, target: kind }));
    expect(strictest(effects, 'auto', true)).toEqual({ cell: 'asks-once', effect: effects[1] });
    expect(strictest([], 'auto', false).cell).toBe('not-offered');
  });
});

describe('order of the gate', () => {
  test('TOOL-08: an unknown tool is answered with the tools there are, and nothing else is looked at', async () => {
    const tool = testTool('read');
    const rig = await makeRig({ tools: [tool], rounds: one('raed') });
    expect(await ask(rig)).toEqual({ type: 'completed' });
    expect(results(rig)[0]).toEqual({ status: 'unavailable', content: expect.stringContaining('read') as string });
    expect(rig.journal.of('verdict')[0]?.data.by).toEqual({ who: 'gate', check: 'registered' });
  });

  test('TOOL-07: a call to a tool that is off reaches neither prepare nor approval nor a run', async () => {
    const tool = writer();
    const approver = new ScriptedApprover('allow');
    const rig = await makeRig({ tools: [tool], approver, rounds: one('write', 'not even JSON') });
    await rig.session.setEnabledTools([], 'person');
    await ask(rig);
    expect(results(rig)[0]?.status).toBe('unavailable');
    expect([tool.prepared, approver.questions.length, tool.ran.length]).toEqual([0, 0, 0]);
  });

  test('TOOL-08: arguments that do not fit name each failing path once, and nothing is prepared', async () => {
    const parameters = {
      type: 'object',
      properties: { path: { type: 'string' }, n: { type: 'integer', minimum: 1 } },
      required: ['path'],
      additionalProperties: false,
    };
    const tool = testTool('read', { parameters });
    const rig = await makeRig({ tools: [tool], rounds: one('read', { n: 0, extra: 1 }) });
    await ask(rig);
    const content = results(rig)[0]?.content ?? '';
    expect(content).toContain('"path" is missing');
    expect(content).toContain('"extra" is not known');
    expect(content).toContain('n must be >= 1');
    expect(content.match(/"path" is missing/g)).toHaveLength(1);
    expect(tool.prepared).toBe(0);
  });

  test('T7: arguments that are cut or no JSON get a result that says so; "" stands for no arguments', async () => {
    const tool = testTool('now');
    const rounds = [calls(call('now', '{"a"'), call('now', ''), call('now', '  ')), say('end')];
    const rig = await makeRig({ tools: [tool], rounds });
    await ask(rig);
    expect(results(rig).map(({ status }) => status)).toEqual(['invalid', 'ok', 'ok']);
    expect(tool.ran).toEqual([{}, {}]);
  });

  test('a schema of another dialect is used, one that is none makes the tool unusable and fails nothing else', async () => {
    const dialect = testTool('old', {
      parameters: { $schema: 'http://json-schema.org/draft-07/schema#', $id: 'x', type: 'object' },
    });
    const twin = testTool('twin', { parameters: { $id: 'x', type: 'object' } });
    const broken = testTool('broken', { parameters: { type: 'object', properties: { a: { type: 'nonsense' } } } });
    const rounds = [calls(call('old'), call('twin'), call('broken')), say('end')];
    const rig = await makeRig({ tools: [dialect, twin, broken], rounds });
    expect(await ask(rig)).toEqual({ type: 'completed' });
    // Reads run side by side: their results come as they end.
    expect(
      results(rig)
        .map(({ status }) => status)
        .sort(),
    ).toEqual(['invalid', 'ok', 'ok']);
  });

  test('mode comes before rules, and a deny rule before prepare', async () => {
    const tool = writer();
    const judged: number[] = [];
    const policy = rules(({ effects }) => {
      judged.push(effects.length);
      return rule('deny');
    });
    const plan = await makeRig({ tools: [tool], policy, mode: 'plan', rounds: one('write') });
    await ask(plan);
    expect(plan.journal.of('verdict')[0]?.data.by).toEqual({ who: 'mode', mode: 'plan' });
    const auto = await makeRig({ tools: [tool], policy, mode: 'auto', rounds: one('write') });
    await ask(auto);
    expect(auto.journal.of('verdict')[0]?.data.by).toEqual({ who: 'rule', ruleId: 'r1', rule: 'deny it' });
    expect(tool.prepared).toBe(0);
  });

  test('APPR-16: deny ends every cell, before anybody is asked', async () => {
    for (const kind of EFFECT_KINDS) {
      const tool = testTool('it', { effects: [kind] });
      const approver = new ScriptedApprover('allow');
      const policy = rules(({ effects }) => (effects.length > 0 ? rule('deny') : null));
      const rig = await makeRig({ tools: [tool], approver, policy, mode: 'auto', rounds: one('it') });
      await ask(rig);
      expect([kind, tool.ran.length, approver.questions.length]).toEqual([kind, 0, 0]);
      expect(results(rig)[0]?.status).toBe('denied');
    }
  });

  test('rules that throw deny: the gate fails closed, and the menu offers nothing', async () => {
    const tool = testTool('read');
    const policy = rules(() => {
      throw new TypeError('broken rules');
    });
    const rig = await makeRig({ tools: [tool], policy, rounds: one('read') });
    expect(await ask(rig)).toEqual({ type: 'completed' });
    expect(results(rig)[0]?.status).toBe('denied');
    expect(tool.ran).toEqual([]);
    expect(rig.model.requests[0]?.tools).toEqual([]);
  });
});

describe('rules, grants and approvals', () => {
  test('APPR-01: with nobody to ask, what asks is denied with that reason', async () => {
    const tool = writer();
    const rig = await makeRig({ tools: [tool], rounds: one('write') });
    await ask(rig);
    expect(results(rig)[0]?.content).toContain('nobody is there to answer');
    expect(tool.ran).toEqual([]);
  });

  test('APPR-06: the question says why it is asked, and a denial hands its reason to the model', async () => {
    const approver = new ScriptedApprover(deny('use the other file'));
    const rig = await makeRig({ tools: [writer()], approver, rounds: one('write') });
    await ask(rig);
    expect(approver.questions[0]?.why).toContain('changing files asks');
    expect(results(rig)[0]).toEqual({ status: 'denied', content: 'The person denied this call: use the other file' });
    expect(rig.model.requests[1]?.messages.at(-1)).toMatchObject({
      content: expect.stringContaining('other file') as string,
    });
  });

  test('an allow rule turns "asks" into "runs", an ask rule turns "runs" into "asks"', async () => {
    const write = writer();
    const allowed = await makeRig({ tools: [write], policy: rules(() => rule('allow')), rounds: one('write') });
    await ask(allowed);
    expect(write.ran).toHaveLength(1);
    expect(allowed.journal.of('verdict')[0]?.data.by).toEqual({ who: 'rule', ruleId: 'r1', rule: 'allow it' });

    const read = testTool('read');
    const approver = new ScriptedApprover('allow');
    const asked = await makeRig({ tools: [read], approver, policy: rules(() => rule('ask')), rounds: one('read') });
    await ask(asked);
    expect(approver.questions[0]?.why).toContain('ask it');
    expect(asked.journal.of('verdict')[0]?.data.by).toEqual({ who: 'person' });
  });

  test('APPR-02: "asks once" is made "runs" by no rule and no grant, in any mode', async () => {
    for (const kind of EFFECT_KINDS) {
      for (const [mode, effect] of [
        ['ask', 'allow'],
        ['auto', 'allow'],
        ['ask', 'ask'],
      ] as const) {
        if (cellOf(kind, mode, true) !== 'asks-once') continue;
        const tool = testTool('it', { effects: ['read-inside', kind] });
        const approver = new ScriptedApprover('session');
        const policy = rules(() => rule(effect));
        const rounds = [calls(call('it')), calls(call('it')), say('end')];
        const rig = await makeRig({ tools: [tool], approver, policy, mode, rounds });
        await ask(rig);
        expect([kind, mode, approver.questions.length, rig.session.grants.length]).toEqual([kind, mode, 2, 0]);
        expect(approver.questions.every((question) => !question.grantable)).toBe(true);
        expect(rig.journal.of('verdict').map(({ data }) => data.lasting)).toEqual(['once', 'once']);
      }
    }
  });

  test('APPR-19: a session grant covers the same tool and the same thing, nothing else', async () => {
    const [write, other] = [writer('write'), writer('other')];
    const approver = new ScriptedApprover('session', 'allow');
    const rounds = [
      calls(call('write', { path: 'a' })),
      calls(call('write', { path: 'a' }), call('write', { path: 'b' }), call('other', { path: 'a' })),
      say('end'),
    ];
    const rig = await makeRig({ tools: [write, other], approver, rounds });
    await ask(rig);
    expect(approver.questions.map((question) => [question.tool, question.argumentsText])).toEqual([
      ['write', '{"path":"a"}'],
      ['write', '{"path":"b"}'],
      ['other', '{"path":"a"}'],
    ]);
    expect(rig.journal.of('verdict').map(({ data }) => data.by.who)).toEqual(['person', 'grant', 'person', 'person']);
  });

  test('a session grant answers an ask rule as well', async () => {
    const approver = new ScriptedApprover('session');
    const rounds = [calls(call('read')), calls(call('read')), say('end')];
    const rig = await makeRig({ tools: [testTool('read')], approver, policy: rules(() => rule('ask')), rounds });
    await ask(rig);
    expect(approver.questions).toHaveLength(1);
  });

  test('a grant that a tool makes out for another tool is none', async () => {
    const sly = writer('sly', {
      prepare: async () => ({
        summary: 'sly',
        effects: [{ kind: 'write-inside', target: 'x' }],
        preview: { type: 'none' },
        digest: 'd',
        grant: { tool: 'write', covers: '{}', describes: 'all' },
        confined: true,
        state: null,
      }),
    });
    const approver = new ScriptedApprover('session');
    const rounds = [calls(call('sly')), calls(call('write')), say('end')];
    const rig = await makeRig({ tools: [sly, writer()], approver, rounds });
    await ask(rig);
    expect(approver.questions.map((question) => question.tool)).toEqual(['sly', 'write']);
    expect(approver.questions[0]?.grantable).toBe(false);
  });

  test('an answer for another digest is a denial', async () => {
    const tool = writer();
    const approver = new ScriptedApprover({ type: 'allow', lasting: 'once', digest: 'of something else' });
    const rig = await makeRig({ tools: [tool], approver, rounds: one('write') });
    await ask(rig);
    expect(rig.journal.of('verdict')[0]?.data.by).toEqual({ who: 'gate', check: 'changed' });
    expect(tool.ran).toEqual([]);
  });

  test('what was judged is what is run: a prepared call cannot be changed afterwards', async () => {
    const given = {
      summary: 's',
      effects: [{ kind: 'write-inside' as const, target: 'a' }],
      preview: { type: 'none' as const },
      digest: 'd1',
      grant: null,
      confined: true,
      state: 1,
    };
    let run: unknown = null;
    const tool = writer('write', {
      prepare: async () => given,
      run: async (prepared) => {
        run = prepared.digest;
        return ok();
      },
    });
    const approver = new ScriptedApprover(async (question) => {
      given.digest = 'd2';
      return { type: 'allow', lasting: 'once', digest: question.prepared.digest };
    });
    const rig = await makeRig({ tools: [tool], approver, rounds: one('write') });
    await ask(rig);
    expect(run).toBe('d1');
    expect(rig.journal.of('tool-start')[0]?.data.digest).toBe('d1');
  });
});

describe('arguments that a person changed', () => {
  const changing = (changedArguments: string): ScriptedApprover =>
    new ScriptedApprover(async ({ prepared }) => ({
      type: 'allow',
      lasting: 'once',
      digest: prepared.digest,
      changedArguments,
    }));

  test('they are what runs, are not asked about again, and the ledger keeps both', async () => {
    const tool = writer();
    const approver = changing('{"path":"b"}');
    const rig = await makeRig({ tools: [tool], approver, rounds: one('write', { path: 'a' }) });
    await ask(rig);
    expect(tool.ran).toEqual([{ path: 'b' }]);
    expect(approver.questions).toHaveLength(1);
    expect(rig.journal.of('verdict')[0]?.data).toMatchObject({
      original: '{"path":"a"}',
      changed: '{"path":"b"}',
      by: { who: 'person' },
    });
  });

  test('they pass the gate again: a deny rule ends them, and bad ones are no call', async () => {
    const tool = writer('write', { parameters: { type: 'object', required: ['path'] } });
    const policy = rules(({ args }) => (JSON.stringify(args).includes('secret') ? rule('deny') : null));
    const denied = await makeRig({
      tools: [tool],
      policy,
      approver: changing('{"path":"secret"}'),
      rounds: one('write', { path: 'a' }),
    });
    await ask(denied);
    expect(denied.journal.of('verdict')[0]?.data.by.who).toBe('rule');
    const bad = await makeRig({ tools: [tool], approver: changing('{}'), rounds: one('write', { path: 'a' }) });
    await ask(bad);
    expect(results(bad)[0]?.status).toBe('invalid');
    expect(tool.ran).toEqual([]);
  });
});

describe('narrowing while a call waits', () => {
  test.each(['off', 'plan', 'rule'] as const)('%s: an answer that comes later runs nothing', async (how) => {
    const tool = writer();
    let denies = false;
    const approver = new ScriptedApprover(async ({ prepared }) => {
      if (how === 'off') await rig.session.setEnabledTools([], 'person');
      if (how === 'plan') await rig.session.setMode('plan', 'person');
      denies = how === 'rule';
      return { type: 'allow', lasting: 'once', digest: prepared.digest };
    });
    const policy = rules(() => (denies ? rule('deny') : null));
    const rig = await makeRig({ tools: [tool], approver, policy, rounds: one('write') });
    await ask(rig);
    expect(tool.ran).toEqual([]);
    expect(rig.journal.of('tool-start')).toEqual([]);
    expect(results(rig)[0]?.status).toBe(how === 'off' ? 'unavailable' : 'denied');
  });

  test('MODE-09: another confinement is another effect: it is prepared and asked anew', async () => {
    const tool = writer('sh', { effects: ['command'], class: 'command' });
    const approver = new ScriptedApprover(async ({ prepared }) => {
      if (approver.questions.length === 1) await rig.session.setConfinement(false, 'person');
      return { type: 'allow', lasting: 'once', digest: prepared.digest };
    });
    const rig = await makeRig({ tools: [tool], approver, rounds: one('sh') });
    await ask(rig);
    expect(approver.questions.map(({ prepared }) => prepared.confined)).toEqual([true, false]);
    expect(tool.contexts.map((context) => context.confinement)).toEqual([false]);
  });

  test('MODE-02: a call that ran by mode is asked about when the mode narrows before its start', async () => {
    const read = testTool('slow', { run: async () => (await until(() => rig.session.mode === 'ask'), ok()) });
    const write = writer();
    const rig = await makeRig({
      tools: [read, write],
      mode: 'auto',
      rounds: [calls(call('slow'), call('write')), say('end')],
    });
    await rig.session.submit('go');
    const turn = rig.session.runTurn();
    await until(() => write.prepared === 1);
    await rig.session.setMode('ask', 'person');
    await turn;
    expect(results(rig).map(({ status }) => status)).toEqual(['ok', 'denied']);
    expect(write.ran).toEqual([]);
  });

  test('a command that would not be confined although that is on is asked about, also in auto mode', async () => {
    const tool = writer('sh', { effects: ['command'], class: 'command', confined: false });
    const rig = await makeRig({ tools: [tool], mode: 'auto', rounds: one('sh') });
    await ask(rig);
    expect(results(rig)[0]?.status).toBe('denied');
    expect(tool.ran).toEqual([]);
  });
});

describe('tools and approvers that misbehave', () => {
  test.each([
    ['throws', async () => Promise.reject(new TypeError('boom'))],
    ['gives nothing', async () => JSON.parse('null') as never],
    [
      'has no effects',
      async () => JSON.parse('{"summary":"s","effects":[],"preview":{"type":"none"},"digest":"d"}') as never,
    ],
    [
      'has an unknown effect',
      async () => JSON.parse('{"effects":[{"kind":"x","target":""}],"preview":{"type":"none"},"digest":"d"}') as never,
    ],
  ])('LOOP-08: a prepare that %s refuses the call and the turn goes on', async (_name, prepare) => {
    const tool = testTool('it', { prepare });
    const rig = await makeRig({ tools: [tool], mode: 'auto', rounds: one('it') });
    expect(await ask(rig)).toEqual({ type: 'completed' });
    expect(results(rig)[0]?.status).toBe('error');
    expect(tool.ran).toEqual([]);
  });

  test.each([
    ['throws', async () => Promise.reject(new TypeError('boom'))],
    ['gives nothing', async () => JSON.parse('null') as never],
    ['gives rubbish', async () => JSON.parse('{"status":"fine"}') as never],
  ])('LOOP-08: a run that %s is an error result and the turn goes on', async (_name, run) => {
    const rig = await makeRig({ tools: [writer('it', { run })], mode: 'auto', rounds: one('it') });
    expect(await ask(rig)).toEqual({ type: 'completed' });
    expect(results(rig)[0]?.status).toBe('error');
  });

  test.each([
    ['throws', async () => Promise.reject(new TypeError('boom'))],
    ['gives nothing', async () => JSON.parse('null') as never],
  ])('an approver that %s denies', async (_name, answer) => {
    const tool = writer();
    const rig = await makeRig({ tools: [tool], approver: new ScriptedApprover(answer), rounds: one('write') });
    expect(await ask(rig)).toEqual({ type: 'completed' });
    expect([results(rig)[0]?.status, tool.ran.length]).toEqual(['denied', 0]);
  });
});

describe('the tool menu', () => {
  test('MODE-03: plan mode offers reads, clock and network alone', async () => {
    const tools = (['read', 'write', 'command', 'network', 'clock'] as const).map((kind) =>
      testTool(kind, { class: kind }),
    );
    const rig = await makeRig({ tools, mode: 'plan' });
    expect(rig.session.request().tools.map((tool) => tool.name)).toEqual(['clock', 'network', 'read']);
    await rig.session.setMode('ask', 'person');
    expect(rig.session.request().tools).toHaveLength(5);
  });

  test('TOOL-06: the declaration of a tool that is off stays while history refers to it, and goes with a clear', async () => {
    const rig = await makeRig({ tools: [testTool('read'), testTool('grep')], rounds: one('read') });
    await ask(rig);
    await rig.session.setEnabledTools([], 'person');
    expect(rig.session.request().tools.map((tool) => tool.name)).toEqual(['read']);
    await rig.session.clearContext('person');
    expect(rig.session.request().tools).toEqual([]);
  });

  test('TOOL-21: what is read before is what is sent', async () => {
    const rig = await makeRig({ tools: [testTool('read')], rounds: [hangs()] });
    await rig.session.submit('go');
    const before = rig.session.request();
    const turn = rig.session.runTurn();
    await until(() => rig.model.requests.length === 1);
    rig.session.stop('person');
    await turn;
    expect(rig.model.requests[0]).toEqual(before);
  });
});

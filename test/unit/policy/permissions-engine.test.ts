// The rules as the engine's gate meets them: a real session over the real policy, with tools that only note what they did.
import { beforeAll, describe, expect, test } from 'vitest';
import { livePolicy } from '../../../src-main/app/live-policy.ts';
import { SettingsService } from '../../../src-main/app/settings-service.ts';
import type { EffectKind } from '../../../src-main/contract/authority.ts';
import type { Rule, SettingsPatch } from '../../../src-main/contract/settings.ts';
import type { Policy } from '../../../src-main/engine/ports.ts';
import { loadShellGrammar } from '../../../src-main/policy/shell-grammar.ts';
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
} from '../../helpers/engine-ports.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

beforeAll(loadShellGrammar);

const rule = (effect: Rule['effect'], match: string): Rule => ({ id: match, effect, match });

const RULES = [rule('allow', 'shell:git log *'), rule('ask', 'shell:git fetch'), rule('deny', 'shell:rm')];

/** The policy of a chat over settings that are really stored. */
async function policyOf(patch: SettingsPatch, scope: { projectId?: string; sessionId?: string } = {}): Promise<Policy> {
  const settings = await SettingsService.open(await tempFolder());
  await settings.update(patch);
  return livePolicy(settings, {
    toolNames: ['shell'],
    extraRules: [],
    projectId: scope.projectId ?? 'p',
    sessionId: scope.sessionId ?? 's',
    root: '/project',
    projectFile: null,
    nowMs: Date.now,
  });
}

const shell = (kind: EffectKind = 'command') =>
  testTool('shell', {
    class: 'command',
    effects: (args) => [{ kind, target: String((args as { command?: string }).command) }],
  });

const runs = (...commands: string[]) => [...commands.map((command) => calls(call('shell', { command }))), say('end')];

describe('the permissions engine', () => {
  test('APPR-15: is off unless its setting is on, and then resolves every call to allow, ask or deny', async () => {
    for (const useRules of [false, true]) {
      const tool = shell();
      const approver = new ScriptedApprover('allow');
      const policy = await policyOf({ rules: RULES, useRules });
      const rounds = runs('git log -3', 'git fetch', 'rm x', 'ls');
      const rig = await makeRig({ tools: [tool], approver, policy, rounds });
      await ask(rig);
      const asked = approver.questions.map(({ prepared }) => prepared.effects[0]?.target);
      const all = ['git log -3', 'git fetch', 'rm x', 'ls'];
      expect(asked).toEqual(useRules ? ['git fetch', 'ls'] : all);
      expect(results(rig).map(({ status }) => status)).toEqual(['ok', 'ok', useRules ? 'denied' : 'ok', 'ok']);
    }
  });

  test('APPR-16: says which rule decided, on which part, and no approver is asked about a denied part', async () => {
    const approver = new ScriptedApprover('allow');
    const policy = await policyOf({ rules: RULES, useRules: true });
    const rounds = runs('git log && rm -rf x', 'git log | cat', 'git fetch --all');
    const rig = await makeRig({ tools: [shell()], approver, policy, rounds });
    await ask(rig);
    expect(results(rig)[0]?.content).toContain('Denied by the person\'s rule "deny shell:rm", on "rm -rf x"');
    expect(approver.questions.map(({ why }) => why)).toEqual([
      'shell commands ask in this mode, and no rule covers "cat"',
      'your rule "ask shell:git fetch", on "git fetch --all", asks',
    ]);
  });

  test('APPR-17: with nobody to ask, everything that the rules resolve to ask is denied', async () => {
    const tool = shell();
    const policy = await policyOf({ rules: RULES, useRules: true });
    const rig = await makeRig({ tools: [tool], mode: 'auto', policy, rounds: runs('git fetch', 'git log') });
    await ask(rig);
    expect(results(rig).map(({ status }) => status)).toEqual(['denied', 'ok']);
    expect(tool.ran).toHaveLength(1);
    expect(rig.journal.of('verdict')[0]?.data.by).toEqual({ who: 'policy', policy: 'nobody can answer' });
  });

  test('APPR-18: one approver answers what rules ask and what cannot be confined', async () => {
    const approver = new ScriptedApprover('allow', deny('not here'), 'allow');
    const policy = await policyOf({ rules: RULES, useRules: true });
    const tools = [shell('command-unconfinable')];
    const rig = await makeRig({ tools, approver, policy, mode: 'auto', rounds: runs('ls', 'make', 'git log') });
    await ask(rig);
    expect(approver.questions).toHaveLength(3);
    expect(approver.questions.map(({ grantable }) => grantable)).toEqual([false, false, false]);
    expect(results(rig).map(({ status }) => status)).toEqual(['ok', 'denied', 'ok']);
    expect(approver.questions[0]?.why).toContain('cannot be confined');
    const confinable = new ScriptedApprover('allow');
    const other = { tools: [shell()], approver: confinable, policy, mode: 'auto' } as const;
    await ask(await makeRig({ ...other, rounds: runs('ls', 'git fetch') }));
    expect(confinable.questions.map(({ why }) => why)).toEqual([expect.stringContaining('git fetch')]);
  });

  test('MODE-13: what cannot be confined is asked for, or denied where the settings say so', async () => {
    for (const unconfinable of ['ask', 'deny'] as const) {
      const approver = new ScriptedApprover('allow');
      const policy = await policyOf({ unconfinable });
      const tools = [shell('command-unconfinable')];
      const rig = await makeRig({ tools, approver, policy, mode: 'auto', rounds: runs('ls') });
      await ask(rig);
      expect([approver.questions.length, results(rig)[0]?.status]).toEqual(
        unconfinable === 'ask' ? [1, 'ok'] : [0, 'denied'],
      );
    }
  });

  test('APPR-22: the same approver answers yes or no with the rules off, and only the setting chooses', async () => {
    for (const [useRules, questions] of [
      [false, 2],
      [true, 1],
    ] as const) {
      const approver = new ScriptedApprover('allow', deny('no'));
      const policy = await policyOf({ rules: RULES, useRules });
      const rig = await makeRig({ tools: [shell()], approver, policy, rounds: runs('ls', 'rm x') });
      await ask(rig);
      expect(approver.questions).toHaveLength(questions);
      expect(results(rig).map(({ status }) => status)).toEqual(['ok', 'denied']);
    }
  });

  test('C17: in ask mode no command is safe enough to run without being asked for', async () => {
    const commands = ['ls', 'true', 'pwd', 'echo a', 'cat a', ':', 'git status', 'cd .', 'test -f a'];
    for (const useRules of [false, true]) {
      const approver = new ScriptedApprover('allow');
      const policy = await policyOf({ useRules });
      await ask(await makeRig({ tools: [shell()], approver, policy, rounds: runs(...commands) }));
      expect(approver.questions).toHaveLength(commands.length);
    }
  });

  test('a rule of a project or a chat holds there alone', async () => {
    const rules: Rule[] = [
      { ...rule('deny', 'shell:a'), project: 'p' },
      { ...rule('deny', 'shell:b'), session: 's' },
      { ...rule('deny', 'shell:c'), session: 's', expiresAtMs: Date.now() - 1 },
    ];
    const judged = async (scope: { projectId?: string; sessionId?: string }) => {
      const policy = await policyOf({ rules, useRules: true }, scope);
      return ['a', 'b', 'c'].map(
        (command) => policy.judge({ tool: 'shell', args: { command }, effects: [] })?.effect ?? '-',
      );
    };
    expect(await judged({})).toEqual(['deny', 'deny', '-']);
    expect(await judged({ projectId: 'q' })).toEqual(['-', 'deny', '-']);
    expect(await judged({ sessionId: 't' })).toEqual(['deny', '-', '-']);
  });
});

import { describe, expect, it } from 'vitest';
import { isAppError } from '../../../src-main/base/app-error.ts';
import type { Rule } from '../../../src-main/contract/settings.ts';
import { assertPermissionAllowed, assertRuleAllowed, createPolicy } from '../../../src-main/policy/rules.ts';

const rule = (id: string, effect: Rule['effect'], match: string): Rule => ({ id, effect, match });
const shell = (command: string) => ({ tool: 'shell', args: { command }, effects: [] });

function refusal(run: () => void): string {
  try {
    run();
    return 'accepted';
  } catch (error) {
    return isAppError(error) ? error.code : String(error);
  }
}

describe('rules', () => {
  it('deny beats ask beats allow, whatever their order', () => {
    const rules = [
      rule('a', 'allow', 'shell'),
      rule('d', 'deny', 'shell:rm -rf x'),
      rule('k', 'ask', 'shell:npm test'),
    ];
    for (const each of [rules, rules.toReversed()]) {
      const policy = createPolicy(each);
      expect(policy.judge(shell('rm -rf x'))).toEqual({ effect: 'deny', ruleId: 'd', rule: 'deny shell:rm -rf x' });
      expect(policy.judge(shell('npm test'))?.effect).toBe('ask');
      expect(policy.judge(shell('ls'))?.effect).toBe('allow');
      expect(policy.judge({ tool: 'grep', args: {}, effects: [] })).toBeNull();
    }
  });

  it('C1, C2: an allowed command allows exactly itself, never what is chained to it', () => {
    const policy = createPolicy([rule('a', 'allow', 'shell:git log')]);
    expect(policy.judge(shell('git log'))?.effect).toBe('allow');
    for (const command of ['git log; echo x > f', 'git log && rm -rf x', 'git log ', 'git  log', 'git log\nrm x']) {
      expect(policy.judge(shell(command)), command).toBeNull();
    }
  });

  it('a denied command is denied in any spacing', () => {
    const policy = createPolicy([rule('d', 'deny', 'shell:rm -rf x')]);
    expect(policy.judge(shell('  rm   -rf\tx '))?.effect).toBe('deny');
  });

  it('settings of a tool are rules too: off denies, allow allows, ask leaves it to the mode', () => {
    const policy = createPolicy([], { shell: 'off', write_file: 'allow', edit_file: 'ask' });
    expect(policy.judge(shell('ls'))).toMatchObject({ effect: 'deny', ruleId: 'tool:shell' });
    expect(policy.judge({ tool: 'write_file', args: {}, effects: [] })?.effect).toBe('allow');
    expect(policy.judge({ tool: 'edit_file', args: {}, effects: [] })).toBeNull();
    expect(policy.judge({ tool: 'constructor', args: {}, effects: [] })).toBeNull();
  });

  it('APPR-05: no rule and no setting allows a network tool ahead', () => {
    expect(refusal(() => assertRuleAllowed(rule('x', 'allow', 'web_fetch')))).toBe('settings.rule-refused');
    expect(refusal(() => assertPermissionAllowed('web_search', 'allow'))).toBe('settings.rule-refused');
    expect(refusal(() => assertRuleAllowed(rule('x', 'deny', 'web_fetch')))).toBe('accepted');
    const policy = createPolicy([rule('x', 'allow', 'web_fetch')], { web_fetch: 'allow' });
    expect(policy.judge({ tool: 'web_fetch', args: { url: 'https://x' }, effects: [] })).toBeNull();
  });

  it('a rule that names nothing is refused', () => {
    for (const match of [' ', 'shell:', 'no tool!', 'bash:ls']) {
      expect(
        refusal(() => assertRuleAllowed(rule('x', 'deny', match))),
        match,
      ).toBe('settings.rule-refused');
    }
  });
});

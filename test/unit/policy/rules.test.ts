import { beforeAll, describe, expect, it } from 'vitest';
import { isAppError } from '../../../src-main/base/app-error.ts';
import type { Rule } from '../../../src-main/contract/settings.ts';
import { assertPermissionAllowed, assertRuleAllowed } from '../../../src-main/policy/rule-match.ts';
import { createPolicy } from '../../../src-main/policy/rules.ts';
import { loadShellGrammar } from '../../../src-main/policy/shell-grammar.ts';

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

beforeAll(loadShellGrammar);

describe('rules', () => {
  it('deny beats ask beats allow, whatever their order', () => {
    const rules = [
      rule('a', 'allow', 'shell'),
      rule('d', 'deny', 'shell:rm -rf x'),
      rule('k', 'ask', 'shell:npm test'),
    ];
    for (const each of [rules, rules.toReversed()]) {
      const policy = createPolicy(each);
      const denied = { effect: 'deny', ruleId: 'd', rule: 'deny shell:rm -rf x', on: 'rm -rf x' };
      expect(policy.judge(shell('rm -rf x'))).toEqual(denied);
      expect(policy.judge(shell('npm test'))?.effect).toBe('ask');
      expect(policy.judge(shell('ls'))?.effect).toBe('allow');
      expect(policy.judge({ tool: 'grep', args: {}, effects: [] })).toBeNull();
    }
  });

  it('a denied command is denied in any spacing', () => {
    const policy = createPolicy([rule('d', 'deny', 'shell:rm -rf x'), rule('t', 'deny', 'shell:echo a > f')]);
    expect(policy.judge(shell('  rm   -rf\tx '))?.effect).toBe('deny');
    // Also as a part of a line, and where a rule's text is no plain command.
    expect(policy.judge(shell('ls;rm   -rf\tx '))?.effect).toBe('deny');
    expect(policy.judge(shell(' echo  a\t>  f'))?.effect).toBe('deny');
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
    for (const match of [' ', 'shell:', 'no tool!', 'bash:ls', 'host:a b', 'write: ']) {
      expect(
        refusal(() => assertRuleAllowed(rule('x', 'deny', match))),
        match,
      ).toBe('settings.rule-refused');
    }
  });

  it('an allow rule for what asks each time is refused when it is saved, and allows nothing when it was stored', () => {
    for (const match of [
      'write:/etc/**',
      'write:../x',
      'write:.git/hooks/*',
      'host:example.com',
      'read:src/**',
      'shell:*',
    ]) {
      const code = refusal(() => assertRuleAllowed(rule('x', 'allow', match)));
      expect(code, match).toBe('settings.rule-refused');
    }
    const policy = createPolicy([rule('x', 'allow', 'write:**'), rule('y', 'allow', 'host:example.com')]);
    const writes = (target: string) =>
      policy.judge({ tool: 'write_file', args: {}, effects: [{ kind: 'write-inside', target }] })?.effect;
    expect(['src/a.ts', '.git/config', '.env', '/etc/passwd', '../x'].map(writes)).toEqual([
      'allow',
      ...[undefined, undefined, undefined, undefined],
    ]);
    const fetches = {
      tool: 'web_fetch',
      args: {},
      effects: [{ kind: 'network', target: 'https://example.com' }],
    } as const;
    expect(policy.judge(fetches)).toBeNull();
  });

  it('rules on paths and hosts speak of what a call touches, for every tool', () => {
    const policy = createPolicy(
      [
        rule('a', 'allow', 'write:docs/**'),
        rule('b', 'deny', 'write:docs/fixed'),
        rule('c', 'deny', 'read:private'),
        rule('d', 'deny', 'host:example.com'),
      ],
      {},
      { root: '/project' },
    );
    const judge = (tool: string, kind: 'write-inside' | 'read-inside' | 'network', target: string) =>
      policy.judge({ tool, args: {}, effects: [{ kind, target }] })?.ruleId ?? null;
    expect(judge('write_file', 'write-inside', 'docs/a/b.md')).toBe('a');
    expect(judge('edit_file', 'write-inside', 'docs/Fixed/b.md')).toBe('b');
    expect(judge('edit_file', 'write-inside', '/project/docs/fixed')).toBe('b');
    expect(judge('write_file', 'write-inside', 'src/a.ts')).toBeNull();
    expect(judge('read_file', 'read-inside', 'PRIVATE/x')).toBe('c');
    expect(judge('grep', 'read-inside', 'private')).toBe('c');
    expect(judge('web_fetch', 'network', 'https://api.example.com/x')).toBe('d');
    expect(judge('web_fetch', 'network', 'https://example.com.evil.test/')).toBeNull();
  });

  it('a rule ends at its time, to the millisecond', () => {
    let nowMs = 1000;
    const policy = createPolicy([{ ...rule('a', 'allow', 'shell:ls'), expiresAtMs: 2000 }], {}, { nowMs: () => nowMs });
    expect(policy.judge(shell('ls'))?.effect).toBe('allow');
    nowMs = 1999;
    expect(policy.judge(shell('ls'))?.effect).toBe('allow');
    nowMs = 2000;
    expect(policy.judge(shell('ls'))).toBeNull();
  });
});

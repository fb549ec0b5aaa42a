// Commands and rules that were made to get around the judge, or to keep it busy for ever.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Rule } from '../../../src-main/contract/settings.ts';
import { createPolicy } from '../../../src-main/policy/rules.ts';
import { loadShellGrammar } from '../../../src-main/policy/shell-grammar.ts';

beforeAll(loadShellGrammar);

function judge(rules: readonly string[], command: string, tool = 'shell'): string {
  const stored = rules.map((text, id): Rule => {
    const [effect, ...match] = text.split(' ');
    return { id: String(id), effect: effect === 'allow' || effect === 'ask' ? effect : 'deny', match: match.join(' ') };
  });
  const policy = createPolicy(stored, {}, { root: '/project' });
  return policy.judge({ tool, args: { command }, effects: [] })?.effect ?? 'none';
}

describe('a command that hides another one from the judge', () => {
  const hidden = [
    'bash -O extglob -c "git push"',
    'bash +O extglob -c "git push"',
    'bash --rcfile x -c "git push"',
    'bash --init-file x -c "git push"',
    'bash -oc posix "git push"',
    'bash -eOc extglob "git push"',
    'sh /dev/stdin <<< "git push"',
    'sh /dev/fd/3 3<<E\ngit push\nE',
    '. /dev/stdin <<< "git push"',
    'source <(echo git push)',
    'exec -ca echo git push',
    'env --sp="git push"',
    'env -a echo git push',
    'echo x | xargs --process-slot-var echo git push',
  ];

  it('is covered by no allow rule on the words around it', () => {
    const around = ['bash', 'sh', '.', 'source', 'exec', 'env', 'xargs', 'echo'];
    const rules = around.map((name) => `allow shell:${name} *`);
    expect(hidden.map((command) => [command, judge(rules, command)])).toEqual(hidden.map((one) => [one, 'none']));
    for (const plain of ['bash -o pipefail -c "echo x"', 'bash -ec "echo x"', 'xargs -n 1 echo x', 'exec echo x']) {
      expect([plain, judge(rules, plain)]).toEqual([plain, 'allow']);
    }
  });

  it('asks under a rule that denies it', () => {
    const more = [
      'alias g="git push"\ng',
      'hash -p /usr/bin/git g; g push',
      'mapfile -C "git push" x',
      'csh -c "git push"',
    ];
    for (const command of [...hidden, ...more, 'su -c "git push"', 'script -c "git push"']) {
      expect([command, judge(['deny shell:git push'], command)]).toEqual([command, expect.stringMatching(/ask|deny/)]);
    }
    expect(judge(['deny shell:git push'], 'fakeroot git push')).toBe('deny');
  });

  it('a denied file asks in a shell that may be in another folder by now', () => {
    expect(judge(['deny write:docs/**'], 'echo x > docs/a')).toBe('deny');
    expect(judge(['deny write:docs/**'], 'echo x > a')).toBe('none');
    expect(judge(['deny write:docs/**'], 'echo x > a', 'shell_session')).toBe('ask');
  });
});

// Each of these took minutes or all memory; the test's own time limit is what fails.
describe('a judge that is kept busy', () => {
  it('comes to an end for patterns full of stars, of a project or a person', () => {
    expect(judge(['deny shell:*a*a*a*a*a*a*a*a*b'], 'a'.repeat(5000))).toBe('none');
    expect(judge([`deny write:${'**/'.repeat(12)}x`], `echo > ${'a/'.repeat(60)}y`)).toBe('none');
    expect(judge(['deny write:a*a*a*a*a*a*a*b'], `echo > ${'a'.repeat(200)}`)).toBe('none');
    const many = Array.from({ length: 200 }, () => 'deny shell:*x*y*z');
    expect(judge(many, `(${'x'.repeat(60_000)}`)).toBe('ask');
  });

  it('comes to an end for launchers in launchers, which then count as unreadable', () => {
    for (const count of [19, 30, 4000]) {
      const command = `find . ${'-exec find . '.repeat(count)}\\;`;
      expect(judge(['deny shell:git push'], command)).toBe('ask');
      expect(judge(['allow shell:find *'], command)).toBe('none');
    }
    expect(
      judge(['deny shell:git push'], `${'-exec find . '.repeat(30)}; find . ${'-exec git push '.repeat(30)}`),
    ).not.toBe('none');
  });

  it('patterns mean what they meant', () => {
    const files = ['docs/a', 'docs', 'DOCS/a/b', 'x/docs/a', 'docs/../src/a'];
    const said = (rule: string): string[] => files.map((file) => judge([rule], `echo > ${file}`));
    expect(said('deny write:docs/**')).toEqual(['deny', 'none', 'deny', 'none', 'none']);
    expect(said('deny write:docs')).toEqual(['deny', 'deny', 'deny', 'none', 'none']);
    expect(said('deny write:**/a')).toEqual(['deny', 'none', 'deny', 'deny', 'deny']);
    expect(said('deny write:do?s/*')).toEqual(['deny', 'none', 'deny', 'none', 'none']);
    const words = [
      'npm run test:u',
      'npm run test',
      '/usr/bin/npm run test:unit',
      'NPM.EXE run test:ux',
      'npm run x:u',
    ];
    const saidOf = (rule: string): string[] => words.map((one) => judge([rule], one));
    expect(saidOf('deny shell:npm run t*t:u*')).toEqual(['deny', 'none', 'deny', 'deny', 'none']);
    expect(saidOf('allow shell:np* run t*t:u*')).toEqual(['allow', 'none', 'none', 'none', 'none']);
  });
});

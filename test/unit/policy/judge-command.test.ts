// Rules about commands, both ways: what is not wholly allowed never runs by a rule, and what is allowed does not ask.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Rule } from '../../../src-main/contract/settings.ts';
import { createPolicy } from '../../../src-main/policy/rules.ts';
import { gatherCommands } from '../../../src-main/policy/gather-commands.ts';
import { loadShellGrammar, shellGrammar } from '../../../src-main/policy/shell-grammar.ts';

beforeAll(loadShellGrammar);

type Rules = Partial<Record<Rule['effect'], readonly string[]>>;

function policyOf(rules: Rules) {
  const stored = (['allow', 'ask', 'deny'] as const).flatMap((effect) =>
    (rules[effect] ?? []).map((match): Rule => ({
      id: match,
      effect,
      match: /^(shell|write_file)$|^(shell|write|read|host):/.test(match) ? match : `shell:${match}`,
    })),
  );
  return createPolicy(stored, {}, { root: '/project' });
}
const call = (command: string) => ({ tool: 'shell', args: { command }, effects: [] });
const judge = (rules: Rules, command: string): string => policyOf(rules).judge(call(command))?.effect ?? 'none';
const why = (rules: Rules, command: string): string => policyOf(rules).uncovered(call(command)) ?? '';

/** Expects each command to get a verdict under the same rules. */
function expectAll(rules: Rules, verdict: string, commands: readonly string[]): void {
  const got = commands.map((command) => [command, judge(rules, command)]);
  expect(got).toEqual(commands.map((command) => [command, verdict]));
}

describe('commands that are chained', () => {
  it('C1: each simple command is judged, and the worst verdict wins', () => {
    const rules = { allow: ['git *'], deny: ['rm'] };
    expect(judge(rules, 'git status')).toBe('allow');
    expectAll(rules, 'deny', [
      'git status && rm -rf x',
      'rm x',
      'git log | xargs rm',
      'git log || rm x',
      'git log & rm x',
    ]);
    expect(policyOf(rules).judge(call('git status && rm -rf x'))).toEqual({
      effect: 'deny',
      ruleId: 'rm',
      rule: 'deny shell:rm',
      on: 'rm -rf x',
    });
  });

  it('C2: what follows an allowed prefix is not allowed with it, and the reason names it', () => {
    const rules = { allow: ['git log:*'] };
    expect(judge(rules, 'git log --oneline -5')).toBe('allow');
    expectAll(rules, 'none', [
      'git log; echo x > f',
      'git log && echo',
      'git log\necho x',
      'git log | sh',
      'git logs',
      'git',
    ]);
    expect(why(rules, 'git log; echo x')).toBe('no rule covers "echo x"');
  });

  it('C4: a chain whose every part is allowed does not ask', () => {
    const rules = { allow: ['cd *', 'grep *', 'head *'] };
    expectAll(rules, 'allow', [
      'cd src && grep -rn "a b" . | head -20',
      'cd src; grep x . 2>/dev/null | head',
      'grep -c x a.txt || head b.txt',
      '(cd src && grep x .) | head',
      '{ grep x a; head b; }',
      'grep "$(head -1 a.txt)" b.txt',
      'if grep -q x a; then head a; else head b; fi',
      'for f in a b; do grep x "$f"; done',
      'while grep -q x a; do head a; done',
      'case $1 in a|b) head a;; *) grep x b;; esac',
      'grep x <<EOF\nsome text\nEOF',
      '! grep -q x a 2>&1',
      'grep -E "^(a|b)$" *.ts # words after this are none',
    ]);
  });

  it('C5: an explicit rule is honoured, and otherwise the exact reason is given', () => {
    const body = 'gh pr create --body "$(cat <<\'EOF\'\n# a line\n$(not run) `nor this` 2>&1\nEOF\n)"';
    expect(judge({ allow: ['gh pr *', 'cat'] }, body)).toBe('allow');
    expect(judge({ allow: ['gh pr *'] }, body)).toBe('none');
    expect(why({ allow: ['gh pr *'] }, body)).toMatch(/^no rule covers "cat <<'EOF'/);
    const quoted = 'gh pr create --body "# a line\n2>&1 | no; pipe"';
    expect(judge({ allow: ['gh pr *'] }, quoted)).toBe('allow');
    expect(judge({ allow: [body] }, body)).toBe('allow');
  });

  it('C7: pipes, lists, redirects and the background are all parts', () => {
    const rules = { allow: ['echo *'] };
    expect(judge(rules, 'echo a b "c"')).toBe('allow');
    expectAll(rules, 'none', [
      'echo a | sh',
      'echo a > f',
      'echo a >> f',
      'echo a >| f',
      'echo a && sh',
      'echo a; sh',
      'echo a & sh',
      'echo a || sh',
      'echo a |& sh',
      'echo a &> f',
      'echo a <> f',
      '> f echo a',
    ]);
    expect(why(rules, 'echo a > f')).toBe('"> f" writes a file that no rule covers');
  });

  it('C8: the file of a redirect is a write to that path', () => {
    const rules = { allow: ['env', 'echo *', 'write:**'] };
    expectAll(rules, 'allow', ['env > out.txt', 'echo k >> notes/a.md', 'echo x > /project/a', 'env > /dev/null 2>&1']);
    expectAll(rules, 'none', [
      'env > /tmp/x',
      'echo k >> ~/.ssh/authorized_keys',
      'echo k >> .ssh/authorized_keys',
      'echo x > .git/hooks/pre-commit',
      'echo x > .GIT/config',
      'echo x > ../out',
      'echo x > a/../../out',
      'echo x > "$HOME/x"',
      'env > .env',
      'echo x 2> .envrc',
    ]);
    expect(judge({ allow: ['shell'] }, 'echo k >> ~/.bashrc; env > /etc/x')).toBe('none');
    expect(judge({ allow: ['shell'] }, 'env > out.txt')).toBe('allow');
    expect(judge({ allow: ['shell'], deny: ['write:docs'] }, 'env > docs/a')).toBe('deny');
    expect(judge({ deny: ['write:docs'] }, 'env > "$x"')).toBe('ask');
    expect(judge({ deny: ['write:docs'] }, 'cd docs && env > a')).toBe('ask');
  });
});

describe('commands inside of commands', () => {
  it('C10: substitutions, subshells and backticks are looked into', () => {
    const rules = { allow: ['echo *', 'ls *'], deny: ['rm'] };
    expectAll(rules, 'deny', [
      'echo $(rm x)',
      '( rm x )',
      'echo `rm x`',
      'echo "$(rm x)"',
      'echo "`rm x`"',
      'echo "${x:-$(rm y)}"',
      'echo $(echo $(echo `rm x`))',
      'x=$(rm y)',
      'x=$(rm y) ls',
      'f() { rm x; }; f',
      'echo $((1 + $(rm x)))',
      'cat <(rm x)',
      'for i in $(rm x); do ls; done',
      'case $(rm x) in a) ls;; esac',
      'if ! rm x; then ls; fi',
      '[[ -n $(rm x) ]]',
      'ls "${a[$(rm x)]}"',
    ]);
    expectAll(rules, 'allow', [
      'echo $(ls)',
      '( ls; echo )',
      'echo `ls -l`',
      'echo "$(ls "$(ls)")"',
      'echo ${x:-$(ls)}',
    ]);
  });

  it('C11: redirect targets and heredocs are looked into, quoted delimiters are not', () => {
    const rules = { allow: ['cat *', 'echo *'], deny: ['rm'] };
    expectAll(rules, 'deny', [
      'echo hi > $(rm x)',
      'cat <<EOF\na $(rm e) b\nEOF',
      'cat <<EOF\n`rm e`\nEOF',
      'cat <<-EOF\n\t$(rm e)\n\tEOF',
      'cat <<A <<B\n$(echo)\nA\n$(rm 2)\nB',
      'cat <<< "$(rm x)"',
      "cat <<'EOF'\ntext\nEOF\nrm x",
    ]);
    expectAll(rules, 'allow', [
      "cat <<'EOF'\n$(rm e)\n`rm f`\nEOF",
      'cat <<"EOF"\n$(rm e)\nEOF',
      'cat <<EOF\nno more\nEOF',
    ]);
  });

  it('launchers and shells with a script start what they carry', () => {
    const deny = { deny: ['rm'] };
    expectAll(deny, 'deny', [
      'sudo rm x',
      'sudo -u root rm x',
      'env A=1 rm x',
      'command rm x',
      'exec rm x',
      'nohup nice -n 5 rm x',
      'timeout -k 1 5 rm x',
      'xargs -n 1 rm',
      'find . -name x -exec rm {} \\;',
      'find . -execdir rm {} +',
      'sh -c "ls; rm x"',
      'bash -ec \'echo "$(rm x)"\'',
      'eval "rm x"',
      'eval rm x',
      'trap "rm x" EXIT',
      'watch -n 1 rm x',
      'watch -n 1 "ls; rm x"',
      'flock f -c "rm x"',
      'sh -c "sh -c \'rm x\'"',
      'time rm x',
      '\\rm x',
      'r""m x',
      "'rm' x",
      '/bin/rm x',
      '../../bin/rm x',
      'RM x',
      'r\\\nm x',
      '{ rm x; } 2>/dev/null',
    ]);
    const allow = { allow: ['xargs *', 'grep *', 'sudo apt *', 'sh -c *', 'env *', 'timeout *', 'find *', 'npm test'] };
    expectAll(allow, 'allow', [
      'xargs grep -n x',
      'xargs -n 1 grep x',
      'sudo apt update',
      'sh -c "grep x a | grep y"',
      'env',
      'env A=1 grep x a',
      'timeout 60 npm test',
      'find . -name "*.ts" -exec grep -l x {} +',
      'find src -type f',
      'find src -name *.ts',
    ]);
    expectAll(allow, 'none', [
      'xargs rm',
      'xargs npm test',
      'sudo rm x',
      'sudo -u apt rm x',
      'sh -c "rm x"',
      'sh -c "$x"',
      'grep x a | sh -c',
      'env A=1 rm x',
      'env -S "rm x"',
      'timeout 60 npm run x',
      'find . -exec rm {} +',
      'find . -exec {} +',
      'find . $x',
      'find . "$d" rm x ";"',
      'sh -c "env > /etc/x"',
    ]);
  });
});

describe('what cannot be known', () => {
  it('C13: a control character asks, whatever is allowed, and a denied word in it is denied', () => {
    expectAll({ allow: ['shell', 'ls *'] }, 'ask', [
      'ls\rrm x',
      'ls \u0007',
      'ls\u0000x',
      'ls \u001b[2K',
      'ls\u000brm',
      'ls\u0085x',
    ]);
    expectAll({}, 'ask', ['ls\rrm x']);
    expectAll({ allow: ['shell'], deny: ['rm'] }, 'deny', ['ls\rrm x', 'ls;\u0007rm x']);
    expectAll({ allow: ['ls *'] }, 'allow', [
      'ls a\tb',
      'ls a\nls b',
      'ls \u00e9t\u00e9 \u4e2d\u6587 \u0627\u0644\u0639',
    ]);
    expectAll({ allow: ['ls *'] }, 'none', ['ls \u200b-rf', 'ls \u202ea', 'ls \u2028x', 'ls\u00a0x']);
  });

  it('what the grammar cannot read, or shells read differently, is never allowed', () => {
    const rules = {
      allow: ['echo *', 'ls *', 'a *', 'x *', 'f', 'printf *', 'test *', '[ *', 'export *', 'read *', 'unset *'],
    };
    expectAll(rules, 'none', [
      'echo "unterminated',
      'if true',
      'ls;;ls',
      'cat <<EOF\nno end',
      "echo $'a\\'; ls #'",
      'echo hi &> f ls',
      '((ls))',
      '[[ a > b ]]',
      'f() { ls; }; f',
      'function f { ls; }',
      'coproc ls',
      'select i in a; do ls; done',
      'echo !(ls)',
      'echo @(a|b)',
      'a+=1 ls',
      'a[1]=2 ls',
      'a=(1) ls',
      'echo ${!x}',
      'echo ${x@P}',
      'echo ${x/a/b}',
      'echo "${x:-\'}\'}"',
      'echo $((x))',
      'echo $[x]',
      'echo "`echo \\"a; ls\\"`"',
      'echo ${ ls; }',
      '{fd}>/dev/null ls',
      '$x ls',
      'l? a',
      '{ls,a}',
      '~/ls',
      '"$x" a',
      'PATH=/evil; ls',
      'LD_PRELOAD=x ls',
      'for PATH in /evil; do ls; done',
      'export PATH=/evil; ls',
      'read PATH; ls',
      'unset PATH; ls',
      'echo ${PATH:=/evil}; ls',
      'alias ls=rm; ls',
      "printf -v 'a[$(rm x)]' x",
      'printf "$f" x',
      "test -v 'a[$(rm x)]'",
      '[ "$a" "$b" ]',
      "unset 'a[$(rm x)]'",
      'http_proxy=http://evil; ls',
    ]);
    expectAll({ ...rules, allow: [...rules.allow, 'cd *', './run *', 'set *', 'wait *', 'true'] }, 'allow', [
      'echo "$HOME" $x ${x} ${#x} ${x%.ts} ${x:-a} $? $$ "$@"',
      'echo $((1 + 2 * 3))',
      'x=1; echo $x',
      'out=$(ls); echo "$out"',
      '[ -f a ] && ls',
      '[ "$x" = y ] && ls',
      'test -n "$x"',
      '[ ! -d "$d" ] || ls',
      'read -r line',
      'export x=1',
      'printf "%s\\n" "$x"',
      "printf '%s' a",
      'set -euo pipefail\nls',
      'ls & wait $!',
      'cd a && ls',
      './run a',
      'echo \'a; rm x\' "b && rm" \\; \\$x',
      'echo {a,b} [ab] *.ts ~/x',
      'true\n# a comment; rm x\nls',
    ]);
    expect(judge({ allow: ['cd *', './run *'] }, 'cd a && ./run b')).toBe('none');
    // Some shells end the command at the ampersand and run what follows the file.
    const both = { allow: ['echo *', 'write:out'] };
    expectAll(both, 'none', ['echo hi &> out rm', '> out echo &>> out rm']);
    expectAll(both, 'allow', ['echo hi &> out', 'echo hi rm &> out | echo']);
  });

  it('an option of a launcher that is not known hides what it starts, and known ones do not', () => {
    const rules = { allow: ['nice *', 'timeout *', 'xargs *', 'env *', 'stdbuf *', 'setsid *', 'strace *', 'grep *'] };
    expectAll(rules, 'allow', [
      'nice grep x a',
      'nice -n5 grep x a',
      'nice -5 grep x a',
      'timeout --signal=KILL -v 5 grep x a',
      'timeout -vk1 5 grep x a',
      'xargs -0rn1 grep x',
      'xargs --max-args 2 -- grep x',
      'env -i -u A B=1 grep x a',
      'stdbuf -oL grep x a',
      'setsid -w grep x a',
      'strace -f -e trace=file grep x a',
      'timeout --version',
    ]);
    expectAll(rules, 'none', [
      'nice --unknown grep x a',
      'nice -z grep x a',
      'timeout --new-option grep 5 evil',
      'timeout -q 5 grep x a',
      'xargs --replace grep x',
      'xargs -i grep {}',
      'xargs -Igrep grep x',
      'xargs -rIgrep grep x',
      'xargs -- -n grep x',
      'env -S "grep x" a',
      'env -vS "evil"',
      'setsid -z grep x',
      'strace -o "|evil" grep x a',
      'strace -fo "|evil" grep x a',
    ]);
    // What the words are put in place of is not known, and with another first word nothing is covered.
    expect(why(rules, 'xargs -Igrep grep x')).toContain('"grep x"');
  });

  it('past its bounds a text is not even parsed: it asks, and a denied word in it is denied', () => {
    const parsed: string[] = [];
    const grammar = shellGrammar();
    if (grammar === null) throw new TypeError('the grammar is loaded before all');
    const counting = { ...grammar, parse: (text: string) => (parsed.push(text), grammar.parse(text)) };
    for (const text of ['a;'.repeat(32_768), 'a|'.repeat(9000), 'a $('.repeat(600), `a ${'"$x" '.repeat(5000)}`]) {
      const { reads, commands } = gatherCommands(text, counting);
      expect([reads.every(({ unreadable }) => unreadable), commands]).toEqual([true, []]);
      expect(judge({ allow: ['a *', 'a'] }, text)).toBe('none');
      expect(judge({ allow: ['shell'], deny: ['rm'] }, `${text}; rm x`)).toBe('deny');
      expect(judge({ allow: ['shell'], ask: ['rm'] }, text)).toBe('ask');
    }
    expect(parsed).toEqual([]);
    // A long text in quotes, or in a heredoc, is no work.
    const file = `cat <<'EOF'\n${'some line of a file\n'.repeat(2500)}EOF\n`;
    expect(judge({ allow: ['cat'] }, file)).toBe('allow');
  });

  it('a deny rule asks where it cannot be ruled out, and never gets weaker with size', () => {
    const rules = { allow: ['shell'], deny: ['rm'] };
    expectAll(rules, 'ask', [
      '$x -rf y',
      'r? x',
      '"$cmd" x',
      '$(echo rm) x',
      'sh',
      'echo x | sh',
      'eval "$x"',
      '((x))',
      'find . $x',
    ]);
    expectAll({ deny: ['git push'] }, 'ask', ['git -C x push', 'git $x', 'git -c a=b push origin']);
    expectAll({ deny: ['git push'] }, 'deny', ['git push', 'git push --force', 'cd x && git push']);
    expectAll({ deny: ['git push'] }, 'none', ['git pull', 'git commit -m x', 'echo git push']);
    const long = `${'echo a; '.repeat(14_000)}rm x`;
    expect(judge(rules, long)).toBe('deny');
    const deep = `${'echo $('.repeat(2000)}rm x${')'.repeat(2000)}`;
    expect(judge(rules, deep)).toBe('deny');
    expect(judge({ allow: ['echo *'] }, deep)).toBe('none');
    expect(judge(rules, `echo "${'x'.repeat(100_000)}"; rm x "`)).toBe('deny');
    expect(judge(rules, `echo '${'rm '.repeat(10)}'; echo "${'x'.repeat(50_000)}"`)).toBe('allow');
    expect(judge({ ask: ['git push'] }, 'git push')).toBe('ask');
  });

  it('where commands are not run by sh, a rule means its very text', () => {
    const rules: Rule[] = [
      { id: 'a', effect: 'allow', match: 'shell:dir *' },
      { id: 'b', effect: 'allow', match: 'shell:npm test' },
      { id: 'c', effect: 'deny', match: 'shell:del' },
    ];
    const policy = createPolicy(rules, {}, { posix: false });
    expect(policy.judge(call('npm test'))?.effect).not.toBe('deny');
    expect(createPolicy(rules.slice(0, 2), {}, { posix: false }).judge(call('npm test'))?.effect).toBe('allow');
    expect(createPolicy(rules.slice(0, 2), {}, { posix: false }).judge(call('dir & evil'))).toBeNull();
    expect(policy.judge(call('dir & del x'))?.effect).toBe('deny');
  });
});

describe('the words of a rule', () => {
  it('an allow rule without a star covers exactly its words, in any spacing and quoting', () => {
    expectAll({ allow: ['git log'] }, 'allow', ['git log', 'git  log ', "git 'log'", 'git log # why']);
    expectAll({ allow: ['git log'] }, 'none', [
      'git log -p',
      'git',
      '/usr/bin/git log',
      './git log',
      'A=1 git log',
      'GIT log',
    ]);
    expectAll({ allow: ['npm run test:*'] }, 'allow', ['npm run test', 'npm run test -- x']);
    expectAll({ allow: ['npm run "test:*"'] }, 'none', ['npm run test:unit']);
    expectAll({ allow: ['npm run test*'] }, 'allow', ['npm run test:unit', 'npm run tests']);
    expectAll({ allow: ['CI=1 npm test'] }, 'allow', ['CI=1 npm test']);
    expectAll({ allow: ['a && b'] }, 'allow', ['a && b']);
    expectAll({ allow: ['a && b'] }, 'none', ["a '&&' b", 'a &&  b', 'a', 'b']);
  });

  it('only a command that has to be read waits for the grammar', () => {
    const policy = policyOf({ allow: ['ls'] });
    expect(policy.ready({ tool: 'read_file', args: { path: 'a' } })).toBeNull();
    expect(policy.ready({ tool: 'grep', args: { pattern: 'x' } })).toBeNull();
    expect(createPolicy([]).ready(call('ls'))).toBeNull();
  });
});

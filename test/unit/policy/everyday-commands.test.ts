// Commands as models write them every day, under rules that name each program in them: none of them may ask.
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { createPolicy } from '../../../src-main/policy/rules.ts';
import { loadShellGrammar } from '../../../src-main/policy/shell-grammar.ts';

beforeAll(loadShellGrammar);

const scriptsSchema = z.object({ scripts: z.record(z.string(), z.unknown()).default({}) });

const PROGRAMS = [
  ...[
    'cd',
    'ls',
    'cat',
    'head',
    'tail',
    'grep',
    'rg',
    'find',
    'xargs',
    'sed',
    'awk',
    'sort',
    'uniq',
    'wc',
    'diff',
    'echo',
    'printf',
    'git',
    'npm',
    'npx',
    'node',
    'python3',
    'pytest',
    'cargo',
    'go',
    'make',
  ],
  ...[
    'mkdir',
    'cp',
    'mv',
    'touch',
    'test',
    '[',
    'true',
    'false',
    'pwd',
    'which',
    'command',
    'date',
    'tsc',
    'jq',
    'tee',
    'basename',
    'sleep',
    'kill',
    'ps',
    'read',
    'set',
    'bash',
    'sh',
    'time',
    'timeout',
    'tar',
    'wait',
    'exit',
    'cut',
  ],
];

const COMMANDS: readonly string[] = [
  'cd src && npm test',
  'npm test 2>&1 | tail -40',
  'git diff --stat HEAD~1',
  'find . -name "*.ts" | xargs grep -l foo',
  "find . -type f -name '*.py' -not -path './venv/*' -exec grep -n TODO {} +",
  'find . -name node_modules -prune -o -name "*.js" -print | head',
  'for f in *.ts; do echo "$f"; wc -l "$f"; done',
  'python3 -c "print(1)"',
  'ls -la && cat package.json | head -50',
  '[ -d node_modules ] || npm ci',
  "node -e 'console.log(1)'",
  "sed -n '1,20p' file.txt",
  'git log --oneline | head -5',
  'echo "$(date)" >> log.txt',
  'npm run build > build.log 2>&1; echo "exit $?"',
  'npm run build > build.log 2>&1 || tail -20 build.log',
  "git commit -m \"$(cat <<'EOF'\nfix: a thing\n\nbody (with) 'quotes' & more\nEOF\n)\"",
  'cat > a.py <<\'EOF\'\nprint("$x `y`")\nEOF\npython3 a.py',
  "grep -rn 'a' --include='*.ts' . || true",
  'wc -l $(git ls-files)',
  "awk '{print $1}' f | sort | uniq -c | sort -rn | head -3",
  'cd "$(git rev-parse --show-toplevel)" && git status',
  'time npm test',
  'timeout 60 npm test',
  'if [ -f package.json ]; then npm ls; else echo none; fi',
  'while read -r line; do echo "$line"; done < list.txt',
  'git ls-files | while read f; do head -1 "$f"; done',
  'test $? -eq 0',
  'test -f a && echo yes || echo no',
  '[ "$a" = "b" ] && echo yes',
  'x=$(git rev-parse HEAD); echo $x',
  'npm i && npm run lint && npm test',
  'command -v node && node --version',
  'which node || echo none',
  'ps aux | grep node | grep -v grep',
  'kill %1',
  'sleep 1 && echo done &',
  'tar czf a.tgz src',
  "git show HEAD:src/a.ts | sed -n '10,20p'",
  'cat a.json | jq \'.a[] | select(.b == "c")\'',
  'echo \'{"a":1}\' | jq .a',
  "printf '%s\\n' a b c",
  'set -e; npm test',
  'set -euo pipefail\nnpm ci\nnpm test',
  'diff <(sort a) <(sort b)',
  'rg -n "foo|bar" -g \'*.ts\' | head',
  'git stash && npm test; git stash pop',
  'mkdir -p a/{b,c} && touch a/b/x',
  'cp a b && mv b c',
  'echo $((1+2))',
  'for i in 1 2 3; do echo $i; done',
  'git diff -- src | cat',
  'npx tsc --noEmit -p . 2>&1 | grep -c error',
  "python3 - <<'EOF'\nprint(1)\nEOF",
  'bash scripts/build.sh',
  "sh -c 'echo a; ls'",
  'bash -c "npm test && echo ok"',
  'cat "a b.txt" \'c\'',
  'ls *.md **/*.ts 2>/dev/null',
  'git branch --show-current',
  "git log -1 --format='%H %s'",
  'git add -A && git commit -qm "x"',
  'echo "a" | tee out.txt',
  '(cd sub && make)',
  'make -j4 all 2>&1 | tee make.log',
  'go test ./... -run TestX',
  'cargo test -- --nocapture',
  'pytest -q tests/test_a.py::test_b',
  'exit 1',
  'true && false || true',
  'date +%s',
  'git blame -L 1,5 a.ts',
  'ls -1 | wc -l',
  'echo "Line1\\nLine2"',
  'basename "$PWD"',
  'grep -n "foo" a.ts | cut -d: -f1',
  'node --test 2>&1 | head -100; echo "---"; git status --short',
  'cat a.txt 2>/dev/null || echo missing',
  'npm test -- --grep "a b"',
  'wait $!',
  'echo ${VAR:-default}',
  'echo ${#x} ${x%.ts} ${x##*/}',
  'cat <<EOF\nhello $USER\nEOF',
  'tail -n +5 a.txt',
];

it('everyday commands whose every part is allowed do not ask', () => {
  const policy = createPolicy([
    ...PROGRAMS.map((name) => ({ id: name, effect: 'allow' as const, match: `shell:${name} *` })),
    { id: 'files', effect: 'allow', match: 'write:**' },
  ]);
  const asked = COMMANDS.flatMap((command) => {
    const call = { tool: 'shell', args: { command }, effects: [] };
    return policy.judge(call)?.effect === 'allow' ? [] : [[command, policy.uncovered(call)]];
  });
  expect(asked).toEqual([]);
  expect(COMMANDS.length).toBeGreaterThan(80);
});

/** Command lines that people wrote: the scripts of all installed packages, sorted. */
function packageScripts(): string[] {
  const modules = path.resolve(import.meta.dirname, '../../../node_modules');
  const found = new Set<string>();
  const look = (folder: string, scoped: boolean): void => {
    for (const name of fs.readdirSync(folder)) {
      if (name.startsWith('.')) continue;
      if (name.startsWith('@') && !scoped) look(path.join(folder, name), true);
      const file = path.join(folder, name, 'package.json');
      if (!fs.existsSync(file)) continue;
      const { scripts } = scriptsSchema.parse(JSON.parse(fs.readFileSync(file, 'utf8')));
      for (const script of Object.values(scripts)) if (typeof script === 'string') found.add(script.trim());
    }
  };
  look(modules, false);
  return [...found].filter((script) => script !== '').sort();
}

/** Rules that a person would write for a line: each program in it by its name, and the variables that it is given. */
function rulesFor(line: string): string[] {
  const quoted = /'[^']*'|"(?:\\.|[^"\\])*"/g;
  const held: string[] = [];
  const plain = line.replace(quoted, (text) => `\u0001${String(held.push(text) - 1)}\u0002`);
  const open = (text: string): string => text.replace(/\u0001(\d+)\u0002/g, (_, at) => held[Number(at)] ?? '');
  return plain.split(/&&|\|\||;|\||&|\n|\(|\)/).flatMap((part) => {
    const words = part
      .trim()
      .replace(/^(?:!|if|then|else|do|while)\s+/, '')
      .split(/\s+/);
    const program = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
    return program < 0 || words[0] === '' ? [] : [open(`${words.slice(0, program + 1).join(' ')} *`)];
  });
}

it('FIG-21: of a thousand command lines that people wrote, at most two in a hundred ask although each program is allowed', () => {
  const scripts = packageScripts().slice(0, 1000);
  expect(scripts.length).toBeGreaterThan(900);
  const asked = scripts.flatMap((command) => {
    const rules = rulesFor(command).map((match) => ({ id: match, effect: 'allow' as const, match: `shell:${match}` }));
    const policy = createPolicy([...rules, { id: 'files', effect: 'allow', match: 'write:**' }]);
    const call = { tool: 'shell', args: { command }, effects: [] };
    return policy.judge(call)?.effect === 'allow' ? [] : [[command, policy.uncovered(call)]];
  });
  if (process.env['WARRANT_LONG'] === '1') console.log(`FIG-21: ${asked.length} of ${scripts.length} ask`, asked);
  expect(asked.length).toBeLessThanOrEqual(scripts.length / 50);
});

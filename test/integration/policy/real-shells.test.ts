// The judge against real shells: generated lines are judged, those that rules allow are run by bash and by sh with recorders
// in place of programs, and what was really started and written must be covered by the rules.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Rule } from '../../../src-main/contract/settings.ts';
import { createPolicy } from '../../../src-main/policy/rules.ts';
import { loadShellGrammar } from '../../../src-main/policy/shell-grammar.ts';
import { CommandLines, LINE_RULES, WRITE_RULE } from '../../helpers/command-lines.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

/** More lines than the usual run: WARRANT_COMMAND_LINES=20000. */
const LINES = Number(process.env['WARRANT_COMMAND_LINES'] ?? 5000);
const SEED = Number(process.env['WARRANT_COMMAND_SEED'] ?? 4);

const rules = [...LINE_RULES, WRITE_RULE].map((match, index): Rule => ({ id: String(index), effect: 'allow', match }));
const policy = createPolicy(rules);
const call = (command: string) => ({ tool: 'shell', args: { command }, effects: [] });
const isAllowed = (command: string): boolean => policy.judge(call(command))?.effect === 'allow';

beforeAll(loadShellGrammar);

const which = (name: string): string | null => {
  const found = (process.env['PATH'] ?? '').split(':').map((folder) => path.join(folder, name));
  return found.find((file) => fs.existsSync(file)) ?? null;
};

/** Recorders for programs, and the real launchers. A recorder notes its name and its first word. */
function makePrograms(folder: string): void {
  fs.mkdirSync(folder);
  for (const [name, code] of Object.entries({ aa: 0, bb: 1, cc: 0, xx: 0, yy: 0 })) {
    // A fixed word for any other argument: one with a line end must not look like a record.
    const text = `#!/bin/sh\nw=other; [ "$1" = one ] && w=one\necho ${name} $w >> "$RECORD" || kill -9 $PPID\nexit ${String(code)}\n`;
    fs.writeFileSync(path.join(folder, name), text, { mode: 0o755 });
  }
  for (const name of ['xargs', 'env', 'find', 'timeout', 'sh']) {
    const real = which(name);
    if (real !== null) fs.symlinkSync(real, path.join(folder, name));
  }
}

/** Runs each line in a folder of its own; one that loops is ended when its record is full. */
const DRIVER = `
trap '' XFSZ
mapfile -d '' lines < "$1/lines"
for i in "\${!lines[@]}"; do
  ( cd "$1/$2/$i/in" && ulimit -t 2 -f 1 && RECORD="$1/$2/$i/record" PATH="$1/programs" HOME="$1" exec "$3" -c "\${lines[i]}" ) \\
    < /dev/null > /dev/null 2>&1
done
wait
`;

async function runAll(folder: string, label: string, shell: string): Promise<void> {
  const driver = ['-c', DRIVER, 'driver', folder, label, shell];
  const fence = [
    '--ro-bind',
    '/',
    '/',
    '--dev',
    '/dev',
    '--proc',
    '/proc',
    '--bind',
    folder,
    folder,
    '--unshare-all',
    '--die-with-parent',
  ];
  const fenced = which('bwrap') !== null && spawnSync('bwrap', [...fence, 'true']).status === 0;
  const child = fenced
    ? spawn('bwrap', [...fence, 'bash', ...driver], { stdio: 'ignore' })
    : spawn('bash', driver, { stdio: 'ignore' });
  await once(child, 'exit');
}

/** What a line did that no rule covers. */
function breachesOf(folder: string): string[] {
  const record = path.join(folder, 'record');
  const started = fs.existsSync(record) ? fs.readFileSync(record, 'utf8').split('\n') : [];
  const uncovered = started.filter((line) => /^(xx|yy) /.test(line) || (line.startsWith('cc ') && line !== 'cc one'));
  const above = fs.readdirSync(folder).filter((name) => name !== 'in' && name !== 'record');
  const written = fs.readdirSync(path.join(folder, 'in')).filter((name) => !name.startsWith('out'));
  return [...uncovered, ...[...above, ...written].map((name) => `wrote ${name}`)];
}

function breaches(folder: string, label: string, lines: readonly string[]): string[] {
  return lines.flatMap((line, index) => {
    const found = breachesOf(path.join(folder, label, String(index)));
    return found.length === 0 ? [] : [`${label}: ${JSON.stringify(line)} ${found.join(', ')}`];
  });
}

describe('generated command lines', () => {
  it('what rules cover wholly does not ask', () => {
    const lines = new CommandLines(SEED);
    const asked = Array.from({ length: LINES }, () => lines.plain()).filter((line) => !isAllowed(line));
    expect(asked.slice(0, 5).map((line) => [line, policy.uncovered(call(line))])).toEqual([]);
  });

  it.skipIf(which('bash') === null || process.platform === 'win32')(
    'what rules allow starts and writes nothing else, in bash and in sh',
    { timeout: 600_000 },
    async () => {
      const generator = new CommandLines(SEED + 1);
      const lines = Array.from({ length: LINES }, () => generator.wild()).filter((line) => !line.includes('\0'));
      const allowed = lines.filter(isAllowed);
      // The control shows that the recorders see: lines that the judge did not allow do start what no rule covers.
      const control = lines.filter((line) => !isAllowed(line)).slice(0, 150);
      const folder = await tempFolder();
      makePrograms(path.join(folder, 'programs'));
      const all = [...allowed, ...control];
      fs.writeFileSync(path.join(folder, 'lines'), all.map((line) => `${line}\0`).join(''));
      for (const shell of ['bash', 'sh'])
        all.forEach((_, index) => fs.mkdirSync(path.join(folder, shell, String(index), 'in'), { recursive: true }));
      await Promise.all(['bash', 'sh'].map((shell) => runAll(folder, shell, which(shell) ?? shell)));

      expect(allowed.length).toBeGreaterThan(LINES / 20);
      expect(['bash', 'sh'].flatMap((label) => breaches(folder, label, allowed))).toEqual([]);
      expect(breaches(folder, 'bash', all).length).toBeGreaterThan(20);
    },
  );
});

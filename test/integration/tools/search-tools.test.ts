// find_files and grep over real trees, against git where git has an opinion.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkLeaks } from '../../helpers/leak-check.ts';
import { openTools } from '../../helpers/opened-tools.ts';
import type { OpenedTools } from '../../helpers/opened-tools.ts';

checkLeaks();

function write(root: string, files: Record<string, string | Buffer>): void {
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    fs.writeFileSync(path.join(root, name), text);
  }
}

const linesOf = async (tools: OpenedTools, tool: string, args: object): Promise<string[]> =>
  (await tools.call(tool, args)).content.split('\n');

describe('finding files', () => {
  it('F2: leaves out exactly what git ignores: nested files, negation, excludes and the global file', async () => {
    const tools = await openTools();
    write(tools.root, {
      '.gitignore': '*.log\n/build/\ntmp*\n!tmp-keep\n# note\n\\#odd\n',
      'a.log': '',
      'a.ts': '',
      '#odd': '',
      tmp1: '',
      'tmp-keep': '',
      'build/x.ts': '',
      'sub/build/y.ts': '',
      'sub/.gitignore': '!keep.log\n*.ts\n!/z.ts\n',
      'sub/keep.log': '',
      'sub/other.log': '',
      'sub/y.ts': '',
      'sub/z.ts': '',
      'sub/deep/z.ts': '',
      'excluded.md': '',
      'Case.LOG': '',
    });
    execFileSync('git', ['init', '-q', '.'], { cwd: tools.root });
    fs.writeFileSync(path.join(tools.root, '.git/info/exclude'), 'excluded.md\n');
    const git = execFileSync('git', ['-c', 'core.excludesFile=/dev/null', 'ls-files', '-co', '--exclude-standard'], {
      cwd: tools.root,
      encoding: 'utf8',
    });
    expect(await linesOf(tools, 'find_files', { pattern: '**' })).toEqual(git.trim().split('\n').sort());
  });

  it('F1: a pattern narrows what git leaves, and an ignored folder that is named is searched', async () => {
    const tools = await openTools();
    write(tools.root, { '.gitignore': 'dist/\n', 'dist/app.js': 'needle', 'src/app.js': 'needle' });
    expect(await linesOf(tools, 'find_files', { pattern: '**/*.js' })).toEqual(['src/app.js']);
    expect(await linesOf(tools, 'find_files', { pattern: '*.js', path: 'dist' })).toEqual(['dist/app.js']);
    expect(await linesOf(tools, 'grep', { pattern: 'needle', glob: '**/*.js' })).toEqual(['src/app.js:1:needle']);
    expect(await linesOf(tools, 'grep', { pattern: 'needle', glob: '*.js' })).toEqual(['src/app.js:1:needle']);
    expect(await linesOf(tools, 'grep', { pattern: 'needle', path: 'dist' })).toEqual(['dist/app.js:1:needle']);
    expect(await linesOf(tools, 'grep', { pattern: 'needle', path: 'dist/app.js' })).toEqual(['dist/app.js:1:needle']);
  });

  it('FILE-05: never follows a link, and names links as names', async () => {
    const tools = await openTools();
    write(tools.root, { 'a/x.txt': 'needle' });
    fs.symlinkSync('/etc', path.join(tools.root, 'etc'));
    fs.symlinkSync('..', path.join(tools.root, 'a/loop'));
    expect(await linesOf(tools, 'find_files', { pattern: '*' })).toEqual(['a/loop', 'a/x.txt', 'etc']);
    expect(await linesOf(tools, 'grep', { pattern: 'needle|root' })).toEqual(['a/x.txt:1:needle']);
  });

  it('FILE-06: skips likely secrets, unless the call names one and so asks for it', async () => {
    const tools = await openTools();
    write(tools.root, { '.env': 'needle', 'a.txt': 'needle', '.ssh/config': 'needle', 'x/server.key': 'needle' });
    expect(await linesOf(tools, 'find_files', { pattern: '**' })).toEqual(['a.txt']);
    expect(await linesOf(tools, 'grep', { pattern: 'needle' })).toEqual(['a.txt:1:needle']);
    for (const name of ['.env', '.ssh']) {
      expect(await tools.prepare('grep', { pattern: 'needle', path: name })).toMatchObject({
        effects: [{ kind: 'read-secret', target: name }],
      });
    }
    expect(await linesOf(tools, 'grep', { pattern: 'needle', path: '.env' })).toEqual(['.env:1:needle']);
    expect(await linesOf(tools, 'find_files', { pattern: '*', path: '.ssh' })).toEqual(['.ssh/config']);
  });

  it('F7: names with spaces, dashes, line ends and odd bytes stay what they are', async () => {
    const tools = await openTools();
    write(tools.root, { 'x b/y.txt': 'needle', '-rf': 'needle', 'a\nb.txt': 'needle', "q'uote": 'needle' });
    fs.writeFileSync(Buffer.concat([Buffer.from(`${tools.root}/caf`), Buffer.from([0xe9])]), 'needle');
    expect(await linesOf(tools, 'find_files', { pattern: '*' })).toEqual(['-rf', '"a\\nb.txt"', "q'uote", 'x b/y.txt']);
    expect(await linesOf(tools, 'grep', { pattern: 'needle' })).toEqual([
      '-rf:1:needle',
      '"a\\nb.txt":1:needle',
      "q'uote:1:needle",
      'x b/y.txt:1:needle',
      '[Matches in files whose names are no UTF-8 are left out.]',
    ]);
    expect((await tools.call('list_directory', {})).content).toContain('caf\\xe9 (name is no UTF-8)');
    expect(await linesOf(tools, 'grep', { pattern: 'needle', path: '-rf' })).toEqual(['-rf:1:needle']);
  });

  it('is bounded, and says what is left out', async () => {
    const tools = await openTools({ limits: { searchResults: 5 } });
    write(
      tools.root,
      Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`f${index}.txt`, 'needle\nneedle\n'])),
    );
    const found = await tools.call('find_files', { pattern: '*' });
    expect(found.facts).toMatchObject({ matches: 5, truncated: true });
    expect(found.content).toContain('[Only the first 5 are shown.');
    const hits = await tools.call('grep', { pattern: 'needle' });
    expect(hits.facts).toMatchObject({ matches: 5, truncated: true });
    expect(hits.content).toContain('[There are more.');
  });
});

describe('searching contents', () => {
  it('F4, F5: long lines are cut around the match, and said to be', async () => {
    const tools = await openTools();
    write(tools.root, { 'bundle.min.js': `${'x'.repeat(300_000)}needle${'y'.repeat(300_000)}\nshort needle\n` });
    const outcome = await tools.call('grep', { pattern: 'needle' });
    expect(outcome.facts).toMatchObject({ matches: 2, truncated: true });
    expect(outcome.content.length).toBeLessThan(1200);
    expect(outcome.content).toMatch(/^bundle\.min\.js:1:…x+needley+…\nbundle\.min\.js:2:short needle$/);
  });

  it('shows matches in files that are too large to be read whole, each cut out of its place', async () => {
    const tools = await openTools();
    const filler = 'some words of a log line, as they come\n'.repeat(250_000);
    const long = `${'é'.repeat(3000)}needle ends${'x'.repeat(5000)}`;
    write(tools.root, { 'large.log': `needle first\n${filler}needle in the middle\r\n${filler}${long}\nneedle last` });
    expect(fs.statSync(path.join(tools.root, 'large.log')).size).toBeGreaterThan(16 * 1024 * 1024);
    const lines = await linesOf(tools, 'grep', { pattern: 'needle' });
    expect(lines.slice(0, 2)).toEqual(['large.log:1:needle first', 'large.log:250002:needle in the middle']);
    expect(lines[2]).toMatch(/^large\.log:500003:…é+needle endsx+…$/);
    expect(lines[2]?.length).toBeLessThan(700);
    expect(lines[3]).toBe('large.log:500004:needle last');
  });

  it('finds in CRLF, UTF-16 and marked files, passes over binary ones, and minds letter case as asked', async () => {
    const tools = await openTools();
    write(tools.root, {
      'crlf.txt': 'one\r\nneedle\r\n',
      'utf16.txt': Buffer.from('\uFEFFa\nneedle\n', 'utf16le'),
      'bom.txt': '\uFEFFneedle\n',
      'binary.bin': Buffer.from('needle\0needle'),
      'upper.txt': 'NEEDLE\n',
    });
    expect(await linesOf(tools, 'grep', { pattern: 'needle$' })).toEqual([
      'bom.txt:1:needle',
      'crlf.txt:2:needle',
      'utf16.txt:2:needle',
    ]);
    expect(await linesOf(tools, 'grep', { pattern: '^needle', ignore_case: true, glob: 'upper*' })).toEqual([
      'upper.txt:1:NEEDLE',
    ]);
  });

  it('a bad pattern is an error that says where, and no match is an answer', async () => {
    const tools = await openTools();
    write(tools.root, { 'a.txt': 'x' });
    expect((await tools.call('grep', { pattern: 'a(' })).content).toContain('unclosed group');
    expect(await tools.call('grep', { pattern: 'zzz' })).toMatchObject({ status: 'ok', content: '[No match.]' });
    expect((await tools.call('grep', { pattern: 'x', path: 'none' })).facts.code).toBe('workspace.not-found');
  });

  it('works the same inside the fence', async () => {
    const tools = await openTools({ confined: true });
    write(tools.root, { 'a.txt': 'needle', '.gitignore': 'b.txt\n', 'b.txt': 'needle' });
    expect(await linesOf(tools, 'grep', { pattern: 'needle' })).toEqual(['a.txt:1:needle']);
  });
});

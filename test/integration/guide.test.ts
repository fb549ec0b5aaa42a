// The guide on real folders with the real tools: five packages that nobody picked by hand.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createGuide } from '../../src-main/providers/guide/create-guide.ts';
import { driveModel, type Driver } from '../helpers/drive-model.ts';
import { checkLeaks } from '../helpers/leak-check.ts';

checkLeaks();

const modules = path.resolve(import.meta.dirname, '../../node_modules');

/** Whether a package is a real folder of middle size with something to tell. */
function fits(name: string): boolean {
  const folder = path.join(modules, name);
  if (name.startsWith('.') || name.startsWith('@') || !statSync(folder).isDirectory()) return false;
  if (!existsSync(path.join(folder, 'package.json'))) return false;
  const entries = readdirSync(folder, { recursive: true });
  return entries.length >= 5 && entries.length <= 300 && entries.some((entry) => /^readme\.md$/i.test(String(entry)));
}

const hash = (name: string): string => createHash('sha256').update(name).digest('hex');
const packages = readdirSync(modules)
  .sort((a, b) => (hash(a) < hash(b) ? -1 : 1))
  .filter(fits)
  .slice(0, 5);

test('five packages were chosen', () => {
  console.log(`The guide is tried on: ${packages.join(', ')}`);
  expect(packages).toHaveLength(5);
});

describe.each(packages)('on the package %s', (name) => {
  let folder = '';
  let driver: Driver;
  let manifest: { name: string; version: string };
  let readme = '';
  const file = (relative: string): string => readFileSync(path.join(folder, relative), 'utf8');

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'warrant-guide-'));
    cpSync(path.join(modules, name), folder, { recursive: true, dereference: true });
    manifest = JSON.parse(file('package.json')) as typeof manifest;
    readme = readdirSync(folder).find((entry) => /^readme\.md$/i.test(entry)) ?? '';
    driver = await driveModel(createGuide(0), folder);
  });
  afterAll(async () => {
    await driver.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('summarise tells name, version and folders as they are', async () => {
    const { answer, calls } = await driver.ask('Summarise this project, please.');
    expect(answer).toContain(`**${manifest.name}**`);
    expect(answer).toContain(`version ${manifest.version}`);
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) expect(answer).toContain(`\`${entry.name}/\``);
    }
    expect(calls.length).toBeGreaterThanOrEqual(3);
    expect(answer).toMatch(/\*\*Languages\*\* by files: .*(JavaScript|TypeScript|JSON)/);
  });

  test('read shows the file', async () => {
    const { answer } = await driver.ask('read package.json');
    expect(answer).toContain(`"version": "${manifest.version}"`);
  });

  test('find gives file and line of what is there, and says so when nothing is', async () => {
    const line =
      file('package.json')
        .split('\n')
        .findIndex((text) => text.includes('"version"')) + 1;
    const { answer } = await driver.ask(`find '"version": "${manifest.version}"' in this project`);
    expect(answer).toMatch(new RegExp(`package\\.json:${line}[:-]`));
    expect((await driver.ask('find "zz-not-there-zz"')).answer).toContain('No line has `zz-not-there-zz`.');
  });

  test('replace changes the one place and nothing else, and says so', async () => {
    const before = file('package.json');
    const { answer, calls } = await driver.ask(
      `replace "version": "${manifest.version}" by "version": "9.9.9" in package.json`.replace(
        /replace (.*) by (.*) in/,
        (_all, a: string, b: string) => `replace '${a}' by '${b}' in`,
      ),
    );
    expect(answer).toMatch(/^Done: in `package\.json`/);
    expect(file('package.json')).toBe(before.replace(`"version": "${manifest.version}"`, '"version": "9.9.9"'));
    expect(calls.map((call) => call.split(' ')[0])).toEqual(['read_file', 'edit_file']);
  });

  test('replace of what is not there changes nothing and says so', async () => {
    const before = file(readme);
    const { answer } = await driver.ask(`replace "zz-not-there-zz" by "x" in ${readme}`);
    expect(answer).toContain('so I changed nothing');
    expect(file(readme)).toBe(before);
  });

  test('run tells the exit code and the end of the output', async () => {
    expect((await driver.ask('run `ls package.json`')).answer).toMatch(/exit code 0\.[\s\S]*package\.json/);
    expect((await driver.ask('$ ls zz-not-there')).answer).toContain('which means that it failed');
  });

  test('create writes the file', async () => {
    const { answer } = await driver.ask('create the file notes/first.md with "hello"');
    expect(answer).toContain('Done: `notes/first.md` is written, 1 line.');
    expect(file('notes/first.md')).toBe('hello\n');
  });
});

describe('on a folder of its own', () => {
  let folder = '';
  let driver: Driver;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'warrant-guide-'));
    driver = await driveModel(createGuide(0), folder);
  });
  afterEach(async () => {
    await driver.close();
    await rm(folder, { recursive: true, force: true });
  });
  const put = (name: string, text: string): Promise<void> => writeFile(path.join(folder, name), text);
  const get = (name: string): string => readFileSync(path.join(folder, name), 'utf8');

  test('an empty folder is summarised as what it is', async () => {
    expect((await driver.ask('summarise this project')).answer).toContain('has no package manifest that I know');
  });

  test('a text that is there several times is not changed without "all"', async () => {
    await put('a.txt', 'cat\ndog\ncat\n');
    const { answer } = await driver.ask('replace cat by cow in a.txt');
    expect(answer).toContain('2 times, so I changed nothing');
    expect(answer).toContain('1: cat\n3: cat');
    expect(get('a.txt')).toBe('cat\ndog\ncat\n');
    await driver.ask('replace all cat by cow in a.txt');
    expect(get('a.txt')).toBe('cow\ndog\ncow\n');
  });

  test('a denied call is told plainly with its reason, and nothing is changed', async () => {
    await put('a.txt', 'cat\n');
    const { answer } = await driver.ask('replace cat by cow in a.txt', { deny: 'edit_file' });
    expect(answer).toContain('> The person denied this call: not today');
    expect(get('a.txt')).toBe('cat\n');
  });

  test('a tool that is not offered is named, with the way to switch', async () => {
    const { answer, calls } = await driver.ask('run npm test', { without: ['shell', 'edit_file', 'write_file'] });
    expect(calls).toEqual([]);
    expect(answer).toContain('`shell`');
    expect(answer).toContain('/mode ask');
  });

  test('an existing file is read before it is written over', async () => {
    await put('a.txt', 'old\n');
    const { calls } = await driver.ask('create the file a.txt with "new"');
    expect(calls.map((call) => call.split(' ')[0])).toEqual(['write_file', 'read_file', 'write_file']);
    expect(get('a.txt')).toBe('new\n');
  });

  test('a file that is not there under its name is looked for', async () => {
    await put('Readme.md', '# Title\n');
    expect((await driver.ask('read the readme')).answer).toContain('# Title');
    expect((await driver.ask('read nothing-like-it.txt')).answer).toContain('I could not read `nothing-like-it.txt`');
  });

  test('"run the tests" takes the command from the manifest', async () => {
    await put('package.json', JSON.stringify({ name: 'x', scripts: { test: 'echo all well' } }));
    const { calls } = await driver.ask('run the tests');
    expect(calls.at(-1)).toBe('shell {"command":"npm test"}');
  });

  test('markup in file names and texts does not break out of the answer', async () => {
    await put('a.txt', '```\n`x`\n```\n');
    expect((await driver.ask('read a.txt')).answer).toContain('````txt\n```\n`x`\n```\n````');
  });
});

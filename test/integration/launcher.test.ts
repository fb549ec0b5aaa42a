// The launcher as a person starts it, where there is no display, no browser and no Electron.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../helpers/temp-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');
const hasElectron = existsSync(path.join(root, 'node_modules/electron/path.txt'));
/** A build may be due first. */
const LIMIT_MS = 180_000;

interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** A folder to be in, and what is typed there. */
interface Terminal {
  cwd: string;
  input: string;
}

async function folders(): Promise<{ data: string; project: string }> {
  const top = await tempFolder();
  const project = path.join(top, 'shop');
  mkdirSync(project);
  writeFileSync(path.join(project, 'README.md'), '# Shop of tests\n');
  return { data: path.join(top, 'data'), project };
}

/** Runs a launcher script with nothing but what is given: no display, and a PATH without a browser. */
function launch(script: string, args: string[], env: Record<string, string>, at: string | Terminal): Ended {
  const { cwd, input } = typeof at === 'string' ? { cwd: at, input: '' } : at;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(root, 'src-main/launch', script), ...args],
    {
      cwd,
      input,
      encoding: 'utf8',
      env: { PATH: path.dirname(process.execPath), HOME: cwd, ...env },
    },
  );
  return { status, stdout, stderr };
}

test(
  "without a display the window's job is done in the terminal, and the line says why",
  { timeout: LIMIT_MS },
  async () => {
    const { data, project } = await folders();
    const typed = { cwd: project, input: 'read README.md\nlist the files\n' };
    const { status, stdout, stderr } = launch('start.js', [], { WARRANT_DATA: data }, typed);
    expect(stdout).toContain('Shop of tests');
    // The second of two lines that came together is the next message.
    expect(stderr).toContain('> list the files');
    expect(stdout.indexOf('README.md', stdout.indexOf('Shop of tests'))).toBeGreaterThan(0);
    expect(stderr).toContain(
      'There is no display (DISPLAY and WAYLAND_DISPLAY are unset): Warrant runs in this terminal.',
    );
    expect(status).toBe(0);
  },
);

test('without a browser, too, naming what was looked for', { timeout: LIMIT_MS }, async () => {
  const { data, project } = await folders();
  const { status, stderr } = launch('start.js', [], { WARRANT_DATA: data, WARRANT_HEADLESS: '1' }, project);
  expect(stderr).toContain('no Chromium, Chrome or Edge was found (WARRANT_CHROMIUM can name one)');
  expect(status).toBe(0);
});

test('a browser that is named and is none is said', { timeout: LIMIT_MS }, async () => {
  const { data, project } = await folders();
  const env = { WARRANT_DATA: data, WARRANT_HEADLESS: '1', WARRANT_CHROMIUM: path.join(project, 'none') };
  expect(launch('start.js', [], env, project).stderr).toContain(`WARRANT_CHROMIUM names ${path.join(project, 'none')}`);
});

describe.skipIf(hasElectron)(`fetching Electron${hasElectron ? ' (skipped: its binary is here)' : ''}`, () => {
  test('is tried once, fails fast, and is remembered until it is asked for', { timeout: LIMIT_MS }, async () => {
    const { data, project } = await folders();
    // Nobody listens on port 1 of this machine.
    const env = { WARRANT_DATA: data, DISPLAY: ':none', ELECTRON_MIRROR: 'https://127.0.0.1:1/' };
    const memory = path.join(data, 'cache/electron-fetch.json');
    expect(launch('start.js', [], env, project).stderr).toMatch(
      /could not be fetched \(127\.0\.0\.1:1 cannot be reached\)/,
    );
    expect(JSON.parse(readFileSync(memory, 'utf8'))).toMatchObject({ reason: '127.0.0.1:1 cannot be reached' });
    expect(statSync(memory).mode & 0o777).toBe(0o600);
    expect(launch('start.js', [], env, project).stderr).toContain('--fetch-electron tries again');
    expect(launch('start.js', ['--fetch-electron'], env, project).stderr).not.toContain('tries again');
  });

  test('is tried again for another version', { timeout: LIMIT_MS }, async () => {
    const { data, project } = await folders();
    const env = { WARRANT_DATA: data, DISPLAY: ':none', ELECTRON_MIRROR: 'https://127.0.0.1:1/' };
    mkdirSync(path.join(data, 'cache'), { recursive: true });
    writeFileSync(path.join(data, 'cache/electron-fetch.json'), JSON.stringify({ version: '1.0.0', reason: 'old' }));
    expect(launch('start.js', [], env, project).stderr).toMatch(
      /could not be fetched \(127\.0\.0\.1:1 cannot be reached\)/,
    );
  });
});

test('`warrant run` works in the folder of the person who calls it through npm', { timeout: LIMIT_MS }, async () => {
  const { data, project } = await folders();
  const env = { WARRANT_DATA: data, npm_lifecycle_event: 'warrant', INIT_CWD: project };
  const { status, stdout } = launch('warrant.js', ['run', '--model', 'guide', 'read README.md'], env, root);
  expect([status, stdout]).toEqual([0, expect.stringContaining('Shop of tests')]);
});

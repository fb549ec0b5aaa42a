import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { dataFolder } from '../../../src-main/app/data-folder.ts';
import { isStale } from '../../../src-main/launch/build-when-stale.js';
import { hasDisplay } from '../../../src-main/launch/choose-runtime.js';
import * as launch from '../../../src-main/launch/data-folder.js';
import { findElectron } from '../../../src-main/launch/electron-binary.js';
import { personFolder } from '../../../src-main/launch/install-folder.js';
import { findNode, isCurrentNodeFit } from '../../../src-main/launch/pinned-node.js';
import { tempFolder } from '../../helpers/temp-folder.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };

test.each(['linux', 'darwin', 'win32'] as const)(
  'the launcher and the application name the same data folder on %s',
  (platform) => {
    const environments: NodeJS.ProcessEnv[] = [
      {},
      { WARRANT_DATA: '/some/where' },
      { XDG_DATA_HOME: '/xdg' },
      { XDG_DATA_HOME: 'relative' },
      { APPDATA: '/roaming' },
    ];
    for (const env of environments) expect(launch.dataFolder(env, platform)).toBe(dataFolder(env, platform));
  },
);

describe('a build is stale', () => {
  const outputs = ['out/main/main.js', 'out/main/headless.js', 'out/preload/preload.cjs', 'out/renderer/index.html'];
  async function checkout(): Promise<string> {
    const folder = await tempFolder();
    for (const file of ['electron.vite.config.ts', 'src-main/a/b.ts', 'src-renderer/index.html', ...outputs]) {
      await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
      await writeFile(path.join(folder, file), '');
    }
    for (const file of outputs) await utimes(path.join(folder, file), Date.now() / 1000 + 60, Date.now() / 1000 + 60);
    return folder;
  }
  const later = Date.now() / 1000 + 120;

  test('not when every output is newer than every source', async () => {
    expect(isStale(await checkout())).toBe(false);
  });
  test('when a source deep inside is newer', async () => {
    const folder = await checkout();
    await utimes(path.join(folder, 'src-main/a/b.ts'), later, later);
    expect(isStale(folder)).toBe(true);
  });
  test('when a source was removed', async () => {
    const folder = await checkout();
    await utimes(path.join(folder, 'src-main/a'), later, later);
    expect(isStale(folder)).toBe(true);
  });
  test('when one output is older than a source', async () => {
    const folder = await checkout();
    await utimes(path.join(folder, 'out/preload/preload.cjs'), 1, 1);
    expect(isStale(folder)).toBe(true);
  });
  test('never in an installed package, which has no sources', async () => {
    expect(isStale(await tempFolder())).toBe(false);
  });
});

test('the pinned Node beside the application wins over the current one', async () => {
  const folder = await tempFolder();
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const bin = path.join(folder, 'node_modules', `node-${platform}-${process.arch}`, 'bin');
  await mkdir(bin, { recursive: true });
  await writeFile(path.join(bin, 'node'), '');
  expect(findNode(folder)).toBe(path.join(bin, 'node'));
});

test.each([
  ['18.20.0', false],
  ['22.1.0', false],
  ['24.0.0', true],
  ['30.1.2', true],
])('Node %s is fit: %s', (version, fit) => {
  expect(isCurrentNodeFit(version)).toBe(fit);
});

test('Electron counts as there only with its binary', async () => {
  const folder = await tempFolder();
  const home = path.join(folder, 'node_modules/electron');
  await mkdir(path.join(home, 'dist'), { recursive: true });
  expect(findElectron(folder)).toBeUndefined();
  await writeFile(path.join(home, 'path.txt'), 'electron');
  expect(findElectron(folder)).toBeUndefined();
  await writeFile(path.join(home, 'dist/electron'), '');
  expect(findElectron(folder)).toBe(path.join(home, 'dist/electron'));
});

test('a display is needed on Linux only', () => {
  expect(hasDisplay({}, 'linux')).toBe(false);
  expect(hasDisplay({ DISPLAY: '' }, 'linux')).toBe(false);
  expect(hasDisplay({ DISPLAY: ':0' }, 'linux')).toBe(true);
  expect(hasDisplay({ DISPLAY: '', WAYLAND_DISPLAY: 'wayland-0' }, 'linux')).toBe(true);
  expect(hasDisplay({}, 'darwin')).toBe(true);
});

test("the person's folder is npm's INIT_CWD inside an npm script, else the current one", () => {
  expect(personFolder({ npm_lifecycle_event: 'start', INIT_CWD: '/home/me/shop' })).toBe('/home/me/shop');
  expect(personFolder({ INIT_CWD: '/home/me/shop' })).toBe(process.cwd());
});

describe('the command', () => {
  const warrant = (...args: string[]): ReturnType<typeof spawnSync> =>
    spawnSync(process.execPath, [path.join(root, 'src-main/launch/warrant.js'), ...args], { encoding: 'utf8' });

  test('tells its use and its version', () => {
    expect(warrant('--help')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('warrant run "PROMPT"') as string,
    });
    expect(warrant('--version')).toMatchObject({ status: 0, stdout: `${version}\n` });
  });
  test('refuses what is neither a command nor a folder, with exit code 64 and what there is', () => {
    expect(warrant('rnu')).toMatchObject({
      status: 64,
      stderr: expect.stringContaining('neither a command (run, resume, ') as string,
    });
  });
  test('refuses a file, and two folders', async () => {
    const folder = await tempFolder();
    await writeFile(path.join(folder, 'a.txt'), '');
    expect(warrant(path.join(folder, 'a.txt'))).toMatchObject({
      status: 64,
      stderr: expect.stringContaining('is not a folder') as string,
    });
    expect(warrant(folder, folder)).toMatchObject({
      status: 64,
      stderr: expect.stringContaining('One folder at a time') as string,
    });
  });
});

import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type HandOver, takeInstanceLock } from '../../../src-main/chromium/single-instance.ts';
import { patient } from '../../helpers/patient.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

const module = path.resolve(import.meta.dirname, '../../../src-main/chromium/single-instance.ts');
const message = (folder: string): HandOver => ({ argv: ['warrant'], cwd: '/', additionalData: { folder } });

/** Source of a process that takes the lock, says whether it got it, and stays when it did. */
const source = (folder: string): string => `
  import { takeInstanceLock } from ${JSON.stringify(module)};
  const lock = takeInstanceLock(${JSON.stringify(folder)}, {
    message: { argv: [], cwd: '/', additionalData: { folder: 'of ' + process.pid } },
    onSecond() {},
  });
  console.log(lock ? 'held' : 'handed over');
  if (lock) setInterval(() => {}, 1000);`;

function holder(folder: string): Promise<ReturnType<typeof spawn>> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', source(folder)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return new Promise((resolve) => {
    child.stdout.once('data', () => {
      resolve(child);
    });
  });
}

test('the first holds, a later start hands its message over and gets nothing', async () => {
  const folder = path.join(await tempFolder(), 'data');
  const seen: HandOver[] = [];
  const lock = takeInstanceLock(folder, { message: message('mine'), onSecond: (given) => seen.push(given) });
  onTestFinished(() => lock?.release());
  expect(lock).toBeDefined();
  const child = spawn(process.execPath, ['--input-type=module', '-e', source(folder)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  await new Promise((resolve) => child.once('close', resolve));
  expect(said.trim()).toBe('handed over');
  await vi.waitFor(() => {
    expect(seen).toEqual([{ argv: [], cwd: '/', additionalData: { folder: `of ${String(child.pid)}` } }]);
  }, patient);
});

test('the lock and its folder are closed to others', async () => {
  const folder = path.join(await tempFolder(), 'data');
  const lock = takeInstanceLock(folder, { message: message('x'), onSecond: () => undefined });
  onTestFinished(() => lock?.release());
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(path.join(folder, 'instance.lock')).mode & 0o777).toBe(0o600);
  expect(statSync(path.join(folder, 'instance.inbox')).mode & 0o777).toBe(0o700);
});

test('the lock of a killed process is taken over', async () => {
  const folder = await tempFolder();
  const child = await holder(folder);
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
  const lock = takeInstanceLock(folder, { message: message('x'), onSecond: () => undefined });
  expect(lock).toBeDefined();
  lock?.release();
  expect(readdirSync(folder)).not.toContain('instance.lock');
});

test('a lock whose process number was given to another process is taken over', async () => {
  const folder = await tempFolder();
  writeFileSync(path.join(folder, 'instance.lock'), JSON.stringify({ pid: process.ppid, started: 'long ago' }));
  const lock = takeInstanceLock(folder, { message: message('x'), onSecond: () => undefined });
  onTestFinished(() => lock?.release());
  expect(JSON.parse(readFileSync(path.join(folder, 'instance.lock'), 'utf8'))).toMatchObject({ pid: process.pid });
});

test('a damaged lock file is taken over', async () => {
  const folder = await tempFolder();
  writeFileSync(path.join(folder, 'instance.lock'), '{');
  const lock = takeInstanceLock(folder, { message: message('x'), onSecond: () => undefined });
  onTestFinished(() => lock?.release());
  expect(lock).toBeDefined();
});

test('of many starts at once over a stale lock exactly one holds', async () => {
  const folder = await tempFolder();
  const dead = spawnSync(process.execPath, ['-e', '']).pid;
  writeFileSync(path.join(folder, 'instance.lock'), JSON.stringify({ pid: dead, started: '1' }));
  const children = Array.from({ length: 6 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', source(folder)], { stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  onTestFinished(() => {
    for (const child of children) child.kill('SIGKILL');
  });
  const said = await Promise.all(
    children.map(
      (child) =>
        new Promise<string>((resolve) =>
          child.stdout.once('data', (chunk: Buffer) => {
            resolve(chunk.toString().trim());
          }),
        ),
    ),
  );
  expect(said.filter((word) => word === 'held')).toHaveLength(1);
});

test('what lies in the inbox and is no message is left alone', async () => {
  const folder = await tempFolder();
  const seen: HandOver[] = [];
  const lock = takeInstanceLock(folder, { message: message('x'), onSecond: (given) => seen.push(given) });
  onTestFinished(() => lock?.release());
  const inbox = path.join(folder, 'instance.inbox');
  writeFileSync(path.join(inbox, '1.json'), '{"argv":"no"}');
  writeFileSync(path.join(inbox, '2.json'), JSON.stringify(message('good')));
  await vi.waitFor(() => {
    expect(seen).toEqual([message('good')]);
  }, patient);
});

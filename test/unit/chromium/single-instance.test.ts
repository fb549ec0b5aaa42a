import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, renameSync, statSync, utimesSync, watch, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test, type TestContext, vi } from 'vitest';
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

/** The first word of a process that takes the lock, and ends with the test. */
function start(folder: string): Promise<string> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', source(folder)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return new Promise((resolve) => {
    child.stdout.once('data', (chunk: Buffer) => {
      resolve(chunk.toString().trim());
    });
  });
}

/** A lock whose process is gone. */
function staleLock(): string {
  return JSON.stringify({ pid: spawnSync(process.execPath, ['-e', '']).pid, started: '1' });
}

/** Replaces a lock in one step: whoever reads the old one goes on reading it. */
function replaceLock(folder: string, text: string): void {
  const next = path.join(folder, 'next');
  writeFileSync(next, text);
  renameSync(next, path.join(folder, 'instance.lock'));
}

/** Makes the lock a pipe: a start that looks at it waits, after `looked`, until `tell` says what it reads. */
function pipeLock(
  context: TestContext,
  folder: string,
): {
  looked(): Promise<FileHandle>;
  tell(look: FileHandle, text: string): Promise<void>;
} {
  const lockFile = path.join(folder, 'instance.lock');
  if (spawnSync('mkfifo', [lockFile]).status !== 0) context.skip('named pipes cannot be made here');
  return {
    looked: () => open(lockFile, 'w'),
    async tell(look, text) {
      await look.writeFile(text);
      await look.close();
    },
  };
}

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
  writeFileSync(path.join(folder, 'instance.lock'), staleLock());
  const said = await Promise.all(Array.from({ length: 6 }, () => start(folder)));
  expect(said.filter((word) => word === 'held')).toHaveLength(1);
});

test('a lock that was taken anew between the look at a stale one and its removal stays', async (context) => {
  const folder = await tempFolder();
  const pipe = pipeLock(context, folder);
  const said = start(folder);
  const look = await pipe.looked();
  const anew = JSON.stringify({ pid: process.ppid, started: '' });
  replaceLock(folder, anew);
  await pipe.tell(look, staleLock());
  expect(await said).toBe('handed over');
  expect(readFileSync(path.join(folder, 'instance.lock'), 'utf8')).toBe(anew);
});

test('while one start removes a stale lock no other one does, and in the end one of them holds', async (context) => {
  const folder = await tempFolder();
  const recovery = path.join(folder, 'instance.lock.recovery');
  const stale = staleLock();
  const pipe = pipeLock(context, folder);
  const first = start(folder);
  await pipe.tell(await pipe.looked(), stale);
  await vi.waitFor(() => statSync(recovery), patient);
  const look = await pipe.looked();
  replaceLock(folder, stale);
  const tries = new Set<string | null>();
  const watcher = watch(folder, (_event, name) => {
    if (/^instance\.lock\.[0-9a-f-]{36}$/.test(name ?? '')) tries.add(name);
  });
  onTestFinished(() => {
    watcher.close();
  });
  const second = start(folder);
  await vi.waitFor(() => {
    // However slow the machine is: what happens here is not one that was given up.
    if (readdirSync(folder).includes('instance.lock.recovery')) utimesSync(recovery, new Date(), new Date());
    expect(tries.size).toBeGreaterThan(1);
  }, patient);
  await pipe.tell(look, stale);
  expect((await Promise.all([first, second])).toSorted()).toEqual(['handed over', 'held']);
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

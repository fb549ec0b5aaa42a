import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import readline from 'node:readline';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { SessionId } from '../../../src-main/contract/ids.ts';
import { databaseFile } from '../../../src-main/store/open-database.ts';
import { openStore } from '../../../src-main/store/open-store.ts';
import { openStoreWorker } from '../../../src-main/store/store-client.ts';
import type { Store } from '../../../src-main/store/store.ts';
import { checkLeaks } from '../../helpers/leak-check.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';
import * as make from './entry-fixtures.ts';
import { readProjections } from './projections.ts';

checkLeaks();

const childFile = path.join(import.meta.dirname, 'store-child.ts');
const KILLS = 20;

async function savedSession(): Promise<{ folder: string; id: SessionId }> {
  const folder = await tempFolder();
  const store = await openStore({ folder });
  const { id } = await make.session(store, await make.project(store));
  await store.release(id, process.pid);
  await store.close();
  return { folder, id };
}

function startChild(...args: string[]): ChildProcess & { stdout: NodeJS.ReadableStream } {
  const child = spawn(process.execPath, [childFile, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Lets a process append, kills it after `lines` acknowledgements and some microseconds; gives the last one it told. */
async function appendAndKill(folder: string, id: SessionId, lines: number): Promise<number> {
  const child = startChild('append', folder, id);
  let last = 0;
  let seen = 0;
  for await (const line of readline.createInterface({ input: child.stdout })) {
    last = Number(line);
    seen += 1;
    if (seen === lines) for (let spin = Math.random() * 40; spin > 0; spin--) await new Promise(setImmediate);
    if (seen === lines) child.kill('SIGKILL');
  }
  // Its output ends a moment before it does.
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  expect(seen).toBeGreaterThanOrEqual(lines);
  return last;
}

describe('the store when processes die', { timeout: 180_000 }, () => {
  test(
    `a process killed ${KILLS} times while it appends loses no acknowledged entry and leaves a whole chain`,
    { timeout: 180_000 },
    async () => {
      const { folder, id } = await savedSession();
      for (let kill = 0; kill < KILLS; kill++) {
        const acknowledged = await appendAndKill(folder, id, 1 + Math.floor(Math.random() * 8));
        const store = await openStore({ folder });
        const { entries, unreadable } = await store.readPath(id);
        expect(unreadable).toBe(0);
        expect(entries.length).toBeGreaterThanOrEqual(acknowledged);
        expect(entries.map((entry) => entry.seq)).toEqual(entries.map((_, index) => index + 1));
        const row = await store.getSession(id);
        expect(row).toMatchObject({ headSeq: entries.length, heldBy: null });
        const live = await readProjections(store);
        await store.rebuildProjections(id);
        expect(await readProjections(store)).toEqual(live);
        await store.close();
      }
      const database = new Database(databaseFile(folder));
      expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
      expect(database.pragma('foreign_key_check')).toEqual([]);
      database.close();
    },
  );

  test.each([
    ['this thread', openStore],
    ['workers', (options: { folder: string }): Promise<Store> => openStoreWorker(options)],
  ])(
    'a chat held by another process is busy, can be read, and is free when that one was killed (%s)',
    async (_, open) => {
      const { folder, id } = await savedSession();
      const child = startChild('hold', folder, id);
      await once(child.stdout, 'data');
      const store = await open({ folder });
      onTestFinished(() => store.close());
      const busy = { code: 'session.busy', details: { holder: 'the other window', pid: child.pid } };
      await expect(store.acquire(id, make.lease)).rejects.toMatchObject(busy);
      await expect(store.append(id, process.pid, [make.title('x')])).rejects.toMatchObject(busy);
      expect((await store.getSession(id))?.heldBy).toMatch(new RegExp(`^${child.pid ?? 0}@`));
      expect((await store.readPath(id)).entries).toHaveLength(1);
      child.kill('SIGKILL');
      await once(child, 'exit');
      expect((await store.getSession(id))?.heldBy).toBeNull();
      await store.acquire(id, make.lease);
      await store.append(id, process.pid, [make.title('mine')]);
    },
  );

  test('a recycled pid is not taken for the process that held the chat', async () => {
    const { folder, id } = await savedSession();
    const store = await openStore({ folder });
    onTestFinished(() => store.close());
    await store.acquire(id, { holder: 'the runner', pid: process.ppid });
    await expect(store.acquire(id, make.lease)).rejects.toMatchObject({ code: 'session.busy' });
    const database = new Database(databaseFile(folder));
    database.exec(`UPDATE lease SET started = '1'`);
    database.close();
    expect((await store.getSession(id))?.heldBy).toBeNull();
    await store.acquire(id, make.lease);
  });
});

// A data folder on a drive that machines share: how it is found out, and that a rollback journal loses nothing either.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { sharedFileSystem, sharedFileSystemOf } from '../../../src-main/store/network-folder.ts';
import { databaseFile } from '../../../src-main/store/open-database.ts';
import { openStore } from '../../../src-main/store/open-store.ts';
import { openStoreWorker } from '../../../src-main/store/store-client.ts';
import { checkLeaks } from '../../helpers/leak-check.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';
import * as make from './entry-fixtures.ts';

checkLeaks();

const KILLS = 4;

test('D5: shared file systems are known by their numbers, also as negative ones; the disks here are none', async () => {
  expect([0x6969, 0xff534d42, 0xff534d42 - 2 ** 32, 0x65735546].map(sharedFileSystem)).toEqual([
    'nfs',
    'cifs',
    'cifs',
    'fuse',
  ]);
  // ext4, tmpfs, btrfs, overlay
  expect([0xef53, 0x01021994, 0x9123683e, 0x794c7630].map(sharedFileSystem)).toEqual([null, null, null, null]);
  expect(sharedFileSystemOf(path.join(await tempFolder(), 'not there'))).toBeNull();
});

test('D5: there a rollback journal takes the log’s place, and processes that are killed lose nothing acknowledged', async () => {
  const folder = await tempFolder();
  const store = await openStore({ folder, shared: true });
  const { id } = await make.session(store, await make.project(store));
  expect((await store.stats()).journal).toBe('rollback');
  expect(existsSync(`${databaseFile(folder)}-wal`)).toBe(false);
  await store.release(id, process.pid);
  await store.close();

  for (let kill = 0; kill < KILLS; kill++) {
    const child = spawn(process.execPath, [path.join(import.meta.dirname, 'store-child.ts'), 'append', folder, id], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, SHARED: '1' },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let last = 0;
    let lines = 0;
    for await (const line of readline.createInterface({ input: child.stdout })) {
      last = Number(line);
      if (++lines === 3 + kill * 2) child.kill('SIGKILL');
    }
    const again = await openStore({ folder, shared: true });
    const { entries, unreadable } = await again.readPath(id);
    expect([unreadable, (entries.at(-1)?.seq ?? 0) >= last]).toEqual([0, true]);
    expect(await again.check()).toEqual({ ok: true, problems: [] });
    await again.close();
  }
});

test('D5: a database that comes to such a drive, or leaves it, changes its journal and keeps its chats', async () => {
  const folder = await tempFolder();
  const journal = (): unknown => {
    const database = new Database(databaseFile(folder), { readonly: true });
    onTestFinished(() => void database.close());
    return database.pragma('journal_mode', { simple: true });
  };
  const first = await openStore({ folder });
  const { id } = await make.session(first, await make.project(first), [make.message('t1')]);
  await first.close();
  for (const [shared, mode] of [
    [true, 'delete'],
    [false, 'wal'],
  ] as const) {
    const store = await openStoreWorker({ folder, shared });
    await store.acquire(id, make.lease);
    await store.append(id, process.pid, [
      make.message('more'),
      make.entry('step-end', { turnId: make.turnId('t1'), step: 1 }),
    ]);
    await store.synced();
    expect(
      (await store.listSessions({ projectId: null, filter: '', archived: false, cursor: null, limit: 9 })).sessions,
    ).toHaveLength(1);
    await store.release(id, process.pid);
    await store.close();
    expect(journal()).toBe(mode);
  }
  const store = await openStore({ folder });
  onTestFinished(() => store.close());
  expect((await store.readPath(id)).entries).toHaveLength(6);
});

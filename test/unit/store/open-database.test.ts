import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { MIGRATIONS } from '../../../src-main/store/migrate.ts';
import { databaseFile, type OpenOptions } from '../../../src-main/store/open-database.ts';
import { openStore } from '../../../src-main/store/open-store.ts';
import { openStoreWorker } from '../../../src-main/store/store-client.ts';
import type { Store } from '../../../src-main/store/store.ts';
import { checkLeaks } from '../../helpers/leak-check.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';
import * as make from './entry-fixtures.ts';

checkLeaks();

const child = path.join(import.meta.dirname, 'store-child.ts');

async function opened(options: OpenOptions): Promise<Store> {
  const store = await openStore(options);
  onTestFinished(() => store.close());
  return store;
}

/** A data folder with one chat in it, closed. */
async function savedFolder(): Promise<string> {
  const folder = await tempFolder();
  const store = await openStore({ folder });
  await make.session(store, await make.project(store), [make.title('kept'), make.message('t1')]);
  await store.close();
  return folder;
}

async function titles(store: Store): Promise<string[]> {
  const found = await store.listSessions({ projectId: null, filter: '', archived: false, cursor: null, limit: 9 });
  return found.sessions.map((row) => row.title);
}

function withDatabase(folder: string, change: (database: Database.Database) => void): void {
  const database = new Database(databaseFile(folder));
  change(database);
  database.close();
}

const modeOf = (file: string): number => statSync(file).mode & 0o777;

describe('opening the database', { timeout: 180_000 }, () => {
  test('a fresh one is made for this person alone, durable, and marked as ours', async () => {
    const folder = path.join(await tempFolder(), 'a', 'b');
    const store = await opened({ folder });
    await make.project(store);
    expect(modeOf(folder)).toBe(0o700);
    expect(readdirSync(folder).map((name) => [name, modeOf(path.join(folder, name))])).toEqual([
      ['warrant.db', 0o600],
      ['warrant.db-shm', 0o600],
      ['warrant.db-wal', 0o600],
    ]);
    await store.close();
    withDatabase(folder, (database) => {
      expect(database.pragma('journal_mode', { simple: true })).toBe('wal');
      expect(database.pragma('auto_vacuum', { simple: true })).toBe(2);
      expect(database.pragma('application_id', { simple: true })).toBe(0x57524e54);
      const loose = `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND NOT strict AND name NOT LIKE 'sqlite%'`;
      expect(database.prepare(loose).all()).toEqual([]);
    });
  });

  test('permissions that were loosened are tightened again; a shared folder is left as it is', async () => {
    const folder = await savedFolder();
    chmodSync(folder, 0o755);
    chmodSync(databaseFile(folder), 0o644);
    await opened({ folder });
    expect([modeOf(folder), modeOf(databaseFile(folder))]).toEqual([0o700, 0o600]);
    const shared = await tempFolder();
    chmodSync(shared, 0o1777);
    await opened({ folder: shared });
    expect(modeOf(shared)).toBe(0o777);
  });

  test('D11: each migration leaves its marker row, and runs where that is missing although the file exists', async () => {
    const folder = await tempFolder();
    writeFileSync(databaseFile(folder), '');
    const store = await opened({ folder });
    await make.project(store);
    await store.close();
    withDatabase(folder, (database) => {
      const marks = database.prepare('SELECT number, name FROM migration ORDER BY number').all();
      expect(marks).toEqual(MIGRATIONS.map(({ number, name }) => ({ number, name })));
      expect(database.pragma('user_version', { simple: true })).toBe(MIGRATIONS.length);
    });
    expect(MIGRATIONS.map(({ number }) => number)).toEqual(MIGRATIONS.map((_, index) => index + 1));
    const files = readdirSync(path.resolve(import.meta.dirname, '../../../src-main/store/migrations'));
    expect(files).toEqual(MIGRATIONS.map(({ number, name }) => `${String(number).padStart(4, '0')}-${name}.ts`));
  });

  test('a database of a newer version is refused with store.newer-version and not touched', async () => {
    const folder = await savedFolder();
    withDatabase(folder, (database) => database.pragma('user_version = 999'));
    const before = readFileSync(databaseFile(folder));
    for (const open of [openStore, openStoreWorker]) {
      await expect(open({ folder, startFresh: true })).rejects.toMatchObject({
        code: 'store.newer-version',
        details: { version: 999 },
      });
    }
    expect(readFileSync(databaseFile(folder))).toEqual(before);
  });

  test('a file that is no database, or another program’s, is refused with store.damaged and not touched', async () => {
    const garbage = await tempFolder();
    writeFileSync(databaseFile(garbage), 'not a database at all, but text '.repeat(200));
    const foreign = await tempFolder();
    withDatabase(foreign, (database) => database.exec('CREATE TABLE theirs (x)'));
    for (const folder of [garbage, foreign]) {
      const before = readFileSync(databaseFile(folder));
      for (const open of [openStore, openStoreWorker]) {
        await expect(open({ folder })).rejects.toMatchObject({
          code: 'store.damaged',
          details: { file: databaseFile(folder) },
        });
      }
      expect(readFileSync(databaseFile(folder))).toEqual(before);
    }
  });

  test('starting fresh keeps the damaged file beside the new one, and leaves a sound one alone', async () => {
    const folder = await tempFolder();
    writeFileSync(databaseFile(folder), 'damaged '.repeat(1000));
    const store = await opened({ folder, startFresh: true });
    await make.session(store, await make.project(store), [make.title('new')]);
    await store.close();
    const kept = readdirSync(folder).filter((name) => /^warrant\.db\.damaged-\d{8}T\d{6}Z$/.test(name));
    expect(kept.map((name) => readFileSync(path.join(folder, name), 'utf8'))).toEqual(['damaged '.repeat(1000)]);
    expect(await titles(await opened({ folder, startFresh: true }))).toEqual(['new']);
    expect(readdirSync(folder).filter((name) => name.includes('damaged'))).toEqual(kept);
  });

  test('D4: a database that another process keeps locked gives store.locked, and works once it is free', async () => {
    const folder = await savedFolder();
    const store = await opened({ folder, busyTimeoutMs: 20 });
    const projectId = await make.project(store);
    const other = new Database(databaseFile(folder));
    onTestFinished(() => void other.close());
    other.exec('BEGIN IMMEDIATE');
    await expect(make.session(store, projectId)).rejects.toMatchObject({ code: 'store.locked' });
    expect(await titles(store)).toEqual(['kept']);
    other.exec('COMMIT');
    await make.session(store, projectId);
  });

  test('D4: eight processes that open a fresh folder at once all get it, and it is made once', async () => {
    const folder = await tempFolder();
    const run = (): Promise<number | null> =>
      new Promise((resolve) => spawn(process.execPath, [child, 'open', folder]).on('close', resolve));
    const codes = await Promise.all(Array.from({ length: 8 }, run));
    expect(codes).toEqual(Array.from({ length: 8 }, () => 0));
    const store = await opened({ folder });
    expect((await store.listProjects()).length).toBe(8);
  });

  test('a folder that may not be written gives store.read-only, and its chats are not changed', async (context) => {
    const folder = await savedFolder();
    const before = readFileSync(databaseFile(folder));
    chmodSync(databaseFile(folder), 0o444);
    chmodSync(folder, 0o555);
    chmodSync(path.dirname(folder), 0o1777);
    // Root may write everything, so the process that tries is nobody's.
    const root = process.getuid?.() === 0;
    const tried = spawnSync(process.execPath, [child, 'open', folder], {
      encoding: 'utf8',
      ...(root ? { uid: 65_534, gid: 65_534 } : {}),
    });
    if (tried.error) context.skip('another user may not run the files of this checkout');
    expect(tried.stdout.trim()).toBe('store.read-only');
    expect(readFileSync(databaseFile(folder))).toEqual(before);
  });

  test('D7: a full disk gives store.disk-full, loses nothing acknowledged, and writing goes on when there is room', async (context) => {
    const folder = path.join(await tempFolder(), 'small');
    mkdirSync(folder);
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=600k', 'tmpfs', folder]).status === 0;
    if (!mounted) context.skip('a small file system cannot be mounted here');
    onTestFinished(() => void spawnSync('umount', ['-l', folder]));
    const store = await openStore({ folder });
    onTestFinished(() => store.close());
    const ballast = path.join(folder, 'ballast');
    writeFileSync(ballast, Buffer.alloc(150_000));
    const { id } = await make.session(store, await make.project(store));
    let saved = 1;
    const fill = async (): Promise<void> => {
      for (;;) {
        await store.append(id, process.pid, [make.message('t1', 'x'.repeat(3000)), make.answer('t1')]);
        saved += 2;
      }
    };
    await expect(fill()).rejects.toMatchObject({ code: 'store.disk-full' });
    const seqs = async (): Promise<number> => (await store.readPath(id)).entries.length;
    expect(await seqs()).toBe(saved);
    writeFileSync(ballast, '');
    await store.append(id, process.pid, [make.title('room')]);
    expect(await seqs()).toBe(saved + 1);
    expect((await store.getSession(id))?.headSeq).toBe(saved + 1);
  });

  test('D10: a read-only store reads what is saved, writes nothing, and does not make what is not there', async () => {
    const folder = await savedFolder();
    const store = await opened({ folder, readOnly: true });
    expect(await titles(store)).toEqual(['kept']);
    await expect(make.project(store)).rejects.toMatchObject({ code: 'store.read-only' });
    const empty = await tempFolder();
    await expect(openStore({ folder: empty, readOnly: true })).rejects.toMatchObject({ code: 'store.read-only' });
    expect(readdirSync(empty)).toEqual([]);
  });

  test('D8: a write-ahead log that was cut off opens with what was whole, and what is appended then stands for itself', async () => {
    const folder = await tempFolder();
    const store = await opened({ folder });
    const { id } = await make.session(store, await make.project(store), [make.title('kept')]);
    await store.append(id, process.pid, [make.message('t1', 'x'.repeat(400_000))]);
    const copy = await tempFolder();
    copyFileSync(databaseFile(folder), databaseFile(copy));
    const log = readFileSync(`${databaseFile(folder)}-wal`);
    writeFileSync(`${databaseFile(copy)}-wal`, log.subarray(0, log.length - 1000));
    const cut = await opened({ folder: copy });
    expect(await titles(cut)).toEqual(['kept']);
    expect(await cut.getSession(id)).toMatchObject({ headSeq: 2 });
    expect(await cut.readPath(id)).toMatchObject({ unreadable: 0, entries: [{ seq: 1 }, { seq: 2 }] });
    const [added] = await cut.append(id, process.pid, [make.message('t1', 'again')]);
    expect(await cut.readPath(id)).toMatchObject({ unreadable: 0, entries: [{ seq: 1 }, { seq: 2 }, added] });
  });
});

// The store's own upkeep: copies, checks, the trash, and space that is given back.
import { copyFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { UpkeepService } from '../../../src-main/app/upkeep-service.ts';
import { silentLogger } from '../../../src-main/base/logger.ts';
import type { AppEvent } from '../../../src-main/contract/events.ts';
import { databaseFile } from '../../../src-main/store/open-database.ts';
import { openStore } from '../../../src-main/store/open-store.ts';
import { openStoreWorker } from '../../../src-main/store/store-client.ts';
import type { Store } from '../../../src-main/store/store.ts';
import { checkLeaks } from '../../helpers/leak-check.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';
import * as make from './entry-fixtures.ts';

checkLeaks();

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 0, 1, 12);
const listed = { projectId: null, filter: '', archived: false, cursor: null, limit: 50 };

async function opened(folder: string): Promise<Store> {
  const store = await openStore({ folder });
  onTestFinished(() => store.close());
  return store;
}

const backups = (folder: string): string[] => {
  try {
    return readdirSync(path.join(folder, 'backups')).sort();
  } catch {
    return [];
  }
};

describe('backups', () => {
  test('are made once a day, whole, for this person alone, and the newest seven are kept', async () => {
    const folder = await tempFolder();
    const store = await opened(folder);
    expect((await store.upkeep(NOW)).backup).toBeNull();
    const { id } = await make.session(store, await make.project(store), [make.title('kept')]);
    const made: (string | null)[] = [];
    for (const day of [0, 0.5, 1, 2, 3, 4, 5, 6, 7, 8]) made.push((await store.upkeep(NOW + day * DAY_MS)).backup);
    expect(made.map((file) => file !== null)).toEqual([true, false, ...Array<boolean>(8).fill(true)]);
    expect(backups(folder)).toHaveLength(7);
    expect(backups(folder)[0]).toBe('warrant-20260103T120000.db');
    const last = made.at(-1) ?? '';
    if (process.platform !== 'win32') expect(statSync(last).mode & 0o777).toBe(0o600);
    const copy = await tempFolder();
    copyFileSync(last, databaseFile(copy));
    const restored = await opened(copy);
    expect(await restored.readPath(id)).toEqual(await store.readPath(id));
    expect((await store.stats()).backups).toMatchObject({ count: 7 });
  });

  test('a clock that was set back does not keep them from being made', async () => {
    const store = await opened(await tempFolder());
    await make.session(store, await make.project(store));
    await store.upkeep(NOW + 100 * DAY_MS);
    expect((await store.upkeep(NOW)).backup).not.toBeNull();
    expect((await store.upkeep(NOW + 1000)).backup).toBeNull();
  });

  test('one is made before a migration, and is what was there before', async () => {
    const folder = await tempFolder();
    copyFileSync(path.resolve(import.meta.dirname, '../../fixtures/store/schema-3.db'), databaseFile(folder));
    await opened(folder);
    const [name = ''] = backups(folder);
    expect(name).toMatch(/^before-schema-3-\d{8}T\d{6}\.db$/);
    const copy = new Database(path.join(folder, 'backups', name), { readonly: true });
    expect(copy.pragma('user_version', { simple: true })).toBe(3);
    expect(copy.prepare('SELECT count(*) FROM entry').pluck().get()).toBe(19);
    copy.close();
  });
});

describe('the check', () => {
  test('is due after an end that was not clean and weekly, and is noted when all is whole', async () => {
    const folder = await tempFolder();
    const store = await opened(folder);
    await make.session(store, await make.project(store));
    expect((await store.upkeep(NOW)).checkDue).toBe(true);
    await store.noteCheck(NOW);
    expect((await store.upkeep(NOW + 6 * DAY_MS)).checkDue).toBe(false);
    expect((await store.upkeep(NOW + 7 * DAY_MS)).checkDue).toBe(true);
    await store.noteCheck(NOW);
    const copy = await tempFolder();
    for (const suffix of ['', '-wal']) copyFileSync(databaseFile(folder) + suffix, databaseFile(copy) + suffix);
    const cut = await opened(copy);
    expect((await cut.upkeep(NOW + 1000)).checkDue).toBe(true);
    expect(await cut.check()).toEqual({ ok: true, problems: [] });
  });

  test('tells of damage, with what to do, and does not note it as whole', async () => {
    const folder = await tempFolder();
    const first = await openStore({ folder });
    await make.session(first, await make.project(first), [make.message('t1', 'x'.repeat(60_000))]);
    await first.close();
    const connection = new Database(databaseFile(folder));
    const root = connection
      .prepare(`SELECT rootpage FROM sqlite_schema WHERE name = 'attachment_piece_of'`)
      .pluck()
      .get() as number;
    const size = connection.pragma('page_size', { simple: true }) as number;
    connection.close();
    const { readFileSync } = await import('node:fs');
    const bytes = readFileSync(databaseFile(folder));
    bytes.fill(0x5a, (root - 1) * size, root * size);
    writeFileSync(databaseFile(folder), bytes);
    const store = await openStoreWorker({ folder });
    onTestFinished(() => store.close());
    const told: AppEvent[] = [];
    const parts = {
      store,
      logger: silentLogger,
      dataFolder: folder,
      outputFolder: path.join(folder, 'outputs'),
      nowMs: () => NOW,
    };
    await new UpkeepService({ ...parts, publish: (event) => told.push(event) }).run();
    expect(told).toMatchObject([{ type: 'notice', level: 'error' }]);
    expect(JSON.stringify(told)).toContain(path.join(folder, 'backups'));
    expect((await store.stats()).checkedAtMs).toBeNull();
  });
});

describe('the trash', () => {
  test('is apart from the list and the archive, and a chat comes back from it as it was', async () => {
    const store = await opened(await tempFolder());
    const { id } = await make.session(store, await make.project(store), [
      make.title('plum'),
      make.message('t1', 'plum'),
    ]);
    while (await store.followSearch());
    await expect(store.setPlace(id, 'trash', NOW)).rejects.toMatchObject({ code: 'session.busy' });
    await store.release(id, process.pid);
    await store.setPlace(id, 'trash', NOW);
    const ids = async (query: object): Promise<unknown[]> =>
      (await store.listSessions({ ...listed, ...query })).sessions.map((row) => [row.id, row.trashedAtMs]);
    expect([await ids({}), await ids({ archived: true }), await ids({ trashed: true })]).toEqual([[], [], [[id, NOW]]]);
    const query = { text: 'plum', projectId: null, cursor: null, limit: 5 };
    expect((await store.search(query)).hits).toEqual([]);
    await store.setPlace(id, 'list', NOW);
    expect(await ids({})).toEqual([[id, null]]);
    expect((await store.search(query)).hits).toHaveLength(2);
  });

  test('a purge deletes the chat alone, gives its space back to the disk, and goes on where a crash cut it', async () => {
    const folder = await tempFolder();
    const store = await opened(folder);
    const projectId = await make.project(store);
    const kept = await make.session(store, projectId, [make.title('kept'), make.message('t1', 'pear')]);
    const gone = await make.session(store, projectId, [make.title('gone')]);
    for (let n = 0; n < 3; n++) {
      const batch = Array.from({ length: 500 }, (_, k) => make.message('t1', `plum ${n} ${k} ${'x'.repeat(3000)}`));
      await store.append(gone.id, process.pid, batch);
    }
    while (await store.followSearch());
    await store.release(gone.id, process.pid);
    expect((await store.chatSizes(5)).map((chat) => chat.title)).toEqual(['gone', 'kept']);
    await expect(store.purge(gone.id)).rejects.toMatchObject({ code: 'config.invalid' });
    await store.setPlace(gone.id, 'trash', NOW);
    const before = (await store.stats()).databaseBytes;
    const other = new Database(databaseFile(folder));
    other.exec(`UPDATE session SET archived = 3 WHERE id = '${gone.id}'`);
    other.close();
    expect(await store.getSession(gone.id)).toBeNull();
    await store.upkeep(NOW);
    const { connection, close } = ((): { connection: Database.Database; close: () => void } => {
      const database = new Database(databaseFile(folder));
      return { connection: database, close: () => database.close() };
    })();
    expect(connection.pragma('freelist_count', { simple: true })).toBe(0);
    expect(connection.prepare('SELECT count(*) FROM entry').pluck().get()).toBe(3);
    expect(connection.pragma('page_count', { simple: true }) as number).toBeLessThan(before / 4096 / 4);
    expect(connection.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(connection.pragma('foreign_key_check')).toEqual([]);
    close();
    const query = { projectId: null, cursor: null, limit: 5 };
    expect((await store.search({ ...query, text: 'plum' })).hits).toEqual([]);
    expect((await store.search({ ...query, text: 'pear' })).hits).toHaveLength(1);
    expect((await store.readPath(kept.id)).entries).toHaveLength(3);
  });

  test('what lies in it for thirty days goes, and nothing else', async () => {
    const store = await opened(await tempFolder());
    const projectId = await make.project(store);
    const [old, young] = [await make.session(store, projectId), await make.session(store, projectId)];
    for (const [row, at] of [
      [old, NOW],
      [young, NOW + 2 * DAY_MS],
    ] as const) {
      await store.release(row.id, process.pid);
      await store.setPlace(row.id, 'trash', at);
    }
    expect((await store.upkeep(NOW + 29 * DAY_MS)).purged).toBe(0);
    expect((await store.upkeep(NOW + 31 * DAY_MS)).purged).toBe(1);
    expect(await store.getSession(old.id)).toBeNull();
    expect(await store.getSession(young.id)).not.toBeNull();
  });
});

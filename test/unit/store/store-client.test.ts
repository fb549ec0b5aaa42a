import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { databaseFile } from '../../../src-main/store/open-database.ts';
import { openStoreWorker } from '../../../src-main/store/store-client.ts';
import { checkLeaks } from '../../helpers/leak-check.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';
import * as make from './entry-fixtures.ts';
import { storeContract } from './store-contract.ts';

checkLeaks();

// Each test starts two to six threads.
describe('the store over its workers', { timeout: 180_000 }, () => {
  storeContract((options) => openStoreWorker(options));

  test('reads are answered while a write waits for another process', async () => {
    const folder = await tempFolder();
    const store = await openStoreWorker({ folder });
    onTestFinished(() => store.close());
    const { id } = await make.session(store, await make.project(store), [make.title('kept')]);
    const other = new Database(databaseFile(folder));
    onTestFinished(() => void other.close());
    other.exec('BEGIN IMMEDIATE');
    const order: string[] = [];
    const write = store.append(id, process.pid, [make.title('new')]).then(() => order.push('write'));
    expect((await store.getSession(id))?.title).toBe('kept');
    expect((await store.readPath(id)).entries).toHaveLength(2);
    order.push('reads');
    other.exec('COMMIT');
    await write;
    expect(order).toEqual(['reads', 'write']);
    expect((await store.getSession(id))?.title).toBe('new');
  });

  test('closing answers the calls that were made before', async () => {
    const folder = await tempFolder();
    const store = await openStoreWorker({ folder });
    const { id } = await make.session(store, await make.project(store));
    const appended = store.append(id, process.pid, [make.title('last words')]);
    await store.close();
    expect(await appended).toMatchObject([{ seq: 2 }]);
    const again = await openStoreWorker({ folder });
    onTestFinished(() => again.close());
    expect(await again.getSession(id)).toMatchObject({ title: 'last words' });
  });
});

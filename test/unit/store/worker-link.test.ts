import { writeFileSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openStoreWorker } from '../../../src-main/store/store-client.ts';
import type { Store } from '../../../src-main/store/store.ts';
import { checkLeaks } from '../../helpers/leak-check.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';
import * as make from './entry-fixtures.ts';

checkLeaks();
vi.setConfig({ testTimeout: 60_000 });

const crashing = new URL('./crashing-worker.ts', import.meta.url);
const reader = new URL('../../../src-main/store/reader-worker.ts', import.meta.url);
const stopped = { code: 'store.io', message: expect.stringContaining('stopped unexpectedly') as string };

async function opened(folder: string): Promise<Store> {
  const store = await openStoreWorker({ folder }, { store: crashing, reader });
  onTestFinished(() => store.close());
  return store;
}

test('a worker that dies rejects the calls under way with store.io and is started again, once', async () => {
  const store = await opened(await tempFolder());
  const projectId = await make.project(store);
  const { id } = await make.session(store, projectId, [make.title('kept')]);
  const crash = (): Promise<unknown> => store.append(id, process.pid, [make.title('crash')]);
  const both = await Promise.allSettled([crash(), store.setUnread(id, true)]);
  expect(both.map((each) => each.status)).toEqual(['rejected', 'rejected']);
  expect(both[0]).toMatchObject({ reason: stopped });
  await store.append(id, process.pid, [make.title('after')]);
  expect(await store.getSession(id)).toMatchObject({ title: 'after', headSeq: 3 });
  await expect(crash()).rejects.toMatchObject(stopped);
  await expect(store.append(id, process.pid, [make.title('never')])).rejects.toMatchObject(stopped);
  await expect(make.project(store)).rejects.toMatchObject(stopped);
  expect(await store.getSession(id)).toMatchObject({ title: 'after' });
});

test('a worker that cannot be started again rejects every call with store.io', async () => {
  const folder = await tempFolder();
  const store = await opened(folder);
  const { id } = await make.session(store, await make.project(store));
  writeFileSync(`${folder}/never-again`, '');
  await expect(store.append(id, process.pid, [make.title('crash')])).rejects.toMatchObject(stopped);
  await expect(make.project(store)).rejects.toMatchObject(stopped);
});

test('a worker that dies before it has opened the store fails the opening', async () => {
  const folder = await tempFolder();
  writeFileSync(`${folder}/never-again`, '');
  await expect(openStoreWorker({ folder }, { store: crashing, reader })).rejects.toMatchObject(stopped);
});

import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { LogSync } from '../../../src-main/store/log-sync.ts';
import { openStore } from '../../../src-main/store/open-store.ts';
import { checkLeaks } from '../../helpers/leak-check.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';
import * as make from './entry-fixtures.ts';

checkLeaks();

const stepEnd = (): ReturnType<typeof make.entry> => make.entry('step-end', { turnId: make.turnId('t1'), step: 1 });

test('a log that cannot be opened says so, and one that was synced lasts', async () => {
  const folder = await tempFolder();
  const file = path.join(folder, 'x.db');
  const none = new LogSync(file);
  expect(none.open()).toBe(false);
  none.start();
  await none.done();

  writeFileSync(`${file}-wal`, 'frames');
  const log = new LogSync(file);
  expect(log.open()).toBe(true);
  log.start();
  log.start();
  await log.done();
  expect(log.failure).toBeNull();
  await log.close();
});

// /dev/null opens like any file and refuses to be synced.
test.skipIf(process.platform !== 'linux')(
  'a disk that fails a sync is told once and for all (skipped: needs Linux)',
  async () => {
    const file = path.join(await tempFolder(), 'x.db');
    symlinkSync('/dev/null', `${file}-wal`);
    const log = new LogSync(file);
    expect(log.open()).toBe(true);
    log.start();
    await expect(log.done()).rejects.toMatchObject({ code: 'store.io' });
    await expect(log.done()).rejects.toMatchObject({ code: 'store.io' });
    expect(log.failure?.code).toBe('store.io');
    await log.close();
  },
);

test("a step's end is written when it is acknowledged, and synced by what `synced` waits for; all else is synced before", async () => {
  const folder = await tempFolder();
  const store = await openStore({ folder });
  onTestFinished(() => store.close());
  const start = vi.spyOn(LogSync.prototype, 'start');
  onTestFinished(() => start.mockRestore());
  const { id } = await make.session(store, await make.project(store));

  await store.append(id, process.pid, [make.message('t1')]);
  expect(start).not.toHaveBeenCalled();
  const stored = await store.append(id, process.pid, [make.answer('t1'), stepEnd()]);
  expect(start).toHaveBeenCalledTimes(1);
  await store.synced();
  const other = await openStore({ folder, readOnly: true });
  expect((await other.readPath(id)).entries.slice(-2)).toEqual(stored);
  await other.close();
  await store.append(id, process.pid, [stepEnd(), make.turnEnd('t1')]);
  expect(start).toHaveBeenCalledTimes(1);
});

test('nothing is appended after a sync that failed', async () => {
  const store = await openStore({ folder: await tempFolder() });
  onTestFinished(() => store.close());
  const { id } = await make.session(store, await make.project(store));
  const failed = vi.spyOn(LogSync.prototype, 'failure', 'get');
  onTestFinished(() => failed.mockRestore());
  const { AppError } = await import('../../../src-main/base/app-error.ts');
  failed.mockReturnValue(new AppError('store.io', 'The disk failed.'));
  await expect(store.append(id, process.pid, [make.message('t1')])).rejects.toMatchObject({ code: 'store.io' });
  failed.mockRestore();
  expect((await store.readPath(id)).entries.map(({ kind }) => kind)).toEqual(['session-start']);
});

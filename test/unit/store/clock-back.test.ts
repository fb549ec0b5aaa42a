// A clock that is set back: the order of what happened, the list and the leases do not follow it.
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { newId } from '../../../src-main/base/new-id.ts';
import { databaseFile } from '../../../src-main/store/open-database.ts';
import { openStore } from '../../../src-main/store/open-store.ts';
import { checkLeaks } from '../../helpers/leak-check.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';
import * as make from './entry-fixtures.ts';

checkLeaks();

const DEAD = 4_194_304 + 9;

test('a clock that was set back changes no order: of entries, of chats, of ids, and no lease outlives its process', async () => {
  const folder = await tempFolder();
  const store = await openStore({ folder });
  onTestFinished(() => store.close());
  const projectId = await make.project(store);
  const now = 1_800_000_000_000;
  const at = (text: string, ms: number) =>
    make.entry('user-message', { turnId: make.turnId(text), text, attachments: [] }, ms);
  const first = await make.session(store, projectId, [make.title('first'), at('one', now)]);
  const second = await make.session(store, projectId, [make.title('second'), at('two', now + 1_000)]);
  await store.append(second.id, process.pid, [at('three', now - 86_400_000), make.turnEnd('three')]);
  const { entries } = await store.readPath(second.id);
  const said = entries.flatMap((entry) => (entry.kind === 'user-message' ? [entry.data.text] : []));
  expect(said).toEqual(['two', 'three']);
  expect((await store.getSession(second.id))?.updatedAtMs).toBe(now + 1_000);
  const query = { projectId, filter: '', archived: false, cursor: null, limit: 9 };
  expect((await store.listSessions(query)).sessions.map(({ title }) => title)).toEqual(['second', 'first']);
  const ids = [newId(now), newId(now - 5_000), newId(now - 9_000)];
  expect([...ids].sort()).toEqual(ids);

  // A lease that was taken in what is the future now.
  const database = new Database(databaseFile(folder));
  onTestFinished(() => void database.close());
  database.prepare('UPDATE lease SET taken_at = ?, pid = ?').run(Date.now() + 86_400_000, DEAD);
  expect((await store.getSession(first.id))?.heldBy).toBeNull();
  await store.acquire(first.id, make.lease);
  await store.append(first.id, process.pid, [make.title('mine')]);
  // Chats that went into the trash in the future lie there no longer than their days from then on.
  await store.release(second.id, process.pid);
  await store.setPlace(second.id, 'trash', now);
  expect((await store.upkeep(now - 86_400_000)).purged).toBe(0);
  expect((await store.upkeep(now + 31 * 86_400_000)).purged).toBe(1);
});

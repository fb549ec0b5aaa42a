import { copyFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Entry } from '../../../src-main/contract/entries.ts';
import type { SessionId } from '../../../src-main/contract/ids.ts';
import { MIGRATIONS } from '../../../src-main/store/migrate.ts';
import { databaseFile } from '../../../src-main/store/open-database.ts';
import { openStore } from '../../../src-main/store/open-store.ts';
import { checkLeaks } from '../../helpers/leak-check.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';
import * as make from './entry-fixtures.ts';
import { readProjection } from './projections.ts';

checkLeaks();

const fixtures = path.resolve(import.meta.dirname, '../../fixtures/store');

/** Every version before this one, as a database that it wrote and the chats that it read from it. */
const former = MIGRATIONS.slice(0, -1).map(({ number }) => number);

test.each(former)('D11: a database of schema %i opens with all its chats, and they go on', async (schema) => {
  const folder = await tempFolder();
  copyFileSync(path.join(fixtures, `schema-${schema}.db`), databaseFile(folder));
  const saved = JSON.parse(readFileSync(path.join(fixtures, `schema-${schema}.json`), 'utf8')) as {
    id: SessionId;
    entries: Entry[];
  }[];
  const store = await openStore({ folder });
  onTestFinished(() => store.close());

  expect(saved.length).toBeGreaterThan(1);
  for (const [index, { id, entries }] of saved.entries()) {
    expect(await store.readPath(id)).toEqual({ entries, unreadable: 0 });
    expect(await store.getDraft(id)).toEqual({ text: `draft ${index}`, attachments: [] });
    const before = await readProjection(store, id);
    await store.rebuildProjections(id);
    expect(await readProjection(store, id)).toEqual(before);

    const head = (await store.getSession(id))?.headSeq ?? 0;
    await store.acquire(id, make.lease);
    const [added] = await store.append(id, process.pid, [make.message('t9')]);
    expect(added).toMatchObject({ seq: head + 1, parentId: entries.at(-1)?.id });
    expect((await store.readPath(id)).entries).toEqual([...entries, added]);
  }
});

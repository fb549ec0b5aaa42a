import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { SessionId } from '../../../src-main/contract/ids.ts';
import { databaseFile } from '../../../src-main/store/open-database.ts';
import { openStore } from '../../../src-main/store/open-store.ts';
import type { Store } from '../../../src-main/store/store.ts';
import { checkLeaks } from '../../helpers/leak-check.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';
import * as make from './entry-fixtures.ts';

checkLeaks();

/** A saved chat of `count` messages (seq 2 on) whose database `damage` then changes behind the store's back. */
async function damaged(
  count: number,
  damage: (file: string) => void,
  text = 'message',
): Promise<{ store: Store; id: SessionId }> {
  const folder = await tempFolder();
  const first = await openStore({ folder });
  const messages = Array.from({ length: count }, (_, index) => make.message('t1', `${text} ${index + 2}`));
  const { id } = await make.session(first, await make.project(first), messages);
  await first.close();
  damage(databaseFile(folder));
  const store = await openStore({ folder });
  onTestFinished(() => store.close());
  return { store, id };
}

const sql = (text: string) => (file: string) => {
  const database = new Database(file);
  database.exec(text);
  database.close();
};

async function readable(store: Store, id: SessionId): Promise<[seqs: number[], unreadable: number]> {
  const { entries, unreadable } = await store.readPath(id);
  return [entries.map((entry) => entry.seq), unreadable];
}

describe('reading entries', () => {
  test.each([
    ['its payload', `payload = replace(payload, 'message', 'massage')`],
    ['its kind', `kind = 'title'`],
    ['its time', `at = at + 1`],
    ['its parent', `parent = 'other'`],
    ['its JSON', `payload = '{'`],
  ])('a row whose hash does not fit %s is left out and counted, the rows around it are read', async (_, change) => {
    const { store, id } = await damaged(4, sql(`UPDATE entry SET ${change} WHERE seq = 3`));
    expect(await readable(store, id)).toEqual([[1, 2, 4, 5], 1]);
    const page = await store.readPage(id, { beforeSeq: 4, limit: 2 });
    expect(page.entries.map((entry) => entry.seq)).toEqual([2]);
  });

  test('a row whose stored hash is damaged costs that row alone', async () => {
    const { store, id } = await damaged(4, sql(`UPDATE entry SET hash = 'x' WHERE seq = 3`));
    expect(await readable(store, id)).toEqual([[1, 2, 4, 5], 1]);
  });

  test('a row that was taken out is missed and counted', async () => {
    const { store, id } = await damaged(4, sql('DELETE FROM entry WHERE seq = 3'));
    const [seqs, unreadable] = await readable(store, id);
    expect(seqs).toEqual([1, 2, 5]);
    expect(unreadable).toBe(2);
  });

  test('D13: an entry of a kind that a later version wrote is counted, kept on disk, and appended to', async () => {
    const { store, id } = await damaged(1, () => undefined);
    const later = { ...make.title('x'), kind: 'of-a-later-version' } as unknown as ReturnType<typeof make.title>;
    await store.append(id, process.pid, [later]);
    await store.append(id, process.pid, [make.title('after')]);
    expect(await readable(store, id)).toEqual([[1, 2, 4], 1]);
    await store.rebuildProjections(id);
    expect(await readable(store, id)).toEqual([[1, 2, 4], 1]);
    expect(await store.getSession(id)).toMatchObject({ title: 'after', headSeq: 4 });
  });

  test('D16: a session whose values a later version wrote stays in the list as it is', async () => {
    const change = `UPDATE session SET mode = 'later', last_outcome = '{"type":"later"}'`;
    const { store, id } = await damaged(1, sql(change));
    const { sessions } = await store.listSessions({
      projectId: null,
      filter: '',
      archived: false,
      cursor: null,
      limit: 5,
    });
    expect(sessions).toMatchObject([{ id, mode: 'later', lastOutcome: { type: 'later' } }]);
  });

  test('a ledger row, an outcome or a draft whose JSON is damaged keeps nothing else from being read', async () => {
    const change = `UPDATE session SET last_outcome = '{'; UPDATE call SET effects = '[', decided_by = '';
      INSERT INTO draft (session, text, attachment_ids) VALUES (1, 'draft', '[')`;
    let file = '';
    const { store, id } = await damaged(1, (path) => void (file = path));
    await store.append(id, process.pid, [make.verdict('t1', 'c1')]);
    sql(change)(file);
    expect(await store.listLedger(id)).toMatchObject([{ callId: 'c1', effects: [], by: null, decision: 'run' }]);
    expect(await store.getSession(id)).toMatchObject({ lastOutcome: null, headSeq: 3 });
    expect(await store.getDraft(id)).toEqual({ text: 'draft', attachments: [] });
  });

  test('D7: a page of the file that is torn costs the rows on it, the rest of the chat opens', async () => {
    const tear = (file: string): void => {
      const at = readFileSync(file).indexOf('needle 40"');
      expect(at).toBeGreaterThan(0);
      const descriptor = openSync(file, 'r+');
      writeSync(descriptor, Buffer.alloc(4096, 0xff), 0, 4096, at - (at % 4096));
      closeSync(descriptor);
    };
    const { store, id } = await damaged(80, tear, 'needle');
    const [seqs, unreadable] = await readable(store, id);
    expect(seqs.length + unreadable).toBe(81);
    expect(unreadable).toBeGreaterThan(0);
    expect(seqs.length).toBeGreaterThan(20);
    expect(seqs[0]).toBe(1);
    expect(seqs.at(-1)).toBe(81);
  });
});

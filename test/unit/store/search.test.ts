// Search over the entries of all chats: what is found, in which order, page by page, and how the index follows.
import { describe, expect, onTestFinished, test } from 'vitest';
import type { EntryData } from '../../../src-main/contract/entries.ts';
import { databaseFile } from '../../../src-main/store/open-database.ts';
import { openStore } from '../../../src-main/store/open-store.ts';
import { toMatch } from '../../../src-main/store/search-query.ts';
import { snippetOf } from '../../../src-main/store/search-snippet.ts';
import { openStoreWorker } from '../../../src-main/store/store-client.ts';
import type { SearchHit } from '../../../src-main/contract/session.ts';
import type { Store } from '../../../src-main/store/store.ts';
import { checkLeaks } from '../../helpers/leak-check.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';
import * as make from './entry-fixtures.ts';

checkLeaks();

async function opened(): Promise<Store> {
  const store = await openStore({ folder: await tempFolder() });
  onTestFinished(() => store.close());
  return store;
}

async function follow(store: Store): Promise<void> {
  while (await store.followSearch());
}

async function found(store: Store, text: string): Promise<SearchHit[]> {
  return (await store.search({ text, projectId: null, cursor: null, limit: 50 })).hits;
}

const answer = (parts: EntryData<'assistant-message'>['parts']): ReturnType<typeof make.entry> =>
  make.entry('assistant-message', {
    ...{ turnId: make.turnId('t1'), step: 1, model: 'guide', parts, finish: 'stop' as const },
    ...{ usage: null, durationMs: 1 },
  });

describe('the search', () => {
  test('finds messages, answers, commands, paths, patches and titles, also in branches that were left', async () => {
    const store = await opened();
    const { id } = await make.session(store, await make.project(store), [make.title('Orchard plan')]);
    const patch = {
      path: 'src/plum-tree.ts',
      before: null,
      after: 'ab',
      diff: '+const ripeness = 7;',
      added: 1,
      removed: 0,
    };
    const call = {
      type: 'tool-call',
      callId: make.callId('c1'),
      name: 'shell',
      argumentsText: '{"command":"npm run harvest"}',
    } as const;
    const stored = await store.append(id, process.pid, [
      make.message('t1', 'Where do the PÊCHES grow?'),
      answer([{ type: 'text', text: 'In the sessionChanged valley' }, call]),
      make.entry('tool-result', {
        ...{ turnId: make.turnId('t1'), callId: make.callId('c1'), tool: 'write_file', summary: 'Write' },
        ...{ status: 'ok' as const, content: 'done', facts: {}, changes: [patch], durationMs: 1 },
      }),
    ]);
    const [message, , result] = stored;
    if (!message || !result) throw new TypeError('nothing stored');
    await store.append(id, process.pid, [
      make.entry('rewind', {
        ...{ to: message.parentId ?? message.id, from: result.id, how: 'rewind' as const, removed: 3 },
        ...{ used: { steps: 1, calls: 1 }, by: 'person' },
      }),
    ]);
    await follow(store);
    const seqs = async (text: string): Promise<number[]> => (await found(store, text)).map(({ seq }) => seq);
    expect(await seqs('peches')).toEqual([3]);
    expect(await seqs('Pêches grow')).toEqual([3]);
    expect(await seqs('sessionch')).toEqual([4]);
    expect(await seqs('"npm run harvest"')).toEqual([4]);
    expect(await seqs('"npm harvest"')).toEqual([]);
    expect(await seqs('src/plum-tr')).toEqual([5]);
    expect(await seqs('ripeness')).toEqual([5]);
    expect(await seqs('orchard')).toEqual([2]);
    expect(await seqs('grow valley')).toEqual([]);
    for (const odd of ['"', '*', 'a" OR "b', 'NEAR(', '- + ^ :', '']) expect(Array.isArray(await seqs(odd))).toBe(true);
    expect((await found(store, 'grow'))[0]).toMatchObject({
      sessionId: id,
      title: 'Orchard plan',
      entryId: message.id,
      before: 'Where do the PÊCHES ',
      match: 'grow',
      after: '?',
    });
  });

  test('is newest first over all chats, has pages without an end, and leaves out the other projects where one is given', async () => {
    const store = await opened();
    const projects = [await make.project(store), await make.project(store, '/other')];
    for (let n = 0; n < 30; n++) {
      const projectId = projects[n % 2];
      if (projectId) await make.session(store, projectId, [make.message('t1', `pear number ${n}`)]);
    }
    await follow(store);
    const texts: string[] = [];
    let pages = 0;
    for (let cursor: string | null = null; ; pages++) {
      const page: Awaited<ReturnType<Store['search']>> = await store.search({
        text: 'pear',
        projectId: null,
        cursor,
        limit: 7,
      });
      texts.push(...page.hits.map((hit) => hit.match + hit.after));
      cursor = page.cursor;
      if (cursor === null) break;
    }
    expect(pages).toBe(4);
    expect(texts).toEqual(Array.from({ length: 30 }, (_, n) => `pear number ${29 - n}`));
    const own = await store.search({ text: 'pear', projectId: projects[0] ?? null, cursor: null, limit: 50 });
    expect(own.hits).toHaveLength(15);
    const bad = { text: 'pear', projectId: null, cursor: 'x', limit: 5 };
    await expect(store.search(bad)).rejects.toMatchObject({ code: 'ipc.invalid-input' });
  });

  test('says how far it is behind, goes on where it was after a restart, and finds nothing twice', async () => {
    const folder = await tempFolder();
    const first = await openStore({ folder });
    const { id } = await make.session(first, await make.project(first));
    for (let n = 0; n < 3; n++)
      await first.append(
        id,
        process.pid,
        Array.from({ length: 100 }, (_, k) => make.message('t1', `fig ${n} ${k}`)),
      );
    expect((await first.search({ text: 'fig', projectId: null, cursor: null, limit: 1 })).behind).toBe(301);
    expect(await first.followSearch()).toBe(true);
    await first.close();
    const store = await openStore({ folder });
    onTestFinished(() => store.close());
    await follow(store);
    const page = await store.search({ text: 'fig', projectId: null, cursor: null, limit: 200 });
    const rest = await store.search({ text: 'fig', projectId: null, cursor: page.cursor, limit: 200 });
    const all = [...page.hits, ...rest.hits].map((hit) => hit.seq);
    expect([all.length, new Set(all).size, rest.cursor, rest.behind]).toEqual([300, 300, null, 0]);
  });

  test('over workers the index follows by itself while nothing is asked', async () => {
    const store = await openStoreWorker({ folder: await tempFolder() });
    onTestFinished(() => store.close());
    await make.session(store, await make.project(store), [make.message('t1', 'quince')]);
    await expect.poll(() => found(store, 'quince')).toHaveLength(1);
  });
});

test('a query is words and phrases, and nothing of the index’s own language', () => {
  expect(toMatch('foo bar')).toBe('"foo"* AND "bar"*');
  expect(toMatch('"foo bar" x')).toBe('"foo bar" AND "x"');
  expect(toMatch('src/a.ts OR')).toBe('"src/a.ts"* AND "OR"*');
  expect([toMatch(''), toMatch('  - "" *')]).toEqual([null, null]);
});

test('a snippet is cut around the word, on one line', () => {
  const text = `${'a '.repeat(100)}\nneedle\n${'b '.repeat(200)}`;
  const { before, match, after } = snippetOf(text, ['needle']);
  expect([before.startsWith('…'), before.endsWith(' '), match, after.endsWith('…')]).toEqual([
    true,
    true,
    'needle',
    true,
  ]);
  expect(before.length + after.length).toBeLessThan(170);
  expect(snippetOf('Crème brûlée', ['brulee'])).toEqual({ before: 'Crème ', match: 'brûlée', after: '' });
  expect(snippetOf('nothing', ['x'])).toEqual({ before: '', match: '', after: 'nothing' });
});

test('an index that is damaged is told, made again from the entries, and finds all of them then', async () => {
  const folder = await tempFolder();
  const store = await openStoreWorker({ folder });
  onTestFinished(() => store.close());
  await make.session(store, await make.project(store), [make.title('tree'), make.message('t1', 'quinces and pears')]);
  while (await store.followSearch());
  const query = { text: 'quinces', projectId: null, cursor: null, limit: 9 };
  expect((await store.search(query)).hits).toHaveLength(1);
  const { default: Database } = await import('better-sqlite3');
  const other = new Database(databaseFile(folder));
  other.unsafeMode(true);
  other.exec(`UPDATE search_data SET block = x'0bad0bad' WHERE id > 10`);
  other.close();
  await expect(store.search(query)).rejects.toMatchObject({ code: 'store.damaged' });
  await expect.poll(async () => (await store.search(query)).hits.length).toBe(1);
  expect((await store.search(query)).behind).toBe(0);
});

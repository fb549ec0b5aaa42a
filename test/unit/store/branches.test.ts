// The tree of a session: its paths against a plain model of a tree, over restarts, rebuilds and forks.
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { newId } from '../../../src-main/base/new-id.ts';
import type { Entry, NewEntry } from '../../../src-main/contract/entries.ts';
import type { EntryId, SessionId } from '../../../src-main/contract/ids.ts';
import { openStore } from '../../../src-main/store/open-store.ts';
import { openStoreWorker } from '../../../src-main/store/store-client.ts';
import type { Store } from '../../../src-main/store/store.ts';
import { checkLeaks } from '../../helpers/leak-check.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';
import * as make from './entry-fixtures.ts';
import { readProjection } from './projections.ts';

checkLeaks();

const move = (to: EntryId, from: EntryId, how: 'rewind' | 'undo' | 'jump' = 'rewind'): NewEntry =>
  make.entry('rewind', { to, from, how, removed: 0, used: { steps: 0, calls: 0 }, by: 'person' });

async function opened(): Promise<Store> {
  const store = await openStore({ folder: await tempFolder() });
  onTestFinished(() => store.close());
  return store;
}

const kinds = (entries: readonly Entry[]): string[] => entries.map(({ kind }) => kind);
const idAt = (entries: readonly Entry[], index: number): EntryId => entries.at(index)?.id ?? ('' as EntryId);

describe('a path', () => {
  test('TREE-06: goes on from where a rewind leads, and all that was left stays in the tree', async () => {
    const store = await opened();
    const { id } = await make.session(store, await make.project(store), [make.title('tree')]);
    const first = await store.append(id, process.pid, [make.message('t1'), make.answer('t1'), make.turnEnd('t1')]);
    const second = await store.append(id, process.pid, [make.message('t2'), make.answer('t2'), make.turnEnd('t2')]);
    await store.append(id, process.pid, [move(idAt(first, -1), idAt(second, -1))]);
    const [third] = await store.append(id, process.pid, [make.message('t3')]);
    const path = await store.readPath(id);
    expect(kinds(path.entries)).toEqual([
      ...['session-start', 'title', 'user-message', 'assistant-message', 'turn-end'],
      ...['rewind', 'user-message'],
    ]);
    expect(path.entries.at(-2)?.parentId).toBe(idAt(first, -1));
    expect(third).toMatchObject({ seq: 10, parentId: path.entries.at(-2)?.id });
    expect(await store.getSession(id)).toMatchObject({ turns: 2, openTurnId: 't3', settledSeq: 5, headSeq: 10 });
    const left = await store.readPath(id, 8);
    expect(left).toEqual({ entries: [...path.entries.slice(0, 5), ...second], unreadable: 0 });
    expect(await store.readPage(id, { beforeSeq: null, limit: 3 })).toEqual({
      entries: path.entries.slice(-3),
      hasEarlier: true,
    });
    expect(await store.readPage(id, { beforeSeq: 9, limit: 5 })).toEqual({
      entries: path.entries.slice(0, 5),
      hasEarlier: false,
    });
    for (const entry of [...path.entries, ...second]) expect(await store.readEntry(id, entry.id)).toEqual(entry);
  });

  test('a move to what is not there is refused, and nothing of its batch is written', async () => {
    const store = await opened();
    const { id } = await make.session(store, await make.project(store));
    const [message] = await store.append(id, process.pid, [make.message('t1')]);
    const bad = [make.title('x'), move('none' as EntryId, message?.id ?? ('' as EntryId))];
    await expect(store.append(id, process.pid, bad)).rejects.toMatchObject({ code: 'session.not-found' });
    expect(await store.getSession(id)).toMatchObject({ headSeq: 2, title: '' });
    await expect(store.readPath(id, 99)).rejects.toMatchObject({ code: 'session.not-found' });
  });

  test('the tree has each branch with where it began, its name, and each turn with its end', async () => {
    const store = await opened();
    const { id } = await make.session(store, await make.project(store), [make.message('t1'), make.turnEnd('t1')]);
    const [, , end] = (await store.readPath(id)).entries;
    const late = await store.append(id, process.pid, [make.message('t2', 'late'), make.turnEnd('t2')]);
    await store.append(id, process.pid, [move(end?.id ?? ('' as EntryId), idAt(late, -1))]);
    await store.append(id, process.pid, [make.entry('branch-name', { branch: 1, name: 'other', by: 'person' })]);
    await store.append(id, process.pid, [make.message('t3')]);
    await store.append(id, process.pid, [make.entry('branch-name', { branch: 0, name: 'main', by: 'person' })]);
    const tree = await store.readTree(id);
    expect(tree).toMatchObject({ headSeq: 9, headBranch: 1 });
    expect(tree.branches).toEqual([
      { number: 0, firstSeq: 1, parentBranch: null, parentSeq: 0, fromSeq: 0, how: 'root', name: 'main' },
      { number: 1, firstSeq: 6, parentBranch: 0, parentSeq: 3, fromSeq: 5, how: 'rewind', name: 'other' },
    ]);
    expect(tree.turns.map((turn) => [turn.turnId, turn.seq, turn.endSeq, turn.branch, turn.outcome])).toEqual([
      ['t1', 2, 3, 0, 'completed'],
      ['t2', 4, 5, 0, 'completed'],
      ['t3', 8, 9, 1, null],
    ]);
    expect(tree.turns[1]?.text).toBe('late');
    const live = [await readProjection(store, id), tree];
    await store.rebuildProjections(id);
    expect([await readProjection(store, id), await store.readTree(id)]).toEqual(live);
  });
});

describe('a fork', () => {
  test('TREE-12, H14: is another chat with a copy of the path, the last answer too, and neither changes the other', async () => {
    const store = await opened();
    const { id } = await make.session(store, await make.project(store), [make.message('t1'), make.answer('t1')]);
    await store.append(id, process.pid, [
      make.turnEnd('t1'),
      make.message('t2'),
      make.answer('t2'),
      make.turnEnd('t2'),
    ]);
    const before = await store.readPath(id);
    const other = newId<SessionId>();
    const fork = { from: id, toSeq: null, id: other, entries: [make.title('copy')], lease: make.lease };
    expect(await store.forkSession(fork)).toMatchObject({ id: other, title: 'copy', turns: 2, openTurnId: null });
    const copy = await store.readPath(other);
    expect(copy.unreadable).toBe(0);
    const facts = (entries: readonly Entry[]): unknown => entries.map(({ id: own, kind, data }) => [own, kind, data]);
    expect(facts(copy.entries.slice(0, -1))).toEqual(facts(before.entries));
    await store.append(other, process.pid, [make.message('t3')]);
    expect(await store.readPath(id)).toEqual(before);
    const early = await store.forkSession({ ...fork, id: newId<SessionId>(), toSeq: 4 });
    expect(early).toMatchObject({ turns: 1, headSeq: 5 });
    const none = { ...fork, id: newId<SessionId>(), from: 'none' as SessionId };
    await expect(store.forkSession(none)).rejects.toMatchObject({ code: 'session.not-found' });
    await expect(store.forkSession({ ...fork, toSeq: 99 })).rejects.toMatchObject({ code: 'session.not-found' });
  });
});

type Act = { do: 'append'; count: number } | { do: 'move'; to: number } | { do: 'reopen' } | { do: 'rebuild' };

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('append' as const), count: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('move' as const), to: fc.nat() }) },
  { weight: 1, arbitrary: fc.constant({ do: 'reopen' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'rebuild' as const }) },
);

describe('random histories', () => {
  test('have at every moment the paths of a plain tree of the same moves', { timeout: 180_000 }, async () => {
    const folder = await tempFolder();
    let store = await openStoreWorker({ folder });
    onTestFinished(() => store.close());
    const projectId = await make.project(store);
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 14 }), async (acts) => {
        const { id } = await make.session(store, projectId);
        const all = [...(await store.readPath(id)).entries];
        const parents = new Map(all.map((entry) => [entry.id, entry.parentId]));
        const pathTo = (leaf: Entry): EntryId[] => {
          const path: EntryId[] = [];
          for (let at: EntryId | null = leaf.id; at !== null; at = parents.get(at) ?? null) path.unshift(at);
          return path;
        };
        const took = (stored: readonly Entry[]): void => {
          for (const entry of stored) {
            parents.set(entry.id, entry.kind === 'rewind' ? entry.data.to : idAt(all, -1));
            all.push(entry);
          }
        };
        for (const one of acts) {
          if (one.do === 'append')
            took(
              await store.append(
                id,
                process.pid,
                Array.from({ length: one.count }, (_, n) => make.message(`t${n}`)),
              ),
            );
          else if (one.do === 'move')
            took(await store.append(id, process.pid, [move(idAt(all, one.to % all.length), idAt(all, -1))]));
          else if (one.do === 'rebuild') await store.rebuildProjections(id);
          else {
            await store.close();
            store = await openStoreWorker({ folder });
          }
          const head = all.at(-1);
          if (!head) continue;
          const path = await store.readPath(id);
          expect([path.unreadable, path.entries.map((entry) => entry.id)]).toEqual([0, pathTo(head)]);
          const page = await store.readPage(id, { beforeSeq: null, limit: 3 });
          expect(page.entries).toEqual(path.entries.slice(-3));
          expect(page.hasEarlier).toBe(path.entries.length > 3);
        }
        for (const leaf of all) {
          const { entries } = await store.readPath(id, leaf.seq);
          expect(entries.map((entry) => entry.id)).toEqual(pathTo(leaf));
        }
        const live = await readProjection(store, id);
        await store.rebuildProjections(id);
        expect(await readProjection(store, id)).toEqual(live);
      }),
      { numRuns: 15 },
    );
  });
});

// Where chats are: pinned, named, in a project that moved, half imported; over both forms of the store.
import { describe, expect, onTestFinished, test } from 'vitest';
import { newId } from '../../../src-main/base/new-id.ts';
import type { ProjectId, SessionId } from '../../../src-main/contract/ids.ts';
import { openStore } from '../../../src-main/store/open-store.ts';
import { openStoreWorker } from '../../../src-main/store/store-client.ts';
import type { Store } from '../../../src-main/store/store.ts';
import { checkLeaks } from '../../helpers/leak-check.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';
import * as make from './entry-fixtures.ts';
import { readProjection } from './projections.ts';

checkLeaks();

const query = { projectId: null, filter: '', archived: false, cursor: null, limit: 3 } as const;
const DEAD = 4_194_304 + 7;

async function titlesOf(store: Store, more: Partial<Parameters<Store['listSessions']>[0]> = {}): Promise<string[]> {
  return (await store.listSessions({ ...query, ...more })).sessions.map(({ title }) => title);
}

describe.each([
  ['this thread', openStore],
  ['workers', openStoreWorker],
])('in %s', (_where, open) => {
  async function opened(folder: string): Promise<Store> {
    const store = await open({ folder });
    onTestFinished(() => store.close());
    return store;
  }

  test('a pinned chat stands at the top of its list, once, however old it is, and only in the list', async () => {
    const store = await opened(await tempFolder());
    const projectId = await make.project(store);
    const other = await make.project(store, '/q');
    const chats = [];
    for (let n = 0; n < 8; n++)
      chats.push(await make.session(store, projectId, [make.title(`c${n}`), make.message('t')]));
    await make.session(store, other, [make.title('elsewhere'), make.message('t')]);
    const [oldest, second] = chats;
    if (!oldest || !second) throw new TypeError('no chats');
    await store.setPinned(oldest.id, true);
    expect(await titlesOf(store, { projectId })).toEqual(['c0', 'c7', 'c6', 'c5']);
    const seen: string[] = [];
    for (let cursor: string | null = null; ;) {
      const page = await store.listSessions({ ...query, projectId, cursor });
      seen.push(...page.sessions.map(({ title }) => title));
      ({ cursor } = page);
      if (cursor === null) break;
    }
    expect(seen).toEqual(['c0', 'c7', 'c6', 'c5', 'c4', 'c3', 'c2', 'c1']);
    expect(await titlesOf(store, { projectId: other })).toEqual(['elsewhere']);
    expect(await titlesOf(store, { projectId, filter: 'c3' })).toEqual(['c3']);
    expect((await store.getSession(oldest.id))?.pinned).toBe(true);
    await store.setArchived(oldest.id, true);
    expect(await titlesOf(store, { projectId })).toEqual(['c7', 'c6', 'c5']);
    expect(await titlesOf(store, { projectId, archived: true })).toEqual(['c0']);
    await store.setArchived(oldest.id, false);
    await store.setPinned(oldest.id, false);
    expect((await titlesOf(store, { projectId, limit: 9 })).at(-1)).toBe('c0');
    await expect(store.setPinned('none' as SessionId, true)).rejects.toMatchObject({ code: 'session.not-found' });
  });

  test('a chat is found by its name, the newest first; a name is a projection, and a fork has its own', async () => {
    const store = await opened(await tempFolder());
    const projectId = await make.project(store);
    const named = async (name: string): Promise<SessionId> => {
      const entries = [make.entry('session-start', { model: 'guide', mode: 'ask', confinement: true, name })];
      return (await store.createSession({ id: newId<SessionId>(), projectId, entries, lease: make.lease })).id;
    };
    await named('pear');
    const id = await named('pear');
    expect((await store.findSession('pear'))?.id).toBe(id);
    expect(await store.findSession('')).toBeNull();
    const live = await readProjection(store, id);
    await store.rebuildProjections(id);
    expect(await readProjection(store, id)).toEqual(live);
    const fork = { from: id, toSeq: null, id: newId<SessionId>(), entries: [], lease: make.lease, name: 'quince' };
    expect((await store.forkSession(fork)).name).toBe('quince');
    expect((await store.findSession('pear'))?.id).toBe(id);
    await store.release(id, process.pid);
    await store.setPlace(id, 'trash', 1);
    expect((await store.findSession('pear'))?.id).not.toBe(id);
  });

  test('D14: a project that moved is told where it is; chats of what was opened there meanwhile come to it', async () => {
    const store = await opened(await tempFolder());
    const old = await make.project(store, '/old');
    await make.session(store, old, [make.title('before')]);
    const meanwhile = await make.project(store, '/new');
    await make.session(store, meanwhile, [make.title('meanwhile')]);
    const where = { path: '/new', dev: '1', ino: '/new', nowMs: 5 };
    const { project, merged } = await store.relinkProject({ id: old, ...where });
    expect([project.id, project.path, merged]).toEqual([old, '/new', [meanwhile]]);
    expect((await titlesOf(store, { projectId: old })).sort()).toEqual(['before', 'meanwhile']);
    expect(await store.getProject(meanwhile)).toBeNull();
    expect((await store.listProjects()).map(({ id }) => id)).toEqual([old]);
    expect((await store.openProject(where)).id).toBe(old);
    const unknown = store.relinkProject({ id: 'none' as ProjectId, ...where });
    await expect(unknown).rejects.toMatchObject({ code: 'project.not-found' });
  });

  test('an import is in no list until it is whole; one that was cut goes by itself, one that runs stays', async () => {
    const folder = await tempFolder();
    const store = await opened(folder);
    const projectId = await make.project(store);
    const begin = async (title: string, pid = process.pid): Promise<SessionId> => {
      const id = newId<SessionId>();
      const entries = [make.start(), make.title(title)];
      await store.createSession({ id, projectId, entries, lease: { holder: 'x', pid }, importing: true });
      return id;
    };
    const whole = await begin('whole');
    await store.addRecords(whole, process.pid, ['one']);
    await store.addRecords(whole, process.pid, ['two', 'three']);
    await store.append(whole, process.pid, [make.message('t')]);
    const running = await begin('running');
    const cut = await begin('cut', DEAD);
    const dropped = await begin('dropped');
    expect(await titlesOf(store)).toEqual([]);
    expect(await store.getSession(whole)).toBeNull();
    await expect(store.setPlace(whole, 'trash', 1)).rejects.toMatchObject({ code: 'session.not-found' });
    await expect(store.addRecords(cut, process.pid, ['x'])).rejects.toMatchObject({ code: 'session.busy' });
    await store.finishImport(whole);
    await store.dropImport(dropped);
    await store.upkeep(Date.now());
    expect(await titlesOf(store)).toEqual(['whole']);
    expect(await store.readRecords(whole)).toEqual(['one', 'two', 'three']);
    await store.finishImport(running);
    expect((await titlesOf(store)).sort()).toEqual(['running', 'whole']);
    for (const id of [cut, dropped])
      await expect(store.finishImport(id)).rejects.toMatchObject({ code: 'session.not-found' });
    expect((await store.stats()).sessions).toBe(2);
  });

  test('a fork of an imported chat keeps its records, but not where its path leaves some of them out', async () => {
    const store = await opened(await tempFolder());
    const projectId = await make.project(store);
    const report = {
      format: 'codex',
      file: 'f',
      records: 2,
      understood: {},
      kept: {},
      broken: 0,
      messages: 1,
      entries: 2,
    } as const;
    const { id } = await store.createSession({
      ...{ id: newId<SessionId>(), projectId, lease: make.lease, records: ['{"a":1}', '{"b":2}'] },
      entries: [make.start(), make.entry('import', report), make.message('t1'), make.turnEnd('t1'), make.message('t2')],
    });
    const fork = async (toSeq: number | null): Promise<string[]> => {
      const made = newId<SessionId>();
      await store.forkSession({ from: id, toSeq, id: made, entries: [], lease: make.lease });
      return store.readRecords(made);
    };
    expect(await fork(null)).toEqual(['{"a":1}', '{"b":2}']);
    expect(await fork(4)).toEqual(['{"a":1}', '{"b":2}']);
    expect(await fork(3)).toEqual([]);
  });
});

// What every Store owes, run against each of its implementations.
import { expect, onTestFinished, test } from 'vitest';
import { newId } from '../../../src-main/base/new-id.ts';
import type { AttachmentId, EntryId, ProjectId, SessionId } from '../../../src-main/contract/ids.ts';
import type { OpenOptions } from '../../../src-main/store/open-database.ts';
import type { SessionRow, Store } from '../../../src-main/store/store.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';
import * as make from './entry-fixtures.ts';

type Open = (options: OpenOptions) => Promise<Store>;

const attachmentId = (text: string): AttachmentId => text as AttachmentId;
const page = { projectId: null, filter: '', archived: false, cursor: null, limit: 50 };

async function allPages(store: Store, query: Parameters<Store['listSessions']>[0]): Promise<SessionRow[]> {
  const rows: SessionRow[] = [];
  for (let cursor: string | null = null; ;) {
    const found = await store.listSessions({ ...query, cursor });
    rows.push(...found.sessions);
    cursor = found.cursor;
    if (cursor === null) return rows;
  }
}

/** Declares the tests of the contract; `open` gives a store that the test closes. */
export function storeContract(open: Open): void {
  async function fresh(): Promise<{
    store: Store;
    folder: string;
    projectId: ProjectId;
    reopen: () => Promise<Store>;
  }> {
    const folder = await tempFolder();
    let store = await open({ folder });
    onTestFinished(() => store.close());
    const projectId = await make.project(store);
    const reopen = async (): Promise<Store> => {
      await store.close();
      store = await open({ folder });
      return store;
    };
    return { store, folder, projectId, reopen };
  }

  test('D14: a project is found again by its folder, also under a new path, and by its path when the folder was replaced', async () => {
    const { store } = await fresh();
    const first = await store.openProject({ path: '/a', dev: '5', ino: '18446744073709551615', nowMs: 10 });
    await store.hideProject(first.id);
    expect((await store.listProjects()).map((row) => row.path)).toEqual(['/p']);
    const moved = await store.openProject({ path: '/b', dev: '5', ino: '18446744073709551615', nowMs: 20 });
    expect(moved).toEqual({ ...first, path: '/b', lastOpenedAtMs: 20 });
    const replaced = await store.openProject({ path: '/b', dev: '5', ino: '7', nowMs: 30 });
    expect(replaced).toEqual({ ...moved, ino: '7', lastOpenedAtMs: 30 });
    expect((await store.listProjects()).map((row) => row.path)).toEqual(['/b', '/p']);
    expect(await store.getProject(first.id)).toEqual(replaced);
    expect(await store.getProject('none' as ProjectId)).toBeNull();
  });

  test('a new session has its first entries, its projection and its lease', async () => {
    const { store, projectId } = await fresh();
    const id = newId<SessionId>();
    const entries = [make.start(), make.title('Über alles')];
    const row = await store.createSession({ id, projectId, entries, lease: make.lease });
    expect(row).toMatchObject({
      id,
      projectId,
      title: 'Über alles',
      headSeq: 2,
      mode: 'ask',
      model: 'guide',
      turns: 0,
    });
    expect(row.heldBy).toMatch(new RegExp(`^${process.pid}@`));
    expect(await store.getSession(id)).toEqual(row);
    const path = await store.readPath(id);
    expect(path.unreadable).toBe(0);
    expect(path.entries).toEqual(
      entries.map((entry, index) => ({
        ...entry,
        sessionId: id,
        seq: index + 1,
        parentId: index === 0 ? null : entries[0]?.id,
      })),
    );
  });

  test('a session without a start, of an unknown project or with a taken id is refused and leaves nothing', async () => {
    const { store, projectId } = await fresh();
    const make1 = { id: newId<SessionId>(), projectId, entries: [make.start()], lease: make.lease };
    await expect(store.createSession({ ...make1, entries: [make.title('x')] })).rejects.toMatchObject({
      code: 'session.history-invalid',
    });
    await expect(store.createSession({ ...make1, projectId: 'no' as ProjectId })).rejects.toMatchObject({
      code: 'project.not-found',
    });
    expect(await store.stats()).toMatchObject({ sessions: 0, entries: 0 });
    await store.createSession(make1);
    await expect(store.createSession(make1)).rejects.toMatchObject({ code: 'session.history-invalid' });
  });

  test('append gives the entries their place, and a page is read from the end', async () => {
    const { store, projectId } = await fresh();
    const { id } = await make.session(store, projectId);
    const stored = await store.append(id, process.pid, [make.message('t1'), make.answer('t1')]);
    expect(stored.map((entry) => entry.seq)).toEqual([2, 3]);
    expect(stored[1]?.parentId).toBe(stored[0]?.id);
    const newest = await store.readPage(id, { beforeSeq: null, limit: 2 });
    expect(newest).toEqual({ entries: stored, hasEarlier: true });
    const earlier = await store.readPage(id, { beforeSeq: 2, limit: 2 });
    expect(earlier.entries.map((entry) => entry.kind)).toEqual(['session-start']);
    expect(earlier.hasEarlier).toBe(false);
    expect(await store.readEntry(id, stored[0]?.id ?? ('' as EntryId))).toEqual(stored[0]);
    expect(await store.readEntry(id, 'none' as EntryId)).toBeNull();
    expect(await store.append(id, process.pid, [])).toEqual([]);
  });

  test('STORE-06: an entry that is saved already is refused, and nothing of its batch is written', async () => {
    const { store, projectId } = await fresh();
    const { id } = await make.session(store, projectId);
    const first = make.message('t1');
    await store.append(id, process.pid, [first]);
    const again = store.append(id, process.pid, [make.title('new'), first]);
    await expect(again).rejects.toMatchObject({ code: 'session.history-invalid' });
    expect(await store.getSession(id)).toMatchObject({ headSeq: 2, title: '' });
  });

  test('STORE-05: the row follows the entries of a turn: open, waiting, settled where the last finished turn ends, usage, outcome', async () => {
    const { store, projectId } = await fresh();
    const { id } = await make.session(store, projectId);
    const add = async (...entries: Parameters<Store['append']>[2]): Promise<SessionRow | null> => {
      await store.append(id, process.pid, entries);
      return store.getSession(id);
    };
    const asked = await add(make.message('t1'), make.answer('t1'), make.request('t1', 'c1'), make.request('t1', 'c2'));
    expect(asked).toMatchObject({ openTurnId: 't1', waitingApprovals: 2, turns: 1, settledSeq: 0, lastOutcome: null });
    const judged = await add(
      make.verdict('t1', 'c1', 'deny'),
      make.result('t1', 'c1', [], 'denied'),
      make.queueAdd('q1'),
    );
    expect(judged).toMatchObject({ waitingApprovals: 1, queued: 1 });
    const ended = await add(make.result('t1', 'c2', [], 'interrupted'), make.turnEnd('t1'), make.queueRemove('q1'));
    expect(ended).toMatchObject({
      openTurnId: null,
      waitingApprovals: 0,
      queued: 0,
      settledSeq: 10,
      headSeq: 11,
      lastOutcome: { type: 'completed' },
      usage: { input: 100, output: 10, cachedInput: 40, reasoning: 3, costUsd: 0.5 },
      contextTokens: 100,
    });
    expect(await add(make.answer('t1', null))).toMatchObject({ usage: { input: 200, costUsd: null } });
  });

  test('the ledger has one row a call, changes are listed by path, the queue in its order', async () => {
    const { store, projectId } = await fresh();
    const { id } = await make.session(store, projectId);
    await store.append(id, process.pid, [make.message('t1'), make.request('t1', 'c1'), make.request('t1', 'c2')]);
    await store.append(id, process.pid, [make.verdict('t1', 'c1'), make.toolStart('t1', 'c1')]);
    await store.append(id, process.pid, [make.result('t1', 'c1', ['b.txt', 'a.txt']), make.queueAdd('q1')]);
    await store.append(id, process.pid, [
      make.verdict('t1', 'c3'),
      make.result('t1', 'c3', ['b.txt']),
      make.queueAdd('q2'),
    ]);
    const ledger = await store.listLedger(id);
    expect(ledger.map((row) => [row.callId, row.decision, row.by, row.status])).toEqual([
      ['c1', 'run', { who: 'person' }, 'ok'],
      ['c2', 'waiting', null, null],
      ['c3', 'run', { who: 'person' }, 'ok'],
    ]);
    expect(ledger[0]).toMatchObject({
      seq: 3,
      tool: 'write_file',
      effects: [{ kind: 'write-inside', target: 'c1.txt' }],
      changedByPerson: false,
      durationMs: 9,
    });
    expect(typeof ledger[0]?.startedAtMs).toBe('number');
    expect(
      (await store.listChanges(id)).map((file) => [file.path, file.added, file.removed, file.changes.length]),
    ).toEqual([
      ['a.txt', 2, 1, 1],
      ['b.txt', 4, 2, 2],
    ]);
    expect((await store.listQueue(id)).map((item) => item.text)).toEqual(['later q1', 'later q2']);
  });

  test('only the holder writes: no lease and a lease let go are refused with session.busy', async () => {
    const { store, projectId } = await fresh();
    const { id } = await make.session(store, projectId);
    await store.release(id, process.pid);
    expect((await store.getSession(id))?.heldBy).toBeNull();
    await expect(store.append(id, process.pid, [make.message('t')])).rejects.toMatchObject({ code: 'session.busy' });
    await store.acquire(id, make.lease);
    await store.acquire(id, make.lease);
    await expect(store.acquire(id, { holder: 'another', pid: process.ppid })).rejects.toMatchObject({
      code: 'session.busy',
      details: { holder: 'this test', pid: process.pid },
    });
    await store.append(id, process.pid, [make.message('t')]);
    const none = 'none' as SessionId;
    await expect(store.acquire(none, make.lease)).rejects.toMatchObject({ code: 'session.not-found' });
    await expect(store.append(none, process.pid, [])).rejects.toMatchObject({ code: 'session.not-found' });
    await expect(store.readPath(none)).rejects.toMatchObject({ code: 'session.not-found' });
  });

  test('D17: a rename of a chat that this process never read is saved across a restart', async () => {
    const { store, projectId, reopen } = await fresh();
    const { id } = await make.session(store, projectId, [make.title('old')]);
    await store.release(id, process.pid);
    const second = await reopen();
    await second.acquire(id, make.lease);
    await second.append(id, process.pid, [make.title('new')]);
    await second.release(id, process.pid);
    expect((await (await reopen()).getSession(id))?.title).toBe('new');
  });

  test('D16: sixty newer chats of another project hide none of this one, and pages repeat and drop nothing', async () => {
    const { store, projectId } = await fresh();
    const mine = [await make.session(store, projectId), await make.session(store, projectId)];
    const other = await make.project(store, '/other');
    for (let n = 0; n < 60; n++) await make.session(store, other);
    const listed = await store.listSessions({ ...page, projectId });
    expect(listed).toEqual({ sessions: mine.reverse(), cursor: null });
    const all = await allPages(store, { ...page, limit: 7 });
    expect(new Set(all.map((row) => row.id)).size).toBe(62);
    expect(all.map((row) => row.updatedAtMs)).toEqual(all.map((row) => row.updatedAtMs).sort((a, b) => b - a));
    await expect(store.listSessions({ ...page, cursor: 'x' })).rejects.toMatchObject({ code: 'ipc.invalid-input' });
  });

  test('a filter matches titles anywhere, whatever the case and without wildcards; archived chats are apart', async () => {
    const { store, projectId } = await fresh();
    const names = ['Fix ÄPFEL tree', '100% of it', 'plain'];
    const rows: SessionRow[] = [];
    for (const name of names) rows.push(await make.session(store, projectId, [make.title(name)]));
    const titles = async (filter: string, archived = false): Promise<string[]> =>
      (await store.listSessions({ ...page, filter, archived })).sessions.map((row) => row.title);
    expect(await titles('äpfel')).toEqual(['Fix ÄPFEL tree']);
    expect(await titles('%')).toEqual(['100% of it']);
    expect(await titles('_')).toEqual([]);
    await store.setArchived(rows[2]?.id ?? ('' as SessionId), true);
    expect(await titles('')).toEqual(['100% of it', 'Fix ÄPFEL tree']);
    expect(await titles('', true)).toEqual(['plain']);
    await expect(store.setArchived('no' as SessionId, true)).rejects.toMatchObject({ code: 'session.not-found' });
  });

  test('the last session of a project is the newest one with a message', async () => {
    const { store, projectId } = await fresh();
    expect(await store.lastSession(projectId)).toBeNull();
    const used = await make.session(store, projectId, [make.message('t1')]);
    await make.session(store, projectId);
    await store.setUnread(used.id, true);
    expect(await store.lastSession(projectId)).toEqual({ ...used, unread: true });
  });

  test('running text goes on, is replaced when it differs, survives a restart and ends with the next append', async () => {
    const { store, projectId, reopen } = await fresh();
    const { id } = await make.session(store, projectId);
    expect(await store.getPartial(id)).toBeNull();
    const half = '\ud83d';
    await store.putPartial(id, { turnId: 't1', text: `a${half}`, reasoning: '' });
    await store.putPartial(id, { turnId: 't1', text: `a${half}\ude00b`, reasoning: 'r' });
    expect(await store.getPartial(id)).toEqual({ turnId: 't1', text: `a${half}\ude00b`, reasoning: 'r' });
    await store.putPartial(id, { turnId: 't1', text: 'other', reasoning: '' });
    const second = await reopen();
    expect(await second.getPartial(id)).toEqual({ turnId: 't1', text: 'other', reasoning: '' });
    await second.putPartial(id, { turnId: 't1', text: 'other text', reasoning: '' });
    expect(await second.getPartial(id)).toEqual({ turnId: 't1', text: 'other text', reasoning: '' });
    await second.append(id, process.pid, [make.answer('t1')]);
    expect(await second.getPartial(id)).toBeNull();
  });

  test('a draft and its attachments survive a restart; a character cut between two pieces is whole', async () => {
    const { store, projectId, reopen } = await fresh();
    const { id } = await make.session(store, projectId);
    expect(await store.getDraft(id)).toEqual({ text: '', attachments: [] });
    const put = { attachmentId: attachmentId('a1'), name: 'paste.txt' };
    await store.putAttachment(id, { ...put, piece: 'ab\ud83d' });
    const whole = await store.putAttachment(id, { ...put, piece: '\ude00c' });
    expect(whole).toEqual({ id: 'a1', name: 'paste.txt', bytes: 7, tokens: 2, text: '' });
    await store.setDraft(id, { text: 'look at', attachmentIds: [attachmentId('a1'), attachmentId('gone')] });
    const second = await reopen();
    expect(await second.getDraft(id)).toEqual({ text: 'look at', attachments: [whole] });
    const texts = await second.getAttachments(id, [attachmentId('gone'), attachmentId('a1')]);
    expect(texts).toEqual([{ ...whole, text: 'ab\ud83d\ude00c' }]);
  });

  test('an attachment leaves the draft when an entry holds it', async () => {
    const { store, projectId } = await fresh();
    const { id } = await make.session(store, projectId);
    const piece = 'x'.repeat(1000);
    const attachment = await store.putAttachment(id, { attachmentId: attachmentId('a1'), name: 'n', piece });
    const attachments = [{ ...attachment, text: piece }];
    const data = { turnId: make.turnId('t1'), text: '', attachments };
    await store.append(id, process.pid, [make.entry('user-message', data)]);
    expect(await store.getAttachments(id, [attachmentId('a1')])).toEqual([]);
    expect((await store.readPath(id)).entries.at(-1)?.data).toEqual(data);
  });

  test('a long path comes whole and in order, with texts of any size', async () => {
    const { store, projectId } = await fresh();
    const { id } = await make.session(store, projectId);
    const large = 'é'.repeat(300_000);
    await store.append(id, process.pid, [make.message('t1', large)]);
    for (let n = 0; n < 3; n++) {
      await store.append(
        id,
        process.pid,
        Array.from({ length: 200 }, () => make.message('t1', 'x'.repeat(50))),
      );
    }
    const path = await store.readPath(id);
    expect(path.unreadable).toBe(0);
    expect(path.entries.map((entry) => entry.seq)).toEqual(Array.from({ length: 602 }, (_, index) => index + 1));
    expect(path.entries[1]).toMatchObject({ data: { text: large } });
    expect(await store.stats()).toMatchObject({ sessions: 1, entries: 602 });
  });

  test('a closed store answers with store.io', async () => {
    const { store } = await fresh();
    await store.close();
    await store.close();
    await expect(store.stats()).rejects.toMatchObject({ code: 'store.io' });
    await expect(store.openProject({ path: '/', dev: '1', ino: '1', nowMs: 1 })).rejects.toMatchObject({
      code: 'store.io',
    });
  });
}

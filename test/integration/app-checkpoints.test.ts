// File checkpoints over the whole app, as a window asks for them: what a turn changed by tools and by commands, putting it
// back, going back in chat and files, and what is said where files were not kept.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDataStore } from '../../src-main/app/open-data-store.ts';
import type { RestoreScope } from '../../src-main/contract/checkpoints.ts';
import type { CheckpointId, EntryId, ProjectId, SessionId } from '../../src-main/contract/ids.ts';
import { patient } from '../helpers/patient.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { codeOf, startTestApp, valueOf, type TestApp } from '../helpers/test-app.ts';

interface Chat {
  readonly test: TestApp;
  readonly sessionId: SessionId;
  readonly projectId: ProjectId;
  readonly data: string;
  readonly folder: string;
}

/** A chat in which everything runs without a question. */
async function chat(options: { checkpoints?: boolean; saved?: boolean } = {}): Promise<Chat> {
  const data = await tempFolder();
  const folder = path.join(await tempFolder(), 'shop');
  await mkdir(folder);
  await writeFile(path.join(folder, 'prices.txt'), 'pears 2\napples 3\n');
  await writeFile(path.join(folder, 'notes.txt'), 'nothing\n');
  const test = await startTestApp(data, { store: await openDataStore({ folder: data, thread: 'own' }) });
  valueOf(await test.window.app.getState({}));
  valueOf(
    await test.window.settings.update({ patch: { confinement: false, checkpoints: options.checkpoints ?? true } }),
  );
  const project = valueOf(await test.window.projects.open({ path: folder }));
  const asked = { projectId: project.id, model: 'guide', mode: 'auto' as const };
  const { id } = valueOf(
    await test.window.sessions.create(options.saved === false ? { ...asked, saved: false } : asked),
  );
  valueOf(await test.window.sessions.open({ sessionId: id }));
  return { test, sessionId: id, projectId: project.id, data, folder };
}

async function say({ test, sessionId }: Chat, text: string): Promise<void> {
  valueOf(await test.window.sessions.submit({ sessionId, text }));
  await test.app.sessions.get(sessionId)?.idle();
}

const read = ({ folder }: Chat, name: string): string => readFileSync(path.join(folder, name), 'utf8');
const list = async ({ test, sessionId }: Chat) => valueOf(await test.window.checkpoints.list({ sessionId }));

/** The newest checkpoint, once its turn's end is kept too. */
async function newest(one: Chat): Promise<CheckpointId> {
  await expect.poll(async () => (await list(one)).checkpoints[0]?.changed ?? null, patient).not.toBe(null);
  const id = (await list(one)).checkpoints[0]?.id;
  if (!id) throw new TypeError('no checkpoint');
  return id;
}

async function restore(one: Chat, scope: RestoreScope, choose = (_path: string, by: string) => by === 'turn') {
  const { test, sessionId } = one;
  const plan = valueOf(await test.window.checkpoints.plan({ sessionId, scope }));
  const paths = plan.files.filter((file) => choose(file.path, file.by)).map((file) => file.path);
  return valueOf(await test.window.checkpoints.restore({ sessionId, scope, shown: plan.shown, paths }));
}

async function userMessage({ test, sessionId }: Chat, text: string): Promise<EntryId> {
  const { entries } = valueOf(await test.window.sessions.open({ sessionId }));
  const found = entries.find((entry) => entry.kind === 'user-message' && entry.data.text === text);
  if (!found) throw new TypeError(`no message ${text}`);
  return found.id;
}

/** Bytes that no compression makes smaller. */
function noise(length: number): Buffer {
  let state = 1;
  return Buffer.from(Array.from({ length }, () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) >> 16));
}

describe('file checkpoints of a chat', () => {
  it('TREE-14: are listed, compared and put back, for what a tool and what a command changed', async () => {
    const one = await chat();
    await say(one, 'replace "pears 2" by "pears 4" in prices.txt');
    const edited = await newest(one);
    await say(one, 'run echo more >> notes.txt; echo new > made.txt; chmod +x prices.txt');
    await expect.poll(async () => (await list(one)).checkpoints.map(({ changed }) => changed), patient).toEqual([3, 1]);
    const [ran] = (await list(one)).checkpoints;
    expect(ran).toMatchObject({ text: expect.stringContaining('run echo more') as string, problem: null, open: false });

    const { test, sessionId } = one;
    const ranId = ran?.id ?? edited;
    const changes = valueOf(await test.window.checkpoints.readChanges({ sessionId, checkpointId: ranId }));
    expect(changes.map((file) => [file.path, file.change, file.added, file.removed])).toEqual([
      ['made.txt', 'added', 1, 0],
      ['notes.txt', 'changed', 1, 0],
      ['prices.txt', 'mode', null, null],
    ]);
    const { diff } = valueOf(
      await test.window.checkpoints.readDiff({ sessionId, checkpointId: ranId, path: 'notes.txt' }),
    );
    expect(diff).toContain('+more');

    await restore(one, { type: 'file', checkpointId: ranId, path: 'notes.txt' });
    expect([read(one, 'notes.txt'), existsSync(path.join(one.folder, 'made.txt'))]).toEqual(['nothing\n', true]);
    await restore(one, { type: 'turn', checkpointId: ranId });
    expect([existsSync(path.join(one.folder, 'made.txt')), read(one, 'prices.txt')]).toEqual([
      false,
      'pears 4\napples 3\n',
    ]);
    const result = await restore(one, { type: 'since', checkpointId: edited });
    expect(result.restored).toEqual(['prices.txt']);
    expect(read(one, 'prices.txt')).toBe('pears 2\napples 3\n');
    const { entries } = valueOf(await test.window.sessions.open({ sessionId }));
    expect(entries.filter(({ kind }) => kind === 'files-restore')).toHaveLength(3);
    await test.close();
  });

  it('TREE-15: a chat goes on without them where they are off or cannot be stored, and reports it', async () => {
    const off = await chat({ checkpoints: false });
    await say(off, 'replace "pears 2" by "pears 4" in prices.txt');
    expect(read(off, 'prices.txt')).toContain('pears 4');
    expect(await list(off)).toEqual({ off: 'File checkpoints are switched off in the settings.', checkpoints: [] });
    expect(existsSync(path.join(off.data, 'checkpoints'))).toBe(false);
    await off.test.close();

    const broken = await chat();
    await writeFile(path.join(broken.data, 'checkpoints'), 'no folder');
    await say(broken, 'replace "pears 2" by "pears 4" in prices.txt');
    expect(read(broken, 'prices.txt')).toContain('pears 4');
    const { off: why, checkpoints } = await list(broken);
    expect(why).toBe(null);
    expect(checkpoints).toMatchObject([
      { id: null, problem: expect.stringContaining('could not be written') as string },
    ]);
    expect(broken.test.app.sessions.get(broken.sessionId)?.engine.lastOutcome).toEqual({ type: 'completed' });
    await broken.test.close();
  });

  it('TREE-16: going back in the conversation moves no file, and putting files back moves no place in it', async () => {
    const one = await chat();
    await say(one, 'help');
    await say(one, 'replace "pears 2" by "pears 4" in prices.txt');
    const checkpointId = await newest(one);
    const { test, sessionId } = one;
    const before = valueOf(await test.window.sessions.readTree({ sessionId }));
    await restore(one, { type: 'turn', checkpointId });
    expect(read(one, 'prices.txt')).toContain('pears 2');
    const after = valueOf(await test.window.sessions.readTree({ sessionId }));
    expect([after.turns.length, after.undoable]).toEqual([before.turns.length, 0]);
    await restore(one, { type: 'turn', checkpointId: await newest(one) });
    expect(read(one, 'prices.txt')).toContain('pears 4');
    valueOf(await test.window.sessions.rewind({ sessionId, to: { type: 'keep', messages: 1 } }));
    expect(read(one, 'prices.txt')).toContain('pears 4');
    const place = valueOf(await test.window.sessions.readTree({ sessionId })).turns[0]?.seq;
    expect(codeOf(await test.window.checkpoints.readChanges({ sessionId, checkpointId: String(place) }))).toBe(
      'session.not-found',
    );
    await test.close();
  });

  it('R7: a rewind says before it acts which files cannot go back, and why', async () => {
    const one = await chat();
    await say(one, 'replace "pears 2" by "pears 4" in prices.txt');
    await newest(one);
    const aside = path.join(one.data, 'checkpoints-aside');
    const { rename } = await import('node:fs/promises');
    await rename(path.join(one.data, 'checkpoints'), aside);
    await writeFile(path.join(one.data, 'checkpoints'), 'no folder');
    await say(one, 'replace "apples 3" by "apples 9" in prices.txt');
    await rm(path.join(one.data, 'checkpoints'));
    await rename(aside, path.join(one.data, 'checkpoints'));
    const { test, sessionId } = one;
    const entryId = await userMessage(one, 'replace "apples 3" by "apples 9" in prices.txt');
    const late = valueOf(await test.window.checkpoints.plan({ sessionId, scope: { type: 'before', entryId } }));
    expect(late.files).toEqual([]);
    expect(late.problem).toContain('cannot be taken back');
    const first = await userMessage(one, 'replace "pears 2" by "pears 4" in prices.txt');
    const early = valueOf(await test.window.checkpoints.plan({ sessionId, scope: { type: 'before', entryId: first } }));
    expect(early.problem).toBe(null);
    expect(early.notes).toEqual([expect.stringContaining('apples 9') as string]);
    expect(early.files.map((file) => [file.path, file.again])).toEqual([['prices.txt', true]]);
    await test.close();
  });

  it('R11: going back in chat and files is both there after the app was ended at once', async () => {
    const one = await chat();
    await say(one, 'help');
    await say(one, 'replace "pears 2" by "pears 4" in prices.txt');
    await say(one, 'run rm notes.txt');
    await expect.poll(async () => (await list(one)).checkpoints.map(({ changed }) => changed), patient).toEqual([1, 1]);
    const entryId = await userMessage(one, 'replace "pears 2" by "pears 4" in prices.txt');
    const { restored } = await restore(one, { type: 'before', entryId });
    expect(restored).toEqual(['notes.txt', 'prices.txt']);
    valueOf(await one.test.window.sessions.rewind({ sessionId: one.sessionId, to: { type: 'before', entryId } }));
    await one.test.close();
    const next = await startTestApp(one.data);
    valueOf(await next.window.app.getState({}));
    const { entries } = valueOf(await next.window.sessions.open({ sessionId: one.sessionId }));
    expect(entries.filter(({ kind }) => kind === 'user-message')).toHaveLength(1);
    expect([read(one, 'prices.txt'), read(one, 'notes.txt')]).toEqual(['pears 2\napples 3\n', 'nothing\n']);
    // And back again, from the next start.
    expect(valueOf(await next.window.sessions.undoRewind({ sessionId: one.sessionId }))).toEqual({ undone: true });
    const again = { ...one, test: next };
    const made = (await list(again)).checkpoints.find(({ turnId }) => turnId === null)?.id;
    await restore(again, { type: 'turn', checkpointId: made ?? ('' as CheckpointId) });
    expect([read(one, 'prices.txt'), existsSync(path.join(one.folder, 'notes.txt'))]).toEqual([
      'pears 4\napples 3\n',
      false,
    ]);
    await next.close();
  });

  it('R4: what is put back is whole when the app ends right after, and another holder of the chat puts nothing back', async () => {
    const one = await chat();
    await say(one, 'run for n in 1 2 3 4 5 6 7 8; do echo changed > f$n.txt; done');
    const checkpointId = await newest(one);
    const { test, sessionId } = one;
    const scope = { type: 'turn', checkpointId } as const;
    const plan = valueOf(await test.window.checkpoints.plan({ sessionId, scope }));
    const paths = plan.files.map((file) => file.path);
    const restoring = test.window.checkpoints.restore({ sessionId, scope, shown: plan.shown, paths });
    await test.close();
    const { restored, kept } = valueOf(await restoring);
    expect([restored.length, kept]).toEqual([8, []]);
    expect(readdirSync(one.folder).sort()).toEqual(['notes.txt', 'prices.txt']);

    const next = await startTestApp(one.data);
    valueOf(await next.window.app.getState({}));
    const { entries } = valueOf(await next.window.sessions.open({ sessionId }));
    expect(entries.at(-1)).toMatchObject({ kind: 'files-restore', data: { restored: 8 } });
    await next.close();
    const store = await openDataStore({ folder: one.data, thread: 'own' });
    await store.acquire(sessionId, { holder: 'another Warrant', pid: process.ppid });
    const second = await startTestApp(one.data);
    valueOf(await second.window.app.getState({}));
    const refused = await second.window.checkpoints.restore({ sessionId, scope, shown: plan.shown, paths });
    expect(codeOf(refused)).toBe('session.busy');
    await second.close();
    await store.close();
  });

  it('nothing is put back while a turn of the folder runs', async () => {
    const one = await chat();
    await say(one, 'replace "pears 2" by "pears 4" in prices.txt');
    const checkpointId = await newest(one);
    const { test, sessionId } = one;
    const scope = { type: 'turn', checkpointId } as const;
    const plan = valueOf(await test.window.checkpoints.plan({ sessionId, scope }));
    const asked = { projectId: one.projectId, model: 'guide', mode: 'auto' as const };
    const { id: other } = valueOf(await test.window.sessions.create(asked));
    valueOf(await test.window.sessions.open({ sessionId: other }));
    valueOf(await test.window.sessions.submit({ sessionId: other, text: 'run sleep 60' }));
    const paths = ['prices.txt'];
    expect(codeOf(await test.window.checkpoints.restore({ sessionId, scope, shown: plan.shown, paths }))).toBe(
      'session.not-at-boundary',
    );
    expect(read(one, 'prices.txt')).toContain('pears 4');
    valueOf(await test.window.sessions.stop({ sessionId: other }));
    await test.close();
  });

  it('a turn that writes nothing keeps nothing, and a chat that is not saved never does', async () => {
    const one = await chat();
    await say(one, 'read prices.txt');
    await say(one, 'summarise this project');
    expect(existsSync(path.join(one.data, 'checkpoints'))).toBe(false);
    await one.test.close();
    const unsaved = await chat({ saved: false });
    await say(unsaved, 'replace "pears 2" by "pears 4" in prices.txt');
    expect(existsSync(path.join(unsaved.data, 'checkpoints'))).toBe(false);
    expect((await list(unsaved)).off).toContain('not saved');
    await unsaved.test.close();
  });

  it('deleting a chat for good frees its checkpoints, and the sizes count them', async () => {
    const one = await chat();
    await writeFile(path.join(one.folder, 'noise.bin'), noise(100_000));
    await say(one, 'replace "pears 2" by "pears 4" in prices.txt');
    await newest(one);
    const { test, sessionId } = one;
    const before = valueOf(await test.window.app.getDataStats({})).checkpointBytes;
    expect(before).toBeGreaterThan(10_000);
    valueOf(await test.window.sessions.trash({ sessionId }));
    expect(valueOf(await test.window.app.getDataStats({})).checkpointBytes).toBeGreaterThan(10_000);
    valueOf(await test.window.sessions.purge({ sessionId }));
    expect(valueOf(await test.window.app.getDataStats({})).checkpointBytes).toBeLessThan(before / 2);
    await test.close();
  });

  it('what is kept goes with a chat that the trash let go, and after its time', async () => {
    const one = await chat();
    await say(one, 'replace "pears 2" by "pears 4" in prices.txt');
    await newest(one);
    const { test, sessionId } = one;
    await test.app.checkpoints.upkeep(Date.now() + 20 * 86_400_000);
    expect((await list(one)).checkpoints).toHaveLength(1);
    await test.app.checkpoints.upkeep(Date.now() + 31 * 86_400_000);
    expect((await list(one)).checkpoints).toEqual([]);
    await say(one, 'replace "apples 3" by "apples 5" in prices.txt');
    await newest(one);
    const kept = (): string[] => readdirSync(path.join(one.data, 'checkpoints', one.projectId, 'chats'));
    expect(kept()).toEqual([sessionId]);
    valueOf(await test.window.sessions.trash({ sessionId }));
    await test.app.checkpoints.upkeep(Date.now());
    expect(kept()).toEqual([sessionId]);
    const store = await openDataStore({ folder: one.data, thread: 'own' });
    await store.purge(sessionId);
    await store.close();
    await test.app.checkpoints.upkeep(Date.now());
    expect(kept()).toEqual([]);
    await test.close();
  });
});

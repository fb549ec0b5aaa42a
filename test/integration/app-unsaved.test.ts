// Chats that are kept in memory alone: they work as any other, and nothing of them is ever on the disk.
import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDataStore } from '../../src-main/app/open-data-store.ts';
import type { ProjectId, SessionId } from '../../src-main/contract/ids.ts';
import { runWarrant } from '../helpers/run-warrant.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { codeOf, startTestApp, valueOf, type TestApp } from '../helpers/test-app.ts';

interface Started {
  readonly test: TestApp;
  readonly data: string;
  readonly folder: string;
  readonly projectId: ProjectId;
}

async function started(thread: 'own' | 'worker' = 'own', given?: { data: string; folder: string }): Promise<Started> {
  const data = given?.data ?? (await tempFolder());
  const folder = given?.folder ?? path.join(await tempFolder(), 'shop');
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'README.md'), '# Shop\n\nSells quinces.\n');
  const test = await startTestApp(data, { store: await openDataStore({ folder: data, thread }) });
  valueOf(await test.window.app.getState({}));
  const project = valueOf(await test.window.projects.open({ path: folder }));
  return { test, data, folder, projectId: project.id };
}

async function say({ test }: Started, sessionId: SessionId, text: string): Promise<void> {
  valueOf(await test.window.sessions.submit({ sessionId, text }));
  await test.app.sessions.get(sessionId)?.idle();
}

/** All bytes below a folder, by path. */
async function allBytes(folder: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    found.set(file, await readFile(file, 'latin1'));
  }
  return found;
}

const list = async ({ test, projectId }: Started) => valueOf(await test.window.sessions.list({ projectId })).sessions;

describe('a chat that is not saved', () => {
  it.each(['own', 'worker'] as const)(
    'STORE-14: works as any other, its store in %s thread, and nothing of it is on the disk: no text, no output, no search',
    async (thread) => {
      const app = await started(thread);
      const { test, projectId, data } = app;
      const saved = valueOf(await test.window.sessions.create({ projectId, model: 'guide' }));
      await say(app, saved.id, 'find kept-words');
      const made = valueOf(await test.window.sessions.create({ projectId, model: 'guide', saved: false }));
      expect([saved.saved, made.saved]).toEqual([true, false]);
      const sessionId = made.id;
      const before = new Set((await allBytes(data)).keys());
      valueOf(await test.window.sessions.open({ sessionId }));
      valueOf(await test.window.sessions.saveDraft({ sessionId, text: 'secret-draft' }));
      await say(app, sessionId, 'find secret-words');
      await say(app, sessionId, 'read README.md');
      const piece = { sessionId, attachmentId: null, name: 'secret.txt', piece: 'secret-piece', done: true };
      valueOf(await test.window.sessions.putAttachment(piece));

      // It is listed, found, gone back in, copied and named as any other.
      expect((await list(app)).map(({ id }) => id)).toContain(sessionId);
      const { hits } = valueOf(await test.window.sessions.search({ text: 'secret-words' }));
      expect(hits.map((hit) => hit.sessionId)).toContain(sessionId);
      const { length: removed } = test.app.sessions.get(sessionId)?.engine.history() ?? [];
      const back = await test.window.sessions.rewind({ sessionId, to: { type: 'keep', messages: 1 } });
      expect(valueOf(back)).toEqual({ removed });
      expect(valueOf(await test.window.sessions.undoRewind({ sessionId }))).toEqual({ undone: true });
      const fork = valueOf(await test.window.sessions.fork({ sessionId, turnSeq: null }));
      expect(fork.saved).toBe(false);
      valueOf(await test.window.sessions.rename({ sessionId, title: 'secret-title' }));

      const after = await allBytes(data);
      expect([...after.keys()].filter((file) => !before.has(file) && !/warrant\.db-(wal|shm)$/.test(file))).toEqual([]);
      const [kept, leaked] = [/kept-words/, /secret-|Sells quinces/];
      expect([...after.values()].some((bytes) => kept.test(bytes))).toBe(true);
      for (const [file, bytes] of after) expect([file, leaked.test(bytes)]).toEqual([file, false]);
      await test.close();
      for (const [file, bytes] of await allBytes(data)) expect([file, leaked.test(bytes)]).toEqual([file, false]);

      // Gone, and nobody misses it.
      const again = await started(thread, app);
      expect((await list(again)).map(({ id }) => id)).toEqual([saved.id]);
      expect(codeOf(await again.test.window.sessions.open({ sessionId }))).toBe('session.not-found');
      await again.test.close();
    },
  );

  it('STORE-14: the switch is on by default; off, a new chat is not saved, and those that are stay so', async () => {
    const app = await started();
    const { test, projectId } = app;
    const first = valueOf(await test.window.sessions.create({ projectId, model: 'guide' }));
    valueOf(await test.window.settings.update({ patch: { saveChats: false } }));
    const second = valueOf(await test.window.sessions.create({ projectId, model: 'guide' }));
    expect([first.saved, second.saved]).toEqual([true, false]);
    await say(app, first.id, 'help');
    expect((await list(app)).find(({ id }) => id === first.id)?.saved).toBe(true);
    // What is put into the trash of what was never saved is gone.
    valueOf(await test.window.sessions.trash({ sessionId: second.id }));
    expect(codeOf(await test.window.sessions.restore({ sessionId: second.id }))).toBe('session.not-found');
    await test.close();
  });

  it('STORE-14: a command with a long output keeps its beginning and its end, and no file of the rest', async () => {
    const app = await started();
    const { test, projectId, data } = app;
    const { id: sessionId } = valueOf(await test.window.sessions.create({ projectId, model: 'guide', saved: false }));
    valueOf(await test.window.sessions.open({ sessionId }));
    valueOf(await test.window.sessions.submit({ sessionId, text: 'run seq 1 100000' }));
    const asked = await test.until((event) => event.type === 'approval-request');
    if (asked.type !== 'approval-request') throw new TypeError('no approval');
    const { callId, digest } = asked.approval;
    valueOf(await test.window.approvals.answer({ sessionId, callId, digest, answer: 'allow-once' }));
    await test.app.sessions.get(sessionId)?.idle();
    const { entries } = valueOf(await test.window.sessions.open({ sessionId }));
    const result = entries.find((entry) => entry.kind === 'tool-result');
    expect(result?.data.facts).toMatchObject({ truncated: true });
    expect(result?.data.facts.outputId).toBeUndefined();
    await expect(stat(path.join(data, 'outputs'))).rejects.toMatchObject({ code: 'ENOENT' });
    await test.close();
  });

  it('STORE-14: a run of the command with --ephemeral makes no data folder, says so, and works all the same', async () => {
    const home = await tempFolder();
    const data = path.join(home, 'data');
    const folder = await tempFolder();
    await writeFile(path.join(folder, 'README.md'), '# Quinces\n');
    const run = (...words: string[]) => runWarrant(data, ['run', '--project', folder, '--model', 'guide', ...words]);
    const ran = await run('--ephemeral', 'read README.md');
    expect([ran.code, ran.out.includes('# Quinces'), ran.err.includes('Nothing of this chat is saved')]).toEqual([
      0,
      true,
      true,
    ]);
    expect(await readdir(home)).toEqual([]);
    expect((await run('--ephemeral', '--last', 'help')).code).toBe(2);
    expect((await run('--last', 'help')).err).toContain('no chat');
  });
});

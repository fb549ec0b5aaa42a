// What the journal of a chat owes: every message and operation at once, nothing twice, nothing of its own in the chat.
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../src-main/contract/entries.ts';
import type { SessionId } from '../../src-main/contract/ids.ts';
import { openStore } from '../../src-main/store/open-store.ts';
import { eventsOf, runWarrant } from '../helpers/run-warrant.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { startTestApp, valueOf, type TestApp } from '../helpers/test-app.ts';

async function projectFolder(): Promise<string> {
  const folder = path.join(await tempFolder(), 'shop');
  await mkdir(folder);
  await writeFile(path.join(folder, 'README.md'), '# Shop\n\nSells pears.\n');
  return folder;
}

interface Chat {
  readonly test: TestApp;
  readonly data: string;
  readonly sessionId: SessionId;
}

async function newChat(data: string, folder: string): Promise<Chat> {
  const test = await startTestApp(data);
  valueOf(await test.window.app.getState({}));
  const project = valueOf(await test.window.projects.open({ path: folder }));
  const { id } = valueOf(await test.window.sessions.create({ projectId: project.id, model: 'guide' }));
  valueOf(await test.window.sessions.open({ sessionId: id }));
  return { test, data, sessionId: id };
}

/** What another process reads of a chat right now. */
async function onDisk({ data, sessionId }: Chat): Promise<Entry[]> {
  const store = await openStore({ folder: data, readOnly: true });
  const { entries } = await store.readPath(sessionId);
  await store.close();
  return entries;
}

async function say({ test, sessionId }: Chat, text: string): Promise<void> {
  valueOf(await test.window.sessions.submit({ sessionId, text }));
  await test.app.sessions.get(sessionId)?.idle();
}

const kinds = (entries: readonly Entry[]): string[] => entries.map(({ kind }) => kind);

describe('running in a session', () => {
  it('STORE-01: loads the transcript, runs one turn on it, and saves what came of it', async () => {
    const data = await tempFolder();
    const folder = await projectFolder();
    const run = (...more: string[]) =>
      runWarrant(data, ['run', '--project', folder, '--model', 'guide', '--json', ...more]);
    const first = eventsOf(await run('read README.md'))[0] as { sessionId: SessionId };
    const before = await onDisk({ data, sessionId: first.sessionId } as Chat);
    await run('--resume', first.sessionId, 'help');
    const after = await onDisk({ data, sessionId: first.sessionId } as Chat);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(kinds(after.slice(before.length))).toEqual(['user-message', 'assistant-message', 'step-end', 'turn-end']);
    expect(after.filter(({ kind }) => kind === 'turn-end')).toHaveLength(2);
  });
});

describe('the journal', () => {
  it('STORE-03: has every message and every operation on queue and path before anybody is told of it', async () => {
    const chat = await newChat(await tempFolder(), await projectFolder());
    const { test, sessionId } = chat;
    await say(chat, 'read README.md');
    valueOf(await test.window.sessions.submit({ sessionId, text: 'run echo one' }));
    await test.until((event) => event.type === 'approval-request');
    expect(kinds(await onDisk(chat)).at(-1)).toBe('approval-request');
    valueOf(await test.window.sessions.submit({ sessionId, text: 'help' }));
    expect(kinds(await onDisk(chat)).at(-1)).toBe('queue-add');
    const queue = valueOf(await test.window.sessions.open({ sessionId })).queue;
    valueOf(await test.window.sessions.removeQueued({ sessionId, queueId: queue[0]?.queueId ?? '' }));
    expect(kinds(await onDisk(chat)).at(-1)).toBe('queue-remove');
    valueOf(await test.window.sessions.stop({ sessionId }));
    valueOf(await test.window.sessions.rewind({ sessionId, to: { type: 'keep', messages: 2 } }));
    expect(kinds(await onDisk(chat))).toContain('rewind');
    // Each event that a window got names what the disk has.
    const told = test.events.flatMap(({ event }) => (event.type === 'entries-append' ? event.entries : []));
    const store = await openStore({ folder: chat.data, readOnly: true });
    for (const entry of told) expect((await store.readEntry(sessionId, entry.id))?.kind).toBe(entry.kind);
    await store.close();
    expect(told.length).toBeGreaterThan(8);
    await test.close();
  });

  it('STORE-08: a chat that is opened and closed again, changing nothing, writes nothing', async () => {
    const folder = await projectFolder();
    let chat = await newChat(await tempFolder(), folder);
    await say(chat, 'read README.md');
    valueOf(await chat.test.window.sessions.setMode({ sessionId: chat.sessionId, mode: 'plan' }));
    await chat.test.close();
    const before = await onDisk(chat);
    for (let start = 0; start < 3; start++) {
      const test = await startTestApp(chat.data);
      valueOf(await test.window.app.getState({}));
      const view = valueOf(await test.window.sessions.open({ sessionId: chat.sessionId }));
      expect([view.summary.mode, view.authority.drift]).toEqual(['plan', []]);
      await test.close();
      chat = { ...chat, test };
      expect(await onDisk(chat)).toEqual(before);
    }
  });
});

describe('a light marker', () => {
  it('TREE-11: of where a chat is can be taken and gone back to; all that was said since is not sent any more', async () => {
    const chat = await newChat(await tempFolder(), await projectFolder());
    const { branches } = chat.test.app.sessions;
    await say(chat, 'help');
    const marker = await branches.mark(chat.sessionId);
    const stored = await onDisk(chat);
    const history = (): unknown => chat.test.app.sessions.get(chat.sessionId)?.engine.history();
    const then = history();
    // Taking it stores nothing, and going back from it at once neither.
    expect(await branches.rewindToMarker(marker)).toEqual({ removed: 0 });
    expect(await onDisk(chat)).toEqual(stored);
    await say(chat, 'read README.md');
    await say(chat, 'summarise this project');
    const { removed } = await branches.rewindToMarker(marker);
    expect(removed).toBeGreaterThan(4);
    expect(history()).toEqual(then);
    await say(chat, 'help');
    const said = chat.test.app.sessions.get(chat.sessionId)?.engine.history() ?? [];
    expect(said.flatMap((one) => (one.role === 'user' ? [one.text] : []))).toEqual(['help', 'help']);
    await expect(branches.rewindToMarker({ ...marker, entryId: 'none' as never })).rejects.toMatchObject({
      code: 'session.not-found',
    });
    await chat.test.close();
  });
});

describe('a tree that nobody stored', () => {
  it('TREE-03: is found from the line of messages: of a chat of a former version, and of one from a file', async () => {
    const data = await tempFolder();
    // Of the first version, whose schema knew no branches.
    await cp(path.resolve(import.meta.dirname, '../fixtures/store/schema-1.db'), path.join(data, 'warrant.db'));
    const test = await startTestApp(data);
    valueOf(await test.window.app.getState({}));
    const { sessions } = valueOf(await test.window.sessions.list({ projectId: null }));
    for (const { id: sessionId, turns } of sessions) {
      const tree = valueOf(await test.window.sessions.readTree({ sessionId }));
      expect([tree.turns.length, tree.undoable, tree.turns.every(({ onPath }) => onPath)]).toEqual([turns, 0, true]);
      expect(tree.turns.filter(({ current }) => current)).toHaveLength(turns === 0 ? 0 : 1);
    }
    expect(sessions.some(({ turns }) => turns > 0)).toBe(true);

    const folder = await projectFolder();
    const project = valueOf(await test.window.projects.open({ path: folder }));
    const file = path.join(folder, 'talk.jsonl');
    const lines = [
      { role: 'user', text: 'one' },
      { role: 'assistant', model: 'm', parts: [{ type: 'text', text: 'first' }] },
      { role: 'user', text: 'two' },
      { role: 'assistant', model: 'm', parts: [{ type: 'text', text: 'second' }] },
    ];
    await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'));
    const { session } = valueOf(await test.window.sessions.importChat({ projectId: project.id, path: file }));
    const { turns } = valueOf(await test.window.sessions.readTree({ sessionId: session.id }));
    expect(turns.map(({ text, outcome }) => [text, outcome])).toEqual([
      ['one', 'completed'],
      ['two', 'completed'],
    ]);
    // And it is gone back in, as any other.
    valueOf(await test.window.sessions.jump({ sessionId: session.id, turnSeq: turns[0]?.seq ?? 0 }));
    const { summary } = valueOf(await test.window.sessions.open({ sessionId: session.id }));
    expect(summary.turns).toBe(1);
    expect(await readFile(file, 'utf8')).toContain('second');
    await test.close();
  });
});

describe('a long result', () => {
  it('HIST-17: is capped in the history, says where all of it is kept, and can be read on from there', async () => {
    const chat = await newChat(await tempFolder(), await projectFolder());
    const { test, sessionId, data } = chat;
    valueOf(await test.window.sessions.submit({ sessionId, text: 'run seq 1 100000' }));
    const asked = await test.until((event) => event.type === 'approval-request');
    if (asked.type !== 'approval-request') throw new TypeError('no approval');
    const { callId, digest } = asked.approval;
    valueOf(await test.window.approvals.answer({ sessionId, callId, digest, answer: 'allow-once' }));
    await test.app.sessions.get(sessionId)?.idle();
    const history = test.app.sessions.get(sessionId)?.engine.history() ?? [];
    const result = history.find((message) => message.role === 'tool');
    const whole = Array.from({ length: 100_000 }, (_, index) => `${index + 1}\n`).join('');
    expect(result?.content.length).toBeLessThan(whole.length / 4);
    const [, kept] = /left out here; read_file (output:[\w-]+) reads all of it/.exec(result?.content ?? '') ?? [];
    expect(await readFile(path.join(data, 'outputs', kept?.slice('output:'.length) ?? ''), 'utf8')).toBe(whole);
    await say(chat, `read ${kept ?? ''}`);
    const read = test.app.sessions.get(sessionId)?.engine.history() ?? [];
    expect(JSON.stringify(read.slice(history.length))).toContain('1000');
    await test.close();
  });
});

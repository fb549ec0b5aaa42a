// Going back and forth in a chat's tree over the whole app: what the window asks, what the model is sent afterwards, and
// what stays, also over restarts.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SessionId } from '../../src-main/contract/ids.ts';
import { openStore } from '../../src-main/store/open-store.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { codeOf, startTestApp, valueOf, type TestApp } from '../helpers/test-app.ts';

interface Chat {
  readonly test: TestApp;
  readonly sessionId: SessionId;
  readonly data: string;
}

async function chat(...messages: string[]): Promise<Chat> {
  const data = await tempFolder();
  const folder = path.join(await tempFolder(), 'shop');
  await mkdir(folder);
  await writeFile(path.join(folder, 'README.md'), '# Shop\n\nSells pears.\n');
  const test = await startTestApp(data);
  valueOf(await test.window.app.getState({}));
  const project = valueOf(await test.window.projects.open({ path: folder }));
  const { id } = valueOf(await test.window.sessions.create({ projectId: project.id, model: 'guide' }));
  const made = { test, sessionId: id, data };
  valueOf(await test.window.sessions.open({ sessionId: id }));
  for (const text of messages) await say(made, text);
  return made;
}

async function say({ test, sessionId }: Chat, text: string): Promise<void> {
  valueOf(await test.window.sessions.submit({ sessionId, text }));
  await test.app.sessions.get(sessionId)?.idle();
}

async function again({ test, sessionId, data }: Chat): Promise<Chat> {
  await test.close();
  const next = await startTestApp(data);
  valueOf(await next.window.app.getState({}));
  valueOf(await next.window.sessions.open({ sessionId }));
  return { test: next, sessionId, data };
}

const view = async ({ test, sessionId }: Chat) => valueOf(await test.window.sessions.open({ sessionId }));
const tree = async ({ test, sessionId }: Chat) => valueOf(await test.window.sessions.readTree({ sessionId }));
/** What the model would be sent, as the words of the person and the number of messages. */
function sent({ test, sessionId }: Chat): { said: string[]; count: number } {
  const messages = test.app.sessions.get(sessionId)?.engine.history() ?? [];
  return {
    said: messages.flatMap((message) => (message.role === 'user' ? [message.text] : [])),
    count: messages.length,
  };
}
const rewind = async ({ test, sessionId }: Chat, messages: number) =>
  valueOf(await test.window.sessions.rewind({ sessionId, to: { type: 'keep', messages } }));
const undo = async ({ test, sessionId }: Chat) => valueOf(await test.window.sessions.undoRewind({ sessionId })).undone;

describe('rewind', () => {
  it('TREE-04, TREE-08: keeps so many messages, one is the system message alone, and as many as there are changes nothing', async () => {
    const one = await chat('help', 'summarise this project', 'read README.md');
    const all = sent(one).count + 1;
    const before = await view(one);
    for (const messages of [all, all + 1, 10_000]) expect(await rewind(one, messages)).toEqual({ removed: 0 });
    expect((await view(one)).entries).toEqual(before.entries);
    const first = 1 + sent(one).said.indexOf('summarise this project') + 1;
    expect(await rewind(one, first)).toEqual({ removed: all - first });
    expect(sent(one)).toEqual({ said: ['help'], count: first - 1 });
    expect(await rewind(one, 1)).toEqual({ removed: first - 1 });
    expect(sent(one)).toEqual({ said: [], count: 0 });
    await say(one, 'help');
    expect(sent(one).said).toEqual(['help']);
    await one.test.close();
  });

  it('a call is never kept without its results, and the open turn that is left is closed', async () => {
    const one = await chat('read README.md');
    const { count } = sent(one);
    for (let keep = count; keep > 1; keep--) {
      await rewind(one, keep);
      const messages = one.test.app.sessions.get(one.sessionId)?.engine.history() ?? [];
      const calls = messages.flatMap((message) =>
        message.role === 'assistant' ? message.parts.filter((part) => part.type === 'tool-call') : [],
      );
      expect(messages.filter((message) => message.role === 'tool')).toHaveLength(calls.length);
      expect(one.test.app.sessions.get(one.sessionId)?.engine.openTurn).toBeNull();
    }
    await one.test.close();
  });

  it('TREE-05, TREE-07: what was removed is kept under another branch, can be gone back to, and the next message forks', async () => {
    const one = await chat('help', 'summarise this project');
    const before = await view(one);
    const second = before.entries.find(
      (entry) => entry.kind === 'user-message' && entry.data.text === 'summarise this project',
    );
    if (!second) throw new TypeError('no message');
    const to = { type: 'before', entryId: second.id } as const;
    expect(valueOf(await one.test.window.sessions.rewind({ sessionId: one.sessionId, to })).removed).toBeGreaterThan(0);
    await one.test.until((event) => event.type === 'path-change');
    await say(one, 'read README.md');
    expect(sent(one).said).toEqual(['help', 'read README.md']);
    const { turns, branches, undoable } = await tree(one);
    expect(turns.map((turn) => [turn.text, turn.branch, turn.onPath, turn.current])).toEqual([
      ['help', 0, true, false],
      ['summarise this project', 0, false, false],
      ['read README.md', 1, true, true],
    ]);
    expect([branches.length, undoable]).toEqual([2, 1]);

    const left = turns[1];
    valueOf(await one.test.window.sessions.jump({ sessionId: one.sessionId, turnSeq: left?.seq ?? 0 }));
    expect(sent(one).said).toEqual(['help', 'summarise this project']);
    const shown = (await view(one)).entries;
    expect(shown.map((entry) => entry.id)).toEqual(expect.arrayContaining(before.entries.map((entry) => entry.id)));
    await one.test.close();
  });

  it('STORE-09, TREE-09: an undo is an entry of its own, works after a restart, and gives false when there is nothing left', async () => {
    let one = await chat('help', 'summarise this project', 'read README.md');
    const whole = sent(one);
    await rewind(one, 3);
    await rewind(one, 1);
    one = await again(one);
    expect(sent(one).count).toBe(0);
    expect(await undo(one)).toBe(true);
    expect(sent(one).count).toBe(2);
    one = await again(one);
    expect(await undo(one)).toBe(true);
    expect(sent(one)).toEqual(whole);
    expect(await undo(one)).toBe(false);
    one = await again(one);
    expect(sent(one)).toEqual(whole);
    const moves = (await view(one)).entries.filter((entry) => entry.kind === 'rewind');
    expect(moves.map((entry) => entry.data.how)).toEqual(['undo']);
    await one.test.close();
  });

  it('TREE-10, R11: how many moves can be taken back is told, and a move is durable at once', async () => {
    const one = await chat('help', 'summarise this project');
    expect((await tree(one)).undoable).toBe(0);
    await rewind(one, 3);
    await rewind(one, 1);
    expect((await tree(one)).undoable).toBe(2);
    const store = await openStore({ folder: one.data, readOnly: true });
    const { entries } = await store.readPath(one.sessionId);
    await store.close();
    expect(entries.some((entry) => entry.kind === 'user-message')).toBe(false);
    await undo(one);
    expect((await tree(one)).undoable).toBe(1);
    await one.test.close();
  });

  it('widens nothing and loses nothing that is the chat’s: mode, tools, model, title, and what it has used', async () => {
    const one = await chat('help', 'summarise this project');
    const { sessionId, test } = one;
    valueOf(await test.window.sessions.setMode({ sessionId, mode: 'plan' }));
    valueOf(await test.window.sessions.setEnabledTools({ sessionId, tools: ['read_file'] }));
    valueOf(await test.window.sessions.rename({ sessionId, title: 'Pears' }));
    valueOf(await test.window.sessions.setConfinement({ sessionId, on: false }));
    const before = test.app.sessions.get(sessionId)?.engine;
    await rewind(one, 1);
    const after = test.app.sessions.get(sessionId)?.engine;
    expect(after).not.toBe(before);
    expect([after?.mode, after?.enabledTools, after?.confinement]).toEqual(['plan', ['read_file'], false]);
    expect([after?.stepCount, after?.executedCalls]).toEqual([before?.stepCount, before?.executedCalls]);
    expect((await view(one)).summary).toMatchObject({ title: 'Pears', mode: 'plan', turns: 0 });
    await test.close();
  });

  it('is refused while a turn is open, and of a message that is not on the path', async () => {
    const one = await chat();
    valueOf(await one.test.window.sessions.submit({ sessionId: one.sessionId, text: 'run echo pears' }));
    await one.test.until((event) => event.type === 'approval-request');
    const { sessionId, test } = one;
    expect(codeOf(await test.window.sessions.rewind({ sessionId, to: { type: 'keep', messages: 1 } }))).toBe(
      'session.not-at-boundary',
    );
    expect(codeOf(await test.window.sessions.undoRewind({ sessionId }))).toBe('session.not-at-boundary');
    await test.window.sessions.stop({ sessionId });
    const to = { type: 'before', entryId: 'none' as never } as const;
    expect(codeOf(await test.window.sessions.rewind({ sessionId, to }))).toBe('session.not-found');
    expect(codeOf(await test.window.sessions.jump({ sessionId, turnSeq: 999 }))).toBe('session.not-found');
    await test.close();
  });
});

describe('branches', () => {
  it('have names, which stay', async () => {
    let one = await chat('help');
    const { sessionId } = one;
    await rewind(one, 1);
    valueOf(await one.test.window.sessions.nameBranch({ sessionId, branch: 0, name: 'first try' }));
    valueOf(await one.test.window.sessions.nameBranch({ sessionId, branch: 1, name: 'second try' }));
    expect(codeOf(await one.test.window.sessions.nameBranch({ sessionId, branch: 7, name: 'x' }))).toBe(
      'session.not-found',
    );
    one = await again(one);
    expect((await tree(one)).branches.map(({ name }) => name)).toEqual(['first try', 'second try']);
    await one.test.close();
  });

  it('TREE-01, TREE-02: switched off, the chat is one line: other branches are kept and counted, not shown or gone to', async () => {
    const one = await chat('help', 'summarise this project');
    const { sessionId, test } = one;
    await rewind(one, 3);
    valueOf(await test.window.settings.update({ patch: { branches: false } }));
    const off = await tree(one);
    expect(off).toMatchObject({ on: false, branches: [], undoable: 1 });
    expect(off.turns.map((turn) => turn.text)).toEqual(['help']);
    await say(one, 'read README.md');
    const more = await tree(one);
    expect([more.turns.map((turn) => turn.text), more.hidden]).toEqual([['help', 'read README.md'], 0]);
    expect(codeOf(await test.window.sessions.jump({ sessionId, turnSeq: 3 }))).toBe('config.invalid');
    expect(codeOf(await test.window.sessions.nameBranch({ sessionId, branch: 0, name: 'x' }))).toBe('config.invalid');
    valueOf(await test.window.settings.update({ patch: { branches: true } }));
    expect((await tree(one)).turns).toHaveLength(3);
    await test.close();
  });

  it('TREE-12, CONF-06: a fork is another chat up to that turn, with its own authority, and the first one does not change', async () => {
    const one = await chat('help', 'summarise this project');
    const { sessionId, test } = one;
    const before = await view(one);
    const [first] = (await tree(one)).turns;
    const made = valueOf(await test.window.sessions.fork({ sessionId, turnSeq: first?.seq ?? 0 }));
    expect(made).toMatchObject({ turns: 1, title: `${before.summary.title} (fork)` });
    expect(made.id).not.toBe(sessionId);
    const fork: Chat = { ...one, sessionId: made.id };
    const opened = await view(fork);
    expect(sent(fork).said).toEqual(['help']);
    expect(opened.entries.find((entry) => entry.kind === 'fork')?.data).toMatchObject({ sessionId });
    expect(opened.authority.digest).toBe(before.authority.digest);
    await say(fork, 'read README.md');
    expect((await view(one)).entries).toEqual(before.entries);
    const whole = valueOf(await test.window.sessions.fork({ sessionId, turnSeq: null }));
    expect(sent({ ...one, sessionId: whole.id })).toEqual({ said: [], count: 0 });
    valueOf(await test.window.sessions.open({ sessionId: whole.id }));
    expect(sent({ ...one, sessionId: whole.id })).toEqual(sent(one));
    await test.close();
  });
});

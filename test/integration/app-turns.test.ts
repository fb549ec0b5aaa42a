// Stop, clear, confinement and authority as a window meets them: what is shown stays, what began ends, and what holds for
// one chat holds for no other.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SessionId } from '../../src-main/contract/ids.ts';
import { openStore } from '../../src-main/store/open-store.ts';
import { proposes, says, startChatServer, type ChatServer } from '../helpers/chat-server.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { codeOf, startTestApp, valueOf, type TestApp } from '../helpers/test-app.ts';

const ended = (one: { type: string }): boolean => one.type === 'turn-end';

async function shop(): Promise<string> {
  const folder = path.join(await tempFolder(), 'shop');
  await mkdir(folder);
  await writeFile(path.join(folder, 'README.md'), '# Shop\n');
  return folder;
}

async function newChat(test: TestApp, folder: string, model = 'guide'): Promise<SessionId> {
  valueOf(await test.window.app.getState({}));
  const project = valueOf(await test.window.projects.open({ path: folder }));
  const { id } = valueOf(await test.window.sessions.create({ projectId: project.id, model }));
  valueOf(await test.window.sessions.open({ sessionId: id }));
  return id;
}

/** An answer that begins and then stays silent. */
const begins = (words: string): ReturnType<typeof says> => {
  const first = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: words } }] })}\n\n`;
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(first);
  };
};

async function stopped(server: ChatServer): Promise<{ test: TestApp; sessionId: SessionId }> {
  const test = await startTestApp(await tempFolder());
  const sessionId = await newChat(test, await shop(), server.model);
  valueOf(await test.window.sessions.submit({ sessionId, text: 'tell me' }));
  await test.until((one) => one.type === 'text-delta');
  valueOf(await test.window.sessions.stop({ sessionId }));
  return { test, sessionId };
}

describe('stop', () => {
  it('CANC-11: closes the turn with its marker, so that the next message is answered and a clear is taken', async () => {
    const server = await startChatServer(begins('half'), says('whole'));
    const { test, sessionId } = await stopped(server);
    const view = valueOf(await test.window.sessions.open({ sessionId }));
    expect(view.lastOutcome).toMatchObject({ type: 'cancelled' });
    expect(view.entries.map((entry) => entry.kind).slice(-2)).toEqual(['abort', 'turn-end']);
    expect(codeOf(await test.window.sessions.clearContext({ sessionId }))).toBe('ok');
    expect(valueOf(await test.window.sessions.submit({ sessionId, text: 'again' }))).toEqual({ queued: false });
    await test.until((one) => one.type === 'turn-end' && one.outcome.type === 'completed');
    await test.close();
    await server.stop();
  });

  it('CANC-13: a file that is being written is written whole before the stop has come to rest', async () => {
    const content = 'a line of pears\n'.repeat(40_000);
    const server = await startChatServer(proposes(['write_file', { path: 'big.txt', content }]), says('done'));
    const test = await startTestApp(await tempFolder());
    const folder = await shop();
    const sessionId = await newChat(test, folder, server.model);
    valueOf(await test.window.sessions.submit({ sessionId, text: 'write it' }));
    const asked = await test.until((one) => one.type === 'approval-request');
    if (asked.type !== 'approval-request') throw new TypeError('nothing was asked');
    const { callId, digest } = asked.approval;
    const live = test.app.sessions.get(sessionId);
    const stopping = new Promise<void>((resolve) => {
      live?.engine.on((event) => {
        // The tool begins in this very turn of the loop.
        if (event.type === 'call-start') queueMicrotask(() => resolve(live.stop('person')));
      });
    });
    valueOf(await test.window.approvals.answer({ sessionId, callId, digest, answer: 'allow-once' }));
    await stopping;
    expect(await test.until(ended)).toMatchObject({ outcome: { type: 'cancelled' } });
    expect(await readFile(path.join(folder, 'big.txt'), 'utf8')).toBe(content);
    const ledger = valueOf(await test.window.sessions.listLedger({ sessionId }));
    expect(ledger.map((row) => row.status)).toEqual(['ok']);
    await test.close();
    await server.stop();
  });
});

describe('a clear', () => {
  it('EVT-16: takes nothing from what the window shows, also after the chat was opened again', async () => {
    const data = await tempFolder();
    const first = await startTestApp(data);
    const sessionId = await newChat(first, await shop());
    valueOf(await first.window.sessions.submit({ sessionId, text: 'read README.md' }));
    await first.until(ended);
    await first.app.sessions.get(sessionId)?.idle();
    const before = valueOf(await first.window.sessions.open({ sessionId })).entries;
    valueOf(await first.window.sessions.clearContext({ sessionId }));
    expect(first.app.sessions.get(sessionId)?.engine.history()).toEqual([]);
    expect(valueOf(await first.window.sessions.open({ sessionId })).entries.slice(0, before.length)).toEqual(before);
    await first.close();
    const second = await startTestApp(data);
    valueOf(await second.window.app.getState({}));
    expect(valueOf(await second.window.sessions.open({ sessionId })).entries.slice(0, before.length)).toEqual(before);
    expect(second.app.sessions.get(sessionId)?.engine.history()).toEqual([]);
    await second.close();
  });
});

describe('what a chat may do', () => {
  it('MODE-10: its confinement is its own: settings and other chats keep theirs', async () => {
    const test = await startTestApp(await tempFolder());
    const folder = await shop();
    const sessionId = await newChat(test, folder);
    valueOf(await test.window.sessions.setConfinement({ sessionId, on: false }));
    const other = await newChat(test, folder);
    const on = async (id: SessionId): Promise<boolean> =>
      valueOf(await test.window.sessions.getAuthority({ sessionId: id })).confinement.on;
    expect([await on(sessionId), await on(other)]).toEqual([false, true]);
    expect(valueOf(await test.window.settings.get({})).confinement).toBe(true);
    await test.close();
  });

  it('AUTH-10: files, commands, pages, the clock and search are switched one by one, and an open chat is only narrowed by it', async () => {
    const test = await startTestApp(await tempFolder());
    const folder = await shop();
    const set = async (tools: Record<string, 'off' | 'ask'>): Promise<void> => {
      valueOf(await test.window.settings.update({ patch: { tools } }));
    };
    const builtins = async (): Promise<string[]> => {
      const id = await newChat(test, folder);
      const { snapshot } = valueOf(await test.window.sessions.getAuthority({ sessionId: id }));
      return Object.entries(snapshot.builtins).flatMap(([name, on]) => (on ? [name] : []));
    };
    expect(await builtins()).toEqual(['files', 'shell']);
    await set({ shell: 'off', datetime: 'ask' });
    expect(await builtins()).toEqual(['files', 'clock']);
    await set({ shell: 'ask', datetime: 'off', web_fetch: 'ask' });
    expect(await builtins()).toEqual(['files', 'shell', 'webFetch']);
    // A chat that is open never gets more by a setting: only less, at once.
    const open = await newChat(test, folder);
    await set({ datetime: 'ask', shell: 'off' });
    const view = valueOf(await test.window.sessions.getAuthority({ sessionId: open }));
    expect([view.snapshot.builtins.clock, view.snapshot.builtins.shell]).toEqual([false, true]);
    expect(view.tools.find((tool) => tool.name === 'shell')?.behaviour).toBe('off');
    expect(
      test.app.sessions
        .get(open)
        ?.engine.request()
        .tools.map((tool) => tool.name),
    ).not.toContain('shell');
    await test.close();
  });
});

describe('a turn that waits', () => {
  it('APPR-12, APPR-13: leaves the chat as it was last finished, until it is resumed or given up', async () => {
    const server = await startChatServer(says('one'), proposes(['shell', { command: 'echo x' }]), says('two'));
    const data = await tempFolder();
    const store = await openStore({ folder: data });
    const test = await startTestApp(data, { store });
    const sessionId = await newChat(test, await shop(), server.model);
    valueOf(await test.window.sessions.submit({ sessionId, text: 'first' }));
    await test.until(ended);
    await test.app.sessions.get(sessionId)?.idle();
    const settled = async (): Promise<number | undefined> => (await store.getSession(sessionId))?.settledSeq;
    const before = await settled();
    valueOf(await test.window.sessions.submit({ sessionId, text: 'second' }));
    await test.until((one) => one.type === 'approval-request');
    expect(await settled()).toBe(before);
    valueOf(await test.window.sessions.stop({ sessionId }));
    await test.app.sessions.get(sessionId)?.idle();
    expect(await settled()).toBeGreaterThan(before ?? 0);
    await test.close();
    await server.stop();
  });
});

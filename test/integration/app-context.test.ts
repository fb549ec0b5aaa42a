// What the model of a chat is sent, over the whole app: it is made to fit, looked at, compacted and taken back, and the
// chat itself keeps every word.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SessionId } from '../../src-main/contract/ids.ts';
import { checkLeaks } from '../helpers/leak-check.ts';
import { proposes, says, startChatServer, type ChatServer } from '../helpers/chat-server.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { startTestApp, valueOf, type TestApp } from '../helpers/test-app.ts';

checkLeaks();

const LONG = 'a line of some text that is long enough to count\n'.repeat(120);

/** A chat in which `files` files were read, one a step. */
async function readingChat(
  files: number,
  last = says('Read them.'),
): Promise<{
  test: TestApp;
  sessionId: SessionId;
  server: ChatServer;
  data: string;
}> {
  const folder = path.join(await tempFolder(), 'shop');
  await mkdir(folder);
  const steps = Array.from({ length: files }, (_, n) => proposes(['read_file', { path: `${n}.txt` }]));
  for (const [n] of steps.entries()) await writeFile(path.join(folder, `${n}.txt`), `file ${n}\n${LONG}`);
  const server = await startChatServer(...steps, last, says('SUMMARY of it'), says('After.'));
  const data = await tempFolder();
  const test = await startTestApp(data);
  valueOf(await test.window.app.getState({}));
  const project = valueOf(await test.window.projects.open({ path: folder }));
  const { id } = valueOf(await test.window.sessions.create({ projectId: project.id, model: server.model }));
  valueOf(await test.window.sessions.open({ sessionId: id }));
  await say(test, id, 'read all files');
  return { test, sessionId: id, server, data };
}

async function say(test: TestApp, sessionId: SessionId, text: string): Promise<void> {
  const before = test.events.length;
  valueOf(await test.window.sessions.submit({ sessionId, text }));
  await expect.poll(() => test.events.slice(before).some(({ event }) => event.type === 'turn-end')).toBe(true);
}

const bodyOf = (server: ChatServer): string => JSON.stringify(server.seen.at(-1)?.body);

describe('what the model is sent', () => {
  it('CTX-27: is shown by part in tokens and as the exact JSON, and looking at it sends nothing', async () => {
    const { test, sessionId, server } = await readingChat(3);
    const sent = server.seen.length;
    const view = valueOf(await test.window.context.read({ sessionId }));
    expect(view.parts.map(({ name, count }) => [name, count])).toEqual([
      ['system', 1],
      ['tools', expect.any(Number)],
      ['notes', 0],
      ['person', 1],
      ['answers', 4],
      ['results', 3],
    ]);
    expect(view.issued).toBe(4);
    expect(view.items.map(({ words }) => words).toSorted()).toEqual(['Read 0.txt', 'Read 1.txt', 'Read 2.txt']);
    const text = 'and what now?';
    const { json, total } = valueOf(await test.window.context.readRequest({ sessionId, text }));
    expect(json).toHaveLength(total);
    const request = JSON.parse(json) as { system: string; messages: unknown[]; tools: { name: string }[] };
    expect(request.messages.at(-1)).toEqual({ role: 'user', text });
    expect(request.tools.map(({ name }) => name)).toContain('read_file');
    expect(Object.keys(request)).toEqual(['model', 'sampling', 'system', 'messages', 'tools']);
    expect(server.seen).toHaveLength(sent);
    expect(valueOf(await test.window.context.read({ sessionId }))).toEqual(view);
    await test.close();
    await server.stop();
  });

  it('CTX-05: a chat that is too short is not compacted, and its meter stays', async () => {
    const { test, sessionId, server } = await readingChat(1);
    const { meter } = valueOf(await test.window.sessions.open({ sessionId }));
    const before = test.events.length;
    expect(valueOf(await test.window.context.compact({ sessionId }))).toEqual({ skipped: true, messages: 0 });
    expect(test.events.slice(before).map(({ event }) => event.type)).not.toContain('entries-append');
    expect(valueOf(await test.window.sessions.open({ sessionId })).meter).toEqual(meter);
    await test.close();
    await server.stop();
  });

  it('CTX-20: results are left out and pinned by hand, count from the next request on, and are taken back', async () => {
    const { test, sessionId, server } = await readingChat(2);
    const [first] = valueOf(await test.window.context.read({ sessionId })).items;
    const callId = first?.callId;
    if (!callId) throw new TypeError('there is no result');
    valueOf(await test.window.context.pin({ sessionId, callId, on: true }));
    const pinned = valueOf(await test.window.context.read({ sessionId }));
    expect(pinned.pinned.map((item) => item.callId)).toEqual([callId]);
    valueOf(await test.window.context.pin({ sessionId, callId, on: false }));
    expect(valueOf(await test.window.context.leaveOut({ sessionId, callId }))).toEqual({ left: true });
    expect(valueOf(await test.window.context.leaveOut({ sessionId, callId }))).toEqual({ left: false });
    await say(test, sessionId, 'next');
    expect(bodyOf(server)).toContain('characters; expand_reduction');
    const [reduction] = valueOf(await test.window.context.read({ sessionId })).reductions;
    if (!reduction) throw new TypeError('nothing was left out');
    expect(reduction).toMatchObject({ cause: 'left-out', results: 1, messages: 0 });
    expect(valueOf(await test.window.context.undo({ sessionId, entryId: reduction.entryId }))).toEqual({
      undone: true,
    });
    await say(test, sessionId, 'next');
    expect(bodyOf(server)).not.toContain('characters; expand_reduction');
    await test.close();
    await server.stop();
  });

  it('CTX-15: a fresh objective sets the messages before it aside, says how many, and holds after a restart', async () => {
    const { test, sessionId, server, data } = await readingChat(2);
    const { messages } = valueOf(await test.window.context.startAfresh({ sessionId, objective: 'Write the manual' }));
    expect(messages).toBeGreaterThan(3);
    const whole = valueOf(await test.window.sessions.open({ sessionId })).entries;
    expect(whole.some(({ kind }) => kind === 'user-message')).toBe(true);
    await test.close();
    const next = await startTestApp(data);
    valueOf(await next.window.app.getState({}));
    valueOf(await next.window.sessions.open({ sessionId }));
    await say(next, sessionId, 'begin');
    expect(bodyOf(server)).toContain('The objective from here on: Write the manual');
    expect(bodyOf(server)).not.toContain('a line of some text');
    expect(bodyOf(server)).toContain('sidecar_search');
    await next.close();
    await server.stop();
  });
});

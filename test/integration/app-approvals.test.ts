// Several approvals of one step over the whole app: real commands and files, a real database, and a model service that
// proposes them together.
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CallId, SessionId } from '../../src-main/contract/ids.ts';
import type { Approval } from '../../src-main/contract/session.ts';
import type { ApprovalAnswer } from '../../src-main/engine/ports.ts';
import { proposes, says, startChatServer, type ChatServer } from '../helpers/chat-server.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { startTestApp, valueOf, type TestApp } from '../helpers/test-app.ts';

const ended = (one: { type: string }): boolean => one.type === 'turn-end';

async function shop(): Promise<string> {
  const folder = path.join(await tempFolder(), 'shop');
  await mkdir(folder);
  await writeFile(path.join(folder, 'README.md'), '# Shop\n');
  return folder;
}

/** A chat with a model that proposes what the server says, and a message that is being answered. */
async function asking(input: { data: string; folder: string; server: ChatServer }): Promise<{
  test: TestApp;
  sessionId: SessionId;
}> {
  const test = await startTestApp(input.data);
  valueOf(await test.window.app.getState({}));
  const project = valueOf(await test.window.projects.open({ path: input.folder }));
  const { id } = valueOf(await test.window.sessions.create({ projectId: project.id, model: input.server.model }));
  valueOf(await test.window.sessions.open({ sessionId: id }));
  test.host.focused = false;
  valueOf(await test.window.sessions.submit({ sessionId: id, text: 'do it' }));
  return { test, sessionId: id };
}

/** What waits for the person, once it is so many. */
async function waiting(test: TestApp, sessionId: SessionId, count: number): Promise<Approval[]> {
  let list: Approval[] = [];
  await test.until(() => (list = test.app.sessions.get(sessionId)?.approvals() ?? []).length === count);
  return list;
}

const answer = async (test: TestApp, approval: Approval, how: 'allow-once' | 'deny' = 'allow-once'): Promise<void> => {
  const { sessionId, callId, digest } = approval;
  valueOf(await test.window.approvals.answer({ sessionId, callId, digest, answer: how, reason: 'not this' }));
};

const threeFiles = (): ReturnType<typeof proposes> =>
  proposes(
    ['write_file', { path: 'one.txt', content: '1\n' }],
    ['write_file', { path: 'two.txt', content: '2\n' }],
    ['shell', { command: 'cat one.txt > three.txt' }],
  );

describe('approvals of one step', () => {
  it('APPR-06: wait together in the window, are answered in any order, and happen in theirs', async () => {
    const folder = await shop();
    const server = await startChatServer(threeFiles(), says('Done.'));
    const { test, sessionId } = await asking({ data: await tempFolder(), folder, server });
    const [one, two, three] = await waiting(test, sessionId, 3);
    const view = valueOf(await test.window.sessions.open({ sessionId }));
    expect(view.approvals.map(({ summary }) => summary)).toHaveLength(3);
    expect(view.summary).toMatchObject({ status: 'waiting', waitingApprovals: 3 });
    expect(test.host.notified).toEqual(['Warrant waits for you']);
    if (!one || !two || !three) throw new TypeError('fewer than three wait');
    await answer(test, three);
    await answer(test, two, 'deny');
    expect(await readdir(folder)).toEqual(['README.md']);
    await answer(test, one);
    expect(await test.until(ended)).toMatchObject({ outcome: { type: 'completed' } });
    expect((await readdir(folder)).toSorted()).toEqual(['README.md', 'one.txt', 'three.txt']);
    expect(await readFile(path.join(folder, 'three.txt'), 'utf8')).toBe('1\n');
    const ledger = valueOf(await test.window.sessions.listLedger({ sessionId }));
    expect(ledger.map((row) => [row.decision, row.by?.who, row.status])).toEqual([
      ['run', 'person', 'ok'],
      ['deny', 'person', 'denied'],
      ['run', 'person', 'ok'],
    ]);
    await test.close();
    await server.stop();
  });

  it('APPR-14: those that waited when the app was closed wait again, those that were answered do not, and all is in one chat', async () => {
    const folder = await shop();
    const data = await tempFolder();
    const server = await startChatServer(threeFiles(), says('Done.'));
    const first = await asking({ data, folder, server });
    const { sessionId } = first;
    const before = await waiting(first.test, sessionId, 3);
    const [, two] = before;
    if (!two) throw new TypeError('nothing waits');
    await answer(first.test, two);
    await first.test.until((one) => one.type === 'entries-append' && one.entries.some((e) => e.kind === 'verdict'));
    await first.test.close();

    const second = await startTestApp(data);
    valueOf(await second.window.app.getState({}));
    const view = valueOf(await second.window.sessions.open({ sessionId }));
    expect(view.approvals.map(({ callId }) => callId)).toEqual([before[0]?.callId, before[2]?.callId]);
    expect(view.summary.waitingApprovals).toBe(2);
    // The later one first: the earlier one goes on waiting, and is not told as new.
    await answer(second, view.approvals[1] as Approval);
    await second.until((one) => one.type === 'approval-settle');
    const left = await waiting(second, sessionId, 1);
    expect(left.map(({ callId }) => callId)).toEqual([before[0]?.callId]);
    expect(await readdir(folder)).toEqual(['README.md']);
    await answer(second, left[0] as Approval);
    expect(await second.until(ended)).toMatchObject({ outcome: { type: 'completed' } });
    expect((await readdir(folder)).toSorted()).toEqual(['README.md', 'one.txt', 'three.txt', 'two.txt']);
    const after = valueOf(await second.window.sessions.open({ sessionId }));
    expect(after.entries.filter((entry) => entry.kind === 'approval-request')).toHaveLength(3);
    expect(after.entries.filter((entry) => entry.kind === 'turn-end')).toHaveLength(1);
    await second.close();
    await server.stop();
  });

  it('APPR-09: that nobody could answer are left together, and a command decides each by its own', async () => {
    const folder = await shop();
    const data = await tempFolder();
    const server = await startChatServer(threeFiles(), says('Done.'));
    const first = await startTestApp(data, { approverFor: () => ({ ask: async () => ({ type: 'suspend' }) }) });
    valueOf(await first.window.app.getState({}));
    const project = valueOf(await first.window.projects.open({ path: folder }));
    const { id } = valueOf(await first.window.sessions.create({ projectId: project.id, model: server.model }));
    valueOf(await first.window.sessions.open({ sessionId: id }));
    valueOf(await first.window.sessions.submit({ sessionId: id, text: 'do it' }));
    expect(await first.until(ended)).toMatchObject({ outcome: { type: 'awaiting-approval', callIds: { length: 3 } } });
    await first.close();

    const second = await startTestApp(data);
    valueOf(await second.window.app.getState({}));
    valueOf(await second.window.sessions.open({ sessionId: id }));
    const waits = second.app.sessions.get(id)?.approvals() ?? [];
    expect(waits).toHaveLength(3);
    const decisions = waits
      .slice(0, 2)
      .map(({ callId, digest }, n): [CallId, ApprovalAnswer] => [
        callId,
        n === 0 ? { type: 'allow', lasting: 'once', digest } : { type: 'deny', reason: '', by: 'person' },
      ]);
    // The third is not decided, and so is denied (APPR-10).
    second.app.sessions.get(id)?.resume(new Map(decisions));
    expect(await second.until(ended)).toMatchObject({ outcome: { type: 'completed' } });
    expect((await readdir(folder)).toSorted()).toEqual(['README.md', 'one.txt']);
    expect(second.app.sessions.get(id)?.approvals()).toEqual([]);
    await second.close();
    await server.stop();
  });
});

// The app under hostile hands: a page that sends anything at all, answers for other chats, folders that change under an
// open chat, and a project whose names and files try to deceive.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { channelOf, PROCEDURES } from '../../src-main/contract/channels.ts';
import type { Approval } from '../../src-main/contract/session.ts';
import type { SessionId } from '../../src-main/contract/ids.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { codeOf, startTestApp, valueOf, type TestApp } from '../helpers/test-app.ts';

async function newChat(test: TestApp, folder: string): Promise<SessionId> {
  valueOf(await test.window.app.getState({}));
  const project = valueOf(await test.window.projects.open({ path: folder }));
  const { id } = valueOf(await test.window.sessions.create({ projectId: project.id, model: 'guide' }));
  valueOf(await test.window.sessions.open({ sessionId: id }));
  return id;
}

async function shop(): Promise<string> {
  const folder = path.join(await tempFolder(), 'shop');
  await mkdir(folder);
  await writeFile(path.join(folder, 'README.md'), '# Shop\n');
  return folder;
}

async function waitingCommand(test: TestApp, sessionId: SessionId, words: string): Promise<Approval> {
  const seen = test.events.length;
  valueOf(await test.window.sessions.submit({ sessionId, text: words }));
  await test.until((one) => one.type === 'approval-request' && one.approval.sessionId === sessionId);
  const found = test.events.slice(seen).find((one) => one.event.type === 'approval-request');
  if (found?.event.type !== 'approval-request') throw new TypeError('no approval');
  return found.event.approval;
}

describe('a hostile page', () => {
  const deep = (levels: number): unknown => (levels === 0 ? 'x' : { patch: deep(levels - 1), text: [deep(0)] });
  const inputs: unknown[] = [
    ...[null, 7, 'text', [], [[]], true],
    ...[{ sessionId: '../../x' }, { sessionId: "' OR 1=1 --" }, { sessionId: 'x', text: 'y'.repeat(200_001) }],
    JSON.parse('{"__proto__":{"trusted":true},"constructor":{"prototype":{"x":1}}}'),
    { path: '\u0000/etc' },
    { path: '/dev/null', projectId: '\u202e', query: '*'.repeat(500) },
    { sessionId: 'x', callId: 'y', digest: '', answer: 'allow-once', changedArguments: '{' },
    { url: 'file:///etc/passwd' },
    { url: 'javascript:alert(1)' },
    deep(200),
  ];

  it('gets a typed answer to whatever it sends to any procedure, and the app goes on as before', async () => {
    const folder = await shop();
    const test = await startTestApp(await tempFolder());
    const sessionId = await newChat(test, folder);
    for (const [area, names] of Object.entries(PROCEDURES)) {
      for (const name of names) {
        for (const input of inputs) {
          const answer = await test.transport.send(channelOf(area, name), input, { windowId: 9, trusted: true });
          if (!answer.ok) expect([area, name, input, answer.error.code]).not.toContain('internal');
        }
      }
    }
    expect(({} as Record<string, unknown>)['trusted']).toBeUndefined();
    expect(valueOf(await test.window.sessions.open({ sessionId })).entries).toHaveLength(2);
    valueOf(await test.window.sessions.submit({ sessionId, text: 'read README.md' }));
    expect(await test.until((one) => one.type === 'turn-end')).toMatchObject({ outcome: { type: 'completed' } });
    await test.close();
  });

  it('answers only the call that waits in the chat that it names, on the bytes that it was shown', async () => {
    const folder = await shop();
    const test = await startTestApp(await tempFolder());
    const mine = await newChat(test, folder);
    const other = await newChat(test, folder);
    const asked = await waitingCommand(test, mine, 'run touch made');
    const answer = { callId: asked.callId, digest: asked.digest, answer: 'allow-once' } as const;
    expect(codeOf(await test.window.approvals.answer({ ...answer, sessionId: other }))).toBe('approval.not-waiting');
    const changed = await test.window.approvals.answer({ ...answer, sessionId: mine, digest: `${asked.digest}0` });
    expect(codeOf(changed)).toBe('approval.changed');
    expect(await readdir(folder)).toEqual(['README.md']);
    valueOf(await test.window.approvals.answer({ ...answer, sessionId: mine }));
    await test.until((one) => one.type === 'turn-end');
    expect(await readdir(folder)).toContain('made');
    expect(codeOf(await test.window.approvals.answer({ ...answer, sessionId: mine }))).toBe('approval.not-waiting');
    await test.close();
  });

  it('cannot widen a chat by switching on what its authority does not have', async () => {
    const test = await startTestApp(await tempFolder());
    const sessionId = await newChat(test, await shop());
    const tools = ['web_fetch', 'shell', 'no_such_tool'];
    expect(codeOf(await test.window.sessions.setEnabledTools({ sessionId, tools }))).toBe('authority.tool-unavailable');
    await test.close();
  });
});

describe('a person in a hurry', () => {
  it('five messages sent at once are one turn and a queue, and are answered in the order in which they were sent', async () => {
    const folder = await shop();
    const test = await startTestApp(await tempFolder());
    const sessionId = await newChat(test, folder);
    const words = [1, 2, 3, 4, 5].map((n) => `read README.md please, number ${String(n)}`);
    const sent = await Promise.all(words.map((text) => test.window.sessions.submit({ sessionId, text })));
    expect(sent.map((one) => valueOf(one).queued)).toEqual([false, true, true, true, true]);
    await test.until((one) => one.type === 'queue-update' && one.queue.length === 0);
    await test.app.sessions.get(sessionId)?.idle();
    const { entries, queue } = valueOf(await test.window.sessions.open({ sessionId }));
    expect(queue).toEqual([]);
    const asked = entries.flatMap((entry) => (entry.kind === 'user-message' ? [entry.data.text] : []));
    expect(asked).toEqual(words);
    await test.close();
  });

  it('Stop right after a message ends the turn each time, and a second Continue is told that one goes on', async () => {
    const test = await startTestApp(await tempFolder());
    const sessionId = await newChat(test, await shop());
    for (let i = 0; i < 5; i++) {
      const text = 'summarise this project';
      await Promise.all([test.window.sessions.submit({ sessionId, text }), test.window.sessions.stop({ sessionId })]);
      valueOf(await test.window.sessions.stop({ sessionId }));
      expect(valueOf(await test.window.sessions.open({ sessionId })).summary.status).toBe('idle');
    }
    const both = await Promise.all([1, 2].map(() => test.window.sessions.continueTurn({ sessionId })));
    expect(both.map(codeOf).sort()).toEqual(['ok', 'session.input-pending']);
    await test.app.sessions.get(sessionId)?.idle();
    await test.close();
  });
});

describe('a folder that changes under an open chat', () => {
  it('that is gone refuses the next message, keeps it unsent, and the chat can still be read and says why it cannot go on', async () => {
    const data = await tempFolder();
    const folder = await shop();
    const first = await startTestApp(data);
    const sessionId = await newChat(first, folder);
    await rename(folder, `${folder}-moved`);
    const refused = await first.window.sessions.submit({ sessionId, text: 'read README.md' });
    expect(refused).toMatchObject({ ok: false, error: { code: 'project.gone' } });
    expect(codeOf(await first.window.sessions.continueTurn({ sessionId }))).toBe('project.gone');
    expect(valueOf(await first.window.sessions.open({ sessionId })).entries).toHaveLength(2);
    await first.close();

    const second = await startTestApp(data);
    const view = valueOf(await second.window.sessions.open({ sessionId }));
    expect([view.heldBy, view.folderProblem]).toEqual([null, expect.stringContaining('There is no folder')]);
    await second.close();

    await rename(`${folder}-moved`, folder);
    const third = await startTestApp(data);
    expect(valueOf(await third.window.sessions.open({ sessionId })).folderProblem).toBeNull();
    valueOf(await third.window.sessions.submit({ sessionId, text: 'read README.md' }));
    await third.until((one) => one.type === 'turn-end');
    await third.close();
  });

  it('that was replaced by another, or by a link to another, refuses the next message', async () => {
    const folder = await shop();
    const test = await startTestApp(await tempFolder());
    const sessionId = await newChat(test, folder);
    await rename(folder, `${folder}-old`);
    await mkdir(folder);
    expect(codeOf(await test.window.sessions.submit({ sessionId, text: 'read README.md' }))).toBe('project.gone');
    await rename(folder, `${folder}-second`);
    await symlink(`${folder}-second`, folder);
    expect(codeOf(await test.window.sessions.submit({ sessionId, text: 'read README.md' }))).toBe('project.gone');
    await test.close();
  });
});

describe('a project that tries to deceive', () => {
  it('runs nothing of its own when it is opened, completed and summarised: neither git hooks and monitors nor scripts', async () => {
    const folder = await shop();
    const canary = path.join(await tempFolder(), 'ran');
    const git = (...words: string[]): Buffer => execFileSync('git', words, { cwd: folder });
    git('init', '-q');
    for (const key of ['core.fsmonitor', 'core.pager', 'core.editor', 'diff.external', 'core.sshCommand'])
      git('config', key, `touch ${canary}`);
    const scripts = Object.fromEntries(['preinstall', 'prepare', 'test'].map((name) => [name, `touch ${canary}`]));
    await writeFile(path.join(folder, 'package.json'), JSON.stringify({ name: 'shop', scripts }));
    await writeFile(path.join(folder, '.warrant.json'), JSON.stringify({ mode: 'auto', tools: { shell: 'allow' } }));
    const test = await startTestApp(await tempFolder());
    const sessionId = await newChat(test, folder);
    const [project] = valueOf(await test.window.projects.list({}));
    if (!project) throw new TypeError('no project');
    valueOf(await test.window.projects.completeFiles({ projectId: project.id, query: 'pa' }));
    valueOf(await test.window.sessions.submit({ sessionId, text: 'summarise this project' }));
    await test.until((one) => one.type === 'turn-end');
    expect(existsSync(canary)).toBe(false);
    const { authority, summary } = valueOf(await test.window.sessions.open({ sessionId }));
    expect(summary.mode).toBe('ask');
    // Each time, where commands cannot be confined.
    expect(authority.tools.find((tool) => tool.name === 'shell')?.behaviour).toMatch(/^asks/);
    await test.close();
  });

  it('with names of line feeds, escapes and hidden characters is listed, found and asked about by its exact names', async () => {
    const folder = await shop();
    const names = ['a\nb.txt', 'c\u001b[31m.txt', '\u202egnp.exe', 'zero\u200bwidth.txt', '-rf', '--allow=shell'];
    for (const name of names) await writeFile(path.join(folder, name), 'pears\n');
    const test = await startTestApp(await tempFolder());
    const sessionId = await newChat(test, folder);
    const [project] = valueOf(await test.window.projects.list({}));
    if (!project) throw new TypeError('no project');
    const completed = valueOf(await test.window.projects.completeFiles({ projectId: project.id, query: '' }));
    expect(completed).toEqual(expect.arrayContaining(names));
    for (const text of ['list the files', 'find pears', 'summarise this project']) {
      valueOf(await test.window.sessions.submit({ sessionId, text }));
      await test.app.sessions.get(sessionId)?.idle();
    }
    const rows = valueOf(await test.window.sessions.listLedger({ sessionId }));
    expect(rows.length).toBeGreaterThan(2);
    expect(rows.every((row) => row.status === 'ok')).toBe(true);
    await test.close();
  });
});

// Rules over the whole app: what is remembered on disk, what a project's own file takes away, and rules by pattern.
import { mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SessionId } from '../../src-main/contract/ids.ts';
import { settingsPatchSchema } from '../../src-main/contract/settings.ts';
import type { Approval } from '../../src-main/contract/session.ts';
import { createConfiner } from '../../src-main/tools/process/create-confiner.ts';
import { proposes, says, startChatServer, type ChatServer } from '../helpers/chat-server.ts';
import { runWarrant } from '../helpers/run-warrant.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { codeOf, startTestApp, valueOf, type TestApp } from '../helpers/test-app.ts';

/** Where commands cannot be confined, each is asked for and no rule allows it. */
const { available: confines } = await createConfiner().probe();

async function project(): Promise<string> {
  const folder = path.join(await tempFolder(), 'shop');
  await mkdir(folder);
  return folder;
}

/** Opens a folder's new chat and sends a message. */
async function begin(test: TestApp, folder: string, server: ChatServer): Promise<SessionId> {
  valueOf(await test.window.app.getState({}));
  const { id: projectId } = valueOf(await test.window.projects.open({ path: folder }));
  const { id } = valueOf(await test.window.sessions.create({ projectId, model: server.model }));
  valueOf(await test.window.sessions.open({ sessionId: id }));
  valueOf(await test.window.sessions.submit({ sessionId: id, text: 'do it' }));
  return id;
}

async function waiting(test: TestApp, sessionId: SessionId): Promise<Approval> {
  let list: Approval[] = [];
  await test.until(() => (list = test.app.sessions.get(sessionId)?.approvals() ?? []).length > 0);
  const [first] = list;
  if (!first) throw new TypeError('nothing waits');
  return first;
}

const ended = (event: { type: string }): boolean => event.type === 'turn-end';

const answer = (test: TestApp, { sessionId, callId, digest }: Approval, how: 'allow-once' | 'allow-always' | 'deny') =>
  test.window.approvals.answer({ sessionId, callId, digest, answer: how });

describe('settings', () => {
  it('a part that is changed leaves all other settings as they are', async () => {
    const test = await startTestApp(await tempFolder());
    const rules = [{ id: 'r', effect: 'deny' as const, match: 'shell:rm' }];
    valueOf(await test.window.settings.update({ patch: { rules, useRules: true, textSize: 17 } }));
    const after = valueOf(await test.window.settings.update({ patch: { theme: 'dark' } }));
    expect(after).toMatchObject({ rules, useRules: true, textSize: 17, theme: 'dark' });
    expect(settingsPatchSchema.parse({})).toEqual({});
    await test.close();
  });
});

describe('remembered answers', () => {
  const write = proposes(['write_file', { path: 'a*.txt', content: 'x\n' }]);

  it('APPR-20: are off unless opted in to, are read in a file, and another process reads them back', async () => {
    const data = await tempFolder();
    const folder = await project();
    const server = await startChatServer(write, says('Done.'), write, says('Done.'));
    const first = await startTestApp(data);
    const sessionId = await begin(first, folder, server);
    const approval = await waiting(first, sessionId);
    expect(codeOf(await answer(first, approval, 'allow-always'))).toBe('approval.not-grantable');
    valueOf(await first.window.settings.update({ patch: { rememberApprovals: true } }));
    valueOf(await answer(first, approval, 'allow-always'));
    await first.until(ended);
    expect(first.app.settings.current.rules).toMatchObject([
      { effect: 'allow', match: 'write:a*.txt', remembered: true },
    ]);
    const stored = JSON.parse(await readFile(first.app.settings.file, 'utf8')) as { rules: unknown[] };
    expect(stored.rules).toEqual(first.app.settings.current.rules);
    await first.close();

    await writeFile(path.join(folder, 'other.txt'), '');
    const second = await startTestApp(data);
    await begin(
      second,
      folder,
      await startChatServer(proposes(['write_file', { path: 'a*.txt', content: 'y\n' }]), says('k')),
    );
    // Nothing was read in this chat, so the call fails; it does not ask.
    expect(await second.until(ended)).toMatchObject({ outcome: { type: 'completed' } });
    expect(second.events.some(({ event }) => event.type === 'approval-request')).toBe(false);
    await second.close();
    await server.stop();
  });

  it('APPR-21: forgetting them takes them from memory and from the file, and the next call asks afresh', async () => {
    const data = await tempFolder();
    const folder = await project();
    const remembered = { id: 'r', effect: 'allow', match: 'write:b.txt', remembered: true } as const;
    const test = await startTestApp(data);
    valueOf(await test.window.settings.update({ patch: { rememberApprovals: true, rules: [remembered] } }));
    const server = await startChatServer(proposes(['write_file', { path: 'b.txt', content: 'x\n' }]), says('one'));
    await begin(test, folder, server);
    await test.until(ended);
    expect(await readdir(folder)).toEqual(['b.txt']);
    valueOf(await test.window.settings.update({ patch: { rules: [] } }));
    expect(await readFile(test.app.settings.file, 'utf8')).not.toContain('b.txt');
    const again = await startChatServer(proposes(['write_file', { path: 'b.txt', content: 'x\n' }]), says('two'));
    const other = await begin(test, await project(), again);
    const approval = await waiting(test, other);
    valueOf(await answer(test, approval, 'deny'));
    await test.close();
    await server.stop();
    await again.stop();
  });
});

describe("a project's own file", () => {
  const file = { deny: ['write:fixed/**'], ask: ['write:asked.txt'], limits: { readLines: 1 } };

  it('can only narrow, is shown, and what it says beyond that is said and not taken', async () => {
    const folder = await project();
    await writeFile(path.join(folder, '.warrant.json'), JSON.stringify({ ...file, allow: ['shell'], mode: 'auto' }));
    await writeFile(path.join(folder, 'two.txt'), '1\n2\n');
    const calls = ['fixed/a', 'asked.txt', 'free.txt'].map(
      (at) => ['write_file', { path: at, content: 'x\n' }] as const,
    );
    const server = await startChatServer(proposes(...calls, ['read_file', { path: 'two.txt' }]), says('Done.'));
    const test = await startTestApp(await tempFolder());
    valueOf(await test.window.settings.update({ patch: { defaultMode: 'auto' } }));
    const sessionId = await begin(test, folder, server);
    const approval = await waiting(test, sessionId);
    expect(approval).toMatchObject({ why: 'your rule "ask write:asked.txt" asks' });
    valueOf(await answer(test, approval, 'deny'));
    await test.until(ended);
    expect((await readdir(folder)).toSorted()).toEqual(['.warrant.json', 'free.txt', 'two.txt']);
    const view = valueOf(await test.window.sessions.open({ sessionId }));
    expect(view.authority.projectFile).toEqual({
      lines: ['deny write:fixed/**', 'ask write:asked.txt', 'limit readLines: at most 1'],
      problem: '.warrant.json can only narrow with deny, ask and limits; not taken: allow, mode.',
    });
    const read = test.app.sessions.get(sessionId)?.engine;
    expect(read?.mode).toBe('auto');
    expect(JSON.stringify(view.entries)).toContain('Lines 1-1 of 2');
    await test.close();
    await server.stop();
  });

  it.each([
    ['no JSON', '{'],
    ['a wrong member', '{"deny": "shell"}'],
    ['a rule that names nothing', '{"deny": ["no tool!"]}'],
    ['no UTF-8', Buffer.from([0xff, 0xfe, 0x00])],
  ])('that cannot be read (%s) makes everything but reading ask', async (_what, content) => {
    const folder = await project();
    await writeFile(path.join(folder, '.warrant.json'), content);
    const server = await startChatServer(proposes(['write_file', { path: 'a', content: 'x\n' }]), says('Done.'));
    const test = await startTestApp(await tempFolder());
    valueOf(await test.window.settings.update({ patch: { defaultMode: 'auto' } }));
    const sessionId = await begin(test, folder, server);
    valueOf(await answer(test, await waiting(test, sessionId), 'deny'));
    await test.until(ended);
    expect(valueOf(await test.window.sessions.getAuthority({ sessionId })).projectFile?.problem).toContain(
      'cannot be read',
    );
    expect(await readdir(folder)).toEqual(['.warrant.json']);
    await test.close();
    await server.stop();
  });
});

describe("a project's file that is a link", () => {
  it('P10: is not followed, is said in words, and leaves the chat usable with everything but reading asked for', async () => {
    const folder = await project();
    const elsewhere = path.join(await tempFolder(), 'elsewhere.json');
    await writeFile(elsewhere, '{"deny": ["read_file"]}');
    await symlink(elsewhere, path.join(folder, '.warrant.json'));
    const calls = [
      ['list_directory', {}],
      ['write_file', { path: '.warrant.json', content: '{}' }],
      ['write_file', { path: 'a.txt', content: 'x\n' }],
    ] as const;
    const server = await startChatServer(proposes(...calls), says('Done.'));
    const test = await startTestApp(await tempFolder());
    valueOf(await test.window.settings.update({ patch: { defaultMode: 'auto' } }));
    const sessionId = await begin(test, folder, server);
    const approval = await waiting(test, sessionId);
    expect(approval.summary).toBe('Create a.txt');
    valueOf(await answer(test, approval, 'allow-once'));
    expect(await test.until(ended)).toMatchObject({ outcome: { type: 'completed' } });
    const { projectFile } = valueOf(await test.window.sessions.getAuthority({ sessionId }));
    expect(projectFile?.problem).toMatch(/cannot be read \(.*link.*\), so everything but reading asks/);
    expect(await readFile(elsewhere, 'utf8')).toBe('{"deny": ["read_file"]}');
    expect((await readdir(folder)).toSorted()).toEqual(['.warrant.json', 'a.txt']);
    await test.close();
    await server.stop();
  });
});

describe('warrant run with rules', () => {
  it.runIf(confines)('allows commands by pattern, and says what no rule covers', async () => {
    const data = await tempFolder();
    const folder = await project();
    const run = (...words: string[]) => runWarrant(data, ['run', '--project', folder, '--model', 'guide', ...words]);
    const rules = ['--allow', 'shell:touch *', '--allow', 'write:out*', '--allow', 'shell:echo *'];
    expect((await run(...rules, 'run touch one two && echo made > out.txt')).code).toBe(0);
    expect((await readdir(folder)).toSorted()).toEqual(['one', 'out.txt', 'two']);
    const refused = await run(...rules, 'run touch three; rm one');
    expect(refused.out + refused.err).toContain('no rule covers "rm one"');
    expect((await readdir(folder)).toSorted()).toEqual(['one', 'out.txt', 'two']);
    expect(await run('--allow', 'host:example.com', 'hi')).toMatchObject({ code: 2 });
  });
});

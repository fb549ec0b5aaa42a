// A chat from a window's message to the journal and back, over the whole app: real files, real database, the guide.
import { readFile, rename, writeFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Approval, SessionView } from '../../src-main/contract/session.ts';
import { entryDataSchemas } from '../../src-main/contract/entries.ts';
import type { SessionId } from '../../src-main/contract/ids.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { codeOf, startTestApp, valueOf, type TestApp } from '../helpers/test-app.ts';

async function projectFolder(): Promise<string> {
  const folder = path.join(await tempFolder(), 'shop');
  await mkdir(path.join(folder, 'src'), { recursive: true });
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ name: 'shop', description: 'Sells pears.' }));
  await writeFile(path.join(folder, 'README.md'), '# Shop\n\nSells pears.\n');
  await writeFile(path.join(folder, 'src', 'price.ts'), 'export const price = 10;\n');
  return folder;
}

async function openChat(test: TestApp, folder: string): Promise<{ sessionId: SessionId; view: SessionView }> {
  valueOf(await test.window.app.getState({}));
  const project = valueOf(await test.window.projects.open({ path: folder }));
  const { id } = valueOf(await test.window.sessions.create({ projectId: project.id, model: 'guide' }));
  return { sessionId: id, view: valueOf(await test.window.sessions.open({ sessionId: id })) };
}

async function approvalOf(test: TestApp): Promise<Approval> {
  const event = await test.until((one) => one.type === 'approval-request');
  if (event.type !== 'approval-request') throw new TypeError('no approval');
  return event.approval;
}

const ended = (one: { type: string }): boolean => one.type === 'turn-end';

describe('a chat over the whole app', () => {
  it('answers a message with what is in the folder, and shows the same after the app was closed and opened again', async () => {
    const data = await tempFolder();
    const folder = await projectFolder();
    const first = await startTestApp(data);
    const { sessionId } = await openChat(first, folder);
    expect(valueOf(await first.window.sessions.submit({ sessionId, text: 'summarise this project' }))).toEqual({
      queued: false,
    });
    const end = await first.until(ended);
    expect(end).toMatchObject({ outcome: { type: 'completed' } });
    const before = valueOf(await first.window.sessions.open({ sessionId }));
    await first.close();

    const second = await startTestApp(data);
    valueOf(await second.window.app.getState({}));
    const after = valueOf(await second.window.sessions.open({ sessionId }));
    expect(after.entries).toEqual(before.entries);
    expect(JSON.stringify(after.entries)).toContain('Sells pears');
    for (const entry of after.entries) expect(entryDataSchemas[entry.kind].safeParse(entry.data).error).toBeUndefined();
    expect(after.authority.drift).toEqual([]);
    await second.close();
  });

  it('asks before a file is changed, changes it once allowed, and leaves it alone when denied', async () => {
    const folder = await projectFolder();
    const test = await startTestApp(await tempFolder());
    const { sessionId } = await openChat(test, folder);
    const file = path.join(folder, 'src', 'price.ts');
    valueOf(await test.window.sessions.submit({ sessionId, text: 'replace "10" by "12" in src/price.ts' }));
    const approval = await approvalOf(test);
    expect(approval.preview).toMatchObject({ type: 'diff', path: 'src/price.ts', added: 1, removed: 1 });
    expect(await readFile(file, 'utf8')).toContain('10');
    const answer = { sessionId, callId: approval.callId, digest: approval.digest };
    expect(codeOf(await test.window.approvals.answer({ ...answer, digest: 'another', answer: 'allow-once' }))).toBe(
      'approval.changed',
    );
    valueOf(await test.window.approvals.answer({ ...answer, answer: 'allow-once' }));
    await test.until(ended);
    expect(await readFile(file, 'utf8')).toBe('export const price = 12;\n');
    const [ledger] = valueOf(await test.window.sessions.listLedger({ sessionId })).slice(-1);
    expect(ledger).toMatchObject({ decision: 'run', by: { who: 'person' }, status: 'ok', digest: approval.digest });
    expect(valueOf(await test.window.sessions.listChanges({ sessionId }))).toMatchObject([
      { path: 'src/price.ts', added: 1, removed: 1 },
    ]);
    await test.close();
  });

  it('shows an approval again after the app was closed while it waited, and goes on once it is answered', async () => {
    const data = await tempFolder();
    const folder = await projectFolder();
    const first = await startTestApp(data);
    const { sessionId } = await openChat(first, folder);
    valueOf(await first.window.sessions.submit({ sessionId, text: 'run echo pears' }));
    const asked = await approvalOf(first);
    await first.close();

    const second = await startTestApp(data);
    valueOf(await second.window.app.getState({}));
    const view = valueOf(await second.window.sessions.open({ sessionId }));
    expect(view.summary.status).toBe('waiting');
    expect(view.approvals).toMatchObject([{ callId: asked.callId, digest: asked.digest, preview: asked.preview }]);
    valueOf(
      await second.window.approvals.answer({
        sessionId,
        callId: asked.callId,
        digest: asked.digest,
        answer: 'allow-once',
      }),
    );
    expect(await second.until(ended)).toMatchObject({ outcome: { type: 'completed' } });
    const after = valueOf(await second.window.sessions.open({ sessionId }));
    expect(JSON.stringify(after.entries)).toContain('pears');
    await second.close();
  });

  it('a permission for this chat answers the same command, ends with the process, and is said to have ended, once', async () => {
    const data = await tempFolder();
    const folder = await projectFolder();
    const first = await startTestApp(data);
    const { sessionId } = await openChat(first, folder);
    valueOf(await first.window.sessions.submit({ sessionId, text: 'replace "10" by "12" in src/price.ts' }));
    const { callId, digest } = await approvalOf(first);
    valueOf(await first.window.approvals.answer({ sessionId, callId, digest, answer: 'allow-session' }));
    await first.until(ended);
    valueOf(await first.window.sessions.submit({ sessionId, text: 'replace "12" by "14" in src/price.ts' }));
    await first.app.sessions.get(sessionId)?.idle();
    expect(await readFile(path.join(folder, 'src', 'price.ts'), 'utf8')).toContain('14');
    await first.close();

    for (let starts = 0; starts < 2; starts++) {
      const again = await startTestApp(data);
      valueOf(await again.window.app.getState({}));
      const view = valueOf(await again.window.sessions.open({ sessionId }));
      expect(view.entries.filter((entry) => entry.kind === 'grant-lapse')).toHaveLength(1);
      expect([view.authority.grants, view.authority.lapsedGrants]).toMatchObject([[], [{ tool: 'edit_file' }]]);
      await again.close();
    }
  });

  it('tells what changed when the folder was replaced by another of the same name', async () => {
    const data = await tempFolder();
    const folder = await projectFolder();
    const first = await startTestApp(data);
    const { sessionId, view } = await openChat(first, folder);
    expect(view.authority.drift).toEqual([]);
    await first.close();
    await rename(folder, `${folder}-old`);
    await mkdir(folder);

    const second = await startTestApp(data);
    valueOf(await second.window.app.getState({}));
    const again = valueOf(await second.window.sessions.open({ sessionId }));
    expect(again.authority.drift).toMatchObject([{ change: 'altered', part: 'folder identity', widens: true }]);
    await second.close();
  });

  it('refuses a call of a tool that was switched off in the settings, in a chat that is open', async () => {
    const folder = await projectFolder();
    const test = await startTestApp(await tempFolder());
    const { sessionId } = await openChat(test, folder);
    valueOf(await test.window.settings.update({ patch: { tools: { shell: 'off' } } }));
    valueOf(await test.window.sessions.submit({ sessionId, text: 'run echo pears' }));
    await test.until(ended);
    const ledger = valueOf(await test.window.sessions.listLedger({ sessionId }));
    expect(ledger.every((row) => row.decision === 'deny')).toBe(true);
    await test.close();
  });

  it('queues a message that comes while a turn waits, and sends it when the turn is done', async () => {
    const folder = await projectFolder();
    const test = await startTestApp(await tempFolder());
    const { sessionId } = await openChat(test, folder);
    valueOf(await test.window.sessions.submit({ sessionId, text: 'run echo one' }));
    const approval = await approvalOf(test);
    expect(valueOf(await test.window.sessions.submit({ sessionId, text: 'summarise this project' }))).toEqual({
      queued: true,
    });
    expect(valueOf(await test.window.sessions.open({ sessionId })).queue).toMatchObject([
      { text: 'summarise this project' },
    ]);
    valueOf(
      await test.window.approvals.answer({
        sessionId,
        callId: approval.callId,
        digest: approval.digest,
        answer: 'deny',
        reason: 'not now',
      }),
    );
    await test.until((one) => one.type === 'queue-update' && one.queue.length === 0);
    await test.app.sessions.get(sessionId)?.idle();
    const view = valueOf(await test.window.sessions.open({ sessionId }));
    expect(view.queue).toEqual([]);
    expect(view.entries.filter((entry) => entry.kind === 'user-message')).toHaveLength(2);
    await test.close();
  });
});

describe('settings and chats that are open', () => {
  it('a limit that is lowered holds at the next call of an open chat, and a raised one only after the chat took it over', async () => {
    const folder = await projectFolder();
    await writeFile(path.join(folder, 'long.txt'), 'one line\n'.repeat(50));
    const test = await startTestApp(await tempFolder());
    const { sessionId } = await openChat(test, folder);
    valueOf(await test.window.settings.update({ patch: { limits: { readLines: 5 } } }));
    valueOf(await test.window.sessions.submit({ sessionId, text: 'read long.txt' }));
    await test.app.sessions.get(sessionId)?.idle();
    const results = test.events.flatMap((one) => (one.event.type === 'entries-append' ? one.event.entries : []));
    const result = results.find((entry) => entry.kind === 'tool-result');
    expect(JSON.stringify(result?.data)).toContain('Lines 1-5 of 50');

    valueOf(await test.window.settings.update({ patch: { limits: { readLines: 4000 } } }));
    const offered = valueOf(await test.window.sessions.getAuthority({ sessionId }));
    expect(offered.offer).toMatchObject([{ part: 'limit readLines', before: '2000', after: '4000', widens: true }]);
    expect(offered.snapshot.limits.readLines).toBe(2000);
    expect(valueOf(await test.window.sessions.updateAuthority({ sessionId }))).toEqual(offered.offer);
    const taken = valueOf(await test.window.sessions.getAuthority({ sessionId }));
    expect([taken.snapshot.limits.readLines, taken.generation, taken.offer]).toEqual([4000, 2, []]);
    await test.close();
  });
});

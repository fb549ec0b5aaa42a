// What a chat owes to whoever closes the app at any moment: the queue, the model, the record of a failed store.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../src-main/base/app-error.ts';
import type { SessionEvent } from '../../src-main/contract/events.ts';
import type { SessionId } from '../../src-main/contract/ids.ts';
import { openStore } from '../../src-main/store/open-store.ts';
import type { Store } from '../../src-main/store/store.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { codeOf, startTestApp, valueOf, type TestApp } from '../helpers/test-app.ts';

async function projectFolder(): Promise<string> {
  const folder = path.join(await tempFolder(), 'shop');
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'README.md'), '# Shop\n\nSells pears.\n');
  return folder;
}

async function newChat(test: TestApp, folder: string): Promise<SessionId> {
  valueOf(await test.window.app.getState({}));
  const project = valueOf(await test.window.projects.open({ path: folder }));
  const { id } = valueOf(await test.window.sessions.create({ projectId: project.id, model: 'guide' }));
  valueOf(await test.window.sessions.open({ sessionId: id }));
  return id;
}

const asks = (event: SessionEvent): boolean => event.type === 'approval-request';

describe('a chat that is closed and opened again', () => {
  it('STORE-07: has what was queued once, however often, and opening it records nothing of it', async () => {
    const data = await tempFolder();
    const first = await startTestApp(data);
    const sessionId = await newChat(first, await projectFolder());
    valueOf(await first.window.sessions.submit({ sessionId, text: 'run echo one' }));
    await first.until(asks);
    for (const text of ['help', 'summarise this project'])
      expect(valueOf(await first.window.sessions.submit({ sessionId, text }))).toEqual({ queued: true });
    await first.close();

    const counts: number[] = [];
    for (let start = 0; start < 3; start++) {
      const again = await startTestApp(data);
      valueOf(await again.window.app.getState({}));
      const view = valueOf(await again.window.sessions.open({ sessionId }));
      expect(view.queue.map((item) => item.text)).toEqual(['help', 'summarise this project']);
      expect(view.summary.queued).toBe(2);
      counts.push(view.entries.length);
      await again.close();
    }
    expect(new Set(counts).size).toBe(1);
  });

  it('STORE-11: has the model that it was switched to, from one entry and from nowhere else', async () => {
    const data = await tempFolder();
    const first = await startTestApp(data);
    const sessionId = await newChat(first, await projectFolder());
    const settings = await readFile(path.join(data, 'settings.json'), 'utf8').catch(() => null);
    const model = 'openai-compatible:other@http://127.0.0.1:9/v1';
    valueOf(await first.window.sessions.setModel({ sessionId, model }));
    await first.close();
    expect(await readFile(path.join(data, 'settings.json'), 'utf8').catch(() => null)).toBe(settings);

    const again = await startTestApp(data);
    valueOf(await again.window.app.getState({}));
    const view = valueOf(await again.window.sessions.open({ sessionId }));
    expect(view.summary.model).toBe(model);
    expect(again.app.sessions.get(sessionId)?.engine.model.ref).toBe(model);
    const switches = view.entries.filter((entry) => entry.kind === 'model');
    expect(switches.map(({ data: { model: to, previous } }) => [previous, to])).toEqual([['guide', model]]);
    await again.close();
  });
});

describe('a store that fails', () => {
  it('STORE-02: is the error of the message, of the run and of the opening, and what was saved stays', async () => {
    const data = await tempFolder();
    const real = await openStore({ folder: data });
    let failing: keyof Store | null = null;
    const store = new Proxy(real, {
      get: (target, name: keyof Store) =>
        failing === name
          ? () => Promise.reject(new AppError('store.disk-full', 'The disk is full.'))
          : target[name].bind(target),
    });
    const test = await startTestApp(data, { store });
    const sessionId = await newChat(test, await projectFolder());
    failing = 'append';
    expect(codeOf(await test.window.sessions.submit({ sessionId, text: 'help' }))).toBe('store.disk-full');
    failing = null;
    valueOf(await test.window.sessions.submit({ sessionId, text: 'run echo one' }));
    const asked = await test.until(asks);
    if (asked.type !== 'approval-request') throw new TypeError('no approval');
    failing = 'append';
    const { callId, digest } = asked.approval;
    valueOf(await test.window.approvals.answer({ sessionId, callId, digest, answer: 'allow-once' }));
    const end = await test.until((event) => event.type === 'turn-end');
    expect(end).toMatchObject({ outcome: { type: 'failed', error: { code: 'store.disk-full' } } });
    failing = null;
    await test.app.sessions.get(sessionId)?.idle();
    valueOf(await test.window.sessions.close({ sessionId }));
    failing = 'readPath';
    expect(codeOf(await test.window.sessions.open({ sessionId }))).toBe('store.disk-full');
    failing = null;
    const view = valueOf(await test.window.sessions.open({ sessionId }));
    expect(view.entries.filter((entry) => entry.kind === 'user-message')).toHaveLength(1);
    expect(view.entries.some((entry) => entry.kind === 'tool-start')).toBe(false);
    await test.close();
  });
});

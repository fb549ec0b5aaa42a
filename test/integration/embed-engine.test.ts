// The engine alone, as a library: an agent over in-memory ports. The program of the README.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { newId } from '../../src-main/base/new-id.ts';
import type { Entry } from '../../src-main/contract/entries.ts';
import type { SessionId } from '../../src-main/contract/ids.ts';
import { createSession } from '../../src-main/engine/build-session.ts';
import type { Journal, Model, Tool } from '../../src-main/engine/ports.ts';

const sessionId = newId<SessionId>();
const entries: Entry[] = [];
const journal: Journal = {
  append: async (fresh) => {
    const stored = fresh.map((entry, n): Entry => ({ ...entry, sessionId, parentId: null, seq: entries.length + n }));
    entries.push(...stored);
    return stored;
  },
};
const model: Model = {
  ref: 'example:clerk',
  capabilities: { tools: true, systemPrompt: true, reasoningHistory: null, images: null, contextWindow: null },
  async *stream({ messages }) {
    const last = messages.at(-1);
    if (last?.role === 'tool') yield { type: 'text', text: `It is ${last.content}.` };
    else yield { type: 'call', providerId: '1', name: 'tell_time', argumentsText: '' };
    yield { type: 'finish', reason: 'stop', usage: null };
  },
};
const [parameters, effects] = [{ type: 'object' }, [{ kind: 'clock', target: 'UTC' }]] as const;
const about = { name: 'tell_time', description: 'Tells the time', parameters, builtin: false } as const;
const tellTime: Tool = {
  declaration: { ...about, class: 'clock', cancellation: 'interrupt' },
  prepare: async () => {
    const rest = { preview: { type: 'none' }, digest: 'now', grant: null, confined: true, state: null } as const;
    return { summary: 'Tell the time', effects, ...rest };
  },
  run: async () => ({ status: 'ok', content: 'noon', facts: {}, changes: [] }),
};
const clock = {
  nowMs: Date.now,
  after: (ms: number, fire: () => void) => clearTimeout.bind(null, setTimeout(fire, ms)),
};
const workspace = { path: '/', dev: '0', ino: '0', guarantee: 'checked' } as const;
const asks = { mode: 'ask', confinement: true, history: [], limits: {}, environment: { path: '', home: '' } } as const;

test('AUTH-18, AUTH-27: an agent is built from the engine alone, and works through its one gate', async () => {
  const nobody = { approver: null, policy: null, confiner: null };
  const config = { sessionId, workspace, systemPrompt: 'Be brief.', ...asks };
  const session = await createSession(config, { clock, model, journal, tools: [tellTime], ...nobody });
  let answer = '';
  session.on((event) => (answer += event.type === 'text-delta' ? event.text : ''));
  await session.submit('What time is it?');
  expect(await session.runTurn()).toEqual({ type: 'completed' });
  expect(answer).toBe('It is noon.');
  expect(entries.map((entry) => entry.kind)).toContain('verdict');
});

test('the README shows this very program', async () => {
  const [readme, own] = await Promise.all(
    ['../../README.md', './embed-engine.test.ts'].map((file) => readFile(path.join(import.meta.dirname, file), 'utf8')),
  );
  const shown = /### The engine alone[\s\S]*?```ts\n([\s\S]*?)```/.exec(readme ?? '')?.[1] ?? '';
  const lines = shown
    .split('\n')
    .map((line) => line.trim().replace('await session.runTurn();', 'await session.runTurn()'));
  expect(lines.length).toBeGreaterThan(30);
  expect(lines.length).toBeLessThan(60);
  for (const line of lines) expect(own).toContain(line);
});

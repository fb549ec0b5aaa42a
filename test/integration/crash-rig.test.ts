// The app under load is killed at random moments: nothing acknowledged is lost, no effect happens twice or without its
// entry, every chat opens, and projections are those that the entries make. WARRANT_LONG=1 kills ten times as often.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import readline from 'node:readline';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import type { Entry } from '../../src-main/contract/entries.ts';
import type { SessionId } from '../../src-main/contract/ids.ts';
import { databaseFile } from '../../src-main/store/open-database.ts';
import { openStore } from '../../src-main/store/open-store.ts';
import type { Store } from '../../src-main/store/store.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { startTestApp, valueOf } from '../helpers/test-app.ts';
import { readProjections } from '../unit/store/projections.ts';

const LONG = process.env['WARRANT_LONG'] === '1';
const KILLS = LONG ? 500 : 50;
const LANES = 2;

interface Lane {
  readonly data: string;
  readonly folder: string;
  readonly cache: string;
  readonly chats: SessionId[];
  /** Tokens of commands whose turn was told to have ended. */
  readonly done: Set<string>;
}

async function newLane(): Promise<Lane> {
  const top = await tempFolder();
  const [data, folder] = [path.join(top, 'data'), path.join(top, 'project')];
  await mkdir(folder);
  return { data, folder, cache: path.join(top, 'cache'), chats: [], done: new Set() };
}

/** Runs the app until it has told of some ends of turns, and kills it some microseconds to milliseconds later. */
async function runAndKill(lane: Lane): Promise<void> {
  const file = path.join(import.meta.dirname, 'crash-child.ts');
  const child = spawn(process.execPath, [file, lane.data, lane.folder, ...lane.chats], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // What Node compiled at the first start serves all others.
    env: { ...process.env, NODE_COMPILE_CACHE: lane.cache },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  const wanted = Math.floor(Math.random() * 3);
  let seen = 0;
  for await (const line of readline.createInterface({ input: child.stdout })) {
    const [word = '', id] = line.split(' ');
    if (word === 'chat') {
      if (!lane.chats.includes(id as SessionId)) lane.chats.push(id as SessionId);
      // Also killed before the first turn has ended.
      if (wanted > 0 || lane.chats.length < 3) continue;
    } else {
      lane.done.add(word);
      seen += 1;
    }
    if (seen < wanted) continue;
    for (let spin = Math.random() * 400; spin > 0; spin--) await new Promise(setImmediate);
    child.kill('SIGKILL');
  }
  expect(await ended).toEqual([null, 'SIGKILL']);
}

const tokenIn = (text: string): string => /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(text)?.[0] ?? '';

/** What is on the disk right after a kill, before anybody opens a chat. */
async function assertStored(store: Store, lane: Lane, effects: readonly string[]): Promise<void> {
  const entries: Entry[] = [];
  for (const id of lane.chats) {
    const path_ = await store.readPath(id);
    expect(path_.unreadable).toBe(0);
    expect(path_.entries.map(({ seq }) => seq)).toEqual(path_.entries.map((_, index) => index + 1));
    entries.push(...path_.entries);
  }
  const started = new Map<string, string>();
  for (const entry of entries) {
    if (entry.kind === 'tool-start' && entry.data.preview.type === 'command')
      started.set(entry.data.callId, tokenIn(entry.data.preview.command));
  }
  const finished = new Set(
    entries.flatMap((entry) =>
      entry.kind === 'tool-result' && entry.data.status === 'ok' ? [started.get(entry.data.callId) ?? ''] : [],
    ),
  );
  // No effect without its durable start, none twice, and all that was told is there.
  expect(new Set(effects).size).toBe(effects.length);
  const begun = new Set(started.values());
  for (const token of effects) expect([token, begun.has(token)]).toEqual([token, true]);
  for (const token of lane.done)
    expect([token, finished.has(token), effects.includes(token)]).toEqual([token, true, true]);
}

async function assertProjected(store: Store): Promise<void> {
  const live = await readProjections(store);
  await store.rebuildProjections(null);
  expect(await readProjections(store)).toEqual(live);
}

/** Every chat opens in the app, at rest, with each call answered once, and goes on. */
async function assertOpens(lane: Lane): Promise<void> {
  const test = await startTestApp(lane.data);
  valueOf(await test.window.app.getState({}));
  for (const sessionId of lane.chats) {
    const view = valueOf(await test.window.sessions.open({ sessionId }));
    expect(['idle', 'interrupted', 'waiting']).toContain(view.summary.status);
    const history = test.app.sessions.get(sessionId)?.engine.history() ?? [];
    const calls = history.flatMap((message) =>
      message.role === 'assistant' ? message.parts.filter((part) => part.type === 'tool-call') : [],
    );
    const results = history.flatMap((message) => (message.role === 'tool' ? [message.callId] : []));
    expect(results).toEqual(calls.map(({ callId }) => callId));
  }
  await test.close();
}

it(
  `FIG-08: ${KILLS} kills of the app under load lose nothing that was told, repeat no effect, and leave every chat to open`,
  { timeout: LONG ? 3_600_000 : 600_000 },
  async () => {
    const lanes = await Promise.all(Array.from({ length: LANES }, newLane));
    await Promise.all(
      lanes.map(async (lane) => {
        for (let kill = 0; kill < KILLS / LANES; kill++) {
          await runAndKill(lane);
          const text = await readFile(path.join(lane.folder, 'effects'), 'utf8').catch(() => '');
          const store = await openStore({ folder: lane.data });
          await assertStored(store, lane, text.split('\n').filter(Boolean));
          if (kill % 5 === 4) await assertProjected(store);
          await store.close();
          if (kill % 10 === 9) await assertOpens(lane);
        }
        await assertOpens(lane);
        const database = new Database(databaseFile(lane.data), { readonly: true });
        expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
        database.close();
        expect(lane.done.size).toBeGreaterThan(KILLS / LANES / 4);
      }),
    );
  },
);

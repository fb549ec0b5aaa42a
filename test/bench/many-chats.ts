// Many chats: what finding, listing and opening cost in a database of a heavy user, beside ripgrep over the same text.
// Run: node test/bench/many-chats.ts build FOLDER [--tenth], then node test/bench/many-chats.ts measure FOLDER.
// Whole: 10,000 chats of 100 messages and one of 10,000; --tenth: a tenth of it. The texts are always the same ones.
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import type { NewEntry } from '../../src-main/contract/entries.ts';
import type { SessionId } from '../../src-main/contract/ids.ts';
import { openStore } from '../../src-main/store/open-store.ts';
import { openStoreWorker } from '../../src-main/store/store-client.ts';
import type { Store } from '../../src-main/store/store.ts';
import * as make from '../unit/store/entry-fixtures.ts';

const [, , what, folder = '', ...options] = process.argv;
const tenth = options.includes('--tenth');
const CHATS = tenth ? 1_000 : 10_000;
const TURNS = 25;
const LARGE = 10_000;
const WORDS = 60_000;
const LETTERS = 'etaoinshrdlucmfwypvbgkqjxz';

let seed = 42;
const random = (): number => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) / 4_294_967_296;

function wordOf(index: number): string {
  let word = '';
  for (let rest = index + 37; rest > 0; rest = Math.floor(rest / 26)) word += LETTERS.charAt(rest % 26);
  return index % 7 === 0 ? `${word}ing` : word;
}
const vocabulary = Array.from({ length: WORDS }, (_, index) => wordOf(index));
/** A word; the first ones are common as in any language. */
const word = (): string => vocabulary[Math.floor(WORDS ** random()) - 1] ?? '';
const words = (count: number): string => Array.from({ length: count }, word).join(' ');

const print = (figure: string, facts: Record<string, number | string>): void => {
  const rounded = Object.entries(facts).map(([name, value]) => [
    name,
    typeof value === 'number' ? Number(value.toPrecision(3)) : value,
  ]);
  console.log(JSON.stringify({ figure, ...Object.fromEntries(rounded) }));
};
const at = (values: readonly number[], part: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? Number.NaN;

/** Milliseconds of each run of `work`. */
async function timed(rounds: number, work: (round: number) => unknown): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const from = performance.now();
    await work(round);
    times.push(performance.now() - from);
  }
  return times;
}

function turn(name: string, texts: string[]): NewEntry[] {
  const say = (): string => {
    const text = words(20 + Math.floor(random() * 60));
    texts.push(text);
    return text;
  };
  const asked = make.message(name, say());
  const ran = make.result(name, `${name}-c`);
  const answered = make.answer(name);
  if (ran.kind === 'tool-result') ran.data.content = say();
  if (answered.kind === 'assistant-message') answered.data.parts = [{ type: 'text', text: say() }];
  return [asked, ran, answered, make.message(name, say()), make.turnEnd(name)];
}

async function build(): Promise<void> {
  mkdirSync(path.join(folder, 'text'), { recursive: true });
  const store = await openStore({ folder: path.join(folder, 'data') });
  const projects = await Promise.all(Array.from({ length: 40 }, (_, n) => make.project(store, `/projects/p${n}`)));
  const from = performance.now();
  for (let n = 0; n <= CHATS; n++) {
    const projectId = projects[n % projects.length];
    if (projectId === undefined) continue;
    const texts: string[] = [];
    const { id } = await make.session(store, projectId, [make.title(words(5))]);
    const turns = n === CHATS ? LARGE / 4 : TURNS;
    for (let done = 0; done < turns; done += TURNS) {
      const entries = Array.from({ length: TURNS }, (_, index) => turn(`t${done + index}`, texts)).flat();
      await store.append(id, process.pid, entries);
    }
    appendFileSync(path.join(folder, 'text', `${n % 100}.txt`), `${texts.join('\n')}\n`);
    await store.release(id, process.pid);
    if (n === 0) writeFileSync(path.join(folder, 'small'), id);
    if (n === CHATS) writeFileSync(path.join(folder, 'large'), id);
  }
  print('built', { chats: CHATS, seconds: (performance.now() - from) / 1000 });
  const indexing = performance.now();
  while (await store.followSearch());
  const { databaseBytes, entries } = await store.stats();
  print('indexed', { entries, seconds: (performance.now() - indexing) / 1000, megabytes: databaseBytes / 1e6 });
  await store.close();
}

/** Seven kinds of things that people look for. */
const kinds: Readonly<Record<string, () => string>> = {
  rare: () => vocabulary[20_000 + Math.floor(random() * 40_000)] ?? '',
  common: () => vocabulary[Math.floor(random() * 20)] ?? '',
  middling: () => vocabulary[200 + Math.floor(random() * 2_000)] ?? '',
  phrase: () => `"${vocabulary[Math.floor(random() * 10)] ?? ''} ${vocabulary[Math.floor(random() * 10)] ?? ''}"`,
  'two words': () => `${word()} ${word()}`,
  'three letters': () => (vocabulary[100 + Math.floor(random() * 5_000)] ?? '').slice(0, 3),
  'two letters': () => (vocabulary[100 + Math.floor(random() * 5_000)] ?? '').slice(0, 2),
};

async function measureSearch(store: Store): Promise<void> {
  const rounds = Math.floor((options.includes('--long') ? 10_000 : 1_400) / 7);
  const rg: number[] = [];
  const texts = path.join(folder, 'text');
  const count = (text: string): unknown =>
    execFileSync(rgPath, ['-c', '--no-config', text, texts], { stdio: ['ignore', 'pipe', 'ignore'] });
  for (let n = 0; n < 7; n++) rg.push(...(await timed(1, () => count(vocabulary[n * 5] ?? ''))));
  const rgMs = at(rg, 0.5);
  const all: number[] = [];
  for (const [kind, query] of Object.entries(kinds)) {
    const search = (): unknown => store.search({ text: query(), projectId: null, cursor: null, limit: 50 });
    const times = await timed(rounds, search);
    all.push(...times);
    print(`PERF-11 search, ${kind}`, { p50: at(times, 0.5), p95: at(times, 0.95), worst: at(times, 1) });
  }
  print('PERF-11 search, all kinds, against ripgrep over the same text', {
    ...{ p95: at(all, 0.95), rgMs, ratio: at(all, 0.95) / rgMs, must: 0.5, reach: 0.1 },
  });
}

async function measureList(store: Store): Promise<void> {
  const query = { projectId: null, filter: '', archived: false, cursor: null, limit: 50 };
  const first = await timed(200, () => store.listSessions(query));
  // Beside files of one chat each, of which the first line is read.
  const files = path.join(folder, 'jsonl');
  if (!existsSync(files)) {
    mkdirSync(files);
    for (let n = 0; n < CHATS; n++) {
      const line = `${JSON.stringify({ type: 'meta', id: n, title: words(5) })}\n`;
      writeFileSync(path.join(files, `${n}.jsonl`), line + `${JSON.stringify({ text: words(60) })}\n`.repeat(20));
    }
  }
  const scan = (): void => {
    for (let n = 0; n < CHATS; n++) {
      JSON.parse(readFileSync(path.join(files, `${n}.jsonl`), 'utf8').split('\n', 1)[0] ?? '');
    }
  };
  const scanMs = at(await timed(3, scan), 0.5);
  print(`PERF-12 first page of 50 of all chats`, {
    ...{ p50: at(first, 0.5), p95: at(first, 0.95), scanMs, ratio: at(first, 0.5) / scanMs, must: 0.02, reach: 0.002 },
  });
}

async function measureOpening(store: Store): Promise<void> {
  const page = (name: string) => (): unknown =>
    store.readPage(readFileSync(path.join(folder, name), 'utf8') as SessionId, { beforeSeq: null, limit: 60 });
  const [small, large] = [await timed(100, page('small')), await timed(100, page('large'))];
  print('PERF-13 newest 60 entries of the largest chat against those of a small one', {
    ...{
      smallMs: at(small, 0.5),
      largeMs: at(large, 0.5),
      ratio: at(large, 0.5) / at(small, 0.5),
      must: 2,
      reach: 1.2,
    },
  });
}

/** A commit while the index follows beside it, against one while it rests; and how soon a new message is found. */
async function measureFollowing(): Promise<void> {
  const store = await openStoreWorker({ folder: path.join(folder, 'data') });
  const { id } = await make.session(store, await make.project(store, '/projects/p0'));
  const append = (): unknown => store.append(id, process.pid, [make.message('t', words(40))]);
  const resting = await timed(300, append);
  const following = await timed(300, async () => {
    const followed = store.followSearch();
    const from = performance.now();
    await append();
    await followed;
    return performance.now() - from;
  });
  const found: number[] = [];
  for (let n = 0; n < 10; n++) {
    const text = `needle${String(n)}${String(Date.now())}`;
    await store.append(id, process.pid, [make.message('t', text)]);
    const from = performance.now();
    while ((await store.search({ text, projectId: null, cursor: null, limit: 1 })).hits.length === 0)
      await new Promise((resolve) => setTimeout(resolve, 400));
    found.push(performance.now() - from);
  }
  print('PERF-10 commit beside the index, and how soon it is found', {
    ...{ restingMs: at(resting, 0.5), withPieceMs: at(following, 0.5), foundMs: at(found, 0.5), worstMs: at(found, 1) },
  });
  await store.close();
}

if (what === 'build') {
  rmSync(folder, { recursive: true, force: true });
  await build();
} else if (what === 'measure') {
  const opening = await timed(10, async () => (await openStore({ folder: path.join(folder, 'data') })).close());
  print('opening the database', { p50: at(opening, 0.5), worst: at(opening, 1) });
  const store = await openStore({ folder: path.join(folder, 'data') });
  await measureList(store);
  await measureOpening(store);
  await measureSearch(store);
  await store.close();
  await measureFollowing();
} else console.error('node test/bench/many-chats.ts build|measure FOLDER [--tenth] [--long]');

// What the store costs beside the raw limits of the same disk, as ratios, so that a busy machine changes little.
// Run: node test/bench/store.ts [--full] (full: 10,000 sessions and a chat of 10,000 entries; else a tenth).
// Prints one JSON line a figure. Both sides of a ratio take turns in short slices.
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { newId } from '../../src-main/base/new-id.ts';
import type { EntryId, ProjectId, SessionId } from '../../src-main/contract/ids.ts';
import { openStore } from '../../src-main/store/open-store.ts';
import type { Store } from '../../src-main/store/store.ts';
import * as make from '../unit/store/entry-fixtures.ts';

const full = process.argv.includes('--full');
const SESSIONS = full ? 10_000 : 1_000;
const ENTRIES = full ? 10_000 : 1_000;
const SLICES = 20;

const print = (figure: string, facts: Record<string, number>): void => {
  const rounded = Object.entries(facts).map(([name, value]) => [name, Number(value.toPrecision(3))]);
  console.log(JSON.stringify({ figure, ...Object.fromEntries(rounded) }));
};

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Milliseconds of one run of `work`. */
async function timed(work: () => unknown): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

/** Median milliseconds of each work, taken in turns. */
async function inTurns(works: readonly (() => unknown)[], rounds: number): Promise<number[]> {
  const times = works.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, work] of works.entries()) times[index]?.push(await timed(work));
  }
  return times.map(median);
}

async function benchAppend(folder: string, store: Store, projectId: ProjectId): Promise<void> {
  const { id } = await make.session(store, projectId);
  const text = 'y'.repeat(260);
  const raw = openSync(path.join(folder, 'raw'), 'a');
  const bytes = Buffer.from(text.repeat(4));
  const sync = (): void => {
    writeSync(raw, bytes);
    fdatasyncSync(raw);
  };
  const append = (count: number) => (): unknown =>
    store.append(
      id,
      process.pid,
      Array.from({ length: count }, () => make.message('t1', text)),
    );
  const ten = (work: () => unknown) => async (): Promise<void> => {
    for (let n = 0; n < 10; n++) await work();
  };
  const works = [sync, append(1), append(4), append(100)].map(ten);
  const [syncMs = 0, oneMs = 0, fourMs = 0, hundredMs = 0] = await inTurns(works, SLICES);
  closeSync(raw);
  print('PERF-09 append 1 entry, durable, against raw fdatasync', { rateRatio: syncMs / oneMs, ms: oneMs / 10 });
  print('append 4 entries as one transaction against raw fdatasync', { rateRatio: syncMs / fourMs, ms: fourMs / 10 });
  print('append 100 entries as one transaction', { entriesPerSecond: 1e6 / hundredMs });
}

async function benchList(store: Store, projectId: ProjectId): Promise<void> {
  const query = { projectId, filter: '', archived: false, cursor: null, limit: 50 };
  const list = (): unknown => store.listSessions(query);
  const [fewMs = 0] = await inTurns([list], 200);
  const database = new Database((await import('../../src-main/store/open-database.ts')).databaseFile(folder));
  const { number } = database.prepare('SELECT max(number) AS number FROM session').get() as { number: number };
  database.exec(`WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${SESSIONS})
    INSERT INTO session (id, project_id, head_hash, title, title_folded, created_at, updated_at)
    SELECT 'bench-' || n, '${projectId}', '', 'Chat ' || n, 'chat ' || n, n, 1700000000000 + n FROM n`);
  database.close();
  const middle = { ...query, cursor: `${1_700_000_000_000 + SESSIONS / 2}:${number}` };
  const [manyMs = 0, middleMs = 0, filteredMs = 0] = await inTurns(
    [list, () => store.listSessions(middle), () => store.listSessions({ ...query, filter: 'chat 7' })],
    200,
  );
  print(`PERF-12 first page of 50, of ${SESSIONS} sessions against a hundred`, { ratio: manyMs / fewMs, ms: manyMs });
  print('a page from the middle', { ms: middleMs });
  print('a filtered page', { ms: filteredMs });
}

async function benchRead(store: Store, projectId: ProjectId): Promise<void> {
  const small = await make.session(
    store,
    projectId,
    Array.from({ length: 59 }, () => make.message('t', 'x'.repeat(1500))),
  );
  const large = await make.session(store, projectId);
  for (let n = 0; n < ENTRIES; n += 500) {
    await store.append(
      large.id,
      process.pid,
      Array.from({ length: 500 }, () => make.message('t', 'x'.repeat(1500))),
    );
  }
  const page = (id: SessionId) => (): unknown => store.readPage(id, { beforeSeq: null, limit: 60 });
  const [smallMs = 0, largeMs = 0] = await inTurns([page(small.id), page(large.id)], 100);
  print(`PERF-13 newest 60 entries of ${ENTRIES} against of 60`, { ratio: largeMs / smallMs, ms: largeMs });
  print(`whole path of ${ENTRIES} entries, checked`, { ms: await timed(() => store.readPath(large.id)) });
}

async function benchOpen(parent: string): Promise<void> {
  const fresh: number[] = [];
  const again: number[] = [];
  for (let n = 0; n < SLICES; n++) {
    const folder = path.join(parent, newId<EntryId>());
    let store: Store | undefined;
    fresh.push(await timed(async () => (store = await openStore({ folder }))));
    await store?.close();
    again.push(await timed(async () => (store = await openStore({ folder }))));
    await store?.close();
  }
  print('opening', { freshMs: median(fresh), existingMs: median(again) });
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'warrant-bench-'));
try {
  await benchOpen(folder);
  const store = await openStore({ folder });
  const projectId = await make.project(store);
  for (let n = 0; n < 100; n++) await make.session(store, projectId, [make.title(`Chat ${n}`)]);
  await benchAppend(folder, store, projectId);
  await benchRead(store, projectId);
  await benchList(store, projectId);
  await store.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

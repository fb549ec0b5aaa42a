import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { isAppError } from '../../../src-main/base/app-error.ts';
import type { Entry } from '../../../src-main/contract/entries.ts';
import type { SessionId } from '../../../src-main/contract/ids.ts';
import { databaseFile } from '../../../src-main/store/open-database.ts';
import { openStore } from '../../../src-main/store/open-store.ts';
import type { Store } from '../../../src-main/store/store.ts';
import { checkLeaks } from '../../helpers/leak-check.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';
import * as make from './entry-fixtures.ts';

checkLeaks();

/** A repeatable sequence of numbers in [0, 1). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

const random = numbers(7);
const below = (end: number): number => Math.floor(random() * end);
const PAGE = 4096;
/** Rounds of each kind; WARRANT_LONG=1 tries many more. */
const LONG = process.env['WARRANT_LONG'] === '1';
const roundsOf = (kind: string): number => {
  if (!LONG) return 12;
  return kind === 'one flipped bit' ? 500 : kind === 'a cut end' ? 20 : 50;
};

const damages: Record<string, (bytes: Buffer) => Buffer> = {
  'one flipped bit': (bytes) => {
    const at = below(bytes.length);
    bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << below(8)), at);
    return bytes;
  },
  'a page of noise': (bytes) => {
    const from = below(bytes.length / PAGE) * PAGE;
    for (let at = from; at < from + PAGE; at++) bytes.writeUInt8(below(256), at);
    return bytes;
  },
  'half a page of zeros': (bytes) => {
    const from = below(bytes.length - PAGE);
    return bytes.fill(0, from, from + PAGE / 2);
  },
  'a page of another place': (bytes) => {
    const from = below(bytes.length / PAGE) * PAGE;
    bytes.copy(bytes, below(bytes.length / PAGE) * PAGE, from, from + PAGE);
    return bytes;
  },
  'a cut end': (bytes) => bytes.subarray(0, below(bytes.length)),
};

/** The value, or the store's code for why there is none; any other failure fails the test. */
async function attempt<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    expect(isAppError(error) ? error.code : error).toMatch(
      /^(store\.(damaged|io|newer-version|read-only)|session\.not-found)$/,
    );
    return null;
  }
}

async function readAll(store: Store, id: SessionId): Promise<Entry[]> {
  const query = { projectId: null, filter: '', archived: false, cursor: null, limit: 50 };
  await attempt(() => store.listProjects());
  await attempt(() => store.listSessions(query));
  await attempt(() => store.listSessions({ ...query, filter: 'chat' }));
  await attempt(() => store.getSession(id));
  await attempt(() => store.listLedger(id));
  await attempt(() => store.listChanges(id));
  await attempt(() => store.listQueue(id));
  await attempt(() => store.getDraft(id));
  await attempt(() => store.getPartial(id));
  await attempt(() => store.stats());
  await attempt(() => store.readTree(id));
  await attempt(() => store.chatSizes(9));
  await attempt(() => store.search({ text: 'text', projectId: null, cursor: null, limit: 9 }));
  const page = await attempt(() => store.readPage(id, { beforeSeq: null, limit: 30 }));
  const path = await attempt(() => store.readPath(id));
  return [...(page?.entries ?? []), ...(path?.entries ?? [])];
}

async function save(): Promise<{ file: string; id: SessionId; entries: Map<number, Entry> }> {
  const folder = await tempFolder();
  const store = await openStore({ folder });
  const projectId = await make.project(store);
  for (let n = 0; n < 20; n++) await make.session(store, projectId, [make.title(`Chat ${n}`)]);
  const { id } = await make.session(store, projectId);
  for (let n = 0; n < 25; n++) {
    await store.append(id, process.pid, [
      make.message(`t${n}`, 'text '.repeat(below(400))),
      make.request(`t${n}`, `c${n}`),
      make.verdict(`t${n}`, `c${n}`),
      make.result(`t${n}`, `c${n}`, [`${n}.txt`]),
      make.queueAdd(`q${n}`),
      make.turnEnd(`t${n}`),
    ]);
  }
  await store.setDraft(id, { text: 'draft', attachmentIds: [] });
  while (await store.followSearch());
  const entries = new Map((await store.readPath(id)).entries.map((entry) => [entry.seq, entry]));
  await store.close();
  return { file: databaseFile(folder), id, entries };
}

test.each(Object.entries(damages))(
  'FIG-12: after %s the store refuses with a code or reads, and never gives an entry that was not written',
  { timeout: LONG ? 1_800_000 : 180_000 },
  async (kind, damage) => {
    const rounds = roundsOf(kind);
    const { file, id, entries } = await save();
    let refused = 0;
    for (let round = 0; round < rounds; round++) {
      const folder = await tempFolder();
      const copy = databaseFile(folder);
      copyFileSync(file, copy);
      const bytes = damage(readFileSync(copy));
      writeFileSync(copy, bytes);
      const store = await attempt(() => openStore({ folder }));
      if (store === null) {
        refused += 1;
        expect(readFileSync(copy).equals(bytes)).toBe(true);
        continue;
      }
      onTestFinished(() => store.close());
      for (const entry of await readAll(store, id)) expect(entry).toEqual(entries.get(entry.seq));
    }
    // SQLite compares the size of the file with its header, so what was cut off is always noticed.
    if (kind !== 'a cut end') expect(refused).toBeLessThan(rounds);
  },
);

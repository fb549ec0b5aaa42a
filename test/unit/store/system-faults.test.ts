// Faults of the system under the store: the n-th call of a kind fails. Whatever fails, it is told with a code, what was
// acknowledged is there afterwards, and nothing is acknowledged that is not. WARRANT_LONG=1 goes through every n to fifty.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { SessionId } from '../../../src-main/contract/ids.ts';
import { databaseFile } from '../../../src-main/store/open-database.ts';
import { openStore } from '../../../src-main/store/open-store.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

const LONG = process.env['WARRANT_LONG'] === '1';
const MOST = 50;
const ENTRIES = 12;

const hasStrace = process.platform === 'linux' && spawnSync('strace', ['-V']).status === 0;

/** Every call of each kind up to the fiftieth, or a few of them. */
function* faults(): Generator<readonly [call: string, error: string, n: number]> {
  const errors = ['EIO', 'ENOSPC', 'EMFILE', 'EINTR', 'EAGAIN'];
  const calls = ['pwrite64', 'fdatasync', 'openat', 'mmap', 'ftruncate', 'rename'];
  if (LONG) {
    for (const call of calls) for (const error of errors) for (let n = 1; n <= MOST; n++) yield [call, error, n];
    return;
  }
  yield ['pwrite64', 'ENOSPC', 2];
  yield ['pwrite64', 'EIO', 40];
  yield ['pwrite64', 'EINTR', 7];
  yield ['fdatasync', 'EIO', 4];
  yield ['openat', 'EMFILE', 2];
  yield ['mmap', 'EIO', 1];
}

/** What the child told, with one call failing. */
function runWith(folder: string, [call, error, n]: readonly [string, string, number]): string[] {
  const file = databaseFile(folder);
  const only = ['', '-wal', '-shm', '-journal'].flatMap((end) => ['-P', file + end]);
  const child = path.join(import.meta.dirname, 'fault-child.ts');
  const inject = `inject=${call}:error=${error}:when=${n}`;
  const traced = ['-f', '-qq', '-o', '/dev/null', ...only, '-e', `trace=${call}`, '-e', inject];
  const ran = spawnSync('strace', [...traced, process.execPath, child, folder, String(ENTRIES)], { encoding: 'utf8' });
  // Ended by itself, and not by a signal: no crash without a word.
  expect([ran.signal, ran.status, ran.stderr]).toEqual([null, 0, '']);
  return ran.stdout.split('\n').filter(Boolean);
}

test(
  `FIG-10: a system call that fails under the store is told, and loses nothing that was acknowledged`,
  { timeout: LONG ? 7_200_000 : 120_000 },
  async (context) => {
    if (!hasStrace) context.skip('needs strace');
    let met = 0;
    for (const fault of faults()) {
      const folder = path.join(await tempFolder(), 'data');
      mkdirSync(folder);
      const told = runWith(folder, fault);
      const refused = told.filter((line) => line.startsWith('refused'));
      expect([fault, told.filter((line) => line.startsWith('crashed'))]).toEqual([fault, []]);
      met += refused.length;
      for (const line of refused)
        expect(line).toMatch(/^refused (store\.(io|disk-full|read-only|locked|damaged)|session\.(not-found|busy))$/);
      const seqs = told.filter((line) => /^\d+$/.test(line)).map(Number);
      if (!existsSync(databaseFile(folder))) {
        expect(seqs).toEqual([]);
        continue;
      }
      const store = await openStore({ folder });
      if (told.includes('made')) {
        const { entries, unreadable } = await store.readPath('chat' as SessionId);
        expect([fault, unreadable]).toEqual([fault, 0]);
        const stored = entries.map(({ seq }) => seq);
        expect([fault, seqs.filter((seq) => !stored.includes(seq))]).toEqual([fault, []]);
        expect(stored).toEqual(stored.map((_, index) => index + 1));
      } else expect(seqs).toEqual([]);
      await store.close();
      const database = new Database(databaseFile(folder), { readonly: true });
      expect([fault, database.pragma('integrity_check', { simple: true })]).toEqual([fault, 'ok']);
      database.close();
    }
    // The faults are met: a run without any proves nothing.
    expect(met).toBeGreaterThan(2);
  },
);

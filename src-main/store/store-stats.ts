// How large the store is. Entries are counted from the sessions' heads, so the answer costs the same for long chats.
import { statSync } from 'node:fs';
import { listBackups } from './backups.ts';
import type { StoreDatabase } from './store-database.ts';
import type { StoreStats } from './store.ts';
import { lastDone } from './upkeep.ts';

/** Bytes include the write-ahead log, which is not yet part of the file. */
export function databaseStats(database: StoreDatabase): StoreStats {
  const counts = database.get<{ sessions: number; entries: number; trashed: number }>(
    'SELECT count(*) AS sessions, coalesce(sum(head_seq), 0) AS entries, coalesce(sum(archived = 2), 0) AS trashed FROM session',
  );
  const { connection } = database;
  const log = statSync(`${database.file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const backups = listBackups(database.file);
  const pragma = (name: string): number => Number(connection.pragma(name, { simple: true }));
  return {
    journal: connection.pragma('journal_mode', { simple: true }) === 'wal' ? 'log' : 'rollback',
    freeBytes: pragma('freelist_count') * pragma('page_size'),
    trashed: counts?.trashed ?? 0,
    backups: {
      count: backups.length,
      bytes: backups.reduce((sum, { bytes }) => sum + bytes, 0),
      newestAtMs: backups.at(-1)?.atMs ?? null,
    },
    checkedAtMs: lastDone(database, 'check'),
    databaseBytes: (statSync(database.file, { throwIfNoEntry: false })?.size ?? 0) + log,
    sessions: counts?.sessions ?? 0,
    entries: counts?.entries ?? 0,
  };
}

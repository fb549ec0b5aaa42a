// How large the store is. Entries are counted from the sessions' heads, so the answer costs the same for long chats.
import { statSync } from 'node:fs';
import type { StoreDatabase } from './store-database.ts';
import type { StoreStats } from './store.ts';

/** Bytes include the write-ahead log, which is not yet part of the file. */
export function databaseStats(database: StoreDatabase): StoreStats {
  const counts = database.get<{ sessions: number; entries: number }>(
    'SELECT count(*) AS sessions, coalesce(sum(head_seq), 0) AS entries FROM session',
  );
  const log = statSync(`${database.file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  return {
    databaseBytes: statSync(database.file).size + log,
    sessions: counts?.sessions ?? 0,
    entries: counts?.entries ?? 0,
  };
}

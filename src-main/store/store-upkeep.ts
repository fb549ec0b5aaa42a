// The order of the store's own upkeep, in pieces between which others are answered.
import { makeBackup } from './backups.ts';
import type { StoreDatabase } from './store-database.ts';
import { toStoreError } from './store-error.ts';
import { beginDuePurges, findDue, freePiece, noteDone, purgePiece } from './upkeep.ts';

/** Runs synchronous work on the database as a promise, with its errors as store.* codes. */
export type Attempt = <T>(work: () => T) => Promise<T>;

/** Ends purges that were begun, and gives free space back. */
export async function tidyUp(database: StoreDatabase, attempt: Attempt): Promise<void> {
  for (const piece of [purgePiece, freePiece]) {
    while (await attempt(() => piece(database))) await new Promise(setImmediate);
  }
}

/** See Store.upkeep. */
export async function doUpkeep(
  database: StoreDatabase,
  attempt: Attempt,
  nowMs: number,
): Promise<{ backup: string | null; purged: number; checkDue: boolean }> {
  const due = await attempt(() => findDue(database, { nowMs, unclean: database.wasUnclean }));
  const purged = await attempt(() => beginDuePurges(database, nowMs));
  await tidyUp(database, attempt);
  if (!due.backup) return { backup: null, purged, checkDue: due.check };
  try {
    const { file } = await makeBackup(database, nowMs);
    await attempt(() => noteDone(database, 'backup', nowMs));
    return { backup: file, purged, checkDue: due.check };
  } catch (error) {
    throw toStoreError(error, database.file);
  }
}

// Brings a database to this version's schema: numbered migrations, each with its own marker row inside the database, all
// in one exclusive transaction. Invariant: a failure leaves the database at the version it had.
import type BetterSqlite3 from 'better-sqlite3';
import { AppError } from '../base/app-error.ts';
import { backUpBeforeMigration } from './backups.ts';
import { entryTree } from './migrations/0001-entry-tree.ts';
import { entryPlace } from './migrations/0002-entry-place.ts';
import { branches } from './migrations/0003-branches.ts';
import { search } from './migrations/0004-search.ts';
import { namesAndPins } from './migrations/0005-names-and-pins.ts';

/** One step of the schema. `number` rises by one from 1; `sql` runs once in every database. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}

export const MIGRATIONS: readonly Migration[] = [entryTree, entryPlace, branches, search, namesAndPins];

/** The schema version that this code reads and writes; kept as the database's user_version. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/** "WRNT": the application id that tells our database from any other. */
export const APPLICATION_ID = 0x57524e54;

const markerTable = `CREATE TABLE IF NOT EXISTS migration (
  number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at INTEGER NOT NULL
) STRICT`;

function schemaVersion(connection: BetterSqlite3.Database): number {
  return Number(connection.pragma('user_version', { simple: true }));
}

/** Refuses a database of a later version: nothing in it is touched. Code store.newer-version. */
export function assertNotNewer(connection: BetterSqlite3.Database, file: string): void {
  const version = schemaVersion(connection);
  if (version <= SCHEMA_VERSION) return;
  throw new AppError(
    'store.newer-version',
    `${file} was written by a newer Warrant (schema ${version}; this one knows ${SCHEMA_VERSION}). It was not touched. Update Warrant, or set WARRANT_DATA to another folder.`,
    { details: { file, version, known: SCHEMA_VERSION } },
  );
}

/** Runs each migration whose marker row is missing. Codes store.newer-version, store.locked. */
export function migrate(connection: BetterSqlite3.Database, file: string, migrations = MIGRATIONS): void {
  const former = schemaVersion(connection);
  if (former === migrations.length) return;
  if (former > 0) backUpBeforeMigration(connection, file, former);
  const run = connection.transaction(() => {
    // Another process may have been faster while this one waited for the lock.
    assertNotNewer(connection, file);
    connection.exec(markerTable);
    const applied = new Set(connection.prepare('SELECT number FROM migration').pluck().all());
    const mark = connection.prepare('INSERT INTO migration (number, name, applied_at) VALUES (?, ?, ?)');
    for (const migration of migrations) {
      if (applied.has(migration.number)) continue;
      connection.exec(migration.sql);
      mark.run(migration.number, migration.name, Date.now());
    }
    connection.pragma(`application_id = ${APPLICATION_ID}`);
    connection.pragma(`user_version = ${migrations.length}`);
  });
  run.exclusive();
}

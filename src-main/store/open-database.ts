// Opens the database file: permissions, whether it is ours and whole, its version, and the settings that make a commit
// durable. Invariant: a file that cannot be read is never overwritten; it is refused, or moved aside when asked to.
import Database from 'better-sqlite3';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { isAppError } from '../base/app-error.ts';
import { APPLICATION_ID, assertNotNewer, migrate } from './migrate.ts';
import { sharedFileSystemOf } from './network-folder.ts';
import { StoreDatabase } from './store-database.ts';
import { fromPreparing, storeError, toStoreError } from './store-error.ts';

const FILE_NAME = 'warrant.db';
const MEMORY = ':memory:';
/** How long a call waits for another process's transaction. */
const BUSY_TIMEOUT_MS = 5_000;
/** Bytes that the write-ahead log keeps on disk once its content is in the database. */
const LOG_SIZE_LIMIT = 67_108_864;

export interface OpenOptions {
  /** Absolute path of the data folder; made (0700) when absent. */
  folder: string;
  /** Keeps everything in memory: no folder is made or looked at, and closing it ends it all. */
  inMemory?: boolean;
  /** Never writes; the database must be there already. */
  readOnly?: boolean;
  /** Moves a damaged database aside (`warrant.db.damaged-<time>`) and begins a new one; a sound one is just opened. */
  startFresh?: boolean;
  /** The folder is on a file system that machines share, where a write-ahead log is not safe; found out when absent. */
  shared?: boolean;
  /** Milliseconds to wait for another process's transaction; 5,000 by default. */
  busyTimeoutMs?: number;
}

/** The database's path in a data folder. */
export function databaseFile(folder: string): string {
  return path.join(folder, FILE_NAME);
}

/** A folder that is shared (sticky, like /tmp) or has other things in it is not ours to close to others. */
function prepareFolder(folder: string): void {
  const made = mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (made !== undefined || process.platform === 'win32') return;
  const mode = statSync(folder).mode;
  if ((mode & 0o077) === 0 || (mode & 0o1000) !== 0) return;
  if (existsSync(databaseFile(folder)) || readdirSync(folder).length === 0) chmodSync(folder, 0o700);
}

/** Makes the file before SQLite does, because SQLite gives its side files the permissions of this one. */
function prepareFile(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
  else if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
}

/** Refuses what is a database of another program, and what SQLite cannot read. Code store.damaged. */
function assertOurs(connection: Database.Database, file: string): void {
  if (connection.pragma('application_id', { simple: true }) === APPLICATION_ID) return;
  const objects = connection.prepare('SELECT count(*) FROM sqlite_schema').pluck().get();
  if (objects !== 0) throw storeError('store.damaged', file);
}

/** Changing the journal needs the file alone for a moment and does not wait by itself; once changed, it stays so. */
function setJournal(connection: Database.Database, journal: 'wal' | 'delete', timeoutMs: number): void {
  if (connection.pragma('journal_mode', { simple: true }) === journal) return;
  connection.pragma('auto_vacuum = INCREMENTAL');
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let waitedMs = 0; ; waitedMs += 10) {
    try {
      connection.pragma(`journal_mode = ${journal}`);
      return;
    } catch (error) {
      const locked = error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
      if (!locked || waitedMs >= timeoutMs) throw error;
      Atomics.wait(pause, 0, 0, 10);
    }
  }
}

/** Makes what was just made last through a loss of power: the log, then the file, then its name in the folder. */
function syncNewDatabase(connection: Database.Database, file: string): void {
  connection.pragma('synchronous = FULL');
  connection.pragma('wal_checkpoint(PASSIVE)');
  if (process.platform === 'win32') return;
  const folder = openSync(path.dirname(file), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

interface Preparation {
  readonly shared: boolean;
  readonly timeoutMs: number;
}

/** Settings of a connection that writes, and the schema. */
function prepareToWrite(connection: Database.Database, file: string, how: Preparation): void {
  // A new file holds nothing that could be lost yet, so it is synced once when it is whole, not step by step.
  const isNew = connection.pragma('application_id', { simple: true }) === 0;
  if (isNew) connection.pragma('synchronous = OFF');
  setJournal(connection, how.shared ? 'delete' : 'wal', how.timeoutMs);
  migrate(connection, file);
  if (isNew) syncNewDatabase(connection, file);
  // The binding's default in WAL is NORMAL, which may lose acknowledged entries when the power goes.
  // A rollback journal is gone for sure only when its folder is synced too.
  connection.pragma(`synchronous = ${how.shared ? 'EXTRA' : 'FULL'}`);
  connection.pragma(`journal_size_limit = ${LOG_SIZE_LIMIT}`);
  connection.pragma('foreign_keys = ON');
}

/** Reads the schema and the first page of each table that everything needs: damage there is told at once. */
function assertReadable(connection: Database.Database): void {
  const tables = ['project', 'session', 'entry', 'lease'];
  connection.prepare(tables.map((table) => `SELECT * FROM (SELECT 1 FROM ${table} LIMIT 1)`).join(' UNION ALL ')).all();
}

function connect(file: string, options: OpenOptions): Database.Database {
  const readonly = options.readOnly ?? false;
  const timeout = options.busyTimeoutMs ?? BUSY_TIMEOUT_MS;
  const connection = new Database(file, { readonly, fileMustExist: true, timeout });
  try {
    assertOurs(connection, file);
    assertNotNewer(connection, file);
    if (!readonly) {
      const shared = options.shared ?? sharedFileSystemOf(options.folder) !== null;
      prepareToWrite(connection, file, { shared, timeoutMs: timeout });
    }
    assertReadable(connection);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

function moveAside(file: string): void {
  const stamp = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
  let kept = `${file}.damaged-${stamp}`;
  for (let n = 2; existsSync(kept); n++) kept = `${file}.damaged-${stamp}-${n}`;
  renameSync(file, kept);
  for (const suffix of ['-wal', '-shm', '-journal']) {
    if (existsSync(file + suffix)) renameSync(file + suffix, kept + suffix);
  }
}

function openInMemory(): StoreDatabase {
  const connection = new Database(MEMORY);
  // Not even what a large sort needs for a moment goes to a disk.
  connection.pragma('temp_store = MEMORY');
  connection.pragma('foreign_keys = ON');
  migrate(connection, MEMORY);
  return new StoreDatabase(MEMORY, connection);
}

/** Opens the database of a data folder, made and migrated as needed. Codes store.*; a refused file is not touched. */
export function openDatabase(options: OpenOptions): StoreDatabase {
  if (options.inMemory) return openInMemory();
  const file = databaseFile(options.folder);
  try {
    if (!options.readOnly) {
      prepareFolder(options.folder);
      prepareFile(file);
    }
    const unclean = ['-wal', '-journal'].some(
      (end) => (statSync(file + end, { throwIfNoEntry: false })?.size ?? 0) > 0,
    );
    const database = new StoreDatabase(file, connect(file, options));
    database.wasUnclean = unclean;
    return database;
  } catch (error) {
    const failure = toStoreError(fromPreparing(error, file), file);
    if (!options.startFresh || !isAppError(failure) || failure.code !== 'store.damaged') throw failure;
  }
  try {
    moveAside(file);
    prepareFile(file);
    return new StoreDatabase(file, connect(file, options));
  } catch (error) {
    throw toStoreError(error, file);
  }
}

/** A further writing connection for what may be lost when the power goes (synchronous=NORMAL). Codes store.*. */
export function openTelemetryConnection(database: StoreDatabase): StoreDatabase {
  // What is in memory has one connection alone.
  if (database.inMemory) return database;
  try {
    const connection = new Database(database.file, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
    connection.pragma('synchronous = NORMAL');
    connection.pragma('foreign_keys = ON');
    return new StoreDatabase(database.file, connection);
  } catch (error) {
    throw toStoreError(error, database.file);
  }
}

// Copies of the database in `backups/` beside it: one a day while Warrant is used, the newest seven, and one before each
// migration. Invariant: a copy gets its name once it is whole and on disk; an unfinished one is never taken for a backup.
import type BetterSqlite3 from 'better-sqlite3';
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import type { StoreDatabase } from './store-database.ts';

const KEPT_DAYS = 7;
const KEPT_MIGRATIONS = 3;
/** Pages copied in one go: the thread answers others in between. */
const PAGES = 256;

const daily = /^warrant-\d{8}T\d{6}\.db$/;
const beforeMigration = /^before-schema-\d+-\d{8}T\d{6}\.db$/;

/** A finished copy. */
export interface Backup {
  file: string;
  bytes: number;
  atMs: number;
}

function folderOf(file: string): string {
  return path.join(path.dirname(file), 'backups');
}

function stamp(nowMs: number): string {
  return new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d+Z/g, '');
}

function syncPath(file: string): void {
  const descriptor = openSync(file, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Gives a copy its name, durably. */
function publish(part: string, file: string): void {
  syncPath(part);
  renameSync(part, file);
  if (process.platform !== 'win32') syncPath(path.dirname(file));
}

function names(file: string, pattern: RegExp): string[] {
  try {
    return readdirSync(folderOf(file))
      .filter((name) => pattern.test(name))
      .sort();
  } catch {
    return [];
  }
}

function prune(file: string, pattern: RegExp, kept: number): void {
  const byTime = names(file, pattern).sort((a, b) => a.slice(-18).localeCompare(b.slice(-18)));
  for (const name of byTime.slice(0, -kept)) rmSync(path.join(folderOf(file), name), { force: true });
}

/** Copies the database while it is used; older copies beyond the newest seven go. Rejects with what SQLite or the disk said. */
export async function makeBackup(database: StoreDatabase, nowMs: number): Promise<Backup> {
  const folder = folderOf(database.file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, `warrant-${stamp(nowMs)}.db`);
  const part = `${file}.${process.pid}.part`;
  try {
    closeSync(openSync(part, 'w', 0o600));
    await database.connection.backup(part, { progress: () => PAGES });
    publish(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
  prune(database.file, daily, KEPT_DAYS);
  return { file, bytes: statSync(file).size, atMs: nowMs };
}

/** Copies a database of a former schema before it is migrated, at once. Throws what SQLite or the disk said. */
export function backUpBeforeMigration(connection: BetterSqlite3.Database, file: string, schema: number): void {
  const folder = folderOf(file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const copy = path.join(folder, `before-schema-${schema}-${stamp(Date.now())}.db`);
  const part = `${copy}.${process.pid}.part`;
  rmSync(part, { force: true });
  try {
    closeSync(openSync(part, 'w', 0o600));
    connection.prepare('VACUUM INTO ?').run(part);
    publish(part, copy);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
  prune(file, beforeMigration, KEPT_MIGRATIONS);
}

/** All finished copies, oldest first. */
export function listBackups(file: string): Backup[] {
  const found = [...names(file, beforeMigration), ...names(file, daily)].flatMap((name): Backup[] => {
    const facts = statSync(path.join(folderOf(file), name), { throwIfNoEntry: false });
    return facts ? [{ file: path.join(folderOf(file), name), bytes: facts.size, atMs: facts.mtimeMs }] : [];
  });
  return found.sort((a, b) => a.atMs - b.atMs);
}

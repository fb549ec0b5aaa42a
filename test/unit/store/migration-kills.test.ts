// A migration that is killed: of every released schema, at every statement (WARRANT_LONG=1; else at some). What is there is
// what was there before or what comes after, never something between, and the next start finishes it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import type { Entry } from '../../../src-main/contract/entries.ts';
import type { SessionId } from '../../../src-main/contract/ids.ts';
import { MIGRATIONS, SCHEMA_VERSION } from '../../../src-main/store/migrate.ts';
import { databaseFile } from '../../../src-main/store/open-database.ts';
import { openStore } from '../../../src-main/store/open-store.ts';
import { checkLeaks } from '../../helpers/leak-check.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';
import { statementsOf } from './statements.ts';

checkLeaks();

const LONG = process.env['WARRANT_LONG'] === '1';
const fixtures = path.resolve(import.meta.dirname, '../../fixtures/store');
const former = MIGRATIONS.slice(0, -1).map(({ number }) => number);

/** Looks of the child: one before each statement of each migration that runs, and one after each migration. */
function looksFrom(schema: number): number {
  return MIGRATIONS.slice(schema).reduce((sum, { sql }) => sum + statementsOf(sql).length + 1, 0);
}

async function migrateAndKill(folder: string, at: number): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'migration-child.ts'), folder, String(at)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  return signal;
}

test.each(former)(
  'FIG-18: a migration from schema %i that is killed at a statement leaves all chats, and is finished by the next start',
  { timeout: LONG ? 1_800_000 : 120_000 },
  async (schema) => {
    const saved = JSON.parse(readFileSync(path.join(fixtures, `schema-${schema}.json`), 'utf8')) as {
      id: SessionId;
      entries: Entry[];
    }[];
    const looks = looksFrom(schema);
    // In the short form: the first, the last and one between.
    const places = LONG ? Array.from({ length: looks }, (_, at) => at) : [0, Math.floor(looks / 2), looks - 1];
    for (const at of new Set(places)) {
      const folder = await tempFolder();
      copyFileSync(path.join(fixtures, `schema-${schema}.db`), databaseFile(folder));
      expect(await migrateAndKill(folder, at)).toBe('SIGKILL');
      const before = new Database(databaseFile(folder));
      expect(before.pragma('user_version', { simple: true })).toBe(schema);
      expect(before.pragma('integrity_check', { simple: true })).toBe('ok');
      before.close();
      // A copy from before the migration is there, whole.
      const copies = readdirSync(path.join(folder, 'backups')).filter((name) => name.endsWith('.db'));
      expect(copies.length).toBeGreaterThan(0);

      const store = await openStore({ folder });
      for (const { id, entries } of saved) expect(await store.readPath(id)).toEqual({ entries, unreadable: 0 });
      await store.close();
      const after = new Database(databaseFile(folder));
      expect(after.pragma('user_version', { simple: true })).toBe(SCHEMA_VERSION);
      after.close();
    }
    expect(await migrateAndKill(await copyOf(schema), looks)).toBeNull();
  },
);

async function copyOf(schema: number): Promise<string> {
  const folder = await tempFolder();
  copyFileSync(path.join(fixtures, `schema-${schema}.db`), databaseFile(folder));
  return folder;
}

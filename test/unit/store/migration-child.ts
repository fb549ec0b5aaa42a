// A process of its own that migrates a database and is ended by SIGKILL right before statement N of the migration. Run as:
// migration-child.ts FOLDER N; prints `whole` when the migration has fewer statements.
import Database from 'better-sqlite3';
import { migrate, MIGRATIONS } from '../../../src-main/store/migrate.ts';
import { databaseFile } from '../../../src-main/store/open-database.ts';
import { statementsOf } from './statements.ts';

const [, , folder = '', count = '0'] = process.argv;
const file = databaseFile(folder);
const connection = new Database(file);
connection.pragma('journal_mode = WAL');
connection.pragma('synchronous = FULL');

let left = Number(count);
connection.function('killed', { varargs: true, deterministic: false }, () => {
  if (left-- === 0) process.kill(process.pid, 'SIGKILL');
  return null;
});
// Each statement of each migration is followed by a look whether it was the last one.
const stepped = MIGRATIONS.map((one) => ({
  ...one,
  sql: statementsOf(one.sql)
    .map((statement) => `SELECT killed();\n${statement};`)
    .concat('SELECT killed();')
    .join('\n'),
}));
migrate(connection, file, stepped);
connection.close();
process.stdout.write('whole\n');

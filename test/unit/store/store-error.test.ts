import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { AppError, isAppError } from '../../../src-main/base/app-error.ts';
import { toStoreError } from '../../../src-main/store/store-error.ts';

const file = '/data/warrant.db';

test.each([
  ['SQLITE_BUSY', 'store.locked'],
  ['SQLITE_BUSY_SNAPSHOT', 'store.locked'],
  ['SQLITE_CORRUPT_INDEX', 'store.damaged'],
  ['SQLITE_NOTADB', 'store.damaged'],
  ['SQLITE_FULL', 'store.disk-full'],
  ['SQLITE_READONLY_DBMOVED', 'store.read-only'],
  ['SQLITE_CANTOPEN', 'store.read-only'],
  ['SQLITE_IOERR_WRITE', 'store.io'],
  ['SQLITE_IOERR_FSYNC', 'store.io'],
  ['SQLITE_CONSTRAINT_UNIQUE', 'session.history-invalid'],
])('what SQLite calls %s is %s, says which file, and keeps its cause', (reason, code) => {
  const cause = new Database.SqliteError('words that nobody parses', reason);
  const error = toStoreError(cause, file);
  expect(error).toMatchObject({ code, details: { file, reason }, cause });
  expect(isAppError(error) && /\.$/.test(error.message)).toBe(true);
});

test.each([
  ['ENOSPC', 'store.disk-full'],
  ['EROFS', 'store.read-only'],
  ['EACCES', 'store.read-only'],
  ['EIO', 'store.io'],
])('what the filesystem calls %s is %s', (reason, code) => {
  const error = toStoreError(Object.assign(new Error('words'), { code: reason }), file);
  expect(error).toMatchObject({ code, details: { file, reason } });
});

test('an error of the product stays as it is, and a defect is not dressed up as a fault of the disk', () => {
  const known = new AppError('session.busy', 'Busy.');
  const defect = new TypeError('x is not a function');
  expect(toStoreError(known, file)).toBe(known);
  expect(toStoreError(defect, file)).toBe(defect);
});

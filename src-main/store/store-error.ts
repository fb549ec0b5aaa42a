// Turns what SQLite and the filesystem throw into the store's error codes, with what is safe and what to do next.
// Result codes decide, never the text of a message.
import { AppError, isAppError } from '../base/app-error.ts';
import type { ErrorCode } from '../contract/errors.ts';
import type { ProjectId, SessionId } from '../contract/ids.ts';

/** Result codes by their beginning: SQLite's extended codes add to these (SQLITE_IOERR_WRITE, SQLITE_BUSY_SNAPSHOT). */
const codes: readonly (readonly [prefix: string, code: ErrorCode])[] = [
  ['SQLITE_BUSY', 'store.locked'],
  ['SQLITE_LOCKED', 'store.locked'],
  ['SQLITE_PROTOCOL', 'store.locked'],
  ['SQLITE_CORRUPT', 'store.damaged'],
  ['SQLITE_NOTADB', 'store.damaged'],
  ['SQLITE_FULL', 'store.disk-full'],
  ['SQLITE_READONLY', 'store.read-only'],
  ['SQLITE_PERM', 'store.read-only'],
  ['SQLITE_CANTOPEN', 'store.read-only'],
  ['SQLITE_IOERR', 'store.io'],
  // Ids of entries and sessions alone are unique: the same entry twice would be the same effect twice.
  ['SQLITE_CONSTRAINT_UNIQUE', 'session.history-invalid'],
  ['ENOSPC', 'store.disk-full'],
  ['EDQUOT', 'store.disk-full'],
  ['EACCES', 'store.read-only'],
  ['EPERM', 'store.read-only'],
  ['EROFS', 'store.read-only'],
  ['EIO', 'store.io'],
  ['ENOENT', 'store.io'],
  ['ENOTDIR', 'store.io'],
  ['EEXIST', 'store.io'],
];

const advice: Partial<Record<ErrorCode, (file: string) => string>> = {
  'store.locked': (file) =>
    `The chats in ${file} are in use by another process and did not become free in time. Nothing was changed; try again.`,
  'store.damaged': (file) =>
    `The file ${file} is damaged or is no database of Warrant. It was left as it is. Put a backup in its place, or start fresh: the file is then kept beside under another name.`,
  'store.disk-full': (file) =>
    `The disk that holds ${file} is full. Nothing was half written and saved chats are safe; make room and try again.`,
  'store.read-only': (file) =>
    `Warrant may not write ${file}. Nothing was changed; give yourself write permission to it and its folder, or set WARRANT_DATA to another folder.`,
  'session.history-invalid': () => 'This is saved already. Nothing was written a second time.',
  'store.io': (file) =>
    `Reading or writing ${file} failed. What was saved before is safe; check the disk and its folder, and try again.`,
};

function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

/**
 * What a text of ours that SQLite cannot prepare means: the texts are fixed, so the names in the file's schema are not what
 * was written. Anything else is given back untouched.
 */
export function fromPreparing(error: unknown, file: string): unknown {
  return codeOf(error) === 'SQLITE_ERROR' ? storeError('store.damaged', file, error) : error;
}

/** Whether SQLite met a damaged page. */
export function isDamage(error: unknown): boolean {
  return codeOf(error)?.startsWith('SQLITE_CORRUPT') ?? false;
}

/** The AppError of one of the store's codes with its standard message; `file` is the database's path. */
export function storeError(code: ErrorCode, file: string, cause?: unknown): AppError {
  const message = advice[code]?.(file) ?? `The store at ${file} failed.`;
  const reason = codeOf(cause);
  return new AppError(code, message, { details: reason === null ? { file } : { file, reason }, cause });
}

/**
 * The AppError for anything thrown while working on the database at `file`: an AppError stays as it is, result codes of
 * SQLite and of the filesystem become store.*, the rest is given back untouched (a defect, `internal` on the wire).
 */
export function toStoreError(error: unknown, file: string): unknown {
  if (isAppError(error)) return error;
  const code = codeOf(error);
  const found = code === null ? undefined : codes.find(([prefix]) => code.startsWith(prefix));
  return found === undefined ? error : storeError(found[1], file, error);
}

/** The error for a session that the database does not have. */
export function sessionNotFound(id: SessionId): AppError {
  return new AppError('session.not-found', 'This chat is not there any more. Pick another one, or begin a new one.', {
    details: { sessionId: id },
  });
}

/** The error for a project that the database does not have. */
export function projectNotFound(id: ProjectId): AppError {
  return new AppError('project.not-found', 'This project is not in the list any more. Open its folder again.', {
    details: { projectId: id },
  });
}

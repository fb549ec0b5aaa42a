// Turns what the operating system answered into the product's errors: which code, and what to do about it.
import { AppError } from '../../base/app-error.ts';
import type { ErrorCode } from '../../contract/errors.ts';

/** A failed system call: `code` is the name of the errno. Never leaves the door: doorError makes an AppError of it. */
export class SystemCallError extends Error {
  readonly code: string;
  constructor(code: string, call: string) {
    super(`${code}: ${call}`);
    this.name = 'SystemCallError';
    this.code = code;
  }
}

/** The errno name of any thrown value; empty when it has none. */
export function errnoOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}

const table: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  ENOENT: ['workspace.not-found', 'does not exist'],
  ENAMETOOLONG: ['workspace.invalid-path', 'has a name that is too long'],
  EINVAL: ['workspace.invalid-path', 'is no valid path here'],
  EXDEV: ['workspace.outside-root', 'leads out of the workspace'],
  ELOOP: ['workspace.is-link', 'is a link, and links are never followed. Use the path that it stands for'],
  EEXIST: ['workspace.exists', 'exists already'],
  EISDIR: ['workspace.not-a-file', 'is a folder, not a file'],
  ENOTDIR: ['workspace.not-a-folder', 'is not a folder'],
  ENXIO: ['workspace.not-a-file', 'is not a regular file'],
  EACCES: ['workspace.no-permission', 'may not be opened: permission denied'],
  EPERM: ['workspace.no-permission', 'may not be changed: operation not permitted'],
  EROFS: ['workspace.no-permission', 'is on a read-only file system'],
  ENOSPC: ['workspace.disk-full', 'could not be written: the disk is full. The file is as it was'],
  EDQUOT: ['workspace.disk-full', 'could not be written: the disk quota is used up. The file is as it was'],
};

/** The AppError for a failure at `shown`; an AppError passes through unchanged. */
export function doorError(error: unknown, shown: string): AppError {
  if (error instanceof AppError) return error;
  const errno = errnoOf(error);
  const [code, text] = table[errno] ?? ['workspace.io', `could not be read or written (${errno || 'unknown error'})`];
  return new AppError(code, `${shown} ${text}.`, { details: { path: shown, errno }, cause: error });
}

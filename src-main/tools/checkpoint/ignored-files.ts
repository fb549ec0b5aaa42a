// What a checkpoint leaves out: what git ignores, by the rules of the project and of the repository around it, but for what
// git has nevertheless in its index. Rules that are there and cannot be read end the capture: guessing would take in or
// leave out thousands of files.
import fs from 'node:fs';
import path from 'node:path';
import ignore from 'ignore';
import { AppError, isAppError } from '../../base/app-error.ts';
import { errnoOf } from '../workspace/door-error.ts';
import { startIgnoreScope, type IgnoreScope } from '../workspace/ignore-rules.ts';
import { treePath, type TreeDoor } from '../workspace/tree-door.ts';
import { readGitIndex } from './read-git-index.ts';

const RULES_BYTES = 1_048_576;
const INDEX_BYTES = 268_435_456;

/** The rules of a project; paths given to `scope` begin with `prefix`. */
export interface IgnoredFiles {
  readonly scope: IgnoreScope;
  /** Path of the project in the repository around it, with a `/` behind it; '' = it is the repository's own, or has none. */
  readonly prefix: string;
  /** Paths in the project that git has in its index, ignored or not. */
  readonly tracked: readonly string[];
}

/** Codes workspace.* when rules cannot be read. */
export function readIgnoredFiles(door: TreeDoor, root: string): IgnoredFiles {
  const top = repositoryAround(root) ?? root;
  const prefix = top === root ? '' : `${path.relative(top, root).split(path.sep).join('/')}/`;
  const read = (relative: string, most: number): Buffer | null =>
    relative.startsWith(prefix)
      ? readInside(door, relative.slice(prefix.length), most)
      : readAround(path.join(top, relative), most);
  const ignorecase = process.platform === 'win32' || process.platform === 'darwin';
  const scope = startIgnoreScope(
    { folder: prefix.slice(0, -1), globalRules: '' },
    (relative) => read(relative, RULES_BYTES)?.toString('utf8') ?? null,
    () => ignore({ ignorecase }),
  );
  const index = read('.git/index', INDEX_BYTES);
  const tracked = index === null ? [] : readGitIndex(index);
  const own = tracked.filter((one) => one.startsWith(prefix)).map((one) => one.slice(prefix.length));
  return { scope, prefix, tracked: own };
}

/** Whether git ignores a path in the project, or a folder above it, and does not have it in its index. */
export function isLeftOut({ scope, prefix, tracked }: IgnoredFiles, file: string): boolean {
  if (tracked.includes(file)) return false;
  let here = scope;
  for (let end = file.indexOf('/'); end > 0; end = file.indexOf('/', end + 1)) {
    const folder = prefix + file.slice(0, end);
    if (here.ignores(folder, true)) return true;
    here = here.enter(folder);
  }
  return here.ignores(prefix + file, false);
}

/** The nearest folder at or above `root` that is a repository's. */
function repositoryAround(root: string): string | null {
  for (let folder = root; ; folder = path.dirname(folder)) {
    if (fs.lstatSync(path.join(folder, '.git'), { throwIfNoEntry: false }) !== undefined) return folder;
    if (path.dirname(folder) === folder) return null;
  }
}

/** What git itself would not read either: no file, or a link. */
const ABSENT = new Set<string>([
  'workspace.not-found',
  'workspace.is-link',
  'workspace.not-a-file',
  'workspace.not-a-folder',
]);

function readInside(door: TreeDoor, relative: string, most: number): Buffer | null {
  try {
    return door.read(treePath(relative), most).bytes;
  } catch (error) {
    if (isAppError(error) && ABSENT.has(error.code)) return null;
    throw unreadable(relative, error);
  }
}

function readAround(file: string, most: number): Buffer | null {
  try {
    const stat = fs.lstatSync(file, { throwIfNoEntry: false });
    if (!stat?.isFile()) return null;
    if (stat.size > most) throw unreadable(file, null);
    return fs.readFileSync(file);
  } catch (error) {
    if (errnoOf(error) === 'ENOTDIR') return null;
    throw isAppError(error) ? error : unreadable(file, error);
  }
}

function unreadable(file: string, cause: unknown): AppError {
  return new AppError('workspace.io', `${file} says what git ignores, and could not be read.`, {
    details: { path: file },
    cause,
  });
}

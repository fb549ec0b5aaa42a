// Looks at a project's files without reading them: what there is, and whether it changed since it was last read. Never
// follows a link, never enters a `.git`, and leaves out what git ignores.
import { AppError, isAppError } from '../../base/app-error.ts';
import type { IgnoreScope } from '../workspace/ignore-rules.ts';
import { isTempName } from '../workspace/temp-names.ts';
import { treePath, type TreeDoor, type TreeEntry } from '../workspace/tree-door.ts';
import type { IgnoredFiles } from './ignored-files.ts';
import type { TreeItem } from './tree.ts';

export interface ScanOptions {
  readonly ignored: IgnoredFiles;
  /** Paths that are taken although git ignores them. */
  readonly also: ReadonlySet<string>;
  /** Paths that are not looked at: the data folder, where it lies in the project. */
  readonly leaveOut: ReadonlySet<string>;
  /** Files above this size are named, and not kept. */
  readonly largestFile: number;
  readonly mostFiles: number;
  /** Throws when the capture should end. */
  readonly check: () => void;
}

/** A file that is there: its bytes are still to be read, or known from before. */
export interface FoundFile {
  readonly type: 'found';
  readonly entry: TreeEntry;
}

/** Closed to us, or something else by now than when its name was listed: what is below is not known. */
const UNKNOWN = new Set<string>([
  'workspace.no-permission',
  'workspace.is-link',
  'workspace.not-a-folder',
  'workspace.conflict',
]);

type Found = FoundFile | Exclude<TreeItem, { type: 'file' }>;

/** All that a checkpoint of the project names. Codes workspace.too-large above `mostFiles`, workspace.*. */
export function scanTree(door: TreeDoor, options: ScanOptions): Map<string, Found> {
  return new Scan(door, options).run();
}

class Scan {
  readonly #door: TreeDoor;
  readonly #options: ScanOptions;
  readonly #found = new Map<string, Found>();
  readonly #named: ReadonlySet<string>;
  readonly #namedFolders: ReadonlySet<string>;
  readonly #foldsCase = process.platform === 'win32' || process.platform === 'darwin';

  constructor(door: TreeDoor, options: ScanOptions) {
    this.#door = door;
    this.#options = options;
    this.#named = new Set([...options.ignored.tracked, ...options.also]);
    this.#namedFolders = foldersAbove(this.#named);
  }

  run(): Map<string, Found> {
    this.#enter('', this.#options.ignored.scope);
    return this.#found;
  }

  /** `scope` null = below something that is ignored: only what is named is taken. Gives whether anything was. */
  #enter(folder: string, scope: IgnoreScope | null): boolean {
    this.#options.check();
    const entries = this.#door.entries(treePath(folder));
    const own = folder !== '' && entries.some(({ name, type }) => name === '.gitignore' && type === 'file');
    const here = own ? (scope?.enter(this.#options.ignored.prefix + folder) ?? null) : scope;
    let took = false;
    for (const entry of entries) {
      if (this.#isGit(entry.name) || isTempName(entry.name)) continue;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (this.#options.leaveOut.has(path)) continue;
      const isFolder = entry.type === 'folder';
      const isIgnored = here === null || here.ignores(this.#options.ignored.prefix + path, isFolder);
      if (isFolder) took = this.#folder(path, isIgnored ? null : here) || took;
      else if (!isIgnored || this.#named.has(path)) took = this.#take(path, entry) || took;
    }
    return took;
  }

  #folder(path: string, scope: IgnoreScope | null): boolean {
    if (scope === null && !this.#namedFolders.has(path)) return false;
    try {
      if (this.#enter(path, scope)) return true;
      if (scope !== null) this.#found.set(path, { type: 'folder' });
      return scope !== null;
    } catch (error) {
      if (!isAppError(error)) throw error;
      if (error.code === 'workspace.not-found') return false;
      if (!UNKNOWN.has(error.code)) throw error;
      this.#found.set(path, { type: 'skipped', why: 'unreadable', stamp: '' });
      return true;
    }
  }

  #take(path: string, entry: TreeEntry): boolean {
    const { largestFile, mostFiles } = this.#options;
    if (this.#found.size >= mostFiles) {
      throw new AppError('workspace.too-large', `The folder has more than ${mostFiles.toLocaleString('en')} files.`);
    }
    const item = this.#itemOf(path, entry, largestFile);
    if (item === null) return false;
    this.#found.set(path, item);
    return true;
  }

  #itemOf(path: string, entry: TreeEntry, largestFile: number): Found | null {
    if (entry.type === 'other') return { type: 'skipped', why: 'special', stamp: '' };
    if (entry.type === 'file') {
      if (entry.size <= largestFile) return { type: 'found', entry };
      return { type: 'skipped', why: 'large', stamp: entry.stamp };
    }
    try {
      return { type: 'link', target: this.#door.readLink(treePath(path)) };
    } catch (error) {
      if (isAppError(error)) return null;
      throw error;
    }
  }

  #isGit(name: string): boolean {
    return (this.#foldsCase ? name.toLowerCase() : name) === '.git';
  }
}

function foldersAbove(paths: ReadonlySet<string>): Set<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      if (folders.has(path.slice(0, end))) break;
      folders.add(path.slice(0, end));
    }
  }
  return folders;
}

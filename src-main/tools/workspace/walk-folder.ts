// Walks a tree below a folder through the door: names in order, never through a link, never into `.git`, without what git
// ignores. Synchronous and as long as the tree is large: it runs in the files worker.
import ignore from 'ignore';
import { isAppError } from '../../base/app-error.ts';
import { childPath } from './door-path.ts';
import type { FolderCache } from './folder-cache.ts';
import { startIgnoreScope } from './ignore-rules.ts';
import type { IgnoreScope } from './ignore-rules.ts';
import { parseGlob } from './path-glob.ts';
import type { PathMatcher } from './path-glob.ts';
import type { DoorPath, FolderEntry, WorkspaceDoor } from './workspace-door.ts';

const RULES_MAX_BYTES = 1024 * 1024;

export interface WalkOptions {
  readonly globalRules: string;
  /** Names of folders that are not entered, besides `.git`. */
  readonly skipFolders: readonly string[];
  /** Only paths that fit this glob (relative to where the walk starts) are visited; absent = all. */
  readonly pattern?: string;
}

export interface WalkReport {
  readonly folders: number;
  /** Folders that could not be read. */
  readonly unreadable: number;
  readonly stopped: boolean;
}

/** What a walk goes through, and what it tells: `visit` gets each path and answers false when it has enough. */
export interface WalkedTree {
  readonly door: WorkspaceDoor;
  readonly folders: FolderCache;
  readonly visit: (path: string) => boolean;
  /** Whether nobody waits for it any more. */
  readonly isStopped: () => boolean;
}

/** Reads a rules file; null when it is not there, a link, or no text. */
function ruleReader(door: WorkspaceDoor, start: DoorPath): (path: string) => string | null {
  return (path) => {
    try {
      const parts = path.split('/');
      const shown = start.base === 'root' ? path : `/${path}`;
      return door.read({ base: start.base, parts, shown }, RULES_MAX_BYTES).bytes.toString('utf8');
    } catch (error) {
      if (isAppError(error)) return null;
      throw error;
    }
  };
}

const pathOf = ({ parts }: DoorPath): string => (parts.length === 0 ? '' : `${parts.join('/')}/`);

class Walk {
  readonly report = { folders: 0, unreadable: 0, stopped: false };
  readonly #tree: WalkedTree;
  readonly #start: DoorPath;
  readonly #skip: ReadonlySet<string>;
  readonly #fits: PathMatcher | null;
  readonly #below: number;

  constructor(tree: WalkedTree, start: DoorPath, options: WalkOptions) {
    this.#tree = tree;
    this.#start = start;
    this.#skip = new Set(['.git', ...options.skipFolders]);
    this.#fits = options.pattern === undefined ? null : parseGlob(options.pattern);
    this.#below = pathOf(start).length;
  }

  enter(at: DoorPath, rules: IgnoreScope): void {
    const { entries } = this.#tree.folders.list(at);
    this.report.folders += 1;
    this.report.stopped = this.#tree.isStopped();
    const own = at !== this.#start && entries.some(({ name, type }) => name === '.gitignore' && type === 'file');
    const here = own ? rules.enter(at.parts.join('/')) : rules;
    const folder = pathOf(at);
    for (const entry of entries) {
      if (!entry.unreadableName && !this.#skip.has(entry.name)) this.#take(entry, { at, folder, rules: here });
      if (this.report.stopped) return;
    }
  }

  #take({ name, type }: FolderEntry, within: { at: DoorPath; folder: string; rules: IgnoreScope }): void {
    const path = within.folder + name;
    const isFolder = type === 'folder';
    if (within.rules.ignores(path, isFolder)) return;
    if (isFolder) this.#descend(childPath(within.at, name), within.rules);
    else if (type !== 'other' && (this.#fits === null || this.#fits(path.slice(this.#below)))) {
      if (!this.#tree.visit(path)) this.report.stopped = true;
    }
  }

  #descend(at: DoorPath, rules: IgnoreScope): void {
    try {
      this.enter(at, rules);
    } catch (error) {
      // Gone, swapped or closed to us since its parent was listed: the rest of the tree is still worth walking.
      if (!isAppError(error)) throw error;
      this.report.unreadable += 1;
    }
  }
}

/**
 * Visits each file and link below `start` (path relative to the base, with `/`), in order of names. workspace.* errors
 * only for `start` itself; tool.invalid-arguments for a pattern that is none.
 */
export function walkFolder(tree: WalkedTree, start: DoorPath, options: WalkOptions): WalkReport {
  const ignorecase = process.platform === 'win32' || process.platform === 'darwin';
  const reader = start.base === 'root' ? ruleReader(tree.door, start) : () => null;
  const from = { folder: start.parts.join('/'), globalRules: options.globalRules };
  const scope = startIgnoreScope(from, reader, () => ignore({ ignorecase }));
  const walk = new Walk(tree, start, options);
  walk.enter(start, scope);
  return walk.report;
}

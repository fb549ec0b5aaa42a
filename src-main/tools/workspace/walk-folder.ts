// Walks a tree below a folder through the door: names in order, never through a link, never into `.git`, without what git
// ignores. Synchronous and as long as the tree is large: it runs in the files worker.
import ignore from 'ignore';
import { isAppError } from '../../base/app-error.ts';
import { childPath } from './door-path.ts';
import { startIgnoreScope } from './ignore-rules.ts';
import type { IgnoreScope } from './ignore-rules.ts';
import type { DoorPath, WorkspaceDoor } from './workspace-door.ts';

const RULES_MAX_BYTES = 1024 * 1024;

export interface WalkOptions {
  readonly globalRules: string;
  /** Also what git ignores. */
  readonly includeIgnored: boolean;
  /** Names of folders that are not entered, besides `.git`. */
  readonly skipFolders: readonly string[];
  /** Each `.git` is visited too (and never entered). */
  readonly repositories?: boolean;
}

export interface WalkReport {
  readonly folders: number;
  /** Folders that could not be read. */
  readonly unreadable: number;
  readonly stopped: boolean;
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

/**
 * Calls `visit` with each file and link below `start` (path relative to the base, with `/`), in order of names, until
 * it answers false. workspace.* errors only for `start` itself.
 */
export function walkFolder(
  door: WorkspaceDoor,
  start: DoorPath,
  options: WalkOptions,
  visit: (path: string) => boolean,
): WalkReport {
  const ignorecase = process.platform === 'win32' || process.platform === 'darwin';
  const reader = start.base === 'root' ? ruleReader(door, start) : () => null;
  const folder = start.parts.join('/');
  const scope = options.includeIgnored
    ? null
    : startIgnoreScope({ folder, globalRules: options.globalRules }, reader, () => ignore({ ignorecase }));
  const skip = new Set(['.git', ...options.skipFolders]);
  const report = { folders: 0, unreadable: 0, stopped: false };
  const passBy = (name: string, path: string): boolean =>
    options.repositories !== true || name !== '.git' || visit(path);

  const rulesIn = (at: DoorPath, rules: IgnoreScope | null): IgnoreScope | null =>
    at.parts.length > 0 && at !== start ? (rules?.enter(at.parts.join('/')) ?? null) : rules;
  const enter = (at: DoorPath, rules: IgnoreScope | null): void => {
    const entries = door.list(at).sort((a, b) => (a.name < b.name ? -1 : 1));
    report.folders += 1;
    const own = entries.some((entry) => entry.name === '.gitignore' && entry.type === 'file');
    const here = own ? rulesIn(at, rules) : rules;
    for (const entry of entries) {
      if (entry.unreadableName) continue;
      const child = childPath(at, entry.name);
      const path = child.parts.join('/');
      if (skip.has(entry.name)) {
        report.stopped = !passBy(entry.name, path);
        if (report.stopped) return;
        continue;
      }
      const isFolder = entry.type === 'folder';
      if (here?.ignores(path, isFolder) === true) continue;
      if (isFolder) descend(child, here);
      else if (entry.type !== 'other' && !visit(path)) report.stopped = true;
      if (report.stopped) return;
    }
  };
  const descend = (at: DoorPath, rules: IgnoreScope | null): void => {
    try {
      enter(at, rules);
    } catch (error) {
      // Gone, swapped or closed to us since its parent was listed: the rest of the tree is still worth walking.
      if (!isAppError(error)) throw error;
      report.unreadable += 1;
    }
  };
  enter(start, scope);
  return report;
}

// Tells which folders of the workspace have other names than at the last look, so that whoever judges names judges only those.
// Every look goes through all folders; what is saved is listing, telling and judging what stayed. Lives in the files worker.
import { isAppError } from '../../base/app-error.ts';
import { childPath } from './door-path.ts';
import type { FolderCache } from './folder-cache.ts';
import type { DoorPath, FolderEntry } from './workspace-door.ts';

/** `since` = the number of the look whose news are known; anything else = tell everything. */
export interface NewsRequest {
  readonly since: number;
  /** Names of folders that are not entered, besides `.git`. */
  readonly skipFolders: readonly string[];
  /** More names than these end the look. */
  readonly mostNames: number;
}

export interface NewsReport {
  /** Number of this look. */
  readonly look: number;
  /** Everything was told, not only what changed. */
  readonly whole: boolean;
  /** Folders that are not there any more. */
  readonly gone: readonly string[];
  /** It ended before it was through; nothing that it told counts. */
  readonly stopped: boolean;
}

/** A folder with its names; those of folders end with `/`. A large one comes in several pieces. */
export interface FolderNews {
  readonly folder: string;
  readonly first: boolean;
  readonly names: readonly string[];
}

const MOST_NAMES_A_RECORD = 200;

/** News as one text: no name has a NUL. */
export function newsText({ folder, first, names }: FolderNews): string {
  return [first ? '1' : '0', folder, ...names].join('\0');
}

export function readNews(text: string): FolderNews {
  const [first, folder = '', ...names] = text.split('\0');
  return { folder, first: first === '1', names };
}

const shownName = ({ name, type }: FolderEntry): string => (type === 'folder' ? `${name}/` : name);

export class TreeNews {
  readonly #folders: FolderCache;
  #told = new Map<string, string | null>();
  #look = 0;

  constructor(folders: FolderCache) {
    this.#folders = folders;
  }

  /** Looks at all; `tell` gets newsText of what changed, `isStopped` ends it. workspace.* errors for the root alone. */
  look(request: NewsRequest, tell: (text: string) => void, isStopped: () => boolean): NewsReport {
    const whole = request.since !== this.#look;
    const before = whole ? new Map<string, string | null>() : this.#told;
    this.#told = new Map();
    this.#look += 1;
    const skip = new Set(['.git', ...request.skipFolders]);
    const left: DoorPath[] = [{ base: 'root', parts: [], shown: '.' }];
    let names = 0;
    for (let at = left.pop(); at !== undefined; at = left.pop()) {
      const listing = this.#list(at);
      if (listing === null) continue;
      const folder = at.parts.join('/');
      names += listing.entries.length;
      if (isStopped() || names > request.mostNames) return this.#stop();
      for (const entry of listing.entries) {
        if (entry.type === 'folder' && !entry.unreadableName && !skip.has(entry.name))
          left.push(childPath(at, entry.name));
      }
      if (listing.stamp === null || before.get(folder) !== listing.stamp) tellFolder(folder, listing.entries, tell);
      this.#told.set(folder, listing.stamp);
    }
    const gone = [...before.keys()].filter((folder) => !this.#told.has(folder));
    return { look: this.#look, whole, gone, stopped: false };
  }

  #stop(): NewsReport {
    this.#told.clear();
    this.#look += 1;
    return { look: 0, whole: true, gone: [], stopped: true };
  }

  /** null for a folder that went away or is closed to us since its parent was listed. */
  #list(at: DoorPath): ReturnType<FolderCache['list']> | null {
    try {
      return this.#folders.list(at);
    } catch (error) {
      if (!isAppError(error) || at.parts.length === 0) throw error;
      return null;
    }
  }
}

function tellFolder(folder: string, entries: readonly FolderEntry[], tell: (text: string) => void): void {
  const names = entries.filter(({ type, unreadableName }) => type !== 'other' && !unreadableName).map(shownName);
  for (let at = 0; at === 0 || at < names.length; at += MOST_NAMES_A_RECORD) {
    tell(newsText({ folder, first: at === 0, names: names.slice(at, at + MOST_NAMES_A_RECORD) }));
  }
}

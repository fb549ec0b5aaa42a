// Puts files back through the door: each is looked at once more and left alone if it is not what it was when the checkpoint
// before was made. What fails is told, and the rest goes on.
import { AppError, isAppError } from '../../base/app-error.ts';
import { changedMeanwhile, treePath, type Expected, type TreeDoor } from '../workspace/tree-door.ts';
import type { FileVersion } from '../workspace/workspace-door.ts';
import { isSameItem, type TreeItem } from './tree.ts';

/** One path: what is there now, and what is to be; null = nothing. */
export interface RestoreStep {
  readonly path: string;
  readonly now: TreeItem | null;
  readonly wanted: TreeItem | null;
}

export interface RestoreParts {
  readonly door: TreeDoor;
  readonly idOf: (bytes: Buffer) => string;
  readonly read: (id: string) => Promise<Buffer>;
  /** Folders that are to stay, empty or not. */
  readonly folders: ReadonlySet<string>;
}

type File = Extract<TreeItem, { type: 'file' }>;

/** Codes never thrown: what could not be done is in `kept`. */
export async function restoreTree(
  steps: readonly RestoreStep[],
  parts: RestoreParts,
): Promise<{ restored: string[]; kept: { path: string; why: string }[] }> {
  const restored: string[] = [];
  const kept: { path: string; why: string }[] = [];
  const failed = new Set<string>();
  const attempt = async (path: string, work: () => Promise<void> | void): Promise<void> => {
    if (failed.has(path)) return;
    try {
      await work();
    } catch (error) {
      if (!isAppError(error)) throw error;
      failed.add(path);
      kept.push({ path, why: error.message });
    }
  };
  // Where something else goes before, the bytes that take its place are read first: a damaged part costs nothing then.
  for (const step of steps) await attempt(step.path, () => assertReadable(step, parts));
  const restorer = new Restorer(parts);
  for (const { path, now, wanted } of [...steps].reverse()) {
    if (now && now.type !== 'folder' && now.type !== wanted?.type) {
      await attempt(path, () => {
        restorer.remove(path, now);
      });
    }
  }
  restorer.clearFolders(steps.filter(({ path, now }) => now && !failed.has(path)).map(({ path }) => path));
  for (const step of steps) await attempt(step.path, () => restorer.put(step));
  for (const { path } of steps) if (!failed.has(path)) restored.push(path);
  return { restored, kept };
}

async function assertReadable({ now, wanted }: RestoreStep, parts: RestoreParts): Promise<void> {
  if (wanted?.type === 'skipped') throw new AppError('workspace.io', 'Its bytes were not kept.');
  if (wanted?.type === 'file' && now && now.type !== 'file') await parts.read(wanted.id);
}

class Restorer {
  readonly #parts: RestoreParts;

  constructor(parts: RestoreParts) {
    this.#parts = parts;
  }

  remove(path: string, now: TreeItem): void {
    const { door, idOf } = this.#parts;
    if (now.type === 'skipped') throw new AppError('workspace.io', 'Its bytes were not kept, so it is left as it is.');
    if (now.type === 'folder') return;
    const expected: Expected = now.type === 'link' ? now : { type: 'file', matches: (bytes) => idOf(bytes) === now.id };
    try {
      door.remove(treePath(path), expected);
    } catch (error) {
      // Nobody needs to remove what is gone.
      if (!isAppError(error) || error.code !== 'workspace.not-found') throw error;
    }
  }

  /** Removes folders that only held what was removed, and empty ones that are not to stay. */
  clearFolders(paths: readonly string[]): void {
    const { door, folders } = this.#parts;
    const candidates = new Set<string>();
    for (const path of paths) {
      for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
        if (!folders.has(path.slice(0, end))) candidates.add(path.slice(0, end));
      }
    }
    for (const folder of [...candidates].sort().reverse()) {
      try {
        if (door.stat(treePath(folder))?.type === 'folder') door.removeFolder(treePath(folder));
      } catch (error) {
        // An empty folder that stays loses nothing; where it is in the way, the file that comes there says so.
        if (!isAppError(error)) throw error;
      }
    }
  }

  async put({ path, now, wanted }: RestoreStep): Promise<void> {
    const { door } = this.#parts;
    if (wanted === null) {
      if (now?.type === 'folder' && door.stat(treePath(path))?.type === 'folder') door.removeFolder(treePath(path));
      return;
    }
    if (wanted.type === 'folder') door.makeFolder(treePath(path));
    if (wanted.type === 'link') this.#putLink(path, now, wanted.target);
    if (wanted.type === 'file') await this.#putFile(path, now?.type === 'file' ? now : null, wanted);
  }

  #putLink(path: string, now: TreeItem | null, target: string): void {
    if (now?.type === 'link') {
      if (isSameItem(now, { type: 'link', target })) return;
      this.remove(path, now);
    }
    this.#parts.door.putLink(treePath(path), target);
  }

  async #putFile(path: string, now: File | null, wanted: File): Promise<void> {
    const { door } = this.#parts;
    const at = treePath(path);
    const version = now === null ? null : this.#versionOf(path, now);
    let published: FileVersion | null = version;
    if (now?.id !== wanted.id) published = door.publish(at, await this.#parts.read(wanted.id), version).version;
    if (published !== null && (published.mode & 0o777) !== wanted.mode && process.platform !== 'win32') {
      door.setMode(at, wanted.mode, published);
    }
  }

  /** The version that stands there, if it is what was expected. */
  #versionOf(path: string, now: File): FileVersion {
    const { bytes, version } = this.#parts.door.read(treePath(path), Number.MAX_SAFE_INTEGER);
    if (this.#parts.idOf(bytes) !== now.id) throw changedMeanwhile(treePath(path));
    return version;
  }
}

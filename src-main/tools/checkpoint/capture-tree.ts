// Keeps a project's files as they are now: looks at all of them, reads what changed, and puts one tree into the store. It
// either keeps all that it names or nothing.
import fs from 'node:fs';
import path from 'node:path';
import { AppError, isAppError } from '../../base/app-error.ts';
import { treePath, type TreeDoor } from '../workspace/tree-door.ts';
import type { CheckpointGuard } from './checkpoint-jobs.ts';
import { readIgnoredFiles } from './ignored-files.ts';
import type { ObjectStore, TreeWriter } from './object-store.ts';
import { scanTree, type FoundFile } from './scan-tree.ts';
import type { StatCache } from './stat-cache.ts';
import { toNodes, type TreeItem } from './tree.ts';

export interface CaptureParts {
  readonly door: TreeDoor;
  /** Canonical path of the project. */
  readonly root: string;
  readonly objects: ObjectStore;
  readonly cache: StatCache;
  /** Folder of the store, for how much space is left. */
  readonly folder: string;
  readonly dataFolder: string;
  readonly guard: CheckpointGuard;
  readonly also: ReadonlySet<string>;
  /** true = the person does not want it any more. */
  readonly stopped: () => boolean;
}

/** The files as they are now, and the id of their tree. Codes workspace.*, store.*, cancelled. */
export async function captureTree(parts: CaptureParts): Promise<{ root: string; tree: Map<string, TreeItem> }> {
  const { door, objects, cache, guard } = parts;
  const check = deadline(parts);
  const found = scanTree(door, {
    ignored: readIgnoredFiles(door, parts.root),
    also: parts.also,
    leaveOut: leftOut(parts),
    ...{ largestFile: guard.largestFile, mostFiles: guard.mostFiles, check },
  });
  const reading = new Reading(parts, check);
  try {
    const tree = new Map<string, TreeItem>();
    for (const [file, item] of found) {
      const kept = item.type === 'found' ? await reading.take(file, item) : item;
      if (kept) tree.set(file, kept);
    }
    const nodes = toNodes(tree, (bytes) => objects.idOf(bytes));
    if (reading.hasNew || !objects.hasTree(nodes.root)) await (await reading.writer()).finish(tree, nodes);
    cache.replace(tree.keys(), reading.read);
    return { root: nodes.root, tree };
  } catch (error) {
    await reading.abort();
    throw error;
  }
}

class Reading {
  readonly read = new Map<string, { stamp: string; id: string; readAtMs: number }>();
  readonly #parts: CaptureParts;
  readonly #check: () => void;
  #writer: TreeWriter | null = null;
  #bytes = 0;

  constructor(parts: CaptureParts, check: () => void) {
    this.#parts = parts;
    this.#check = check;
  }

  get hasNew(): boolean {
    return this.#writer !== null;
  }

  async writer(): Promise<TreeWriter> {
    return (this.#writer ??= await this.#parts.objects.write());
  }

  /** A file with its bytes kept; null when it went away meanwhile. */
  async take(file: string, { entry }: FoundFile): Promise<TreeItem | null> {
    const { cache, door, guard } = this.#parts;
    const { stamp, size, mode } = entry;
    const known = cache.find(file, entry);
    if (known !== null) return { type: 'file', id: known, size, mode };
    this.#check();
    const readAtMs = Date.now();
    let bytes: Buffer;
    try {
      bytes = door.read(treePath(file), guard.largestFile).bytes;
    } catch (error) {
      if (!isAppError(error)) throw error;
      if (error.code === 'workspace.not-found') return null;
      return { type: 'skipped', why: error.code === 'workspace.too-large' ? 'large' : 'unreadable', stamp };
    }
    this.#count(bytes.length);
    const id = await (await this.writer()).put(bytes);
    this.read.set(file, { stamp, id, readAtMs });
    return { type: 'file', id, size: bytes.length, mode };
  }

  async abort(): Promise<void> {
    await this.#writer?.abort();
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    const { guard, folder } = this.#parts;
    if (this.#bytes > guard.mostBytes) {
      const most = Math.round(guard.mostBytes / 1_048_576);
      throw new AppError('workspace.too-large', `There are more than ${most} MB of files to keep.`);
    }
    if (this.read.size % 256 === 0 && freeBytes(folder) < guard.freeBytes) {
      throw new AppError('store.disk-full', 'The disk that the checkpoints are on is almost full.');
    }
  }
}

function deadline({ guard, stopped }: CaptureParts): () => void {
  const endMs = Date.now() + guard.mostMs;
  return () => {
    if (stopped()) throw new AppError('cancelled', 'It was stopped.');
    if (Date.now() <= endMs) return;
    throw new AppError('workspace.too-large', `It took longer than ${Math.round(guard.mostMs / 1000)} seconds.`);
  };
}

/** The data folder, where it lies in the project. */
function leftOut({ root, dataFolder }: CaptureParts): Set<string> {
  const relative = path.relative(root, dataFolder);
  const isInside = relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative);
  return new Set(isInside ? [relative.split(path.sep).join('/')] : []);
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = fs.statfsSync(folder);
  return bavail * bsize;
}

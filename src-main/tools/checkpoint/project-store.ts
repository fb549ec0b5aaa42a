// The checkpoints of one project: its objects, its records, and what was read of its files before. One job at a time.
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { isAppError } from '../../base/app-error.ts';
import type { SessionId } from '../../contract/ids.ts';
import { captureTree } from './capture-tree.ts';
import type { CheckpointProject, CheckpointSettings } from './checkpoint-jobs.ts';
import { isLeftOut, readIgnoredFiles } from './ignored-files.ts';
import { openGitObjects } from './git-objects.ts';
import type { ObjectReader, ObjectStore } from './object-store.ts';
import { openPlainObjects, storeError, writeDurably } from './plain-objects.ts';
import { Records, type CheckpointRecord } from './records.ts';
import { findGit } from './run-git.ts';
import { StatCache } from './stat-cache.ts';
import { withStoreLock } from './store-lock.ts';
import { readReachable, readTree, toNodes, type Tree, type TreeItem } from './tree.ts';
import { errnoOf } from '../workspace/door-error.ts';
import { openTreeDoor } from '../workspace/load-tree-door.ts';
import type { TreeDoor } from '../workspace/tree-door.ts';

type Kind = ObjectStore['kind'];

/** The files of a project as they are, kept. */
export interface Snapshot {
  readonly store: Kind;
  readonly root: string;
  readonly tree: Map<string, TreeItem>;
}

export class ProjectStore {
  readonly records: Records;
  readonly #settings: CheckpointSettings;
  readonly #folder: string;
  readonly #objects = new Map<Kind, Promise<ObjectStore>>();
  readonly #caches = new Map<Kind, StatCache>();
  /** Which freeing of objects was the last one that is known of. */
  #freed = '';

  constructor(settings: CheckpointSettings, projectId: string) {
    this.#settings = settings;
    this.#folder = path.join(settings.folder, path.basename(projectId));
    this.records = new Records(path.join(this.#folder, 'chats'));
  }

  get exists(): boolean {
    return fs.existsSync(this.#folder);
  }

  /** Runs work while no other process changes these checkpoints. Codes store.*. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    try {
      fs.mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      return await withStoreLock(path.join(this.#folder, 'lock'), work);
    } catch (error) {
      // What was known of the store may be why: it is looked at anew.
      this.#objects.clear();
      this.#caches.clear();
      throw isAppError(error) || errnoOf(error) === '' ? error : storeError(error);
    }
  }

  /** Opens the project's folder for work on its files. Code project.gone. */
  async withDoor<T>(project: CheckpointProject, work: (door: TreeDoor) => Promise<T>): Promise<T> {
    const tree = await openTreeDoor(project.identity);
    try {
      return await work(tree.door);
    } finally {
      tree.close();
    }
  }

  /** Keeps the files as they are now. Call alone. Codes workspace.*, store.*, cancelled. */
  async capture(
    door: TreeDoor,
    how: { project: CheckpointProject; also: ReadonlySet<string>; stopped: () => boolean },
  ): Promise<Snapshot> {
    const { dataFolder, guard } = this.#settings;
    this.#noteFreed();
    const root = how.project.identity.path;
    const objects = await this.#current(root);
    const cache = this.#cache(objects.kind);
    const parts = { door, root, objects, cache, folder: this.#folder, dataFolder, guard };
    const taken = await captureTree({ ...parts, also: how.also, stopped: how.stopped });
    return { store: objects.kind, ...taken };
  }

  /** Which of these paths a checkpoint would leave out by itself. */
  leftOut(door: TreeDoor, { identity }: CheckpointProject, paths: readonly string[]): string[] {
    if (paths.length === 0) return [];
    const ignored = readIgnoredFiles(door, identity.path);
    return paths.filter((one) => isLeftOut(ignored, one));
  }

  /** Keeps a tree whose bytes are kept already; gives its root. */
  async put(kind: Kind, tree: Tree): Promise<string> {
    const objects = await this.#open(kind);
    const nodes = toNodes(tree, (bytes) => objects.idOf(bytes));
    if (!objects.hasTree(nodes.root)) await (await objects.write()).finish(tree, nodes);
    return nodes.root;
  }

  /** A kept tree. Codes store.damaged, store.io. */
  async tree(kind: Kind, root: string): Promise<Tree> {
    return this.reading(kind, (reader) => readTree(root, (id) => reader.read(id)));
  }

  async reading<T>(kind: Kind, work: (reader: ObjectReader) => Promise<T>): Promise<T> {
    const reader = (await this.#open(kind)).reader();
    try {
      return await work(reader);
    } finally {
      await reader.close();
    }
  }

  async idOf(kind: Kind): Promise<(bytes: Uint8Array) => string> {
    const objects = await this.#open(kind);
    return (bytes) => objects.idOf(bytes);
  }

  async tidy(): Promise<void> {
    for (const objects of this.#objects.values()) await (await objects).tidy();
  }

  /** Frees all that no record names. Call alone. */
  async collect(): Promise<void> {
    writeDurably(path.join(this.#folder, 'freed'), Buffer.from(randomUUID()));
    this.#noteFreed();
    const records = this.records.sessions().flatMap((id) => this.records.list(id));
    for (const kind of ['git', 'plain'] as const) {
      if (!fs.existsSync(path.join(this.#folder, kind))) continue;
      const named = records.filter(({ store }) => store === kind).flatMap(({ before, after }) => [before, after]);
      const roots = new Set(named.filter((root) => root !== null));
      const objects = await this.#open(kind);
      const { files } = await this.reading(kind, (reader) => readReachable(roots, (id) => reader.read(id)));
      this.#cache(kind).keepOnly(files);
      await objects.keepOnly(roots);
    }
  }

  /** Records of all chats, oldest first. */
  all(): { sessionId: SessionId; record: CheckpointRecord }[] {
    return this.records
      .sessions()
      .flatMap((sessionId) => this.records.list(sessionId).map((record) => ({ sessionId, record })))
      .sort((a, b) => a.record.atMs - b.record.atMs);
  }

  /** Bytes on disk. */
  bytes(): number {
    return folderSize(this.#folder);
  }

  /** Another process may have freed what this one remembers as kept: then it is looked up anew. */
  #noteFreed(): void {
    const file = path.join(this.#folder, 'freed');
    const freed = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
    if (freed !== this.#freed) this.#caches.clear();
    this.#freed = freed;
  }

  #cache(kind: Kind): StatCache {
    const cache = this.#caches.get(kind) ?? new StatCache(path.join(this.#folder, kind, 'seen.json'), kind);
    this.#caches.set(kind, cache);
    return cache;
  }

  /** Git's where there is a git that works, else files of our own. */
  async #current(project: string): Promise<ObjectStore> {
    if (findGit(this.#settings.searchPath, project) === null) return this.#open('plain');
    try {
      return await this.#open('git');
    } catch (error) {
      // A git that is too old, or broken, is none.
      if (isAppError(error) && error.code === 'store.io') return this.#open('plain');
      throw error;
    }
  }

  #open(kind: Kind): Promise<ObjectStore> {
    const known = this.#objects.get(kind);
    if (known) return known;
    const folder = path.join(this.#folder, kind);
    const opening =
      kind === 'plain'
        ? Promise.resolve().then(() => openPlainObjects(folder))
        : openGitObjects(findGit(this.#settings.searchPath, folder) ?? 'git', folder);
    this.#objects.set(kind, opening);
    opening.catch(() => this.#objects.delete(kind));
    return opening;
  }
}

function folderSize(folder: string): number {
  let bytes = 0;
  for (const entry of fs.readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    bytes += fs.statSync(path.join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0;
  }
  return bytes;
}

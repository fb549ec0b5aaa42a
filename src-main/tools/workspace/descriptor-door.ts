// The filesystem door on directory descriptors: each component is opened relative to its parent and links are refused by
// the kernel, so a directory that is swapped meanwhile changes nothing. Which calls carry it is up to DirectoryCalls.
import fs from 'node:fs';
import { AppError } from '../../base/app-error.ts';
import { FILE_FLAGS, FOLDER_FLAGS } from './directory-calls.ts';
import type { DirectoryCalls } from './directory-calls.ts';
import { SystemCallError, doorError, errnoOf } from './door-error.ts';
import { assertRegularFile, readDescriptor } from './file-version.ts';
import { publishFile } from './publish-file.ts';
import { sweepTemps } from './sweep-temps.ts';
import { asideName } from './temp-names.ts';
import type {
  DoorGuarantee,
  DoorPath,
  EntryType,
  FileContent,
  FileVersion,
  FolderEntry,
  FolderListing,
  PathState,
  Published,
  Swept,
  WorkspaceDoor,
} from './workspace-door.ts';

const linkErrnos = new Set(['ELOOP', 'ENOTDIR', 'EMLINK', 'EFTYPE']);

export function entryType(stat: fs.BigIntStats): EntryType {
  if (stat.isFile()) return 'file';
  if (stat.isDirectory()) return 'folder';
  return stat.isSymbolicLink() ? 'link' : 'other';
}

/** Times of a folder that are younger than this (nanoseconds) may stand still while its names change. */
const UNSETTLED_NS = 3_000_000_000n;

/** What changes whenever a name in the folder comes or goes; null = it changed too lately to tell. */
function folderStamp({ dev, ino, mtimeNs, ctimeNs }: fs.BigIntStats, nowMs: number): string | null {
  const changedNs = mtimeNs > ctimeNs ? mtimeNs : ctimeNs;
  return BigInt(nowMs) * 1_000_000n - changedNs < UNSETTLED_NS ? null : `${dev}.${ino}.${mtimeNs}.${ctimeNs}`;
}

export class DescriptorDoor implements WorkspaceDoor {
  readonly guarantee: DoorGuarantee;
  readonly #root: number;
  protected readonly calls: DirectoryCalls;
  #filesystem: number | null = null;

  /** `root` is an open descriptor of the workspace folder; it stays the caller's to close. */
  constructor(root: number, calls: DirectoryCalls) {
    this.#root = root;
    this.calls = calls;
    this.guarantee = calls.guarantee;
  }

  openFile(path: DoorPath): number {
    return this.explained(path, () => {
      const name = path.parts.at(-1);
      if (name === undefined) throw new SystemCallError('EISDIR', 'open');
      const descriptor = this.#openLeaf(path, name);
      try {
        assertRegularFile(fs.fstatSync(descriptor, { bigint: true }));
        return descriptor;
      } catch (error) {
        fs.closeSync(descriptor);
        throw error;
      }
    });
  }

  read(path: DoorPath, maxBytes: number): FileContent {
    const descriptor = this.openFile(path);
    try {
      return readDescriptor(descriptor, maxBytes);
    } catch (error) {
      throw doorError(error, path.shown);
    } finally {
      fs.closeSync(descriptor);
    }
  }

  list(path: DoorPath): FolderEntry[] {
    return this.explained(path, () => {
      const folder = this.openFolder(path, path.parts);
      try {
        return this.calls.list(folder);
      } finally {
        fs.closeSync(folder);
      }
    });
  }

  listChanged(path: DoorPath, known: string | null): FolderListing | null {
    return this.explained(path, () => {
      const folder = this.openFolder(path, path.parts);
      try {
        const stamp = folderStamp(fs.fstatSync(folder, { bigint: true }), Date.now());
        if (stamp !== null && stamp === known) return null;
        return { stamp, entries: this.calls.list(folder) };
      } finally {
        fs.closeSync(folder);
      }
    });
  }

  stat(path: DoorPath): PathState | null {
    return this.explained(path, () => {
      try {
        return this.#stat(path);
      } catch (error) {
        if (errnoOf(error) === 'ENOENT') return null;
        throw error;
      }
    });
  }

  publish(path: DoorPath, bytes: Uint8Array, expected: FileVersion | null): Published {
    return this.explained(path, () => {
      const name = path.parts.at(-1);
      if (name === undefined) throw new SystemCallError('EISDIR', 'open');
      const made: string[] = [];
      const directory =
        expected === null
          ? this.makeFolders(path, path.parts.slice(0, -1), made)
          : this.openFolder(path, path.parts.slice(0, -1));
      try {
        const target = { calls: this.calls, directory, name, shown: path.shown };
        return { ...publishFile(target, bytes, expected), madeFolders: made };
      } finally {
        fs.closeSync(directory);
      }
    });
  }

  sweep(path: DoorPath, base: string | null): Swept {
    return this.explained(path, () => {
      const name = path.parts.at(-1);
      if (name === undefined) throw new SystemCallError('EISDIR', 'open');
      const directory = this.openFolder(path, path.parts.slice(0, -1));
      try {
        return sweepTemps({ calls: this.calls, directory, name, shown: path.shown }, base);
      } finally {
        fs.closeSync(directory);
      }
    });
  }

  setAside(path: DoorPath): string | null {
    return this.explained(path, () => {
      const name = path.parts.at(-1);
      if (name === undefined) throw new SystemCallError('EISDIR', 'open');
      try {
        const directory = this.openFolder(path, path.parts.slice(0, -1));
        try {
          const aside = asideName(name);
          this.calls.renameOver(directory, name, aside);
          return [...path.parts.slice(0, -1), aside].join('/');
        } finally {
          fs.closeSync(directory);
        }
      } catch (error) {
        if (errnoOf(error) === 'ENOENT') return null;
        throw error;
      }
    });
  }

  close(): void {
    if (this.#filesystem !== null) fs.closeSync(this.#filesystem);
    this.#filesystem = null;
  }

  #base(path: DoorPath): number {
    if (path.base === 'root') return this.#root;
    this.#filesystem ??= fs.openSync('/', FOLDER_FLAGS);
    return this.#filesystem;
  }

  #openLeaf(path: DoorPath, name: string): number {
    if (this.calls.openBeneath) return this.calls.openBeneath(this.#base(path), path.parts, FILE_FLAGS);
    const folder = this.openFolder(path, path.parts.slice(0, -1));
    try {
      return this.calls.openAt(folder, name, FILE_FLAGS);
    } finally {
      fs.closeSync(folder);
    }
  }

  /** Opens the folder of `parts`; the caller closes it. */
  protected openFolder(path: DoorPath, parts: readonly string[]): number {
    const base = this.#base(path);
    if (this.calls.openBeneath && parts.length > 0) return this.calls.openBeneath(base, parts, FOLDER_FLAGS);
    let folder = this.calls.openAt(base, '.', FOLDER_FLAGS);
    for (const part of parts) folder = this.#step(folder, () => this.calls.openAt(folder, part, FOLDER_FLAGS));
    return folder;
  }

  /** As openFolder, making what is missing; names of made folders are added to `made`. */
  protected makeFolders(path: DoorPath, parts: readonly string[], made: string[]): number {
    try {
      return this.openFolder(path, parts);
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw error;
    }
    let folder = this.calls.openAt(this.#base(path), '.', FOLDER_FLAGS);
    parts.forEach((part, index) => {
      folder = this.#step(folder, () => {
        if (this.#makeFolder(folder, part)) made.push(parts.slice(0, index + 1).join('/'));
        return this.calls.openAt(folder, part, FOLDER_FLAGS);
      });
    });
    return folder;
  }

  /** true when it was made now. The parent is synced, or the new file could be lost with its folder. */
  #makeFolder(parent: number, name: string): boolean {
    try {
      this.calls.mkdirAt(parent, name, 0o777);
    } catch (error) {
      if (errnoOf(error) === 'EEXIST') return false;
      throw error;
    }
    fs.fsyncSync(parent);
    return true;
  }

  /** Goes one folder down: the parent is closed whether or not that worked. */
  #step(parent: number, open: () => number): number {
    try {
      return open();
    } finally {
      fs.closeSync(parent);
    }
  }

  #stat(path: DoorPath): PathState {
    const name = path.parts.at(-1);
    const folder = this.openFolder(path, path.parts.slice(0, -1));
    try {
      const stat = name === undefined ? fs.fstatSync(folder, { bigint: true }) : this.calls.statAt(folder, name);
      return {
        type: entryType(stat),
        size: Number(stat.size),
        mode: Number(stat.mode) & 0o7777,
        mtimeMs: Number(stat.mtimeMs),
        dev: String(stat.dev),
        ino: String(stat.ino),
      };
    } finally {
      fs.closeSync(folder);
    }
  }

  /** Runs a job; a failure becomes an AppError that names the link, if one is why. */
  protected explained<T>(path: DoorPath, job: () => T): T {
    try {
      return job();
    } catch (error) {
      if (linkErrnos.has(errnoOf(error))) throw this.#linkOn(path, error) ?? doorError(error, path.shown);
      throw doorError(error, path.shown);
    }
  }

  /** The error that names the first link on a path and what it stands for; null when there is none (any more). */
  #linkOn(path: DoorPath, cause: unknown): AppError | null {
    let folder = this.calls.openAt(this.#base(path), '.', FOLDER_FLAGS);
    try {
      for (const [index, part] of path.parts.entries()) {
        if (this.calls.statAt(folder, part).isSymbolicLink()) {
          const link = (path.base === 'root' ? '' : '/') + path.parts.slice(0, index + 1).join('/');
          const target = this.calls.readLinkAt(folder, part);
          return new AppError(
            'workspace.is-link',
            `${link} is a link to ${target}, and links are never followed. Use the path that it stands for.`,
            { details: { path: path.shown, link, target }, cause },
          );
        }
        const parent = folder;
        folder = this.calls.openAt(parent, part, FOLDER_FLAGS);
        fs.closeSync(parent);
      }
      return null;
    } catch (error) {
      if (errnoOf(error) === '') throw error;
      return null;
    } finally {
      fs.closeSync(folder);
    }
  }
}

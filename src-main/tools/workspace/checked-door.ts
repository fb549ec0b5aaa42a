// The filesystem door where directories cannot be held open (Windows, or macOS without koffi): every component is looked
// at before, and the identity of what was opened after. A weaker guarantee than a descriptor's, and said so: a process
// that swaps a folder between the two looks may win.
import fs from 'node:fs';
import path from 'node:path';
import { AppError } from '../../base/app-error.ts';
import { asideName, isLiveOwner, newTempName, tempOwner } from './temp-names.ts';
import { SystemCallError, doorError, errnoOf } from './door-error.ts';
import { assertRegularFile, readDescriptor, toVersion } from './file-version.ts';
import type {
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

export function entryType(stat: { isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean }): EntryType {
  if (stat.isSymbolicLink()) return 'link';
  if (stat.isFile()) return 'file';
  return stat.isDirectory() ? 'folder' : 'other';
}

export class CheckedDoor implements WorkspaceDoor {
  readonly guarantee = 'checked';
  readonly #root: string;

  /** `root` is the canonical path of the workspace. */
  constructor(root: string) {
    this.#root = root;
  }

  openFile(at: DoorPath): number {
    return this.explained(at, () => {
      const full = this.checkedPath(at, at.parts.length);
      const before = fs.lstatSync(full, { bigint: true });
      assertRegularFile(before);
      const descriptor = fs.openSync(full, fs.constants.O_RDONLY);
      const after = fs.fstatSync(descriptor, { bigint: true });
      if (after.ino === before.ino && after.dev === before.dev && this.#isUnchanged(at, full)) return descriptor;
      fs.closeSync(descriptor);
      throw new AppError('workspace.conflict', `${at.shown} was replaced while it was opened. Try again.`, {
        details: { path: at.shown },
      });
    });
  }

  read(at: DoorPath, maxBytes: number): FileContent {
    const descriptor = this.openFile(at);
    try {
      return readDescriptor(descriptor, maxBytes);
    } finally {
      fs.closeSync(descriptor);
    }
  }

  list(at: DoorPath): FolderEntry[] {
    return this.explained(at, () => {
      const full = this.checkedPath(at, at.parts.length);
      const entries = fs.readdirSync(full, { withFileTypes: true });
      return entries.map((entry) => ({ name: entry.name, type: entryType(entry), unreadableName: false }));
    });
  }

  listChanged(at: DoorPath): FolderListing {
    return { stamp: null, entries: this.list(at) };
  }

  stat(at: DoorPath): PathState | null {
    return this.explained(at, () => {
      try {
        const stat = fs.lstatSync(this.checkedPath(at, at.parts.length - 1), { bigint: true });
        return {
          type: entryType(stat),
          size: Number(stat.size),
          mode: Number(stat.mode) & 0o7777,
          mtimeMs: Number(stat.mtimeMs),
          dev: String(stat.dev),
          ino: String(stat.ino),
        };
      } catch (error) {
        if (errnoOf(error) === 'ENOENT') return null;
        throw error;
      }
    });
  }

  publish(at: DoorPath, bytes: Uint8Array, expected: FileVersion | null): Published {
    return this.explained(at, () => {
      const made = expected === null ? this.makeFolders(at) : [];
      const full = this.checkedPath(at, at.parts.length - 1);
      const temp = path.join(path.dirname(full), newTempName(path.basename(full)));
      try {
        const version = writeTemp(temp, bytes, expected);
        this.#assertBase(at, expected);
        if (expected === null) fs.linkSync(temp, full);
        else fs.renameSync(temp, full);
        return { version, atomic: false, madeFolders: made };
      } finally {
        fs.rmSync(temp, { force: true });
      }
    });
  }

  sweep(at: DoorPath): Swept {
    return this.explained(at, () => {
      const full = this.checkedPath(at, at.parts.length - 1);
      // Without an exchange a temp never holds another party's bytes.
      const stale = fs.readdirSync(path.dirname(full)).filter((entry) => {
        const owner = tempOwner(entry, path.basename(full));
        return owner !== null && !isLiveOwner(owner, fs.lstatSync(path.join(path.dirname(full), entry)).ctimeMs);
      });
      for (const entry of stale) fs.rmSync(path.join(path.dirname(full), entry), { force: true });
      return { removed: stale.length, kept: [] };
    });
  }

  setAside(at: DoorPath): string | null {
    return this.explained(at, () => {
      const full = this.checkedPath(at, at.parts.length - 1);
      if (fs.lstatSync(full, { throwIfNoEntry: false }) === undefined) return null;
      const aside = asideName(path.basename(full));
      fs.renameSync(full, path.join(path.dirname(full), aside));
      return [...at.parts.slice(0, -1), aside].join('/');
    });
  }

  close(): void {
    // Holds nothing open between calls.
  }

  #full(at: DoorPath, count: number): string {
    if (at.base === 'root') return path.join(this.#root, ...at.parts.slice(0, count));
    const [first = '', ...rest] = at.parts.slice(0, count);
    return process.platform === 'win32' ? path.join(`${first}\\`, ...rest) : path.join('/', first, ...rest);
  }

  /** The full path, after its first `count` components were seen to be no links. */
  protected checkedPath(at: DoorPath, count: number): string {
    const first = at.base === 'filesystem' && process.platform === 'win32' ? 2 : 1;
    for (let depth = first; depth <= count; depth++) {
      if (fs.lstatSync(this.#full(at, depth)).isSymbolicLink()) throw new SystemCallError('ELOOP', 'open');
    }
    return this.#full(at, at.parts.length);
  }

  #isUnchanged(at: DoorPath, full: string): boolean {
    return path.relative(fs.realpathSync.native(full), this.#full(at, at.parts.length)) === '';
  }

  protected makeFolders(at: DoorPath): string[] {
    const made: string[] = [];
    for (let depth = 1; depth < at.parts.length; depth++) {
      const folder = this.#full(at, depth);
      this.#checkedPathUpTo(at, depth - 1);
      if (fs.existsSync(folder)) continue;
      fs.mkdirSync(folder);
      made.push(at.parts.slice(0, depth).join('/'));
    }
    return made;
  }

  #checkedPathUpTo(at: DoorPath, count: number): void {
    this.checkedPath(at, Math.max(count, 0));
  }

  /** workspace.conflict unless the file is the expected version still. */
  #assertBase(at: DoorPath, expected: FileVersion | null): void {
    if (expected === null) return;
    const now = this.read(at, Number.MAX_SAFE_INTEGER).version;
    if (now.sha256 === expected.sha256 && now.ino === expected.ino) return;
    throw new AppError('workspace.conflict', `${at.shown} changed since it was read. Nothing was written.`, {
      details: { path: at.shown },
    });
  }

  protected explained<T>(at: DoorPath, job: () => T): T {
    try {
      return job();
    } catch (error) {
      throw doorError(error, at.shown);
    }
  }
}

function writeTemp(temp: string, bytes: Uint8Array, expected: FileVersion | null): FileVersion {
  const descriptor = fs.openSync(temp, 'wx', expected === null ? 0o666 : 0o600);
  try {
    for (let offset = 0; offset < bytes.length;) offset += fs.writeSync(descriptor, bytes, offset);
    if (expected !== null) fs.fchmodSync(descriptor, expected.mode);
    fs.fsyncSync(descriptor);
    return toVersion(fs.fstatSync(descriptor, { bigint: true }), bytes);
  } finally {
    fs.closeSync(descriptor);
  }
}

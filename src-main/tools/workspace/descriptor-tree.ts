// The tree door on directory descriptors: see tree-door.ts for what it promises and descriptor-door.ts for how.
import fs from 'node:fs';
import { DescriptorDoor, entryType } from './descriptor-door.ts';
import { FILE_FLAGS } from './directory-calls.ts';
import { SystemCallError, errnoOf } from './door-error.ts';
import { readDescriptor } from './file-version.ts';
import { newTempName, recoveryName } from './temp-names.ts';
import { changedMeanwhile, type Expected, type TreeDoor, type TreeEntry } from './tree-door.ts';
import type { DoorPath, FileVersion } from './workspace-door.ts';

/** What a look at a name tells. */
export function treeEntry(name: string, stat: fs.BigIntStats): TreeEntry {
  const { ino, size, mtimeNs, ctimeNs, mode } = stat;
  return {
    name,
    type: entryType(stat),
    size: Number(size),
    mode: Number(mode) & 0o777,
    stamp: `${String(ino)}.${String(size)}.${String(mtimeNs)}.${String(ctimeNs)}.${String(mode)}`,
    changedMs: Number((mtimeNs > ctimeNs ? mtimeNs : ctimeNs) / 1_000_000n),
  };
}

export class DescriptorTree extends DescriptorDoor implements TreeDoor {
  entries(path: DoorPath): TreeEntry[] {
    return this.explained(path, () => {
      const folder = this.openFolder(path, path.parts);
      try {
        return this.calls.names(folder).flatMap((name) => this.#entry(folder, name));
      } finally {
        fs.closeSync(folder);
      }
    });
  }

  readLink(path: DoorPath): string {
    return this.#inFolder(path, (folder, name) => this.calls.linkTargetAt(folder, name));
  }

  putLink(path: DoorPath, target: string): void {
    this.explained(path, () => {
      const folder = this.makeFolders(path, path.parts.slice(0, -1), []);
      try {
        this.calls.linkAt(folder, nameIn(path), target);
        fs.fsyncSync(folder);
      } finally {
        fs.closeSync(folder);
      }
    });
  }

  makeFolder(path: DoorPath): void {
    this.explained(path, () => {
      fs.closeSync(this.makeFolders(path, path.parts, []));
    });
  }

  removeFolder(path: DoorPath): boolean {
    return this.#inFolder(path, (folder, name) => {
      try {
        this.calls.removeFolderAt(folder, name);
        return true;
      } catch (error) {
        const errno = errnoOf(error);
        if (errno === 'ENOENT') return true;
        if (errno === 'ENOTEMPTY' || errno === 'EEXIST') return false;
        throw error;
      }
    });
  }

  remove(path: DoorPath, expected: Expected): void {
    this.#inFolder(path, (folder, name) => {
      // Out of the way in one step, so that what is looked at is what is removed.
      const temp = newTempName(name);
      this.calls.renameNew(folder, name, temp);
      if (this.#isExpected(folder, temp, expected)) this.calls.unlinkAt(folder, temp);
      else this.#putBack(path, { folder, name, temp });
      fs.fsyncSync(folder);
    });
  }

  setMode(path: DoorPath, mode: number, version: FileVersion): void {
    const descriptor = this.openFile(path);
    try {
      if (String(fs.fstatSync(descriptor, { bigint: true }).ino) !== version.ino) throw changedMeanwhile(path);
      this.explained(path, () => {
        fs.fchmodSync(descriptor, (version.mode & ~0o777) | mode);
      });
    } finally {
      fs.closeSync(descriptor);
    }
  }

  /** Nothing for a name that went away since it was listed. */
  #entry(folder: number, name: string): TreeEntry[] {
    try {
      return [treeEntry(name, this.calls.statAt(folder, name))];
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return [];
      throw error;
    }
  }

  #isExpected(folder: number, name: string, expected: Expected): boolean {
    const type = entryType(this.calls.statAt(folder, name));
    if (type !== expected.type) return false;
    if (expected.type === 'link') return this.calls.linkTargetAt(folder, name) === expected.target;
    const descriptor = this.calls.openAt(folder, name, FILE_FLAGS);
    try {
      return expected.matches(readDescriptor(descriptor, Number.MAX_SAFE_INTEGER).bytes);
    } finally {
      fs.closeSync(descriptor);
    }
  }

  #putBack(path: DoorPath, at: { folder: number; name: string; temp: string }): never {
    try {
      this.calls.renameNew(at.folder, at.temp, at.name);
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw error;
      // Somebody made it anew meanwhile: what was there before is left where people find it.
      this.calls.renameNew(at.folder, at.temp, recoveryName(at.name, at.temp));
    }
    throw changedMeanwhile(path);
  }

  #inFolder<T>(path: DoorPath, job: (folder: number, name: string) => T): T {
    return this.explained(path, () => {
      const folder = this.openFolder(path, path.parts.slice(0, -1));
      try {
        return job(folder, nameIn(path));
      } finally {
        fs.closeSync(folder);
      }
    });
  }
}

function nameIn(path: DoorPath): string {
  const name = path.parts.at(-1);
  if (name === undefined) throw new SystemCallError('EISDIR', 'open');
  return name;
}

// The tree door where folders cannot be held open: see tree-door.ts for what it promises and checked-door.ts for how much
// weaker that is here.
import fs from 'node:fs';
import path from 'node:path';
import { CheckedDoor } from './checked-door.ts';
import { treeEntry } from './descriptor-tree.ts';
import { errnoOf } from './door-error.ts';
import { newTempName, recoveryName } from './temp-names.ts';
import { changedMeanwhile, type Expected, type TreeDoor, type TreeEntry } from './tree-door.ts';
import type { DoorPath, FileVersion } from './workspace-door.ts';

export class CheckedTree extends CheckedDoor implements TreeDoor {
  entries(at: DoorPath): TreeEntry[] {
    return this.explained(at, () => {
      const folder = this.checkedPath(at, at.parts.length);
      return fs.readdirSync(folder).flatMap((name) => {
        const stat = fs.lstatSync(path.join(folder, name), { bigint: true, throwIfNoEntry: false });
        return stat === undefined ? [] : [treeEntry(name, stat)];
      });
    });
  }

  readLink(at: DoorPath): string {
    return this.explained(at, () => fs.readlinkSync(this.checkedPath(at, at.parts.length - 1)));
  }

  putLink(at: DoorPath, target: string): void {
    this.explained(at, () => {
      this.makeFolders(at);
      fs.symlinkSync(target, this.checkedPath(at, at.parts.length - 1));
    });
  }

  makeFolder(at: DoorPath): void {
    this.explained(at, () => {
      this.makeFolders({ ...at, parts: [...at.parts, ''] });
    });
  }

  removeFolder(at: DoorPath): boolean {
    return this.explained(at, () => {
      try {
        fs.rmdirSync(this.checkedPath(at, at.parts.length - 1));
        return true;
      } catch (error) {
        const errno = errnoOf(error);
        if (errno === 'ENOENT') return true;
        if (errno === 'ENOTEMPTY' || errno === 'EEXIST') return false;
        throw error;
      }
    });
  }

  remove(at: DoorPath, expected: Expected): void {
    this.explained(at, () => {
      const full = this.checkedPath(at, at.parts.length - 1);
      const temp = path.join(path.dirname(full), newTempName(path.basename(full)));
      fs.renameSync(full, temp);
      if (isExpected(temp, expected)) {
        fs.unlinkSync(temp);
        return;
      }
      const back = fs.existsSync(full) ? recoveryName(path.basename(full), path.basename(temp)) : path.basename(full);
      fs.renameSync(temp, path.join(path.dirname(full), back));
      throw changedMeanwhile(at);
    });
  }

  setMode(at: DoorPath, mode: number, version: FileVersion): void {
    const descriptor = this.openFile(at);
    try {
      if (String(fs.fstatSync(descriptor, { bigint: true }).ino) !== version.ino) throw changedMeanwhile(at);
      this.explained(at, () => {
        fs.fchmodSync(descriptor, (version.mode & ~0o777) | mode);
      });
    } finally {
      fs.closeSync(descriptor);
    }
  }
}

function isExpected(full: string, expected: Expected): boolean {
  const stat = fs.lstatSync(full);
  if (expected.type === 'link') return stat.isSymbolicLink() && fs.readlinkSync(full) === expected.target;
  return stat.isFile() && expected.matches(fs.readFileSync(full));
}

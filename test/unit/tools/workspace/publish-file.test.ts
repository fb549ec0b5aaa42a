// The publish on real files, with a second writer that acts in the worst moment: it is the port of directory calls that
// lets it in.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isAppError } from '../../../../src-main/base/app-error.ts';
import { DescriptorDoor } from '../../../../src-main/tools/workspace/descriptor-door.ts';
import { SystemCallError } from '../../../../src-main/tools/workspace/door-error.ts';
import type { DirectoryCalls } from '../../../../src-main/tools/workspace/directory-calls.ts';
import { parseDoorPath } from '../../../../src-main/tools/workspace/door-path.ts';
import { loadPosixCalls } from '../../../../src-main/tools/workspace/posix-calls.ts';
import { procCalls } from '../../../../src-main/tools/workspace/proc-calls.ts';
import { tempFolder } from '../../../helpers/temp-folder.ts';

const posixCalls = await loadPosixCalls();

const file = parseDoorPath('a.txt', { roots: [], platform: 'linux' });

async function opened(calls: Partial<DirectoryCalls> = {}, base: DirectoryCalls = posixCalls) {
  const root = await tempFolder();
  const descriptor = fs.openSync(root, fs.constants.O_RDONLY | fs.constants.O_DIRECTORY);
  const door = new DescriptorDoor(descriptor, { ...base, ...calls });
  onTestFinished(() => {
    door.close();
    fs.closeSync(descriptor);
  });
  const at = path.join(root, 'a.txt');
  fs.writeFileSync(at, 'old');
  return { root, door, at };
}

function codeOf(run: () => unknown): string {
  try {
    run();
    return 'done';
  } catch (error) {
    return isAppError(error) ? error.code : String(error);
  }
}

describe('publishing a file', () => {
  it('FILE-07: temp, sync, swap, unlink of the displaced inode, sync of the folder, in that order', async () => {
    const steps: string[] = [];
    const { root, door, at } = await opened({
      openAt: (directory, name, flags, mode) => {
        if (name.endsWith('.tmp') && (flags & fs.constants.O_CREAT) !== 0) steps.push('temp');
        return posixCalls.openAt(directory, name, flags, mode);
      },
      exchange: (directory, from, to) => {
        expect(fs.readFileSync(path.join(root, from), 'utf8')).toBe('new');
        steps.push('swap');
        posixCalls.exchange(directory, from, to);
      },
      unlinkAt: (directory, name) => {
        expect(fs.readFileSync(path.join(root, name), 'utf8')).toBe('old');
        steps.push('unlink');
        posixCalls.unlinkAt(directory, name);
      },
    });
    const { version } = door.read(file, 100);
    expect(door.publish(file, Buffer.from('new'), version)).toMatchObject({ atomic: true, madeFolders: [] });
    expect(steps.slice(0, 3)).toEqual(['temp', 'swap', 'unlink']);
    expect(fs.readFileSync(at, 'utf8')).toBe('new');
    expect(fs.readdirSync(root)).toEqual(['a.txt']);
  });

  it("FILE-08: a file that was replaced right before the swap keeps the other writer's bytes", async () => {
    let interfere = true;
    const { root, door, at } = await opened({
      exchange: (directory, from, to) => {
        if (interfere) {
          interfere = false;
          fs.writeFileSync(path.join(root, 'theirs'), 'theirs');
          fs.renameSync(path.join(root, 'theirs'), path.join(root, 'a.txt'));
        }
        posixCalls.exchange(directory, from, to);
      },
    });
    const { version } = door.read(file, 100);
    expect(codeOf(() => door.publish(file, Buffer.from('new'), version))).toBe('workspace.conflict');
    expect(fs.readFileSync(at, 'utf8')).toBe('theirs');
    expect(fs.readdirSync(root)).toEqual(['a.txt']);
  });

  it("a file that was changed in place, same inode and size, keeps the other writer's bytes", async () => {
    let interfere = true;
    const { root, door, at } = await opened({
      exchange: (directory, from, to) => {
        if (interfere) fs.writeFileSync(path.join(root, 'a.txt'), 'OLD');
        interfere = false;
        posixCalls.exchange(directory, from, to);
      },
    });
    const { version } = door.read(file, 100);
    expect(codeOf(() => door.publish(file, Buffer.from('new'), version))).toBe('workspace.conflict');
    expect(fs.readFileSync(at, 'utf8')).toBe('OLD');
  });

  it('a third writer between swap and roll back loses nothing either', async () => {
    let swaps = 0;
    const { root, door, at } = await opened({
      exchange: (directory, from, to) => {
        swaps += 1;
        const put = (text: string): void => {
          fs.writeFileSync(path.join(root, 'other'), text);
          fs.renameSync(path.join(root, 'other'), path.join(root, 'a.txt'));
        };
        if (swaps === 1) put('second');
        if (swaps === 2) put('third');
        posixCalls.exchange(directory, from, to);
      },
    });
    const { version } = door.read(file, 100);
    expect(codeOf(() => door.publish(file, Buffer.from('new'), version))).toBe('workspace.conflict');
    expect(fs.readFileSync(at, 'utf8')).toBe('third');
    expect(fs.readdirSync(root)).toEqual(['a.txt']);
  });

  it('FILE-09: what cannot be put back is left under a recovery name', async () => {
    const { root, door } = await opened({
      exchange: (directory, from, to) => {
        fs.writeFileSync(path.join(root, 'other'), `racing ${Math.random()}`);
        fs.renameSync(path.join(root, 'other'), path.join(root, 'a.txt'));
        posixCalls.exchange(directory, from, to);
      },
    });
    const { version } = door.read(file, 100);
    expect(codeOf(() => door.publish(file, Buffer.from('new'), version))).toBe('workspace.conflict');
    const names = fs.readdirSync(root).sort();
    expect(names).toHaveLength(2);
    expect(names[1]).toMatch(/^a\.txt\.warrant-recovered-[0-9a-f]{12}$/);
    expect(fs.readFileSync(path.join(root, names[1] ?? ''), 'utf8')).toMatch(/^racing/);
  });

  it('a new file never replaces one that appeared meanwhile', async () => {
    for (const calls of [posixCalls, procCalls]) {
      const { root, door, at } = await opened({}, calls);
      expect(codeOf(() => door.publish(file, Buffer.from('new'), null))).toBe('workspace.conflict');
      expect(fs.readFileSync(at, 'utf8')).toBe('old');
      expect(fs.readdirSync(root)).toEqual(['a.txt']);
    }
  });

  it('where the file system cannot swap, it compares right before, and says that it was not one step', async () => {
    const refuse = (): never => {
      throw new SystemCallError('EINVAL', 'exchange');
    };
    const { door, at } = await opened({ exchange: refuse });
    const { version } = door.read(file, 100);
    expect(door.publish(file, Buffer.from('new'), version).atomic).toBe(false);
    expect(fs.readFileSync(at, 'utf8')).toBe('new');
    expect(codeOf(() => door.publish(file, Buffer.from('newer'), version))).toBe('workspace.conflict');
    expect(fs.readFileSync(at, 'utf8')).toBe('new');
  });

  it('E17: mode and owner stay; a read-only file and one with two names are refused unchanged', async () => {
    const { root, door, at } = await opened();
    fs.chmodSync(at, 0o751);
    if (process.geteuid?.() === 0) fs.chownSync(at, 1234, 4321);
    const before = fs.statSync(at);
    door.publish(file, Buffer.from('new'), door.read(file, 100).version);
    const after = fs.statSync(at);
    expect([after.mode, after.uid, after.gid]).toEqual([before.mode, before.uid, before.gid]);
    fs.linkSync(at, path.join(root, 'b.txt'));
    expect(codeOf(() => door.publish(file, Buffer.from('x'), door.read(file, 100).version))).toBe(
      'workspace.no-permission',
    );
    fs.unlinkSync(path.join(root, 'b.txt'));
    fs.chmodSync(at, 0o444);
    expect(codeOf(() => door.publish(file, Buffer.from('x'), door.read(file, 100).version))).toBe(
      'workspace.no-permission',
    );
    expect(fs.readFileSync(at, 'utf8')).toBe('new');
  });
});

// Directory calls without any native module (Linux): one checked component behind /proc/self/fd/N. As free of races
// as posix-calls, slower, and without the exchange of two names.
import fs from 'node:fs';
import { O_CLOEXEC, listByProc, namesByProc, oneComponent } from './directory-calls.ts';
import type { DirectoryCalls } from './directory-calls.ts';
import { SystemCallError } from './door-error.ts';
import { bytesOf, nameOf } from './name-bytes.ts';

const at = (directory: number, name: string): string | Buffer => {
  const path = `/proc/self/fd/${directory}/${name === '.' ? name : oneComponent(name)}`;
  return path.isWellFormed() ? path : bytesOf(path);
};

/** The calls of any Linux with /proc. */
export const procCalls: DirectoryCalls = {
  guarantee: 'proc',
  openAt: (directory, name, flags, mode = 0) =>
    fs.openSync(at(directory, name), flags | O_CLOEXEC | fs.constants.O_NOFOLLOW, mode),
  openBeneath: null,
  statAt: (directory, name) => fs.lstatSync(at(directory, name), { bigint: true }),
  mkdirAt: (directory, name, mode) => fs.mkdirSync(at(directory, name), { mode }),
  unlinkAt: (directory, name) => fs.unlinkSync(at(directory, name)),
  exchange: () => {
    throw new SystemCallError('ENOSYS', 'exchange');
  },
  renameNew: (directory, from, to) => {
    // A hard link refuses a taken name, which a rename would not.
    fs.linkSync(at(directory, from), at(directory, to));
    fs.unlinkSync(at(directory, from));
  },
  renameOver: (directory, from, to) => fs.renameSync(at(directory, from), at(directory, to)),
  readLinkAt: (directory, name) => fs.readlinkSync(at(directory, name)),
  list: listByProc,
  names: namesByProc,
  linkTargetAt: (directory, name) => nameOf(fs.readlinkSync(at(directory, name), { encoding: 'buffer' })),
  linkAt: (directory, name, target) => {
    fs.symlinkSync(bytesOf(target), at(directory, name));
  },
  removeFolderAt: (directory, name) => {
    fs.rmdirSync(at(directory, name));
  },
};

// Directory calls through koffi: openat2 where the kernel has it, openat otherwise; Linux and macOS. Synchronous on
// purpose: a call takes microseconds, and errno can be trusted only right after a synchronous call.
// Importing this file loads koffi (about 35 ms): import it lazily. The macOS half was never run.
import fs from 'node:fs';
import os from 'node:os';
import koffi from 'koffi';
import { FOLDER_FLAGS, O_CLOEXEC, listByProc, oneComponent, readName } from './directory-calls.ts';
import type { DirectoryCalls } from './directory-calls.ts';
import { SystemCallError, errnoOf } from './door-error.ts';
import type { FolderEntry } from './workspace-door.ts';

const mac = process.platform === 'darwin';
const RENAME_EXCHANGE = 2;
const RENAME_NOREPLACE = mac ? 4 : 1;
/** BENEATH, NO_SYMLINKS, NO_MAGICLINKS. */
const RESOLVE = 0x08 | 0x04 | 0x02;
const OPENAT2 = 437;
const O_NOFOLLOW = fs.constants.O_NOFOLLOW;
/** Opens a name itself, whatever it is: O_PATH, or O_SYMLINK on macOS. */
const ITSELF = mac ? 0x200000 | O_CLOEXEC : 0o10000000 | O_NOFOLLOW | O_CLOEXEC;
/** Where the name begins in a macOS dirent. */
const DIRENT_NAME = 21;

const library = koffi.load(null);
const modeType = mac ? 'uint16_t' : 'uint32_t';
// openat is variadic in C, and macOS on arm64 passes such arguments differently.
const openatCall = library.func('int openat(int dirfd, const char *path, int flags, ...)');
const mkdiratCall = library.func(`int mkdirat(int dirfd, const char *path, ${modeType} mode)`);
const unlinkatCall = library.func('int unlinkat(int dirfd, const char *path, int flags)');
const renameCall = library.func(
  `int ${mac ? 'renameatx_np' : 'renameat2'}(int od, const char *op, int nd, const char *np, uint32_t flags)`,
);
const readlinkatCall = library.func('long readlinkat(int dirfd, const char *path, uint8_t *buffer, size_t size)');
const syscallCall = mac
  ? null
  : library.func('long syscall(long n, int dirfd, const char *path, void *how, size_t size)');

const errnoNames = new Map(Object.entries(os.constants.errno).map(([name, value]) => [value, name]));

/** Runs a call that answers below zero on failure, again after a signal. */
function checked(call: string, run: () => unknown): number {
  for (;;) {
    const result = Number(run());
    if (result >= 0) return result;
    const errno = koffi.errno();
    const name = errnoNames.get(errno) ?? `E${errno}`;
    if (name !== 'EINTR') throw new SystemCallError(name, call);
  }
}

const how = Buffer.alloc(24);
how.writeBigUInt64LE(BigInt(RESOLVE), 16);

function openat2(directory: number, path: string, flags: number): number {
  how.writeBigUInt64LE(BigInt(flags), 0);
  return checked('openat2', () => syscallCall?.(OPENAT2, directory, path, how, 24) ?? -1);
}

/** Kernels before 5.6, gVisor and some container filters have no openat2. */
function hasOpenat2(): boolean {
  if (mac) return false;
  try {
    fs.closeSync(openat2(-100, '.', FOLDER_FLAGS));
    return true;
  } catch (error) {
    if (errnoOf(error) !== '') return false;
    throw error;
  }
}

function openAt(directory: number, name: string, flags: number, mode = 0): number {
  // `.` of an open directory is the directory itself, so it may pass where a name of a path may not.
  const path = name === '.' ? name : oneComponent(name);
  return checked('openat', () => openatCall(directory, path, flags | O_CLOEXEC | O_NOFOLLOW, 'int', mode));
}

function rename(directory: number, from: string, to: string, flags: number): void {
  checked('rename', () => renameCall(directory, oneComponent(from), directory, oneComponent(to), flags));
}

function readLinkAt(directory: number, name: string): string {
  const buffer = Buffer.alloc(4096);
  const length = checked('readlinkat', () => readlinkatCall(directory, oneComponent(name), buffer, buffer.length));
  return buffer.toString('utf8', 0, length);
}

function statAt(directory: number, name: string): fs.BigIntStats {
  const path = oneComponent(name);
  const descriptor = checked('openat', () => openatCall(directory, path, ITSELF, 'int', 0));
  try {
    return fs.fstatSync(descriptor, { bigint: true });
  } finally {
    fs.closeSync(descriptor);
  }
}

/** macOS has no /proc: fdopendir and readdir on a descriptor of the same directory. */
function listByReaddir(directory: number): FolderEntry[] {
  const fdopendir = library.func('void *fdopendir(int fd)');
  const readdir = library.func(`void *${process.arch === 'x64' ? 'readdir$INODE64' : 'readdir'}(void *dir)`);
  const closedir = library.func('int closedir(void *dir)');
  const stream: unknown = fdopendir(openAt(directory, '.', FOLDER_FLAGS));
  if (stream === null) throw new SystemCallError(errnoNames.get(koffi.errno()) ?? 'EIO', 'fdopendir');
  const types = new Map<number, FolderEntry['type']>([
    [4, 'folder'],
    [8, 'file'],
    [10, 'link'],
  ]);
  const entries: FolderEntry[] = [];
  try {
    for (;;) {
      const record: unknown = readdir(stream);
      if (record === null) return entries;
      const head = Buffer.from(koffi.view(record, DIRENT_NAME));
      const bytes = Buffer.from(koffi.view(record, DIRENT_NAME + head.readUInt16LE(18)));
      const name = readName(bytes.subarray(DIRENT_NAME));
      if (name.name !== '.' && name.name !== '..') {
        entries.push({ ...name, type: types.get(bytes.readUInt8(20)) ?? 'other' });
      }
    }
  } finally {
    closedir(stream);
  }
}

/** The calls of this machine. */
export const posixCalls: DirectoryCalls = {
  guarantee: 'descriptor',
  openAt,
  openBeneath: hasOpenat2()
    ? (directory, parts, flags) => openat2(directory, parts.map(oneComponent).join('/'), flags)
    : null,
  statAt,
  mkdirAt: (directory, name, mode) => {
    checked('mkdirat', () => mkdiratCall(directory, oneComponent(name), mode));
  },
  unlinkAt: (directory, name) => {
    checked('unlinkat', () => unlinkatCall(directory, oneComponent(name), 0));
  },
  exchange: (directory, from, to) => rename(directory, from, to, RENAME_EXCHANGE),
  renameNew: (directory, from, to) => rename(directory, from, to, RENAME_NOREPLACE),
  renameOver: (directory, from, to) => rename(directory, from, to, 0),
  readLinkAt,
  list: mac ? listByReaddir : listByProc,
};

// Directory calls through koffi: openat2 where the kernel has it, openat otherwise; Linux and macOS. Synchronous on
// purpose: a call takes microseconds, and errno can be trusted only right after a synchronous call.
// koffi (about 35 ms) is loaded by loadPosixCalls, not by importing this file. The macOS half was never run.
import fs from 'node:fs';
import os from 'node:os';
import { FOLDER_FLAGS, O_CLOEXEC, forC, listByProc, namesByProc, oneComponent, readName } from './directory-calls.ts';
import type { DirectoryCalls } from './directory-calls.ts';
import { SystemCallError, errnoOf } from './door-error.ts';
import { nameOf } from './name-bytes.ts';
import { entriesByGetdents } from './getdents-lister.ts';
import type { FolderEntry } from './workspace-door.ts';

type Koffi = (typeof import('koffi'))['default'];

const mac = process.platform === 'darwin';
const RENAME_EXCHANGE = 2;
const RENAME_NOREPLACE = mac ? 4 : 1;
/** BENEATH, NO_SYMLINKS, NO_MAGICLINKS. */
const RESOLVE = 0x08 | 0x04 | 0x02;
const OPENAT2 = 437;
const REMOVE_FOLDER = mac ? 0x80 : 0x200;
const O_NOFOLLOW = fs.constants.O_NOFOLLOW;
/** Opens a name itself, whatever it is: O_PATH, or O_SYMLINK on macOS. */
const ITSELF = mac ? 0x200000 | O_CLOEXEC : 0o10000000 | O_NOFOLLOW | O_CLOEXEC;
/** Where the name begins in a linux_dirent64. */
const DENTS_NAME = 19;
/** Where the name begins in a macOS dirent. */
const DIRENT_NAME = 21;

const errnoNames = new Map(Object.entries(os.constants.errno).map(([name, value]) => [value, name]));

/** The C library's functions, each answering below zero on failure; and the check of such an answer. */
function bind(koffi: Koffi) {
  const library = koffi.load(null);
  const modeType = mac ? 'uint16_t' : 'uint32_t';
  const rename = mac ? 'renameatx_np' : 'renameat2';
  return {
    library,
    // openat is variadic in C, and macOS on arm64 passes such arguments differently.
    openat: library.func('int openat(int dirfd, const char *path, int flags, ...)'),
    mkdirat: library.func(`int mkdirat(int dirfd, const char *path, ${modeType} mode)`),
    unlinkat: library.func('int unlinkat(int dirfd, const char *path, int flags)'),
    rename: library.func(`int ${rename}(int od, const char *op, int nd, const char *np, uint32_t flags)`),
    symlinkat: library.func('int symlinkat(const char *target, int dirfd, const char *path)'),
    readlinkat: library.func('long readlinkat(int dirfd, const char *path, uint8_t *buffer, size_t size)'),
    syscall: mac ? null : library.func('long syscall(long n, int dirfd, const char *path, void *how, size_t size)'),
    /** Runs a call, again after a signal; SystemCallError when it fails. */
    checked: (call: string, run: () => unknown): number => {
      for (;;) {
        const result = Number(run());
        if (result >= 0) return result;
        const errno = koffi.errno();
        const name = errnoNames.get(errno) ?? `E${errno}`;
        if (name !== 'EINTR') throw new SystemCallError(name, call);
      }
    },
  };
}
type Bound = ReturnType<typeof bind>;

/** openat2 of this system; null where there is none: kernels before 5.6, gVisor, some container filters, macOS. */
function openat2Of({
  syscall,
  checked,
}: Bound): ((directory: number, path: string | Buffer, flags: number) => number) | null {
  if (syscall === null) return null;
  const how = Buffer.alloc(24);
  how.writeBigUInt64LE(BigInt(RESOLVE), 16);
  const openat2 = (directory: number, path: string | Buffer, flags: number): number => {
    how.writeBigUInt64LE(BigInt(flags), 0);
    return checked('openat2', () => syscall(OPENAT2, directory, path, how, 24));
  };
  try {
    fs.closeSync(openat2(-100, '.', FOLDER_FLAGS));
    return openat2;
  } catch (error) {
    if (errnoOf(error) === '') throw error;
    return null;
  }
}

const ENTRY_TYPES = new Map<number, FolderEntry['type']>([
  [4, 'folder'],
  [8, 'file'],
  [10, 'link'],
]);

/** macOS has no /proc: fdopendir and readdir on a descriptor of the same directory, which closedir closes. */
function readdirLister(koffi: Koffi, { library }: Bound): (descriptor: number) => FolderEntry[] {
  const fdopendir = library.func('void *fdopendir(int fd)');
  const readdir = library.func(`void *${process.arch === 'x64' ? 'readdir$INODE64' : 'readdir'}(void *dir)`);
  const closedir = library.func('int closedir(void *dir)');
  return (descriptor) => {
    const stream: unknown = fdopendir(descriptor);
    if (stream === null) throw new SystemCallError(errnoNames.get(koffi.errno()) ?? 'EIO', 'fdopendir');
    const entries: FolderEntry[] = [];
    try {
      for (;;) {
        const record: unknown = readdir(stream);
        if (record === null) return entries;
        const head = Buffer.from(koffi.view(record, DIRENT_NAME));
        const bytes = Buffer.from(koffi.view(record, DIRENT_NAME + head.readUInt16LE(18)));
        const name = readName(bytes.subarray(DIRENT_NAME));
        if (name.name !== '.' && name.name !== '..') {
          entries.push({ ...name, type: ENTRY_TYPES.get(bytes.readUInt8(20)) ?? 'other' });
        }
      }
    } finally {
      closedir(stream);
    }
  };
}

const component = (name: string): string | Buffer => forC(oneComponent(name));

/**
 * Lists by getdents64 on a descriptor of its own, where its number is known: /proc costs many times that on some kernels.
 * null elsewhere.
 */
function getdentsLister(
  { library, checked }: Bound,
  open: (directory: number) => number,
): ((directory: number) => string[]) | null {
  const number = { x64: 217, arm64: 61 }[process.arch as string];
  if (mac || number === undefined) return null;
  const getdents = library.func('long syscall(long n, int fd, uint8_t *buffer, size_t size)');
  const buffer = Buffer.alloc(32_768);
  return (directory) => {
    const descriptor = open(directory);
    const names: string[] = [];
    try {
      for (;;) {
        const length = checked('getdents64', () => getdents(number, descriptor, buffer, buffer.length));
        if (length === 0) return names;
        for (let at = 0; at < length; at += buffer.readUInt16LE(at + 16)) {
          const bytes = buffer.subarray(at + DENTS_NAME, buffer.indexOf(0, at + DENTS_NAME));
          const name = nameOf(bytes);
          if (name !== '.' && name !== '..') names.push(name);
        }
      }
    } finally {
      fs.closeSync(descriptor);
    }
  };
}

/** The calls of this machine. Throws what loading koffi throws where it cannot be loaded. */
export async function loadPosixCalls(): Promise<DirectoryCalls> {
  const { default: koffi } = await import('koffi');
  const bound = bind(koffi);
  const { checked } = bound;
  const openat2 = openat2Of(bound);
  const listByReaddir = mac ? readdirLister(koffi, bound) : null;
  const openAt = (directory: number, name: string, flags: number, mode = 0): number => {
    // `.` of an open directory is the directory itself, so it may pass where a name of a path may not.
    const path = name === '.' ? name : component(name);
    return checked('openat', () => bound.openat(directory, path, flags | O_CLOEXEC | O_NOFOLLOW, 'int', mode));
  };
  const linkBytes = (directory: number, name: string): Buffer => {
    const buffer = Buffer.alloc(4096);
    const path = component(name);
    const length = checked('readlinkat', () => bound.readlinkat(directory, path, buffer, buffer.length));
    return buffer.subarray(0, length);
  };
  const namesOf = getdentsLister(bound, (directory) => openAt(directory, '.', FOLDER_FLAGS)) ?? namesByProc;
  const typeOf = (directory: number, name: string): FolderEntry['type'] => {
    const descriptor = openAt(directory, name, ITSELF);
    try {
      const stat = fs.fstatSync(descriptor);
      return stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : stat.isSymbolicLink() ? 'link' : 'other';
    } finally {
      fs.closeSync(descriptor);
    }
  };
  const entriesOf = entriesByGetdents({ library: bound.library, checked, typeOf }) ?? listByProc;
  const rename = (flags: number) => (directory: number, from: string, to: string) => {
    checked('rename', () => bound.rename(directory, component(from), directory, component(to), flags));
  };
  return {
    guarantee: 'descriptor',
    openAt,
    openBeneath:
      openat2 === null
        ? null
        : (directory, parts, flags) => openat2(directory, forC(parts.map(oneComponent).join('/')), flags),
    statAt(directory, name) {
      const path = component(name);
      const descriptor = checked('openat', () => bound.openat(directory, path, ITSELF, 'int', 0));
      try {
        return fs.fstatSync(descriptor, { bigint: true });
      } finally {
        fs.closeSync(descriptor);
      }
    },
    mkdirAt(directory, name, mode) {
      checked('mkdirat', () => bound.mkdirat(directory, component(name), mode));
    },
    unlinkAt(directory, name) {
      checked('unlinkat', () => bound.unlinkat(directory, component(name), 0));
    },
    exchange: rename(RENAME_EXCHANGE),
    renameNew: rename(RENAME_NOREPLACE),
    renameOver: rename(0),
    readLinkAt: (directory, name) => linkBytes(directory, name).toString('utf8'),
    linkTargetAt: (directory, name) => nameOf(linkBytes(directory, name)),
    linkAt(directory, name, target) {
      checked('symlinkat', () => bound.symlinkat(forC(target), directory, component(name)));
    },
    removeFolderAt(directory, name) {
      checked('unlinkat', () => bound.unlinkat(directory, component(name), REMOVE_FOLDER));
    },
    list: (directory) =>
      listByReaddir === null ? entriesOf(directory) : listByReaddir(openAt(directory, '.', FOLDER_FLAGS)),
    names: (directory) =>
      listByReaddir === null
        ? namesOf(directory)
        : listByReaddir(openAt(directory, '.', FOLDER_FLAGS)).map(({ name }) => name),
  };
}

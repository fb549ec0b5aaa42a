// The few calls relative to an open directory that descriptor-door stands on. Two files implement them: posix-calls
// (koffi) and proc-calls (/proc/self/fd). `name` is always one checked component; failures are SystemCallError.
import fs from 'node:fs';
import { SystemCallError } from './door-error.ts';
import { bytesOf, nameOf } from './name-bytes.ts';
import type { DoorGuarantee, FolderEntry } from './workspace-door.ts';

export interface DirectoryCalls {
  readonly guarantee: DoorGuarantee;
  /** Opens a name in a directory; never follows a link at the name. Gives a descriptor. */
  openAt(directory: number, name: string, flags: number, mode?: number): number;
  /** Opens a path of several components without links in one call; null where the system has no such call. */
  readonly openBeneath: ((directory: number, parts: readonly string[], flags: number) => number) | null;
  /** State of a name itself, also when it is a link. */
  statAt(directory: number, name: string): fs.BigIntStats;
  mkdirAt(directory: number, name: string, mode: number): void;
  unlinkAt(directory: number, name: string): void;
  /** Swaps two names; EINVAL or ENOSYS where the file system cannot. */
  exchange(directory: number, from: string, to: string): void;
  /** Renames; EEXIST when the new name is taken. */
  renameNew(directory: number, from: string, to: string): void;
  /** Renames over whatever is there. */
  renameOver(directory: number, from: string, to: string): void;
  /** What the link `name` stands for; empty when it cannot be told. */
  readLinkAt(directory: number, name: string): string;
  list(directory: number): FolderEntry[];
  /** Every name as nameOf has it, in no order. */
  names(directory: number): string[];
  /** What the link stands for, as nameOf has it. */
  linkTargetAt(directory: number, name: string): string;
  /** Makes a link; EEXIST when the name is taken. */
  linkAt(directory: number, name: string, target: string): void;
  /** Removes a folder that is empty. */
  removeFolderAt(directory: number, name: string): void;
}

const mac = process.platform === 'darwin';
const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;

/** Close on exec, which Node's constants do not name. */
export const O_CLOEXEC = mac ? 0x01000000 : 0o2000000;
/** For every folder on the way. */
export const FOLDER_FLAGS = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
/** For a file: a FIFO put there must not hang the thread. */
export const FILE_FLAGS = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;

/** Gives back `name` when it is one component; SystemCallError EINVAL otherwise. NUL would silently end a C string. */
export function oneComponent(name: string): string {
  if (name === '' || name === '.' || name === '..' || name.includes('/') || name.includes('\0')) {
    throw new SystemCallError('EINVAL', 'component');
  }
  return name;
}

/** A path for the C library: odd bytes go as they are. */
export function forC(path: string): string | Buffer {
  return path.isWellFormed() ? path : Buffer.concat([bytesOf(path), Buffer.alloc(1)]);
}

/** The names in a folder through the descriptor's own path below /proc (Linux). */
export function namesByProc(directory: number): string[] {
  return fs.readdirSync(`/proc/self/fd/${directory}`, { encoding: 'buffer' }).map(nameOf);
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A name's bytes as text; bytes that are no UTF-8 are shown as \xNN and the name is marked. */
export function readName(bytes: Buffer): { name: string; unreadableName: boolean } {
  try {
    return { name: utf8.decode(bytes), unreadableName: false };
  } catch {
    const shown = [...bytes].map((byte) =>
      byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`,
    );
    return { name: shown.join(''), unreadableName: true };
  }
}

/** Lists through the descriptor's own path below /proc (Linux). */
export function listByProc(directory: number): FolderEntry[] {
  return fs.readdirSync(`/proc/self/fd/${directory}`, { withFileTypes: true, encoding: 'buffer' }).map((entry) => {
    const type = entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : entry.isSymbolicLink() ? 'link' : 'other';
    return { ...readName(entry.name), type };
  });
}

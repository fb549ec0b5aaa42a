// Whether a folder is on a file system that several machines, or a machine and its guest, share. The memory that a write-ahead
// log is read through is not shared there, so a database in it may be damaged: it gets a rollback journal.
import { statfsSync } from 'node:fs';

/** Linux's numbers of such file systems (statfs(2)). */
const TYPES: ReadonlyMap<number, string> = new Map([
  [0x6969, 'nfs'],
  [0x517b, 'smb'],
  [0xff534d42, 'cifs'],
  [0xfe534d42, 'smb2'],
  [0x01021997, '9p'],
  [0x65735546, 'fuse'],
  [0x6a656a63, 'virtiofs'],
  [0x786f4256, 'vboxsf'],
  [0x5346414f, 'afs'],
  [0x00c36400, 'ceph'],
  [0x73757245, 'coda'],
  [0x564c, 'ncp'],
  [0x01161970, 'gfs2'],
  [0x7461636f, 'ocfs2'],
]);

/** The name of a shared file system by its number; null = it is none that is known. */
export function sharedFileSystem(type: number): string | null {
  // A number that does not fit into 31 bits comes as a negative one on some machines.
  return TYPES.get(type < 0 ? type + 2 ** 32 : type) ?? null;
}

/** The name of the shared file system that a folder is on; null = it is on none, or that cannot be found out. */
export function sharedFileSystemOf(folder: string): string | null {
  if (process.platform !== 'linux') return folder.startsWith('\\\\') ? 'smb' : null;
  try {
    return sharedFileSystem(statfsSync(folder).type);
  } catch {
    return null;
  }
}

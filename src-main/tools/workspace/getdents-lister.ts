// Lists a folder by getdents64 on its descriptor: some kernels take many times as long by a path below /proc, and a listing
// made of typed bytes needs no object of Node's for each name. Linux on the processors whose call numbers are known here.
import type { LibraryHandle } from 'koffi';
import { readName } from './directory-calls.ts';
import type { EntryType, FolderEntry } from './workspace-door.ts';

const CALL_NUMBERS: Readonly<Partial<Record<NodeJS.Architecture, number>>> = { x64: 217, arm64: 61 };
const BUFFER_BYTES = 64 * 1024;
/** Where the type and the name stand in a record. */
const TYPE = 18;
const NAME = 19;

const TYPES = new Map<number, EntryType>([
  [4, 'folder'],
  [8, 'file'],
  [10, 'link'],
]);
/** The file system does not say. */
const UNKNOWN = 0;

export interface GetdentsCalls {
  readonly library: LibraryHandle;
  /** Runs a call, again after a signal; SystemCallError when it fails. */
  readonly checked: (call: string, run: () => unknown) => number;
  /** What a name is, where the file system does not say so in its folder. */
  readonly typeOf: (directory: number, name: string) => EntryType;
}

/** The name that begins at `start` and ends with NUL; most names are plain ASCII. */
function nameAt(buffer: Buffer, start: number): Pick<FolderEntry, 'name' | 'unreadableName'> {
  let end = start;
  let bits = 0;
  for (let byte = buffer[end] ?? 0; byte !== 0; byte = buffer[++end] ?? 0) bits |= byte;
  if (bits < 0x80) return { name: buffer.toString('latin1', start, end), unreadableName: false };
  return readName(buffer.subarray(start, end));
}

/** A lister of open folders, from their first entry on; null where there is none. */
export function entriesByGetdents(calls: GetdentsCalls): ((directory: number) => FolderEntry[]) | null {
  const number = process.platform === 'linux' ? CALL_NUMBERS[process.arch] : undefined;
  if (number === undefined) return null;
  const { library, checked, typeOf } = calls;
  const getdents = library.func('long syscall(long n, int fd, uint8_t *buffer, size_t size)');
  const lseek = library.func('long lseek(int fd, long offset, int whence)');
  const buffer = Buffer.alloc(BUFFER_BYTES);
  return (directory) => {
    const entries: FolderEntry[] = [];
    checked('lseek', () => lseek(directory, 0, 0));
    for (;;) {
      const length = checked('getdents64', () => getdents(number, directory, buffer, BUFFER_BYTES));
      if (length === 0) return entries;
      for (let at = 0; at < length; at += (buffer[at + 16] ?? 0) | ((buffer[at + 17] ?? 0) << 8)) {
        const { name, unreadableName } = nameAt(buffer, at + NAME);
        if (name === '.' || name === '..') continue;
        const told = buffer[at + TYPE] ?? UNKNOWN;
        const asks = told === UNKNOWN && !unreadableName;
        entries.push({ name, type: asks ? typeOf(directory, name) : (TYPES.get(told) ?? 'other'), unreadableName });
      }
    }
  };
}

// The paths in a git index (versions 2 to 4), without running git, whose configuration is the project's own. An index that
// is not understood, as a split one, has no paths here: it only adds files that the rules leave out.
import { nameOf } from '../workspace/name-bytes.ts';

const HEADER = 12;
const FIXED = 62;
const EXTENDED = 0x4000;

/** Paths of an index file, as nameOf makes them. */
export function readGitIndex(index: Buffer): string[] {
  if (index.length < HEADER || index.toString('latin1', 0, 4) !== 'DIRC') return [];
  const [version, count] = [index.readUInt32BE(4), index.readUInt32BE(8)];
  if (version < 2 || version > 4) return [];
  const paths: string[] = [];
  let at = HEADER;
  let former = Buffer.alloc(0);
  for (let n = 0; n < count; n++) {
    if (at + FIXED > index.length) return [];
    const extended = version >= 3 && (index.readUInt16BE(at + 60) & EXTENDED) !== 0;
    const start = at + FIXED + (extended ? 2 : 0);
    const entry = version === 4 ? readShared(index, start, former) : readPlain(index, { at, start });
    if (entry === null) return [];
    former = entry.path;
    at = entry.next;
    paths.push(nameOf(former));
  }
  return paths;
}

interface IndexEntry {
  readonly path: Buffer<ArrayBuffer>;
  readonly next: number;
}

function readPlain(index: Buffer, { at, start }: { at: number; start: number }): IndexEntry | null {
  const end = index.indexOf(0, start);
  if (end < 0) return null;
  // Entries end at a multiple of eight, with at least one zero.
  return { path: Buffer.from(index.subarray(start, end)), next: at + (((end - at) >> 3) + 1) * 8 };
}

/** Version 4: how many bytes of the former path to drop, and what comes behind. */
function readShared(index: Buffer, start: number, former: Buffer): IndexEntry | null {
  let at = start;
  let byte = index[at] ?? 0;
  let drop = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    at += 1;
    byte = index[at] ?? 0;
    drop = ((drop + 1) << 7) | (byte & 0x7f);
  }
  const end = index.indexOf(0, at + 1);
  if (end < 0 || drop > former.length) return null;
  const kept = former.subarray(0, former.length - drop);
  return { path: Buffer.concat([kept, index.subarray(at + 1, end)]), next: end + 1 };
}

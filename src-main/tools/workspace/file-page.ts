// One page of a text file: a range of lines within bounds, and exact words on what is left out. Small and middle files
// are read whole, so the page carries their version; above WHOLE_FILE_BYTES only as much as the page needs is read.
import fs from 'node:fs';
import { AppError } from '../../base/app-error.ts';
import { doorError } from './door-error.ts';
import { WHOLE_FILE_BYTES } from './file-limits.ts';
import { readDescriptor } from './file-version.ts';
import { decodePart, decodeText, encodingOf, lineEndOf, looksBinary } from './text-file.ts';
import type { DoorPath, WorkspaceDoor } from './workspace-door.ts';

const CHUNK_BYTES = 64 * 1024;
/** What a shown line costs besides its text: its number and its end. */
const LINE_OVERHEAD = 8;

/** Which lines (`offset` counts from 1), and the bounds of what is given. */
export interface PageRange {
  readonly offset: number;
  readonly limit: number;
  readonly lineCharacters: number;
  readonly characters: number;
}

export interface FilePage {
  /** The lines, without line ends; long ones are cut at `lineCharacters`. */
  readonly lines: readonly string[];
  readonly firstLine: number;
  /** Lines of the whole file; null when it is too large to be read whole. */
  readonly totalLines: number | null;
  readonly more: boolean;
  readonly cutLines: number;
  readonly lineEnd: '\r\n' | '\n';
  readonly size: number;
  /** sha256 of the whole file; null when it is too large. */
  readonly version: string | null;
}

/** Lines of a text without their ends; a final line end makes no further line. */
function splitLines(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}

/** Cuts lines to the bounds of a range; `more` = lines were left out at the end. */
function bounded(all: readonly string[], range: PageRange): { lines: string[]; cutLines: number; more: boolean } {
  const lines: string[] = [];
  let cutLines = 0;
  let characters = 0;
  for (const line of all.slice(0, range.limit)) {
    const cut = line.length > range.lineCharacters;
    const shown = cut ? line.slice(0, range.lineCharacters) : line;
    characters += shown.length + LINE_OVERHEAD;
    if (lines.length > 0 && characters > range.characters) return { lines, cutLines, more: true };
    if (cut) cutLines += 1;
    lines.push(shown);
  }
  return { lines, cutLines, more: all.length > lines.length };
}

/** The page of a file whose bytes are here. workspace.not-text. */
export function pageOfBytes(bytes: Uint8Array, version: string, range: PageRange): FilePage {
  const { text } = decodeText(bytes);
  const all = splitLines(text);
  const page = bounded(all.slice(range.offset - 1), range);
  return {
    ...page,
    firstLine: range.offset,
    totalLines: all.length,
    lineEnd: lineEndOf(text.slice(0, CHUNK_BYTES)),
    size: bytes.length,
    version,
  };
}

/** The bytes from the start of line `offset`, enough for the range; stops reading as soon as it has them. */
function readRange(descriptor: number, range: PageRange): { bytes: Buffer; atEnd: boolean } {
  const wanted = Math.min(range.limit * 2, Number.MAX_SAFE_INTEGER);
  const maxBytes = Math.min(4 * (range.characters + range.lineCharacters), WHOLE_FILE_BYTES);
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  const kept: Buffer[] = [];
  let keptBytes = 0;
  let line = 1;
  let position = 0;
  let lines = 0;
  for (;;) {
    const got = fs.readSync(descriptor, chunk, 0, CHUNK_BYTES, position);
    if (got === 0) return { bytes: Buffer.concat(kept), atEnd: true };
    position += got;
    const filled = chunk.subarray(0, got);
    let from = 0;
    while (line < range.offset) {
      const end = filled.indexOf(10, from);
      if (end < 0) break;
      from = end + 1;
      line += 1;
    }
    if (line < range.offset) continue;
    const part = Buffer.from(filled.subarray(from));
    kept.push(part);
    keptBytes += part.length;
    for (let at = part.indexOf(10); at >= 0; at = part.indexOf(10, at + 1)) lines += 1;
    if (lines >= wanted || lines > range.limit || keptBytes > maxBytes) {
      return { bytes: Buffer.concat(kept), atEnd: false };
    }
  }
}

/** Whole characters only: a cut sequence at the end is left out. */
function withoutCutEnd(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && end > bytes.length - 4 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1;
  return (bytes[end - 1] ?? 0) >= 0xc0 ? bytes.subarray(0, end - 1) : bytes;
}

/** How a descriptor is read: `lossy` shows odd bytes as U+FFFD, `wholeBytes` is the size up to which all is read. */
interface ReadingOptions {
  readonly lossy: boolean;
  readonly wholeBytes: number;
}

function pageOfLarge(descriptor: number, options: ReadingOptions & { size: number }, range: PageRange): FilePage {
  const start = Buffer.alloc(8192);
  const got = fs.readSync(descriptor, start, 0, start.length, 0);
  const encoding = options.lossy ? 'utf-8' : encodingOf(start.subarray(0, got));
  if (!options.lossy && (looksBinary(start.subarray(0, got)) || encoding.startsWith('utf-16'))) {
    throw new AppError(
      'workspace.not-text',
      `It is no UTF-8 text, and with ${options.size} bytes too large to be converted here.`,
    );
  }
  const { bytes, atEnd } = readRange(descriptor, range);
  const body = atEnd ? bytes : withoutCutEnd(bytes);
  const text = options.lossy ? body.toString('utf8') : decodePart(body, encoding, range.offset === 1);
  const page = bounded(splitLines(text), range);
  return {
    ...page,
    more: page.more || !atEnd,
    firstLine: range.offset,
    totalLines: null,
    lineEnd: lineEndOf(text),
    size: options.size,
    version: null,
  };
}

/** One page of an open regular file. workspace.not-text, unless `lossy`. */
export function readPageOfDescriptor(descriptor: number, options: ReadingOptions, range: PageRange): FilePage {
  return pageOfSize(descriptor, { ...options, size: fs.fstatSync(descriptor).size }, range);
}

function pageOfSize(descriptor: number, options: ReadingOptions & { size: number }, range: PageRange): FilePage {
  const { size } = options;
  if (size > options.wholeBytes) return pageOfLarge(descriptor, options, range);
  const { bytes, version } = readDescriptor(descriptor, options.wholeBytes);
  if (!options.lossy) return pageOfBytes(bytes, version.sha256, range);
  return pageOfBytes(Buffer.from(bytes.toString('utf8').replaceAll('\0', '\uFFFD')), version.sha256, range);
}

/** Opens a file and gives what `read` makes of it. Errors get the path in front. */
function withFile<T>(door: WorkspaceDoor, path: DoorPath, read: (descriptor: number, size: number) => T): T {
  const descriptor = door.openFile(path);
  try {
    return read(descriptor, fs.fstatSync(descriptor).size);
  } catch (error) {
    throw doorError(error, path.shown);
  } finally {
    fs.closeSync(descriptor);
  }
}

const asText = { lossy: false, wholeBytes: WHOLE_FILE_BYTES };

/** Reads one page through a door. workspace.* errors, with the path in front. */
export function readPage(door: WorkspaceDoor, path: DoorPath, range: PageRange): FilePage {
  return withFile(door, path, (descriptor, size) => pageOfSize(descriptor, { ...asText, size }, range));
}

/** The same of a file of at most `mostBytes`; null = it has more. One opening tells its size and gives its page. */
export function readSmallPage(
  door: WorkspaceDoor,
  path: DoorPath,
  options: { range: PageRange; mostBytes: number },
): FilePage | null {
  return withFile(door, path, (descriptor, size) =>
    size > options.mostBytes ? null : pageOfSize(descriptor, { ...asText, size }, options.range),
  );
}

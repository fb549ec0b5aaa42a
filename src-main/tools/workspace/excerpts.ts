// The lines of a file at given numbers, each cut to a bound around the column that counts. What a search shows comes from
// here: read through the door, whatever the searching program saw.
import fs from 'node:fs';
import { isAppError } from '../../base/app-error.ts';
import { doorError } from './door-error.ts';
import { WHOLE_FILE_BYTES } from './file-limits.ts';
import { readDescriptor } from './file-version.ts';
import { decodeText, encodingOf } from './text-file.ts';
import type { DoorPath, WorkspaceDoor } from './workspace-door.ts';

const CHUNK_BYTES = 256 * 1024;
/** How far into a file places are looked for. */
const LOOKED_AT_BYTES = 1024 * 1024 * 1024;

/** A place in a file: line from 1, column in bytes from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The line at a place; `cut` = it was longer than the bound. null = the file has no such line (any more). */
export type Excerpt = { readonly text: string; readonly cut: boolean } | null;

function cutAround(line: string, column: number, characters: number): { text: string; cut: boolean } {
  if (line.length <= characters) return { text: line, cut: false };
  const start = Math.max(0, Math.min(column - 1 - Math.floor(characters / 4), line.length - characters));
  const end = start + characters;
  return { text: `${start > 0 ? '…' : ''}${line.slice(start, end)}${end < line.length ? '…' : ''}`, cut: true };
}

/** Text for reading only: other encodings show odd characters rather than nothing. */
function readable(bytes: Buffer): string {
  try {
    return decodeText(bytes).text;
  } catch (error) {
    if (!isAppError(error)) throw error;
    return bytes.toString('utf8');
  }
}

/** A column in bytes (from 1) as one in characters. */
function columnInCharacters(line: Buffer, column: number): number {
  return line.toString('utf8', 0, Math.max(0, column - 1)).length + 1;
}

interface ExcerptOptions {
  readonly places: readonly Place[];
  readonly characters: number;
}

/** The excerpts at places (in rising order of lines). workspace.* errors. */
export function readExcerpts(door: WorkspaceDoor, path: DoorPath, options: ExcerptOptions): Excerpt[] {
  const descriptor = door.openFile(path);
  try {
    const { size } = fs.fstatSync(descriptor);
    if (size > WHOLE_FILE_BYTES) return excerptsOfLarge(descriptor, options);
    return excerptsOfText(readable(readDescriptor(descriptor, WHOLE_FILE_BYTES).bytes), options);
  } catch (error) {
    throw doorError(error, path.shown);
  } finally {
    fs.closeSync(descriptor);
  }
}

function excerptsOfText(text: string, { places, characters }: ExcerptOptions): Excerpt[] {
  const out: Excerpt[] = [];
  let line = 1;
  let start = 0;
  for (const place of places) {
    while (line < place.line && start >= 0) {
      const end = text.indexOf('\n', start);
      start = end < 0 ? -1 : end + 1;
      line += 1;
    }
    if (start < 0 || start >= text.length) {
      out.push(null);
      continue;
    }
    const end = text.indexOf('\n', start);
    const whole = text.slice(start, end < 0 ? text.length : end).replace(/\r$/, '');
    const column = whole.length > characters ? columnInCharacters(Buffer.from(whole), place.column) : place.column;
    out.push(cutAround(whole, column, characters));
  }
  return out;
}

/** Where lines begin in a file that is not read whole, up to LOOKED_AT_BYTES; null = not there, or further on. */
function lineStarts(descriptor: number, lines: readonly number[]): (number | null)[] {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  const starts = new Map<number, number>([[1, 0]]);
  const wanted = new Set(lines);
  const last = Math.max(...lines);
  let line = 1;
  for (let position = 0; line < last && position < LOOKED_AT_BYTES; position += CHUNK_BYTES) {
    const got = fs.readSync(descriptor, chunk, 0, CHUNK_BYTES, position);
    if (got === 0) break;
    const part = chunk.subarray(0, got);
    for (let at = part.indexOf(10); at >= 0 && line < last; at = part.indexOf(10, at + 1)) {
      line += 1;
      if (wanted.has(line)) starts.set(line, position + at + 1);
    }
  }
  return lines.map((wantedLine) => starts.get(wantedLine) ?? null);
}

/** Reads only around the places: UTF-8, odd bytes shown as such; none in UTF-16, whose lines are not found by bytes. */
function excerptsOfLarge(descriptor: number, { places, characters }: ExcerptOptions): Excerpt[] {
  const mark = Buffer.alloc(2);
  fs.readSync(descriptor, mark, 0, 2, 0);
  if (encodingOf(mark).startsWith('utf-16')) return places.map(() => null);
  const starts = lineStarts(
    descriptor,
    places.map(({ line }) => line),
  );
  const window = Buffer.allocUnsafe(4 * characters);
  return places.map(({ column }, index): Excerpt => {
    const start = starts[index] ?? null;
    if (start === null) return null;
    const from = start + Math.max(0, column - 1 - characters);
    const got = fs.readSync(descriptor, window, 0, window.length, from);
    if (got === 0) return null;
    const end = window.subarray(0, got).indexOf(10);
    const line = window.subarray(0, end < 0 ? got : end);
    const text = partOfLine(line, from > start).replace(/\r$/, '');
    const shown = cutAround(text, columnInCharacters(line, column - (from - start)), characters);
    return {
      text: (from > start && !shown.text.startsWith('…') ? '…' : '') + shown.text,
      cut: shown.cut || from > start,
    };
  });
}

/** Text of a part of a line; a character that was cut at its start is left out. */
function partOfLine(bytes: Buffer, cutAtStart: boolean): string {
  let from = 0;
  if (cutAtStart) while (from < 4 && ((bytes[from] ?? 0) & 0xc0) === 0x80) from += 1;
  return bytes.toString('utf8', from);
}

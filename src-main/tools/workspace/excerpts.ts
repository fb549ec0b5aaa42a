// The lines of a file at given numbers, each cut to a bound around the column that counts. What a search shows comes from
// here: read through the door, whatever the searching program saw.
import { isAppError } from '../../base/app-error.ts';
import { WHOLE_FILE_BYTES } from './file-limits.ts';
import { decodeText } from './text-file.ts';
import type { DoorPath, WorkspaceDoor } from './workspace-door.ts';

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

/** The excerpts at places (in rising order of lines). workspace.* errors. */
export function readExcerpts(
  door: WorkspaceDoor,
  path: DoorPath,
  options: { places: readonly Place[]; characters: number },
): Excerpt[] {
  const text = readable(door.read(path, WHOLE_FILE_BYTES).bytes);
  const out: Excerpt[] = [];
  let line = 1;
  let start = 0;
  for (const place of options.places) {
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
    out.push(cutAround(whole, place.column, options.characters));
  }
  return out;
}

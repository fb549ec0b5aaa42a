// Reads the unified diff of one file into pieces small enough to be drawn one by one. Pure; counts lines as the hunk
// headers say, so that a line which merely looks like a header is still a line.
import type { ChangeData, HunkData } from 'react-diff-view';

/** A stretch of one hunk. `header` is the hunk's own line, on its first piece only. */
export interface DiffPiece {
  readonly header: string | null;
  readonly hunk: HunkData;
}

export interface ParsedDiff {
  readonly pieces: readonly DiffPiece[];
  readonly lines: number;
  /** Facts that belong to no line: a missing last line feed, CRLF line ends. */
  readonly notes: readonly string[];
  /** Text that is no diff; '' when all of it was understood. It must be shown as it is. */
  readonly rest: string;
}

const HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
/** Lines after which a piece ends at the next unchanged line, and at the latest. */
const PIECE_LINES = 120;
const PIECE_LINES_MOST = 240;

interface Cursor {
  oldLine: number;
  newLine: number;
  oldLeft: number;
  newLeft: number;
}

function readChange(line: string, at: Cursor): ChangeData | null {
  const content = line.slice(1);
  switch (line[0]) {
    case '+':
      at.newLeft -= 1;
      return { type: 'insert', content, lineNumber: at.newLine++, isInsert: true };
    case '-':
      at.oldLeft -= 1;
      return { type: 'delete', content, lineNumber: at.oldLine++, isDelete: true };
    case ' ':
    case undefined:
      at.oldLeft -= 1;
      at.newLeft -= 1;
      return { type: 'normal', content, isNormal: true, oldLineNumber: at.oldLine++, newLineNumber: at.newLine++ };
    default:
      return null;
  }
}

function toHunk(changes: ChangeData[], content: string): HunkData {
  let oldStart = 0;
  let newStart = 0;
  let oldLines = 0;
  let newLines = 0;
  for (const change of changes) {
    const [oldNumber, newNumber] =
      change.type === 'normal'
        ? [change.oldLineNumber, change.newLineNumber]
        : change.type === 'delete'
          ? [change.lineNumber, 0]
          : [0, change.lineNumber];
    if (oldNumber > 0) {
      oldStart ||= oldNumber;
      oldLines += 1;
    }
    if (newNumber > 0) {
      newStart ||= newNumber;
      newLines += 1;
    }
  }
  return { content, oldStart, newStart, oldLines, newLines, changes };
}

function splitHunk(header: string, changes: ChangeData[]): DiffPiece[] {
  const pieces: DiffPiece[] = [];
  let from = 0;
  for (let index = 0; index < changes.length; index += 1) {
    const size = index + 1 - from;
    const quiet = changes[index]?.type === 'normal';
    if (index + 1 === changes.length || size >= PIECE_LINES_MOST || (size >= PIECE_LINES && quiet)) {
      pieces.push({ header: from === 0 ? header : null, hunk: toHunk(changes.slice(from, index + 1), header) });
      from = index + 1;
    }
  }
  return pieces;
}

function dropCarriageReturns(pieces: readonly DiffPiece[]): boolean {
  const changes = pieces.flatMap((piece) => piece.hunk.changes);
  if (changes.length === 0 || !changes.every((change) => change.content.endsWith('\r'))) return false;
  for (const change of changes) change.content = change.content.slice(0, -1);
  return true;
}

/** Reads a unified diff, with or without its file headers. Never throws: what is no diff comes back in `rest`. */
export function parseDiff(diff: string): ParsedDiff {
  const lines = diff.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const pieces: DiffPiece[] = [];
  const notes = new Set<string>();
  const rest: string[] = [];
  let count = 0;
  let index = 0;
  while (index < lines.length) {
    const header = lines[index] ?? '';
    const match = HEADER.exec(header);
    index += 1;
    if (match === null) {
      if (!/^(?:diff |index |Index: |={10,}|--- |\+\+\+ |new file|deleted file|$)/.test(header)) rest.push(header);
      continue;
    }
    const at: Cursor = {
      oldLine: Number(match[1]),
      newLine: Number(match[3]),
      oldLeft: Number(match[2] ?? 1),
      newLeft: Number(match[4] ?? 1),
    };
    const changes: ChangeData[] = [];
    while (index < lines.length) {
      const line = lines[index] ?? '';
      if (line.startsWith('\\')) {
        const last = changes.at(-1)?.type;
        notes.add(
          `${last === 'delete' ? 'The old file' : last === 'insert' ? 'The new file' : 'The file'} has no line feed at its end.`,
        );
      } else {
        if (at.oldLeft <= 0 && at.newLeft <= 0) break;
        const change = readChange(line, at);
        if (change === null) break;
        changes.push(change);
      }
      index += 1;
    }
    count += changes.length;
    pieces.push(...splitHunk(header, changes));
  }
  if (dropCarriageReturns(pieces)) notes.add('All lines end in CRLF.');
  return { pieces, lines: count, notes: [...notes], rest: rest.join('\n') };
}

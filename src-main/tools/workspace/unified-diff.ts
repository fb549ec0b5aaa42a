// The unified diff of one file, as people see it before they allow and afterwards. Counts are of whole lines.
// A diff that would take too long to find is given as one block between the common start and end.
import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from 'diff';
import type { StructuredPatch } from 'diff';

/** A unified diff with its numbers of added and removed lines. */
export interface FileDiff {
  readonly diff: string;
  readonly added: number;
  readonly removed: number;
}

const CONTEXT = 3;
const MAX_EDIT_LENGTH = 4000;

const lines = (text: string): string[] => {
  const all = text.split('\n').map((line) => `${line}\n`);
  const last = (all.pop() ?? '').slice(0, -1);
  return last === '' ? all : [...all, last];
};

/** One hunk that replaces all between the common first and last lines. */
function coarsePatch(path: string, before: string, after: string): StructuredPatch {
  const old = lines(before);
  const now = lines(after);
  let start = 0;
  while (start < old.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const marked = (sign: string, each: string[]): string[] =>
    each.flatMap((line) =>
      line.endsWith('\n') ? [sign + line.slice(0, -1)] : [sign + line, '\\ No newline at end of file'],
    );
  const removed = old.slice(start, old.length - end);
  const added = now.slice(start, now.length - end);
  const hunk = {
    oldStart: start + 1,
    oldLines: removed.length,
    newStart: start + 1,
    newLines: added.length,
    lines: [...marked('-', removed), ...marked('+', added)],
  };
  return { oldFileName: path, newFileName: path, oldHeader: '', newHeader: '', hunks: [hunk], index: path };
}

/** The diff from `before` to `after`; null stands for a file that is not there. Equal texts give an empty diff. */
export function unifiedDiff(path: string, before: string | null, after: string): FileDiff {
  if (before === after) return { diff: '', added: 0, removed: 0 };
  const oldName = before === null ? '/dev/null' : `a/${path}`;
  const patch = structuredPatch(oldName, `b/${path}`, before ?? '', after, undefined, undefined, {
    context: CONTEXT,
    maxEditLength: MAX_EDIT_LENGTH,
  }) ?? { ...coarsePatch(path, before ?? '', after), oldFileName: oldName, newFileName: `b/${path}` };
  let added = 0;
  let removed = 0;
  for (const hunk of patch.hunks) {
    for (const line of hunk.lines) {
      if (line.startsWith('+')) added += 1;
      if (line.startsWith('-')) removed += 1;
    }
  }
  return { diff: formatPatch(patch, FILE_HEADERS_ONLY), added, removed };
}

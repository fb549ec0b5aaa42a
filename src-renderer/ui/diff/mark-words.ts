// Finds what changed within a line: for a removed line and the added one that replaces it, the words between the
// beginning and the end that both share. Pure and linear, so that long lines cost no more than being read.
import type { ChangeData } from 'react-diff-view';

/** Where the changed words of a line lie: [from, to) in UTF-16 units; null = the whole line is new, mark nothing. */
export type WordRange = readonly [number, number];

const LONGEST_LINE = 2000;
/** A smaller share in common is a rewrite, not an edit. */
const LEAST_SHARED = 0.3;

const isWord = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}_]/u.test(character);

function inWord(text: string, index: number): boolean {
  return index > 0 && index < text.length && isWord(text[index - 1]) && isWord(text[index]);
}

/** The changed ranges of an old and a new line, or null when they have too little in common. */
export function markWords(before: string, after: string): { old: WordRange; new: WordRange } | null {
  if (before.length > LONGEST_LINE || after.length > LONGEST_LINE || before === after) return null;
  const shortest = Math.min(before.length, after.length);
  let start = 0;
  while (start < shortest && before[start] === after[start]) start += 1;
  while (inWord(before, start) || inWord(after, start)) start -= 1;
  let end = 0;
  while (end < shortest - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  while (end > 0 && (inWord(before, before.length - end) || inWord(after, after.length - end))) end -= 1;
  if (start + end < LEAST_SHARED * Math.max(before.length, after.length)) return null;
  return { old: [start, before.length - end], new: [start, after.length - end] };
}

/** Ranges of all edited lines of a hunk, by change. Removed lines are paired in order with the added ones after them. */
export function markChanges(changes: readonly ChangeData[]): Map<ChangeData, WordRange> {
  const ranges = new Map<ChangeData, WordRange>();
  let index = 0;
  while (index < changes.length) {
    const removedFrom = index;
    while (changes[index]?.type === 'delete') index += 1;
    const addedFrom = index;
    while (changes[index]?.type === 'insert') index += 1;
    const pairs = Math.min(addedFrom - removedFrom, index - addedFrom);
    for (let pair = 0; pair < pairs; pair += 1) {
      const before = changes[removedFrom + pair];
      const after = changes[addedFrom + pair];
      const found = before && after ? markWords(before.content, after.content) : null;
      if (found === null || !before || !after) continue;
      ranges.set(before, found.old);
      ranges.set(after, found.new);
    }
    if (index === removedFrom) index += 1;
  }
  return ranges;
}

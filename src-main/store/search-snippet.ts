// The piece of a text that shows why it was found: around the first of the words, on one line.

const BEFORE = 40;
const AFTER = 120;

/** A text in three pieces; `match` is '' where no word could be found as it was typed. */
export interface Snippet {
  before: string;
  match: string;
  after: string;
}

const strip = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

/** Where the first word stands, also where accents and case differ; null = nowhere. */
function findFirst(text: string, words: readonly string[]): { at: number; length: number } | null {
  const plain = text.toLowerCase();
  const same = plain.length === text.length;
  for (const word of words) {
    const at = same ? plain.indexOf(word.toLowerCase()) : -1;
    if (at >= 0) return { at, length: word.length };
  }
  const bare = strip(text);
  if (bare.length !== text.length) return null;
  for (const word of words) {
    const at = bare.indexOf(strip(word));
    if (at >= 0) return { at, length: word.length };
  }
  return null;
}

/** The snippet of a text for these words. */
export function snippetOf(text: string, words: readonly string[]): Snippet {
  const found = findFirst(text, words);
  if (found === null) return { before: '', match: '', after: oneLine(text.slice(0, BEFORE + AFTER)).trim() };
  const from = Math.max(0, found.at - BEFORE);
  const end = found.at + found.length;
  return {
    before: (from > 0 ? '…' : '') + oneLine(text.slice(from, found.at)),
    match: oneLine(text.slice(found.at, end)),
    after: oneLine(text.slice(end, end + AFTER)) + (end + AFTER < text.length ? '…' : ''),
  };
}

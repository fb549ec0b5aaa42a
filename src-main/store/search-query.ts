// What a person types, as a query of the index: every word must be there, the beginning of a word is enough, and words in
// double quotes must follow each other. Nothing of the index's own query language is understood.

/** Shorter beginnings would fit nearly everything: they are looked for as whole words. */
const SHORTEST_PREFIX = 2;

/** Words and phrases, in order. */
export function searchTerms(text: string): { text: string; phrase: boolean }[] {
  const terms: { text: string; phrase: boolean }[] = [];
  for (const [, phrase, word] of text.matchAll(/"([^"]*)"|([^\s"]+)/g)) {
    const found = (phrase ?? word ?? '').trim();
    // What has no letter or digit is no word for the index, and would fit nothing.
    if (/[\p{L}\p{N}]/u.test(found)) terms.push({ text: found, phrase: phrase !== undefined });
  }
  return terms.slice(0, 20);
}

/** Words that go on from a beginning; null = the beginning itself is to be looked for. */
export type WordsFrom = (beginning: string) => readonly string[] | null;

/** The query for the index; null = there is nothing to look for. */
export function toMatch(text: string, wordsFrom: WordsFrom = () => null): string | null {
  const terms = searchTerms(text);
  if (terms.length === 0) return null;
  return terms
    .map((term) => {
      const quoted = `"${term.text.replaceAll('"', '')}"`;
      const last = term.text.split(/[^\p{L}\p{N}\p{M}]+/u).at(-1) ?? '';
      if (term.phrase || last.length < SHORTEST_PREFIX) return quoted;
      const words = wordsFrom(term.text);
      if (words === null) return `${quoted}*`;
      return words.length === 0 ? quoted : `(${[quoted, ...words.map((word) => `"${word}"`)].join(' OR ')})`;
    })
    .join(' AND ');
}

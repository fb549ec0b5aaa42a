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

/** The query for the index; null = there is nothing to look for. */
export function toMatch(text: string): string | null {
  const terms = searchTerms(text);
  if (terms.length === 0) return null;
  return terms
    .map((term) => {
      const quoted = `"${term.text.replaceAll('"', '')}"`;
      const last = term.text.split(/[^\p{L}\p{N}\p{M}]+/u).at(-1) ?? '';
      return term.phrase || last.length < SHORTEST_PREFIX ? quoted : `${quoted}*`;
    })
    .join(' AND ');
}

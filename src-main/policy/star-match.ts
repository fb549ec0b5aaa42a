// Whether a text fits a pattern with stars, in a time that grows with the text and not with what a pattern could make of it:
// patterns come with a project, texts from a model. Pure.

/** What a pattern says of a text. */
export interface TextTest {
  test(text: string): boolean;
}

/** `parts` = what stands between the stars, in order; a single part is the whole text. */
export function fitsStars(parts: readonly string[], text: string): boolean {
  const [first = '', ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

/** A name's longest pattern and text; no file has longer ones. */
const LONGEST_NAME = 1024;

/** Whether a name fits a glob of `*` and `?`; null = one of them is longer than any name. */
export function fitsGlob(glob: string, name: string): boolean | null {
  if (glob.length > LONGEST_NAME || name.length > LONGEST_NAME) return null;
  const wanted = Array.from(glob);
  const given = Array.from(name);
  let [at, next, star, from] = [0, 0, -1, 0];
  while (next < given.length) {
    if (wanted[at] === '*') [star, from, at] = [at, next, at + 1];
    else if (at < wanted.length && (wanted[at] === '?' || wanted[at] === given[next])) [at, next] = [at + 1, next + 1];
    else if (star === -1) return false;
    else [from, at, next] = [from + 1, star + 1, from + 1];
  }
  return wanted.slice(at).every((letter) => letter === '*');
}

/** Letters that some file systems take for the same. */
export const foldCase = (text: string): string =>
  /^[\x20-\x7e]*$/.test(text) ? text.toLowerCase() : text.toUpperCase().toLowerCase();

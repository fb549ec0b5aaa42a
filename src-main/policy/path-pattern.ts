// Path globs of rules: `*` and `?` within a name, `**` across names. Strict for allow rules (the very letters); loose for deny
// and ask rules, where what a file system may take for the same name is the same name. Pure.
import { comparableNames } from './secret-paths.ts';
import { fitsGlob } from './star-match.ts';

/** Names of a path; `**` among globs stands for any names. */
type Names = readonly string[];

export interface PathPattern {
  readonly absolute: boolean;
  readonly strict: Names;
  readonly loose: Names;
  /** The very names are meant: nothing in them stands for anything else, and nothing below. */
  readonly exact: boolean;
}

const isAbsolute = (path: string): boolean => path.startsWith('/');

const namesOf = (path: string): string[] => path.split('/').filter((name) => name !== '' && name !== '.');

/** A glob as a pattern; `docs` alone also covers all below it in the loose form. */
export function parsePathPattern(glob: string): PathPattern {
  return { absolute: isAbsolute(glob), strict: namesOf(glob), loose: comparableNames(glob), exact: false };
}

/** The pattern of exactly one path. */
export function exactPath(path: string): PathPattern {
  return { ...parsePathPattern(path), exact: true };
}

/** Whether names fit globs; `below` = so does what lies below; `tooLong` = what is said of names that no file can have. */
function fitsNames(globs: Names, names: Names, how: { below: boolean; tooLong: boolean }): boolean {
  // Which beginnings of the names the globs so far fit; one row a glob, so that nothing is tried twice.
  let reached = names.map(() => false);
  reached.unshift(true);
  globs.forEach((glob, index) => {
    const next = reached.map(() => false);
    let seen = false;
    for (let at = 0; at <= names.length; at++) {
      if (glob === '**') {
        // At the end it stands for one name at least, where anything stands before it.
        if (index < globs.length - 1 || index === 0) next[at] = seen || reached[at] === true;
        else next[at] = seen;
        seen ||= reached[at] === true;
      } else if (at > 0 && reached[at - 1] === true) {
        next[at] = fitsGlob(glob, names[at - 1] ?? '') ?? how.tooLong;
      }
    }
    reached = next;
  });
  return how.below ? reached.includes(true) : reached.at(-1) === true;
}

const isSame = (wanted: Names, names: Names): boolean =>
  wanted.length === names.length && wanted.every((name, index) => name === names[index]);

/** Whether an allow rule covers this path. */
export function coversPath(pattern: PathPattern, path: string): boolean {
  if (pattern.absolute !== isAbsolute(path)) return false;
  const names = namesOf(path);
  if (pattern.exact) return isSame(pattern.strict, names);
  return fitsNames(pattern.strict, names, { below: false, tooLong: false });
}

/** Whether a deny or ask rule speaks of this path. */
export function speaksOfPath(pattern: PathPattern, path: string): boolean {
  if (pattern.absolute !== isAbsolute(path)) return false;
  const names = comparableNames(path);
  if (pattern.exact) return isSame(pattern.loose, names);
  return fitsNames(pattern.loose, names, { below: true, tooLong: true });
}

/** `a/./b/../c` as `a/c`; null when it leads above where it starts. Absolute paths stay absolute. */
export function resolvedPath(path: string): string | null {
  const out: string[] = [];
  for (const name of namesOf(path)) {
    if (name !== '..') out.push(name);
    else if (out.pop() === undefined) return null;
  }
  return (isAbsolute(path) ? '/' : '') + out.join('/');
}

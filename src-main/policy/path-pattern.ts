// Path globs of rules: `*` and `?` within a name, `**` across names. Strict for allow rules (the very letters); loose for deny
// and ask rules, where what a file system may take for the same name is the same name. Pure.
import { comparableNames } from './secret-paths.ts';

export interface PathPattern {
  readonly strict: RegExp;
  readonly loose: RegExp;
}

const lead = (path: string): string => (path.startsWith('/') ? '/' : '');

function toExpression(names: readonly string[], start: string): RegExp {
  let body = start;
  names.forEach((name, index) => {
    const last = index === names.length - 1;
    if (name === '**') body += last ? '.*' : '(?:[^/]+/)*';
    else {
      const escaped = name.replace(/[\\^$.+()|{}[\]]/g, '\\$&');
      body += escaped.replace(/\*+/g, '[^/]*').replaceAll('?', '[^/]') + (last ? '' : '/');
    }
  });
  return new RegExp(`^${body}$`, 'su');
}

const namesOf = (path: string): string[] => path.split('/').filter((name) => name !== '' && name !== '.');

/** A glob as a pattern; `docs` alone also covers all below it in the loose form. */
export function parsePathPattern(glob: string): PathPattern {
  const loose = toExpression(comparableNames(glob), lead(glob)).source.slice(1, -1);
  return { strict: toExpression(namesOf(glob), lead(glob)), loose: new RegExp(`^${loose}(?:/.*)?$`, 'su') };
}

/** The pattern of exactly one path; nothing in it stands for anything else. */
export function exactPath(path: string): PathPattern {
  const escaped = (names: readonly string[]): string =>
    `^${lead(path)}${names.join('/').replace(/[\\^$.*+?()|{}[\]]/g, '\\$&')}$`;
  return { strict: new RegExp(escaped(namesOf(path)), 'su'), loose: new RegExp(escaped(comparableNames(path)), 'su') };
}

/** Whether an allow rule covers this path. */
export const coversPath = (pattern: PathPattern, path: string): boolean =>
  pattern.strict.test(lead(path) + namesOf(path).join('/'));

/** Whether a deny or ask rule speaks of this path. */
export const speaksOfPath = (pattern: PathPattern, path: string): boolean =>
  pattern.loose.test(lead(path) + comparableNames(path).join('/'));

/** `a/./b/../c` as `a/c`; null when it leads above where it starts. Absolute paths stay absolute. */
export function resolvedPath(path: string): string | null {
  const out: string[] = [];
  for (const name of namesOf(path)) {
    if (name !== '..') out.push(name);
    else if (out.pop() === undefined) return null;
  }
  return lead(path) + out.join('/');
}

// Glob patterns over relative paths, in time that cannot run away: `*`, `?`, `[a-z]` within a name, `**` across folders,
// `{a,b}` alternatives. A pattern without a slash matches the name at any depth.
import { AppError } from '../../base/app-error.ts';

const MAX_ALTERNATIVES = 64;

/** Tells whether a relative path (with `/`) matches. */
export type PathMatcher = (path: string) => boolean;

function invalid(pattern: string, why: string): AppError {
  return new AppError('tool.invalid-arguments', `The pattern ${JSON.stringify(pattern)} is refused: ${why}`);
}

/** The index of the brace that closes the one at `open`; -1 when none does. */
function closingBrace(pattern: string, open: number): number {
  let depth = 0;
  for (let at = open; at < pattern.length; at++) {
    if (pattern[at] === '{') depth += 1;
    if (pattern[at] === '}' && --depth === 0) return at;
  }
  return -1;
}

function splitAlternatives(body: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < body.length; at++) {
    if (body[at] === '{') depth += 1;
    if (body[at] === '}') depth -= 1;
    if (body[at] === ',' && depth === 0) {
      parts.push(body.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, body.slice(from)];
}

/** All patterns that `{a,b}` stands for. */
function expandBraces(pattern: string): string[] {
  const open = pattern.indexOf('{');
  const close = open < 0 ? -1 : closingBrace(pattern, open);
  if (close < 0) return [pattern];
  const head = pattern.slice(0, open);
  const tails = expandBraces(pattern.slice(close + 1));
  const middles = splitAlternatives(pattern.slice(open + 1, close)).flatMap(expandBraces);
  if (middles.length * tails.length > MAX_ALTERNATIVES) throw invalid(pattern, 'it has too many alternatives.');
  return middles.flatMap((middle) => tails.map((tail) => head + middle + tail));
}

type Token = { readonly type: 'star' } | { readonly type: 'one'; readonly matches: (character: string) => boolean };

/** One class such as [a-z] or [!0-9] that starts at `open`; null when it is not closed. */
function readClass(segment: string, open: number): { token: Token; next: number } | null {
  const negated = segment[open + 1] === '!' || segment[open + 1] === '^';
  const start = open + (negated ? 2 : 1);
  const close = segment.indexOf(']', start + 1);
  if (close < 0) return null;
  const body = Array.from(segment.slice(start, close));
  const matches = (character: string): boolean => {
    let hit = false;
    for (let at = 0; at < body.length; at++) {
      const low = body[at] ?? '';
      const isRange = body[at + 1] === '-' && at + 2 < body.length;
      const high = isRange ? (body[at + 2] ?? '') : low;
      if (character >= low && character <= high) hit = true;
      if (isRange) at += 2;
    }
    return hit !== negated;
  };
  return { token: { type: 'one', matches }, next: close + 1 };
}

function tokens(segment: string): Token[] {
  const out: Token[] = [];
  const characters = segment;
  for (let at = 0; at < characters.length;) {
    const character = String.fromCodePoint(characters.codePointAt(at) ?? 0);
    const set = character === '[' ? readClass(characters, at) : null;
    if (set !== null) {
      out.push(set.token);
      at = set.next;
      continue;
    }
    at += character.length;
    if (character === '*') {
      if (out.at(-1)?.type !== 'star') out.push({ type: 'star' });
    } else if (character === '?') out.push({ type: 'one', matches: () => true });
    else if (character === '\\' && at < characters.length) {
      const literal = String.fromCodePoint(characters.codePointAt(at) ?? 0);
      at += literal.length;
      out.push({ type: 'one', matches: (other) => other === literal });
    } else out.push({ type: 'one', matches: (other) => other === character });
  }
  return out;
}

/** Matches one name with backtracking to the last star only: at worst names times pattern. */
function matchName(pattern: readonly Token[], name: string): boolean {
  const characters = Array.from(name);
  let at = 0;
  let token = 0;
  let star = -1;
  let mark = 0;
  while (at < characters.length) {
    const now = pattern[token];
    if (now?.type === 'one' && now.matches(characters[at] ?? '')) {
      at += 1;
      token += 1;
    } else if (now?.type === 'star') {
      star = token++;
      mark = at;
    } else if (star >= 0) {
      token = star + 1;
      at = ++mark;
    } else return false;
  }
  while (pattern[token]?.type === 'star') token += 1;
  return token === pattern.length;
}

type Segment = '**' | readonly Token[];

/** Matches names against segments; `**` stands for any number of folders. Quadratic at worst. */
function matchSegments(segments: readonly Segment[], names: readonly string[]): boolean {
  let reachable = new Set([0]);
  const skip = (states: Set<number>): Set<number> => {
    for (const state of states) if (segments[state] === '**') states.add(state + 1);
    return states;
  };
  skip(reachable);
  for (const name of names) {
    const next = new Set<number>();
    for (const state of reachable) {
      const segment = segments[state];
      if (segment === '**') next.add(state);
      else if (segment !== undefined && matchName(segment, name)) next.add(state + 1);
    }
    reachable = skip(next);
  }
  return reachable.has(segments.length);
}

interface Alternative {
  readonly segments: readonly Segment[];
  /** Every path that fits ends so: most paths of a tree need no closer look. */
  readonly end: string;
}

/** The end of a segment that stands for itself alone. */
const plainEnd = (segment: string): string => (segment.includes('\\') ? '' : (/[^*?[\]{}]*$/.exec(segment)?.[0] ?? ''));

/** Reads a pattern. tool.invalid-arguments when it is empty, too long, absolute or uses `..`. */
export function parseGlob(pattern: string): PathMatcher {
  if (pattern.trim() === '') throw invalid(pattern, 'it is empty. Use `*` for every file.');
  if (pattern.length > 1000) throw invalid(pattern.slice(0, 60), 'it is longer than 1,000 characters.');
  const alternatives = expandBraces(pattern).map((each): Alternative => {
    const names = each.replace(/^\.\//, '').replace(/\/$/, '').split('/');
    if (names[0] === '') throw invalid(pattern, 'give it relative to the folder, and the folder as `path`.');
    if (names.includes('..')) throw invalid(pattern, '`..` is not used here.');
    const segments = names.map((name): Segment => (name === '**' ? '**' : tokens(name)));
    const anywhere = names.length === 1 && names[0] !== '**';
    return { segments: anywhere ? ['**', ...segments] : segments, end: plainEnd(names.at(-1) ?? '') };
  });
  return (path) => {
    const likely = alternatives.filter(({ end }) => path.endsWith(end));
    if (likely.length === 0) return false;
    const names = path.split('/');
    return likely.some(({ segments }) => matchSegments(segments, names));
  };
}

// The words of a `shell:` rule. `git log` = these words; a last `*` (or `:*`) = and any arguments; `*` in a word = any
// characters of that word. Allow rules want every word known and in its place; deny and ask rules cover each command that
// begins with their words, by any path and in any letter case. Pure.
import type { ReadWord } from './read-command.ts';
import { fitsStars, foldCase, type TextTest } from './star-match.ts';

export interface CommandPattern {
  /** Each matches one word. */
  readonly words: readonly { readonly exact: TextTest; readonly loose: TextTest }[];
  /** Any further arguments. */
  readonly open: boolean;
}

/** yes; no; maybe = only the shell knows, or the words are there with others between them. */
export type Match = 'yes' | 'maybe' | 'no';

interface PatternWord {
  readonly parts: readonly { readonly text: string; readonly star: boolean }[];
}

const OPERATORS = /[|&;<>()`$\n]/;

/** Splits as a shell does, with quotes and backslashes; null for operators and expansions, which are no words. */
function splitWords(text: string): PatternWord[] | null {
  const words: PatternWord[] = [];
  const token = /\s*((?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+)/gy;
  let end = 0;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    end = token.lastIndex;
    const parts = [...(match[1] ?? '').matchAll(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)|(\*+)|([^'"\\*]+)/gs)].map(
      ([, single, double, escaped, star, bare]) => ({
        text: single ?? double?.replace(/\\([$`"\\])/g, '$1') ?? escaped ?? bare ?? '',
        star: star !== undefined,
        operator: bare !== undefined && OPERATORS.test(bare),
      }),
    );
    if (parts.some(({ operator }) => operator)) return null;
    words.push({ parts });
  }
  return text.slice(end).trim() === '' ? words : null;
}

function toTests({ parts }: PatternWord): CommandPattern['words'][number] {
  const exact: string[] = [''];
  for (const { text, star } of parts) {
    if (star) exact.push('');
    else exact.push(`${exact.pop() ?? ''}${text}`);
  }
  const loose = exact.map((part) => foldCase(part).replaceAll('\\', '/'));
  const inFolder = ['', `/${loose[0] ?? ''}`, ...loose.slice(1)];
  const isNamed = (text: string): boolean => fitsStars(loose, text) || fitsStars(inFolder, text);
  return {
    exact: { test: (text) => fitsStars(exact, text) },
    loose: {
      test: (text) => {
        const folded = foldCase(text).replaceAll('\\', '/');
        return isNamed(folded) || (folded.endsWith('.exe') && isNamed(folded.slice(0, -4)));
      },
    },
  };
}

/** The pattern of a rule's words; null when they are no plain words (then only the very text is meant). */
export function parseCommandPattern(text: string): CommandPattern | null {
  const words = splitWords(text.replace(/:\*\s*$/, ' *'));
  if (words === null || words.length === 0) return null;
  const last = words.at(-1);
  const open = last?.parts.length === 1 && last.parts[0]?.star === true;
  return { words: (open ? words.slice(0, -1) : words).map(toTests), open };
}

/** Whether an allow rule covers exactly these words. */
export function covers(pattern: CommandPattern, words: readonly ReadWord[]): boolean {
  if (words.length < pattern.words.length || (!pattern.open && words.length > pattern.words.length)) return false;
  return pattern.words.every(({ exact }, index) => {
    const value = words[index]?.value ?? null;
    return value !== null && exact.test(value);
  });
}

/** Whether a deny or ask rule speaks of a command of these words. */
export function speaksOf(pattern: CommandPattern, words: readonly ReadWord[]): Match {
  const [name, ...rest] = pattern.words;
  const started = words[0];
  if (name === undefined) return 'yes';
  if (started === undefined) return 'no';
  if (started.value === null) return 'maybe';
  if (!name.loose.test(started.value)) return 'no';
  return argumentsMatch(rest, words.slice(1));
}

/** In their places = yes; in their order with others between them, or not known = maybe (`git -C x push`). */
function argumentsMatch(wanted: CommandPattern['words'], given: readonly ReadWord[]): Match {
  const fits = (index: number, word: ReadWord | undefined): boolean =>
    word?.value !== null && word !== undefined && (wanted[index]?.exact.test(word.value) ?? false);
  if (wanted.every((_, index) => fits(index, given[index]))) return 'yes';
  if (given.some(({ value }) => value === null)) return 'maybe';
  let found = 0;
  for (const word of given) if (found < wanted.length && fits(found, word)) found++;
  return found === wanted.length ? 'maybe' : 'no';
}

// What a command starts in its turn: launchers (sudo, env, xargs, find -exec) and shells with a script (sh -c, eval, trap).
// Pure. A launcher whose words cannot be followed gives `unknown`, which is never taken for harmless.
import { LAUNCHERS, type Launcher } from './launchers.ts';
import type { ReadWord } from './read-command.ts';

/** `at` = the index of the word at which what is started begins. */
export type Launched =
  | { readonly type: 'words'; readonly at: number; readonly words: readonly ReadWord[] }
  | { readonly type: 'script'; readonly at: number; readonly text: string }
  | { readonly type: 'unknown'; readonly at: number };

const SHELLS = new Set(['sh', 'bash', 'dash', 'ash', 'ksh', 'mksh', 'zsh', 'rbash']);
/** They read a script in a way of their own. */
const OTHER_SHELLS = new Set(['csh', 'tcsh', 'fish', 'yash', 'posh', 'lksh', 'pwsh', 'nu', 'elvish', 'xonsh']);
const FIND_ACTIONS = new Set(['-exec', '-execdir', '-ok', '-okdir']);
/** A find with more actions is not followed. */
const MAX_ACTIONS = 20;
const FIND_NAMES = new Set(['find', 'gfind', 'bfs']);

/** Stands for words that come at run time. */
const ADDED: ReadWord = { text: '…', value: null, single: false };

/** The name of a program without its folder. */
export const baseName = (value: string): string => value.replace(/^.*[/\\]/s, '');

/** Words in which a launcher puts something else are not known. */
const withHoles = (words: readonly ReadWord[], hole: string): ReadWord[] =>
  words.map((word) => (word.value?.includes(hole) === true ? { ...word, value: null } : word));

function fromFind(words: readonly ReadWord[]): Launched[] {
  if (words.filter(({ value }) => FIND_ACTIONS.has(value ?? '')).length > MAX_ACTIONS)
    return [{ type: 'unknown', at: 1 }];
  const out: Launched[] = [];
  words.forEach((word, index) => {
    if (word.value === null || !FIND_ACTIONS.has(word.value)) return;
    const from = words.slice(index + 1);
    const end = from.findIndex(({ value }) => value === ';' || value === '+');
    const inner = withHoles(end === -1 ? from : from.slice(0, end), '{}');
    out.push({ type: 'words', at: index + 1, words: inner });
  });
  if (mayHideAction(words.slice(1))) out.push({ type: 'unknown', at: 1 });
  return out;
}

/** Whether a word that only the shell knows may be an action: a quoted start folder alone, and names of files, are none. */
function mayHideAction(args: readonly ReadWord[]): boolean {
  const unknown = args.filter(({ text, value }) => value === null && (/[$`~]/.test(text) || !/[./]/.test(text)));
  if (unknown.length === 0) return false;
  const ends = args.some(({ value }) => value === ';' || value === '+');
  return ends || unknown.length > 1 || unknown[0]?.single !== true;
}

function fromShell(words: readonly ReadWord[]): Launched[] {
  for (let at = 1; at < words.length; at++) {
    const value = words[at]?.value ?? null;
    if (value === null || isUnclear(value)) return [{ type: 'unknown', at }];
    if (/^[-+][A-Za-z]*[oO]$/.test(value) && !value.includes('c')) at++;
    else if (/^-[A-Za-z]*c[A-Za-z]*$/.test(value)) return [scriptAt(words, at + (value.endsWith('o') ? 2 : 1))];
    else if (value === '-s' || value === '-' || isPassedIn(value)) break;
    else if (!/^[-+]/.test(value)) return [];
  }
  // It reads what to do from its input.
  return [{ type: 'unknown', at: words.length }];
}

/** Options of which one cannot tell here which next word is theirs. */
const isUnclear = (value: string): boolean =>
  /^--(rcfile|init-file|emulate)/.test(value) ||
  (/^[-+](?=.*[oO].)[A-Za-z]+$/.test(value) && !/^-[A-Za-z]*c[A-Za-z]*o$/.test(value));

/** A file that is no file: what is in it comes from the command line itself. */
const isPassedIn = (value: string): boolean => /^\/+(dev|proc)\//.test(value);

/** A shell's own `.` and `source`, of what comes from the command line or is not known. */
function fromSource([, file]: readonly ReadWord[]): Launched[] {
  return file !== undefined && (file.value === null || isPassedIn(file.value)) ? [{ type: 'unknown', at: 1 }] : [];
}

/** Builtins that give a name, or lines of input, to what is run. */
function isRenaming(name: string, words: readonly ReadWord[]): boolean {
  const args = words.slice(1).map(({ value }) => value ?? '=');
  if (name === 'alias') return args.some((value) => value.includes('='));
  if (name === 'hash') return args.some((value) => value.startsWith('-') && value.includes('p'));
  return (name === 'mapfile' || name === 'readarray') && args.some((value) => value.startsWith('-C') || value === '=');
}

function scriptAt(words: readonly ReadWord[], at: number): Launched {
  const text = words[at]?.value ?? null;
  return text === null || text.startsWith('-') ? { type: 'unknown', at } : { type: 'script', at, text };
}

function joined(words: readonly ReadWord[], from: number): Launched[] {
  if (words.length <= from) return [];
  const values = words.slice(from).map(({ value }) => value);
  return [values.includes(null) ? { type: 'unknown', at: from } : { type: 'script', at: from, text: values.join(' ') }];
}

/** How a launcher's next word is taken: `value` = the word after it belongs to it; `command` = what it starts begins here. */
type Step = 'skip' | 'value' | 'command' | 'none' | 'script' | 'unknown';

function stepOf(launcher: Launcher, value: string | null): Step {
  if (value === null) return 'unknown';
  if (launcher.opaque?.some((option) => option === '*' || value.startsWith(option)) === true) return 'unknown';
  if (launcher.inert?.includes(value) === true) return 'none';
  if (launcher.script?.includes(value) === true) return 'script';
  if (value.startsWith('--')) return longStep(launcher, value);
  if (value.startsWith('-') && value !== '-') return shortStep(launcher, value.slice(1));
  return launcher.assignments === true && /^[A-Za-z_]\w*=/.test(value) ? 'skip' : 'command';
}

/** An option that is not known may take the next word, or start something: nobody can tell. */
function longStep({ valued, flags }: Launcher, value: string): Step {
  const [name = ''] = value.split('=');
  if (valued?.includes(name) === true) return value === name ? 'value' : 'skip';
  return flags?.includes(value) === true ? 'skip' : 'unknown';
}

/** Letters of one word: all without a value, or the last with one. */
function shortStep({ valued, flags, numeric }: Launcher, letters: string): Step {
  if (numeric === true && /^-?\d+$/.test(letters)) return 'skip';
  for (const [at, letter] of Array.from(letters).entries()) {
    if (valued?.includes(`-${letter}`) === true) return at === letters.length - 1 ? 'value' : 'skip';
    if (flags?.includes(`-${letter}`) !== true) return 'unknown';
  }
  return 'skip';
}

/** What an xargs puts words in place of, where this word says so itself. */
const attachedHole = (value: string | null): string | null => /^-[a-zA-Z0-9]*?I(.+)$/s.exec(value ?? '')?.[1] ?? null;

/** Where reading a launcher's words is. */
interface Reading {
  at: number;
  /** Words before the command that are still to come. */
  left: number;
  hole: string | null;
  /** `--` was there. */
  ended: boolean;
}

function fromLauncher(launcher: Launcher, words: readonly ReadWord[]): Launched[] {
  if (words.length === 2 && /^--(help|version)$/.test(words[1]?.value ?? '')) return [];
  const reading: Reading = { at: 1, left: launcher.skip ?? 0, hole: null, ended: false };
  for (; reading.at < words.length; reading.at++) {
    const launched = launchedAt(launcher, words, reading);
    if (launched !== null) return launched;
  }
  return [];
}

/** What is started, if the word at which reading is tells so; null = read on. */
function launchedAt(launcher: Launcher, words: readonly ReadWord[], reading: Reading): Launched[] | null {
  const { at } = reading;
  const value = words[at]?.value ?? null;
  const ends = value === '--' && !reading.ended;
  if (ends) reading.ended = true;
  if (ends) return null;
  if (reading.ended && value?.startsWith('-') === true) return [{ type: 'unknown', at }];
  switch (stepOf(launcher, value)) {
    case 'unknown':
      return [{ type: 'unknown', at }];
    case 'none':
      return [];
    case 'script':
      return [scriptAt(words, at + 1)];
    case 'command':
      if (reading.left-- > 0) return null;
      return [{ type: 'words', at, words: innerWords(words.slice(at), launcher, reading.hole) }];
    case 'value':
      reading.at++;
      if (value?.endsWith('I') === true) reading.hole = words[reading.at]?.value ?? '';
      return null;
    case 'skip':
      reading.hole = attachedHole(value) ?? reading.hole;
      return null;
  }
}

function innerWords(words: readonly ReadWord[], launcher: Launcher, hole: string | null): readonly ReadWord[] {
  if (launcher.adds === true && hole !== null) return withHoles(words, hole);
  return launcher.adds === true ? [...words, ADDED] : words;
}

/** The launcher's table entry, for a name in any folder. */
export function isLauncher(name: string): boolean {
  return Object.hasOwn(LAUNCHERS, baseName(name)) || FIND_NAMES.has(baseName(name));
}

/** All that a command starts by its own words. */
export function launchedBy(words: readonly ReadWord[]): Launched[] {
  const name = baseName(words[0]?.value ?? '');
  if (FIND_NAMES.has(name)) return fromFind(words);
  if (SHELLS.has(name)) return fromShell(words);
  if (OTHER_SHELLS.has(name) || isRenaming(name, words)) return [{ type: 'unknown', at: words.length }];
  return fromBuiltin(name, words) ?? fromProgram(name, words);
}

function fromBuiltin(name: string, words: readonly ReadWord[]): Launched[] | null {
  if (name === '.' || name === 'source') return fromSource(words);
  if (name === 'eval') return joined(words, 1);
  if (name === 'trap') return words.length > 2 && words[1]?.value !== '-' ? [scriptAt(words, 1)] : [];
  return null;
}

function fromProgram(name: string, words: readonly ReadWord[]): Launched[] {
  if (name === 'watch' && fromLauncher(LAUNCHERS['watch'] ?? {}, words).length > 0) return watched(words);
  const launcher = Object.hasOwn(LAUNCHERS, name) ? LAUNCHERS[name] : undefined;
  return launcher === undefined ? [] : fromLauncher(launcher, words);
}

/** watch joins its words and gives them to a shell. */
function watched(words: readonly ReadWord[]): Launched[] {
  const [inner] = fromLauncher(LAUNCHERS['watch'] ?? {}, words);
  return inner?.type === 'words' ? joined(words, inner.at) : inner === undefined ? [] : [inner];
}

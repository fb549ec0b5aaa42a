// Everything that a command line starts, in one flat list: its own commands, what these launch, and the scripts that they
// carry (sh -c, eval, trap), read by the same grammar. Pure. What cannot be followed is marked and never left out.
import { launchedBy } from './launched-commands.ts';
import { readCommand, type ReadCommand, type ReadWord, type StartedCommand } from './read-command.ts';
import type { ShellGrammar } from './shell-grammar.ts';

/** Scripts in launchers in scripts deeper than this are not followed. */
export const MAX_DEPTH = 8;
/** More commands, characters or nested parts than these are not judged one by one: nobody waits for a judge. */
const MAX_COMMANDS = 2000;
const MAX_CHARACTERS = 64 * 1024;
const MAX_NESTED = 500;
const MAX_OPERATORS = 8000;
/** All words of all that is started: a launcher in a launcher repeats those of the line. */
const MAX_WORDS = 100_000;

export interface GatheredCommand {
  readonly command: StartedCommand;
  /** It starts something that cannot be seen. */
  readonly hides: boolean;
}

export interface Gathered {
  /** The line first, then the scripts in it. */
  readonly reads: readonly ReadCommand[];
  readonly commands: readonly GatheredCommand[];
}

/** What a launcher starts, as a command of its own. */
export function asCommand(words: readonly ReadWord[]): StartedCommand {
  return { source: words.map(({ text }) => text).join(' '), assignments: [], words };
}

/** Whether a line changes the folder for its later parts. */
export function movesFolder(read: ReadCommand): boolean {
  return read.commands.some(({ words }) => /^(cd|pushd|popd|chdir)$/.test(words[0]?.value ?? ''));
}

/** Characters by which a text becomes many commands or parts: what a grammar's work grows with. */
const OPERATORS = new Set(Array.from(';&|<>(){}$`[]!"', (letter) => letter.charCodeAt(0)));

function hasTooManyOperators(text: string): boolean {
  let count = 0;
  for (let at = 0; at < text.length; at++)
    if (OPERATORS.has(text.charCodeAt(at)) && ++count > MAX_OPERATORS) return true;
  return false;
}

const isTooLarge = (text: string): boolean =>
  text.length > MAX_CHARACTERS || hasTooManyOperators(text) || (text.match(/\$[({]|`|<</g)?.length ?? 0) > MAX_NESTED;

const TOO_MUCH: ReadCommand = { commands: [], files: [], sets: [], odd: [], unreadable: true };

/** Gathers; a line that starts too much, or too deep, counts as unreadable. */
export function gatherCommands(text: string, grammar: ShellGrammar | null): Gathered {
  const reads: ReadCommand[] = [];
  const commands: GatheredCommand[] = [];
  let words = 0;
  const isTooMuch = (): boolean => commands.length > MAX_COMMANDS || words > MAX_WORDS;
  const takeScript = (script: string, depth: number): void => {
    const read = isTooMuch() || isTooLarge(script) ? TOO_MUCH : readCommand(script, grammar);
    reads.push(read);
    for (const command of read.commands) takeCommand(command, depth);
  };
  const takeCommand = (command: StartedCommand, depth: number): void => {
    words += command.words.length;
    if (isTooMuch()) return;
    const launched = launchedBy(command.words);
    const deep = depth >= MAX_DEPTH && launched.length > 0;
    commands.push({ command, hides: deep || launched.some(({ type }) => type === 'unknown') });
    if (deep) return;
    for (const each of launched) {
      if (each.type === 'words' && each.words.length > 0) takeCommand(asCommand(each.words), depth + 1);
      if (each.type === 'script') takeScript(each.text, depth + 1);
    }
  };
  takeScript(text, 0);
  return isTooMuch() ? { reads: [TOO_MUCH], commands: [] } : { reads, commands };
}

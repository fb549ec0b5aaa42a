// Allow rules on a command line: it is allowed when every part is, and otherwise half a sentence says which part is not.
// Invariant: each command that any shell would start is covered word by word, and each file that a redirect writes too; what
// cannot be read, or is known to the shell alone, is never covered. Pure.
import { covers } from './command-pattern.ts';
import { quotedPart, type CommandFacts, type CommandRule } from './command-rule.ts';
import { asCommand, MAX_DEPTH, movesFolder } from './gather-commands.ts';
import { launchedBy, type Launched } from './launched-commands.ts';
import { readCommand, type OpenedFile, type ReadCommand, type ReadWord, type StartedCommand } from './read-command.ts';
import { isOwnVariable, hazardOf } from './shell-builtins.ts';
import { shellGrammar } from './shell-grammar.ts';

/** Where in a line the judge is. `named` = so many of the next words stand in a rule that covers what starts them. */
interface Place {
  readonly depth: number;
  readonly moved: boolean;
  readonly named: number;
}

class Coverage {
  readonly used = new Set<CommandRule>();
  readonly #facts: CommandFacts;

  constructor(facts: CommandFacts) {
    this.#facts = facts;
  }

  /** Why a line is not wholly covered; null = it is. */
  line(read: ReadCommand, at: Pick<Place, 'depth' | 'moved'>): string | null {
    if (read.unreadable) return 'the command cannot be read';
    const [odd] = read.odd;
    if (odd) return `${quotedPart(odd.source)} ${odd.why}`;
    const foreign = read.sets.find(({ name }) => !isOwnVariable(name));
    if (foreign) return `${quotedPart(foreign.source)} sets a variable that programs read`;
    const place = { ...at, moved: at.moved || movesFolder(read), named: 0 };
    return (
      firstOf(read.files, (file) => this.#file(file, place.moved)) ??
      firstOf(read.commands, (command) => this.#command(command, place))
    );
  }

  #file({ source, access, target }: OpenedFile, moved: boolean): string | null {
    const path = target.value;
    const known = path !== null && !(moved && !path.startsWith('/'));
    if (known && this.#facts.coversFile(access, path)) return null;
    return `${quotedPart(source)} ${access === 'write' ? 'writes' : 'reads'} a file that no rule covers`;
  }

  #command(command: StartedCommand, place: Place): string | null {
    const words = [...command.assignments, ...command.words];
    const allowed = this.#facts.rules.filter(({ effect }) => effect === 'allow');
    const rules = allowed.filter(({ pattern }) => pattern !== null && covers(pattern, words));
    const exact = rules.find(({ pattern }) => pattern?.open === false);
    const rule = exact ?? rules.reduce(longer, undefined);
    if (rule) this.used.add(rule);
    if (exact) return folderDoubt(command, place.moved);
    if (!rule && (place.named < 1 || command.assignments.length > 0)) {
      return `no rule covers ${quotedPart(command.source)}`;
    }
    const hazard = hazardOf(command.words);
    if (hazard !== null) return `${hazard} in ${quotedPart(command.source)}`;
    const own = (rule?.pattern?.words.length ?? 0) - command.assignments.length;
    return (
      this.#launched(command, { ...place, named: Math.max(own, place.named) }) ?? folderDoubt(command, place.moved)
    );
  }

  #launched(command: StartedCommand, place: Place): string | null {
    const launched = launchedBy(command.words);
    if (launched.length > 0 && place.depth >= MAX_DEPTH) return `${quotedPart(command.source)} starts too much`;
    return firstOf(launched, (each) => this.#started(each, command, place));
  }

  #started(each: Launched, command: StartedCommand, place: Place): string | null {
    const depth = place.depth + 1;
    if (each.type === 'unknown') return `what ${quotedPart(command.source)} starts cannot be seen`;
    if (each.type === 'words') {
      if (each.words.length === 0) return null;
      return this.#command(asCommand(each.words), { ...place, depth, named: Math.max(place.named - each.at, 0) });
    }
    if (place.named > each.at) return null;
    return this.line(readCommand(each.text, shellGrammar()), { depth, moved: place.moved });
  }
}

function longer(best: CommandRule | undefined, each: CommandRule): CommandRule {
  return (each.pattern?.words.length ?? 0) > (best?.pattern?.words.length ?? -1) ? each : (best ?? each);
}

function firstOf<T>(items: readonly T[], why: (item: T) => string | null): string | null {
  for (const item of items) {
    const found = why(item);
    if (found !== null) return found;
  }
  return null;
}

/** A program that is named by a path in the folder is another one in another folder. */
function folderDoubt(command: StartedCommand, moved: boolean): string | null {
  const name: ReadWord | undefined = command.words[0];
  const value = name?.value ?? '';
  if (!moved || !value.includes('/') || value.startsWith('/')) return null;
  return `the folder changes before ${quotedPart(command.source)}`;
}

export interface AllowJudgement {
  /** The rules that together cover it; empty = it is not covered. */
  readonly rules: readonly CommandRule[];
  /** Half a sentence: what is not covered; null when it is, or when no rule is about commands. */
  readonly uncovered: string | null;
}

/** Whether allow rules cover a whole line. */
export function coverage(text: string, read: ReadCommand, facts: CommandFacts): AllowJudgement {
  const allowing = facts.rules.filter(({ effect }) => effect === 'allow');
  if (facts.lasting === true) {
    return {
      rules: [],
      uncovered: allowing.length === 0 ? null : 'words may mean something else in a shell that stays',
    };
  }
  const whole = allowing.find((rule) => rule.text === text);
  if (whole) return { rules: [whole], uncovered: null };
  if (allowing.length === 0) return { rules: [], uncovered: null };
  if (!facts.posix)
    return { rules: [], uncovered: 'rules about words hold for sh alone, and commands run by another shell' };
  const covered = new Coverage(facts);
  const uncovered = covered.line(read, { depth: 0, moved: false });
  return { rules: uncovered === null ? [...covered.used] : [], uncovered };
}

/** Why a wholly allowed tool does not cover a line: a redirect that writes where writing asks each time. null = it does. */
export function guardedRedirect(read: ReadCommand, facts: CommandFacts): string | null {
  const file = read.files.find(({ target }) => target.value !== null && facts.isGuarded(target.value));
  return file === undefined ? null : `${quotedPart(file.source)} opens a file that asks each time`;
}

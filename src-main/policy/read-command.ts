// Reads a command line into what it starts and what it opens: simple commands, files of redirects, variables that it sets,
// and the parts that no rule may allow. Pure; the grammar is given. Nested commands (substitutions, subshells, heredocs,
// loops) stand in the same flat lists: who judges them all has judged the whole line.
import { oddity } from './portable-syntax.ts';
import type { ShellGrammar, SyntaxNode } from './shell-grammar.ts';

/** One word. `value` = what the program gets; null when only the shell knows it (an expansion, a pattern). */
export interface ReadWord {
  readonly text: string;
  readonly value: string | null;
  /** Stays one word whatever it becomes: static, or wholly quoted. */
  readonly single: boolean;
}

/** One program, builtin or function with its arguments. `words` begins with its name and is never empty. */
export interface StartedCommand {
  readonly source: string;
  /** Assignments that stand before the name and hold for this command alone. */
  readonly assignments: readonly ReadWord[];
  readonly words: readonly ReadWord[];
}

/** A file that a redirect opens. Descriptors and the null device are left out. */
export interface OpenedFile {
  readonly source: string;
  readonly access: 'read' | 'write';
  readonly target: ReadWord;
}

/** A part that is never allowed by a rule about words, and why. */
export interface OddPart {
  readonly source: string;
  readonly why: string;
}

export interface ReadCommand {
  readonly commands: readonly StartedCommand[];
  readonly files: readonly OpenedFile[];
  /** Variables that the line sets for its later parts. */
  readonly sets: readonly { readonly name: string; readonly source: string }[];
  readonly odd: readonly OddPart[];
  /** The grammar could not read all of it: what it starts is not known. */
  readonly unreadable: boolean;
}

type Word = Extract<SyntaxNode, { type: 'Word' }>;
type Assignment = Extract<SyntaxNode, { type: 'Assignment' }>;
type Redirection = Extract<SyntaxNode, { type: 'Redirect' | 'HereString' | 'HereDoc' }>;

/** A tree with more nodes than these is not read on: nobody waits for a judge. */
const MAX_NODES = 20_000;

const NULL_DEVICES = new Set(['/dev/null', '/dev/stdout', '/dev/stderr', '/dev/stdin', '/dev/tty']);

const isStatic = (node: SyntaxNode): boolean =>
  node.type === 'Literal' ||
  node.type === 'SingleQuoted' ||
  (node.type === 'DoubleQuoted' && node.parts.every(({ type }) => type === 'Literal'));

/** A word as programs get it. */
function readWord(word: Word): ReadWord {
  const { text, value, parts = [] } = word;
  const known = parts.every(isStatic) && !text.startsWith('~');
  const quoted = parts.length === 1 && parts[0]?.type === 'DoubleQuoted' && !text.includes('@');
  // A number, whatever it is: an exit code, a count, a process.
  const number = /^\$[?#$!]$/.test(text);
  return { text, value: known ? value : null, single: known || quoted || number };
}

function readAssignment(node: Assignment): ReadWord {
  const plain = node.value.type === 'Word' && node.index === undefined ? readWord(node.value) : null;
  const value = plain === null || plain.value === null ? null : `${node.name}=${plain.value}`;
  return { text: node.text, value, single: true };
}

class Reader {
  readonly commands: StartedCommand[] = [];
  readonly files: OpenedFile[] = [];
  readonly sets: { name: string; source: string }[] = [];
  readonly odd: OddPart[] = [];
  unreadable = false;
  readonly #grammar: ShellGrammar;
  #nodes = 0;

  constructor(grammar: ShellGrammar) {
    this.#grammar = grammar;
  }

  /** `source` is the text that the node's positions index. */
  visit(node: SyntaxNode, source: string): void {
    this.#nodes += 1;
    if (this.#nodes > MAX_NODES) this.unreadable = true;
    if (this.#nodes > MAX_NODES) return;
    const text = node.type === 'Script' && node.source !== undefined ? node.source : source;
    if (node.type === 'Script' && (node.errors?.length ?? 0) > 0) this.unreadable = true;
    const here = text.slice(node.pos, node.end);
    const why = oddity(node, here);
    if (why !== null) this.odd.push({ source: here, why });
    this.#take(node, here);
    this.#grammar.forEachChild(node, (child) => {
      this.visit(child, text);
    });
  }

  #take(node: SyntaxNode, here: string): void {
    switch (node.type) {
      case 'Command':
        this.#command(node, here);
        return;
      case 'For':
        this.sets.push({ name: node.name.text, source: `for ${node.name.text}` });
        return;
      case 'Time':
        this.commands.push({ source: here, assignments: [], words: [{ text: 'time', value: 'time', single: true }] });
        return;
      case 'ParameterExpansion':
        if (node.operation?.type === 'Default' && node.operation.operator.includes('=')) {
          this.sets.push({ name: node.parameter, source: here });
        }
        return;
      case 'Redirect':
      case 'HereString':
      case 'HereDoc':
        this.#redirect(node, here);
        return;
      default:
    }
  }

  #command(node: Extract<SyntaxNode, { type: 'Command' }>, here: string): void {
    const assignments = node.prefix.filter((each): each is Assignment => each.type === 'Assignment');
    if (node.name === undefined) {
      for (const { name, text } of assignments) this.sets.push({ name, source: text });
      return;
    }
    const words = node.args.map((each) => (each.type === 'Word' ? readWord(each) : readAssignment(each)));
    this.commands.push({
      source: here,
      assignments: assignments.map(readAssignment),
      words: [readWord(node.name), ...words],
    });
  }

  #redirect(node: Redirection, here: string): void {
    if (node.type !== 'Redirect' || node.target === undefined) return;
    const target = readWord(node.target);
    const duplicates = node.operator.endsWith('&') && /^(\d+|-|\d+-)$/.test(target.value ?? '');
    if (duplicates || NULL_DEVICES.has(target.value ?? '')) return;
    if (node.operator !== '<') this.files.push({ source: here, access: 'write', target });
    if (node.operator.startsWith('<')) this.files.push({ source: here, access: 'read', target });
  }
}

const UNREADABLE: ReadCommand = { commands: [], files: [], sets: [], odd: [], unreadable: true };

/** What a command line starts and opens. Without a grammar nothing is known of it. */
export function readCommand(text: string, grammar: ShellGrammar | null): ReadCommand {
  if (grammar === null) return UNREADABLE;
  const reader = new Reader(grammar);
  try {
    reader.visit(grammar.parse(text), text);
  } catch {
    // Nested deeper than this process can follow.
    return UNREADABLE;
  }
  const { commands, files, sets, odd, unreadable } = reader;
  return { commands, files, sets, odd, unreadable };
}

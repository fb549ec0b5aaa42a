// The shell grammar, loaded at the first command that has to be judged and never before. Synchronous once it is loaded;
// while it is not, whoever judges must take a command for unreadable.
// unbash: a whole Bash grammar in plain JavaScript that reports what it cannot read; the only one of those compared (mvdan/sh
// as JavaScript and as wasm, tree-sitter-bash) that finds every nested command of the tests, and the only one without wasm.
import type { parse, SyntaxNode } from 'unbash';

/** A syntax tree of a whole command line. Positions are UTF-16 offsets into the text that was parsed. */
export type ParsedCommand = ReturnType<typeof parse>;
export type { SyntaxNode };

/** What the judge needs of the grammar. Neither function throws for any text. */
export interface ShellGrammar {
  parse(text: string): ParsedCommand;
  /** Calls back once for each direct child, nested scripts among them. */
  forEachChild(node: SyntaxNode, callback: (child: SyntaxNode) => void): void;
}

let loaded: ShellGrammar | null = null;

/** Loads the grammar; later calls are free. Rejects when it cannot be loaded: then every command stays unreadable. */
export async function loadShellGrammar(): Promise<void> {
  loaded ??= await import('unbash');
}

/** The grammar; null until it is loaded. */
export function shellGrammar(): ShellGrammar | null {
  return loaded;
}

// What judging a command takes and gives: the rules about commands, what the other rules say of files, and a verdict.
import type { CommandPattern } from './command-pattern.ts';
import type { OpenedFile } from './read-command.ts';

export interface CommandRule {
  readonly id: string;
  readonly effect: 'allow' | 'ask' | 'deny';
  /** As the person wrote it. */
  readonly rule: string;
  /** The words behind `shell:`. */
  readonly text: string;
  /** null = no plain words: only the very text is meant. */
  readonly pattern: CommandPattern | null;
}

export interface CommandVerdict {
  readonly effect: 'allow' | 'ask' | 'deny';
  readonly ruleId: string;
  readonly rule: string;
  /** The part of the command that it decided on, verbatim. */
  readonly on: string;
}

/** What the judge asks of whoever knows the other rules. Paths are static: relative to the folder, or absolute. */
export interface CommandFacts {
  readonly rules: readonly CommandRule[];
  /** Commands are read by sh; elsewhere only the very text of a rule is meant. */
  readonly posix: boolean;
  /** The shell stays between calls: only deny, ask and whole-tool rules hold, as words may mean something else in it. */
  readonly lasting?: boolean;
  /** Whether an allow rule covers a redirect's file, or reading it needs none. */
  coversFile(access: OpenedFile['access'], path: string): boolean;
  /** Whether a file lies outside, is protected or a likely secret. */
  isGuarded(path: string): boolean;
  /** What deny and ask rules about paths say of a redirect's file; null path = only the shell knows it. */
  strictOnFile(access: OpenedFile['access'], path: string | null): Omit<CommandVerdict, 'on'> | null;
}

/** A part of a command as a sentence names it. */
export const quotedPart = (part: string): string => JSON.stringify(part.length > 200 ? `${part.slice(0, 200)}…` : part);

/** White space does not make another command. */
export const collapsed = (command: string): string => command.trim().replace(/\s+/g, ' ');

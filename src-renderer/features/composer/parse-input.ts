// Reads what is being written: a command at the beginning, a file name after an `@`, the word at the caret. Pure.

export const COMMANDS = [
  { name: 'new', argument: '', hint: 'Start another chat in this project' },
  { name: 'mode', argument: 'plan | ask | auto', hint: 'Change what it may do without asking' },
  { name: 'plan', argument: '', hint: 'Plan mode: it researches and changes nothing' },
  { name: 'confine', argument: 'on | off', hint: 'Confine its commands to the folder, or not' },
  { name: 'model', argument: 'NAME', hint: 'Change the model' },
  { name: 'tools', argument: '', hint: 'Show the tools and their switches' },
  { name: 'load', argument: 'FILE', hint: 'Put the conversation of a JSONL file in the place of this one' },
  { name: 'compact', argument: 'FOCUS', hint: 'Make room: the model gets a summary of what is older; the chat stays' },
  { name: 'new-context', argument: 'OBJECTIVE', hint: 'Go on with a fresh objective; the chat stays' },
  { name: 'clear', argument: '', hint: 'Start with an empty context; the chat stays' },
  { name: 'rename', argument: 'TITLE', hint: 'Give this chat another title' },
  { name: 'help', argument: '', hint: 'Show the shortcuts' },
] as const;

export type CommandName = (typeof COMMANDS)[number]['name'];

export interface Command {
  readonly name: CommandName;
  /** What stands behind the name, without spaces around it. */
  readonly argument: string;
}

/** The command that a text is, or null: any other text is a message, also one that begins with a path like `/usr`. */
export function parseCommand(text: string): Command | null {
  const match = /^\/([a-z]+(?:-[a-z]+)?)(?:[ \t]+([^\n]*))?$/.exec(text.trim());
  const known = COMMANDS.find((command) => command.name === match?.[1]);
  return known === undefined ? null : { name: known.name, argument: (match?.[2] ?? '').trim() };
}

/** What is being completed: the text from `from` to the caret will be replaced. */
export interface Completion {
  readonly kind: 'command' | 'argument' | 'file';
  /** For arguments: of which command. */
  readonly command: CommandName | null;
  readonly query: string;
  readonly from: number;
}

/** The completion that fits at the caret, or null. `@` counts only at the start of a word, so that addresses do not. */
export function completionAt(text: string, caret: number): Completion | null {
  const before = text.slice(0, caret);
  const command = /^\/([a-z-]*)$/.exec(before);
  if (command !== null) return { kind: 'command', command: null, query: command[1] ?? '', from: 1 };
  const argument = /^\/(mode|model)[ \t]+([^\n]*)$/.exec(before);
  if (argument !== null) {
    const query = argument[2] ?? '';
    const name = argument[1] === 'mode' ? 'mode' : 'model';
    return { kind: 'argument', command: name, query, from: caret - query.length };
  }
  const file = /(?:^|[\s([{"'`])@([^\s@]{0,400})$/.exec(before);
  if (file === null) return null;
  const query = file[1] ?? '';
  return { kind: 'file', command: null, query, from: caret - query.length };
}

/** The text and caret after a completion was taken. */
export function applyCompletion(
  text: string,
  caret: number,
  taken: { from: number; insert: string },
): { text: string; caret: number } {
  const head = text.slice(0, taken.from) + taken.insert;
  const tail = text.slice(caret);
  const gap = tail.startsWith(' ') || tail.startsWith('\n') ? '' : ' ';
  return { text: head + gap + tail, caret: head.length + 1 };
}

// The words of the command line. Options of a run stand before its message, so that nothing that is handed on as part of a
// message is ever read as a flag (M10); what follows `--` is text.
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { ExportFormat } from '../app/export-chat.ts';
import { assertRuleFits } from '../app/tool-permissions.ts';
import { AppError, isAppError } from '../base/app-error.ts';
import type { Mode } from '../contract/authority.ts';
import type { Rule } from '../contract/settings.ts';

export interface RunCommand {
  readonly type: 'run';
  readonly project: string;
  readonly model: string | undefined;
  readonly mode: Mode | undefined;
  readonly rules: Rule[];
  readonly json: boolean;
  /** What programs call a new chat by; undefined = a made name. */
  readonly name: string | undefined;
  /** Nothing of the chat is written anywhere. */
  readonly ephemeral: boolean;
  /** A session's id or name, `last`, or undefined for a new chat. */
  readonly resume: string | undefined;
  readonly suspend: boolean;
  /** Questions and further messages come from the terminal. */
  readonly interactive: boolean;
  readonly prompt: string;
}

export interface ResumeCommand {
  readonly type: 'resume';
  readonly sessionId: string;
  readonly allow: string[];
  readonly deny: string[];
  readonly json: boolean;
  readonly suspend: boolean;
}

export interface ExportCommand {
  readonly type: 'export';
  /** A session's id or name. */
  readonly chat: string;
  readonly format: ExportFormat;
  /** Folder that the files are written into, absolute; undefined = the chat is printed. */
  readonly out: string | undefined;
  readonly companions: boolean;
}

export interface InstructionsCommand {
  readonly type: 'instructions';
  readonly project: string;
  /** What is decided on them; null = nothing. */
  readonly use: boolean | null;
}

export interface CheckpointsCommand {
  readonly type: 'checkpoints';
  /** A session's id or name. */
  readonly chat: string;
  readonly json: boolean;
}

export interface RestoreCommand {
  readonly type: 'restore';
  /** A session's id or name. */
  readonly chat: string;
  readonly checkpoint: string;
  /** Files in the project; empty = all that the turn changed. */
  readonly files: string[];
  /** All that was changed since, not by that turn alone. */
  readonly since: boolean;
  /** Do it; otherwise it is printed what would be done. */
  readonly yes: boolean;
}

export type Command =
  | RunCommand
  | ResumeCommand
  | CheckpointsCommand
  | RestoreCommand
  | ExportCommand
  | InstructionsCommand
  | { readonly type: 'help' }
  | { readonly type: 'version' };

export const USAGE = `warrant run [options] "prompt"     answer one message in a folder
warrant resume ID --allow CALL      go on with a chat that waits for an approval
warrant export CHAT                 print a chat, or write it and what stands beside it into a folder
warrant checkpoints CHAT            list which turns of a chat changed files
warrant restore CHAT CHECKPOINT     print what would be put back to before that turn, and do it with --yes
warrant instructions                print what the folder tells agents (AGENTS.md), and whether it is used
warrant [FOLDER]                    open the window

Options of run, before the message
  --project DIR     the folder (default: the current one)
  --model M         guide, openai-compatible:NAME@URL, openai-responses:NAME, anthropic:NAME, gemini:NAME
  --mode MODE       plan, ask or auto (default: the settings')
  --allow RULE      TOOL, shell:COMMAND (npm test, or git log * with any arguments) or write:PATH (docs/**);
                    may be given several times
  --name NAME       what the new chat is called by (default: folder-adjective-noun)
  --ephemeral       write nothing of this chat anywhere
  --resume CHAT     go on in that chat (its id or name); --last: in the newest one of the folder
  --suspend         stop where an approval is needed, instead of denying it
  --interactive     a conversation in the terminal
  --json            one JSON event a line on standard output

Options of resume
  --allow CALL, --deny CALL   the answer to a waiting call; a call without one counts as denied
  --suspend, --json           as above

Options of export
  --format FORMAT   jsonl (all of it, default), messages (one message a line) or markdown
  --out DIR         write into that folder, as NAME.jsonl
  --companions      beside it NAME.usage.jsonl, .events.jsonl, .models.jsonl and .tree.json; needs --out

Options of restore
  --file PATH       this file alone; may be given several times
  --since           all that was changed since then, not by that turn alone
  --yes             put it back; a checkpoint of how the files are is made first

Options of instructions
  --project DIR         the folder (default: the current one)
  --use, --ignore       the chats of this folder use what is printed, or do not

Exit codes: 0 completed, 1 failed, 2 wrong usage, 3 waits for an approval, 4 a budget is used up, 5 a loop was
detected, 130 stopped.`;

/** Reads the words after `warrant`. Code config.invalid says what is wrong. */
export function parseCommand(words: readonly string[], currentFolder: string): Command {
  const [verb, ...rest] = words;
  if (verb === undefined || verb === 'help' || verb === '--help' || verb === '-h') return { type: 'help' };
  if (verb === '--version' || verb === 'version') return { type: 'version' };
  if (verb === 'run') return parseRun(rest, currentFolder);
  if (verb === 'resume') return parseResume(rest);
  if (verb === 'export') return parseExport(rest, currentFolder);
  if (verb === 'checkpoints') return parseCheckpoints(rest);
  if (verb === 'restore') return parseRestore(rest);
  if (verb === 'instructions') return parseInstructions(rest, currentFolder);
  throw new AppError('config.invalid', `"${verb}" is no command. Try warrant --help.`);
}

function parseRun(words: string[], currentFolder: string): Command {
  const { values, positionals } = parse(words, {
    project: { type: 'string' },
    model: { type: 'string' },
    mode: { type: 'string' },
    allow: { type: 'string', multiple: true },
    resume: { type: 'string' },
    last: { type: 'boolean' },
    name: { type: 'string' },
    ephemeral: { type: 'boolean' },
    suspend: { type: 'boolean' },
    interactive: { type: 'boolean' },
    json: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  });
  if (values['help'] === true) return { type: 'help' };
  if (values['last'] === true && values['resume'] !== undefined) {
    throw new AppError('config.invalid', 'Give --resume or --last, not both.');
  }
  const goesOn = values['last'] === true || values['resume'] !== undefined;
  if (goesOn && (values['name'] !== undefined || values['ephemeral'] === true)) {
    throw new AppError(
      'config.invalid',
      'A chat that is gone on in has its name and is saved: leave --name and --ephemeral out.',
    );
  }
  if (values['ephemeral'] === true && values['suspend'] === true) {
    throw new AppError('config.invalid', 'A chat that is not saved cannot be answered later: leave --suspend out.');
  }
  refuseOptionsInMessage(words);
  const prompt = positionals.join(' ');
  const interactive = values['interactive'] === true;
  if (prompt.trim() === '' && !interactive) {
    throw new AppError(
      'config.invalid',
      'There is no message. Write it as the last word: warrant run "what is this project?"',
    );
  }
  return {
    type: 'run',
    project: text(values['project']) ?? currentFolder,
    model: text(values['model']),
    mode: parseMode(text(values['mode'])),
    rules: list(values['allow']).map(toAllowRule),
    json: values['json'] === true,
    name: text(values['name']),
    ephemeral: values['ephemeral'] === true,
    resume: values['last'] === true ? 'last' : text(values['resume']),
    suspend: values['suspend'] === true,
    interactive,
    prompt,
  };
}

const RUN_OPTIONS_WITH_VALUE = ['--project', '--model', '--mode', '--allow', '--resume', '--name'];

/** A message that a program put together must not bring options of its own. */
function refuseOptionsInMessage(words: readonly string[]): void {
  let message = false;
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (word === '--') return;
    if (!word.startsWith('-')) message = true;
    else if (message) {
      throw new AppError(
        'config.invalid',
        `${JSON.stringify(word)} stands behind the message. Options come before it; a message with such words comes after --: warrant run -- "${word}"`,
      );
    } else if (RUN_OPTIONS_WITH_VALUE.includes(word)) i++;
  }
}

function toAllowRule(match: string, index: number): Rule {
  const rule: Rule = { id: `--allow ${String(index + 1)}`, effect: 'allow', match };
  try {
    assertRuleFits(rule);
  } catch (cause) {
    if (!isAppError(cause)) throw cause;
    throw new AppError('config.invalid', `--allow: ${cause.message}`, { cause });
  }
  return rule;
}

function parseResume(words: string[]): Command {
  const { values, positionals } = parse(words, {
    allow: { type: 'string', multiple: true },
    deny: { type: 'string', multiple: true },
    json: { type: 'boolean' },
    suspend: { type: 'boolean' },
  });
  const sessionId = positionals[0];
  if (sessionId === undefined || positionals.length > 1) {
    throw new AppError('config.invalid', 'Name one chat: warrant resume ID --allow CALL');
  }
  return {
    type: 'resume',
    sessionId,
    allow: list(values['allow']),
    deny: list(values['deny']),
    json: values['json'] === true,
    suspend: values['suspend'] === true,
  };
}

function parseExport(words: string[], currentFolder: string): Command {
  const { values, positionals } = parse(words, {
    format: { type: 'string' },
    out: { type: 'string' },
    companions: { type: 'boolean' },
  });
  const [chat] = positionals;
  if (chat === undefined || positionals.length > 1) {
    throw new AppError('config.invalid', 'Name one chat, by its id or its name: warrant export CHAT');
  }
  const out = text(values['out']);
  const companions = values['companions'] === true;
  if (companions && out === undefined) throw new AppError('config.invalid', '--companions are files: add --out DIR.');
  const format = text(values['format']) ?? 'jsonl';
  if (format !== 'jsonl' && format !== 'messages' && format !== 'markdown') {
    throw new AppError('config.invalid', `--format is jsonl, messages or markdown, not "${format}".`);
  }
  return {
    type: 'export',
    chat,
    format,
    out: out === undefined ? undefined : path.resolve(currentFolder, out),
    companions,
  };
}

function parseInstructions(words: string[], currentFolder: string): Command {
  const { values, positionals } = parse(words, {
    project: { type: 'string' },
    use: { type: 'boolean' },
    ignore: { type: 'boolean' },
  });
  const [use, ignore] = [values['use'] === true, values['ignore'] === true];
  if (positionals.length > 0 || (use && ignore)) {
    throw new AppError('config.invalid', 'Give --use or --ignore, or none to read them: warrant instructions --use');
  }
  return {
    type: 'instructions',
    project: text(values['project']) ?? currentFolder,
    use: use ? true : ignore ? false : null,
  };
}

function parseCheckpoints(words: string[]): Command {
  const { values, positionals } = parse(words, { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } });
  if (values['help'] === true) return { type: 'help' };
  const [chat] = positionals;
  if (chat === undefined || positionals.length > 1) {
    throw new AppError('config.invalid', 'Name one chat: warrant checkpoints CHAT');
  }
  return { type: 'checkpoints', chat, json: values['json'] === true };
}

function parseRestore(words: string[]): Command {
  const { values, positionals } = parse(words, {
    file: { type: 'string', multiple: true },
    since: { type: 'boolean' },
    yes: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  });
  if (values['help'] === true) return { type: 'help' };
  const [chat, checkpoint] = positionals;
  if (chat === undefined || checkpoint === undefined || positionals.length > 2) {
    throw new AppError(
      'config.invalid',
      'Name a chat and one of its checkpoints: warrant restore CHAT CHECKPOINT. warrant checkpoints CHAT lists them.',
    );
  }
  const [files, since] = [list(values['file']), values['since'] === true];
  return { type: 'restore', chat, checkpoint, files, since, yes: values['yes'] === true };
}

type Flags = NonNullable<Parameters<typeof parseArgs>[0]>['options'];

function parse(words: string[], options: Flags): { values: Record<string, unknown>; positionals: string[] } {
  try {
    return parseArgs({ args: words, ...(options ? { options } : {}), allowPositionals: true, strict: true });
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new AppError('config.invalid', `${message.split('\n')[0] ?? message} Try warrant --help.`, { cause });
  }
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const list = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

function parseMode(value: string | undefined): Mode | undefined {
  if (value === undefined || value === 'plan' || value === 'ask' || value === 'auto') return value;
  throw new AppError('config.invalid', `--mode is plan, ask or auto, not "${value}".`);
}

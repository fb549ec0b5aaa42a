// PATH as the person's login shell has it: an application started from a desktop gets a poorer one, and commands would not
// find the person's tools. The shell is asked once a start, in the background; its answer is kept, so that chats which
// are opened before it comes have the PATH of last time. Takes PATH alone, and never fails: without an answer it says so
// once in the log, and commands get what Warrant was started with.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import type { Logger } from '../base/logger.ts';
import { runProcess } from '../tools/process/run-process.ts';
import { writeWhole } from './settings-service.ts';

/** A shell with a slow start file is not waited for any longer. */
const LIMIT_MS = 10_000;
const LONGEST_PATH = 32_768;
const LONGEST_OUTPUT = 262_144;

export interface LoginPathOptions {
  /** Where the last answer is kept, one line. */
  readonly file: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly logger: Logger;
  /** Program of the shell; by default the person's. */
  readonly shell?: string;
  readonly limitMs?: number;
}

/** Whether this start has a poor PATH: it came from a desktop, not from a terminal. Windows gives every program the same. */
export function startedFromDesktop(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): boolean {
  return platform !== 'win32' && (environment['TERM'] ?? '') === '';
}

export class LoginPath {
  readonly #options: LoginPathOptions;
  #current: string | null;
  #asked: Promise<void> | null = null;

  constructor(options: LoginPathOptions) {
    this.#options = options;
    this.#current = readKept(options.file);
  }

  /** The login shell's PATH as it was last told; null = never. */
  get current(): string | null {
    return this.#current;
  }

  /** Asks the shell; once, however often it is called. Never rejects. */
  refresh(): Promise<void> {
    this.#asked ??= this.#ask();
    return this.#asked;
  }

  async #ask(): Promise<void> {
    const { logger, file } = this.#options;
    try {
      const answer = await askShell(this.#options);
      if ('problem' in answer) {
        logger.info(`the login shell gave no PATH, commands get the one of the start: ${answer.problem}`);
        return;
      }
      if (answer.path === this.#current) return;
      this.#current = answer.path;
      writeWhole(file, `${answer.path}\n`);
    } catch (error) {
      logger.error('the PATH of the login shell was not kept', error);
    }
  }
}

function readKept(file: string): string | null {
  try {
    const kept = readFileSync(file, 'utf8').trim();
    return isPath(kept) ? kept : null;
  } catch {
    // The first start has none.
    return null;
  }
}

function isPath(text: string): boolean {
  return (
    text.length <= LONGEST_PATH && !/[\0\r\n]/.test(text) && text.split(':').some((entry) => entry.startsWith('/'))
  );
}

/** Runs the shell as a login and as an interactive one, without a terminal, and reads PATH between two marks. */
async function askShell(options: LoginPathOptions): Promise<{ path: string } | { problem: string }> {
  const shell = options.shell ?? (userInfo().shell || options.environment['SHELL'] || '');
  if (!path.isAbsolute(shell)) return { problem: 'the system names no shell of this person' };
  const mark = randomUUID();
  const words = `echo ${mark}; /usr/bin/env; echo ${mark}`;
  // These take -l alone only; the others read the files of both kinds.
  const flags = /csh$/.test(shell) ? ['-ic'] : ['-i', '-l', '-c'];
  let output = '';
  const outcome = await runProcess({
    command: { program: shell, arguments: [...flags, words] },
    cwd: options.environment['HOME'] ?? '/',
    environment: shellSurroundings(options.environment),
    timeoutMs: options.limitMs ?? LIMIT_MS,
    signal: new AbortController().signal,
    capture: { headBytes: 1024, tailBytes: 1024, spillBytes: 0, spillFolder: '', spillId: '' },
    tell: () => {},
    readOutput: (chunk) => {
      if (output.length < LONGEST_OUTPUT) output += chunk.toString('utf8');
    },
  });
  if (outcome.stopped === 'timeout') return { problem: `${shell} did not answer in time` };
  if (outcome.type !== 'started') return { problem: `${shell} was not started: ${outcome.reason}` };
  const found = output
    .split(mark)[1]
    ?.split(/\r?\n/)
    .findLast((line) => line.startsWith('PATH='))
    ?.slice('PATH='.length);
  if (found === undefined || !isPath(found))
    return { problem: `${shell} ended with ${String(outcome.exitCode)} and named none` };
  return { path: found };
}

/** What the shell starts with: the environment of this process, with a terminal that draws nothing. */
function shellSurroundings(environment: NodeJS.ProcessEnv): Record<string, string> {
  const given = Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { ...Object.fromEntries(given), TERM: 'dumb', WARRANT_READS_PATH: '1' };
}

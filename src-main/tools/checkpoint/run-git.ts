// Runs git on the repository that keeps checkpoints, and on nothing else: in its folder, with no configuration, attributes
// or hooks but what stands here, and with nothing of this process's environment. The project is never git's to look at.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { AppError } from '../../base/app-error.ts';

/** Says everything that a configuration could say otherwise. */
const SETTINGS: Readonly<Record<string, string>> = {
  'core.hooksPath': nothing(),
  'core.fsmonitor': 'false',
  'core.attributesFile': nothing(),
  'core.autocrlf': 'false',
  'core.compression': '1',
  'core.logAllRefUpdates': 'false',
  'core.protectNTFS': 'false',
  'core.protectHFS': 'false',
  'fastimport.unpackLimit': '0',
  'gc.auto': '0',
  'init.defaultRefFormat': 'files',
  'maintenance.auto': 'false',
  'pack.threads': '1',
};

function nothing(): string {
  return process.platform === 'win32' ? 'NUL' : '/dev/null';
}

export interface Git {
  /** Absolute path of the program. */
  readonly program: string;
  /** The repository. */
  readonly folder: string;
}

/** The git of a PATH, none of whose folders lies in `project`; null = there is none. */
export function findGit(searchPath: string, project: string): string | null {
  const name = process.platform === 'win32' ? 'git.exe' : 'git';
  for (const folder of searchPath.split(path.delimiter)) {
    if (!path.isAbsolute(folder) || isInside(folder, project)) continue;
    const program = path.join(folder, name);
    try {
      fs.accessSync(program, fs.constants.X_OK);
      if (fs.statSync(program).isFile() && !isInside(fs.realpathSync(program), project)) return program;
    } catch {
      continue;
    }
  }
  return null;
}

function isInside(folder: string, project: string): boolean {
  const relative = path.relative(project, folder);
  return relative === '' || (!relative.startsWith('..') && !path.isAbsolute(relative));
}

/** Starts git; the caller writes to it, reads it, and waits for `ended`. */
export function startGit(
  git: Git,
  words: readonly string[],
): { child: ChildProcessWithoutNullStreams; ended: Promise<void> } {
  const settings = Object.entries(SETTINGS).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  const child = spawn(git.program, [...settings, ...words], {
    cwd: git.folder,
    env: environment(git),
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const said: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => {
    if (said.length < 16) said.push(chunk);
  });
  // A program that ended early is told of by its exit.
  child.stdin.on('error', () => undefined);
  const ended = new Promise<void>((resolve, reject) => {
    child.on('error', (cause) => {
      reject(failed(words, cause.message, cause));
    });
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(failed(words, Buffer.concat(said).toString('utf8').trim() || `it ended with ${String(code)}`));
    });
  });
  ended.catch(() => undefined);
  return { child, ended };
}

/** Runs git to its end with this input; gives what it printed. Code store.io. */
export async function runGit(git: Git, words: readonly string[], input = ''): Promise<Buffer> {
  const { child, ended } = startGit(git, words);
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stdin.end(input);
  await ended;
  return Buffer.concat(chunks);
}

function environment({ program, folder }: Git): Record<string, string> {
  const system = ['SystemRoot', 'TEMP', 'TMP'].flatMap((name) => {
    const value = process.platform === 'win32' ? process.env[name] : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(system),
    // Its own programs git finds by itself.
    PATH: path.dirname(program),
    HOME: folder,
    LC_ALL: 'C',
    GIT_DIR: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_SYSTEM: nothing(),
    GIT_CONFIG_GLOBAL: nothing(),
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
  };
}

function failed(words: readonly string[], why: string, cause?: unknown): AppError {
  const isFull = /no space left|disk quota/i.test(why);
  const message = `git ${words[0] ?? ''} failed: ${why.split('\n').slice(0, 3).join(' ')}`;
  return new AppError(isFull ? 'store.disk-full' : 'store.io', message, { cause });
}

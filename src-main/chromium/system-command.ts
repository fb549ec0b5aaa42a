// Programs of the desktop that stand in for what Electron does by itself: choosers, notifications, opening outside.
import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** How a program ended. */
export interface CommandResult {
  /** Exit code; -1 when it could not be started or was killed. */
  exitCode: number;
  /** What it printed, at most 64 Ki characters. */
  output: string;
}

const OUTPUT_LIMIT_CHARS = 65_536;

/** The path of the first of these programs that PATH has, or undefined. */
export function findProgram(names: readonly string[], env: NodeJS.ProcessEnv = process.env): string | undefined {
  const folders = (env['PATH'] ?? '').split(path.delimiter).filter(Boolean);
  const places = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return places.find((place) => {
    try {
      accessSync(place, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Runs a program without a shell and collects what it prints. Never rejects. */
export function runProgram(program: string, args: readonly string[]): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      if (output.length < OUTPUT_LIMIT_CHARS) output += chunk.toString('utf8');
    });
    child.on('error', () => {
      resolve({ exitCode: -1, output });
    });
    child.on('close', (code) => {
      resolve({ exitCode: code ?? -1, output });
    });
  });
}

/** Starts a program that goes on by itself. Resolves to false when it could not be started. */
export function startDetached(program: string, args: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child: ChildProcess = spawn(program, args, { stdio: 'ignore', detached: true });
    child.once('error', () => {
      resolve(false);
    });
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}

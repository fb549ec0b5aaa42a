// Starts one tool of the house and waits for it. Leaves to the caller what its exit means.
import { spawn } from 'node:child_process';
import path from 'node:path';

/** Absolute path of the checkout. */
export const root = path.resolve(import.meta.dirname, '../..');

/** How a tool ended: its exit code (1 where a signal or a failed start ended it), its output in order, its time. */
export interface CommandResult {
  readonly code: number;
  readonly output: string;
  readonly elapsedMs: number;
}

/** Where a command runs and what it sees; `show` lets it write straight to our terminal (then `output` is empty). */
export interface CommandOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly show?: boolean;
}

/** Runs this very Node with `args` in the checkout's root. Never rejects: a failed start is a result with code 1. */
export function runNode(args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  return runCommand(process.execPath, args, options);
}

/** Runs `command` with `args` in the checkout's root. Never rejects: a failed start is a result with code 1. */
export function runCommand(
  command: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  const startedAt = performance.now();
  const { promise, resolve } = Promise.withResolvers<CommandResult>();
  const chunks: Buffer[] = [];
  const end = (code: number): void =>
    resolve({ code, output: Buffer.concat(chunks).toString('utf8'), elapsedMs: performance.now() - startedAt });
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...options.env },
    stdio: options.show === true ? 'inherit' : ['ignore', 'pipe', 'pipe'],
  });
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.on('error', (error) => {
    chunks.push(Buffer.from(`${command}: ${error.message}\n`));
    end(1);
  });
  child.on('close', (code) => end(code ?? 1));
  return promise;
}

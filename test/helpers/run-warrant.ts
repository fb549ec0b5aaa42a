// Runs the command from its sources as a process of its own, on a data folder of the test.
import { spawn } from 'node:child_process';
import path from 'node:path';

const entry = path.resolve(import.meta.dirname, '../../src-main/headless/main.ts');

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/**
 * `warrant WORDS` with its standard input closed; gives what it printed and its exit code. With `closeOutput` nobody reads
 * its standard output from the start.
 */
export function runWarrant(
  data: string,
  words: readonly string[],
  environment: Record<string, string> = {},
  how: { readonly closeOutput?: boolean } = {},
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [entry, ...words], {
      env: { PATH: process.env['PATH'], HOME: data, WARRANT_DATA: data, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    if (how.closeOutput === true) child.stdout.destroy();
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code, out, err });
    });
  });
}

/** The JSON events of a run with `--json`. */
export function eventsOf(ran: Ran): Record<string, unknown>[] {
  return ran.out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

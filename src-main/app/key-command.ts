// Runs the person's own command that prints a key (AUTH-19). Its output is kept in memory only and never logged.
import { execa } from 'execa';
import { AppError } from '../base/app-error.ts';

const TIMEOUT_MS = 10_000;

/** The first line that the command prints. Code secret.unreadable when it fails, prints nothing, or takes over 10 s. */
export async function runKeyCommand(command: string): Promise<string> {
  const result = await execa(command, {
    shell: true,
    timeout: TIMEOUT_MS,
    reject: false,
    stdin: 'ignore',
    maxBuffer: 65_536,
  });
  const key = result.stdout.split('\n')[0]?.trim() ?? '';
  if (!result.failed && key !== '') return key;
  const why = result.timedOut
    ? 'it took longer than 10 seconds'
    : result.failed
      ? `it ended with ${String(result.exitCode ?? result.code)}`
      : 'it printed nothing';
  throw new AppError(
    'secret.unreadable',
    `The key command of this provider gave no key: ${why}. Check it in the settings.`,
  );
}

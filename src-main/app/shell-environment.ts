// The environment that commands of a chat get: PATH and HOME as they were at start (EXEC-02), before them the PATH of the
// login shell where Warrant was not started from a terminal, and the variables that the person named.
import { createHash } from 'node:crypto';
import path from 'node:path';

export interface ShellEnvironment {
  /** Absolute entries only, without traversal; system directories as fallback. */
  readonly path: string;
  readonly home: string;
  /** Further variables by name, as they are now. */
  readonly variables: Readonly<Record<string, string>>;
}

const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Cleans PATH: relative entries and entries with `..` are left out, as is what is there twice. */
export function cleanPath(given: string): string {
  const entries = given
    .split(path.delimiter)
    .filter((one) => path.isAbsolute(one) && !one.split(path.sep).includes('..'));
  const unique = [...new Set(entries.map((one) => (one.length > 1 ? one.replace(/\/+$/, '') : one)))];
  return unique.length > 0 ? unique.join(path.delimiter) : SYSTEM_PATH;
}

/**
 * The environment of commands, from this process's own and the names in the settings. `loginPath` stands before the PATH
 * of this process, null = there is none.
 */
export function shellEnvironment(
  environment: NodeJS.ProcessEnv,
  names: readonly string[],
  loginPath: string | null = null,
): ShellEnvironment {
  const variables: Record<string, string> = {};
  for (const name of names) {
    const value = environment[name];
    if (value !== undefined) variables[name] = value;
  }
  const given = [loginPath, environment['PATH']].filter((one) => one !== null && one !== undefined);
  return { path: cleanPath(given.join(path.delimiter)), home: environment['HOME'] ?? '/', variables };
}

/** Digests that tell a changed PATH, HOME or variable without keeping it (AUTH-09). */
export function environmentDigests(shell: ShellEnvironment): { path: string; home: string } {
  const digest = (domain: string, text: string): string =>
    createHash('sha256').update(`warrant ${domain}\0${text}`).digest('hex');
  const variables = Object.entries(shell.variables).sort(([a], [b]) => (a < b ? -1 : 1));
  const extra = variables.length > 0 ? `\0${JSON.stringify(variables)}` : '';
  return { path: digest('PATH', shell.path + extra), home: digest('HOME', shell.home) };
}

// The environment of a command, built from nothing: where programs are, a home, one fixed locale, and answers for
// programs that would otherwise ask somebody. Nothing of this process's own environment reaches a command.

/** Where programs are looked for when PATH has nothing else. */
const SYSTEM_FOLDERS = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];
const WINDOWS_NAMES = ['SystemRoot', 'PATHEXT', 'TEMP', 'TMP', 'USERPROFILE', 'ComSpec'];

/** What the environment is made from. */
export interface EnvironmentSource {
  /** PATH as it was at the start. */
  readonly path: string;
  readonly home: string;
  /** Variables that the person asked for by name. */
  readonly variables: Readonly<Record<string, string>>;
}

/** The entries of a PATH that mean one folder whatever the working directory is, each once, then the system's own. */
export function searchFolders(path: string, platform: NodeJS.Platform = process.platform): string[] {
  const windows = platform === 'win32';
  const entries = path.split(windows ? ';' : ':').filter((entry) => {
    const absolute = windows ? /^[A-Za-z]:[\\/]/.test(entry) : entry.startsWith('/');
    return absolute && !entry.split(/[\\/]/).includes('..');
  });
  return [...new Set([...entries, ...(windows ? [] : SYSTEM_FOLDERS)])];
}

/** Programs that would open an editor or ask for a password fail at once instead. */
const UNATTENDED: Readonly<Record<string, string>> = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'false',
  GIT_SEQUENCE_EDITOR: 'false',
  EDITOR: 'false',
  VISUAL: 'false',
  GIT_PAGER: 'cat',
  PAGER: 'cat',
  SSH_ASKPASS: 'false',
  GIT_ASKPASS: 'false',
  DEBIAN_FRONTEND: 'noninteractive',
};

/** The environment for a command. */
export function childEnvironment(
  source: EnvironmentSource,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const windows = platform === 'win32';
  const own: Record<string, string> = {};
  for (const name of windows ? WINDOWS_NAMES : []) {
    const value = process.env[name];
    if (value !== undefined) own[name] = value;
  }
  return {
    ...own,
    ...UNATTENDED,
    ...source.variables,
    PATH: searchFolders(source.path, platform).join(windows ? ';' : ':'),
    HOME: source.home,
    LANG: 'C.UTF-8',
    LC_ALL: 'C.UTF-8',
    TERM: 'dumb',
  };
}

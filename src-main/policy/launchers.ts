// Programs that start what their words name, and their options. An option that is not listed makes what they start unknown:
// a list that is too short asks too often, and never allows too much. Pure data.

export interface Launcher {
  /** Options whose value is the next word, or stands behind the letter or `=`. */
  readonly valued?: readonly string[];
  /** Options without a value, with which it starts nothing else. */
  readonly flags?: readonly string[];
  /** Words between the options and the command. */
  readonly skip?: number;
  /** NAME=value words may stand before the command. */
  readonly assignments?: boolean;
  /** A number may stand as an option: -10. */
  readonly numeric?: boolean;
  /** Options with which nothing is started. */
  readonly inert?: readonly string[];
  /** Options that make one text of the command. */
  readonly script?: readonly string[];
  /** Options that cannot be followed; `*` = nothing can. */
  readonly opaque?: readonly string[];
  /** Adds words of its own behind the command. */
  readonly adds?: boolean;
}

/** `letters('abc')` = -a, -b and -c. */
const letters = (text: string): string[] => Array.from(text, (letter) => `-${letter}`);

const personality: Launcher = { flags: [...letters('BFILRSTXZv'), '--addr-no-randomize', '--verbose'] };

export const LAUNCHERS: Readonly<Record<string, Launcher>> = {
  command: { flags: ['-p'], inert: ['-v', '-V'] },
  builtin: {},
  exec: { valued: ['-a'], flags: letters('cl') },
  nohup: {},
  setsid: { flags: [...letters('cfw'), '--ctty', '--fork', '--wait'] },
  time: {
    valued: ['-f', '-o', '--format', '--output'],
    flags: [...letters('pvaq'), '--portability', '--verbose', '--append', '--quiet'],
  },
  nice: { valued: ['-n', '--adjustment'], numeric: true },
  ionice: { valued: ['-c', '-n', '--class', '--classdata'], flags: ['-t', '--ignore'] },
  chrt: {
    valued: ['-T', '-P', '-D'],
    flags: [...letters('bfiordRv'), '--batch', '--fifo', '--idle', '--other', '--rr', '--reset-on-fork', '--verbose'],
    skip: 1,
  },
  taskset: { flags: [...letters('ac'), '--cpu-list', '--all-tasks'], skip: 1 },
  timeout: {
    valued: ['-k', '-s', '--kill-after', '--signal'],
    flags: [...letters('vfp'), '--foreground', '--preserve-status', '--verbose'],
    skip: 1,
  },
  stdbuf: { valued: ['-i', '-o', '-e', '--input', '--output', '--error'] },
  env: {
    valued: ['-u', '--unset'],
    flags: [...letters('i0v'), '--ignore-environment', '--null', '--debug'],
    assignments: true,
  },
  sudo: {
    valued: ['-u', '-g', '-h', '-p', '-C', '-r', '-t', '-T', '-U', '--user', '--group', '--prompt'],
    flags: [...letters('AbEHknPSNB'), '--preserve-env', '--set-home', '--non-interactive', '--stdin', '--background'],
    assignments: true,
  },
  doas: { valued: ['-u', '-C'], flags: ['-n'] },
  xargs: {
    valued: [
      ...letters('InPLsdEa'),
      ...['--max-args', '--max-procs', '--max-chars', '--delimiter', '--arg-file', '--process-slot-var'],
    ],
    flags: [
      ...letters('0rtxpo'),
      ...['--null', '--no-run-if-empty', '--verbose', '--exit', '--interactive', '--open-tty', '--show-limits'],
    ],
    adds: true,
  },
  watch: {
    valued: ['-n', '--interval'],
    flags: [
      ...letters('bcdegptwxC'),
      ...['--beep', '--color', '--differences', '--errexit', '--chgexit', '--precise', '--no-title', '--no-wrap'],
    ],
  },
  chroot: { opaque: ['*'] },
  flock: {
    valued: ['-w', '--timeout', '--wait', '-E', '--conflict-exit-code'],
    flags: [
      ...letters('sxeunoF'),
      ...['--shared', '--exclusive', '--unlock', '--nonblock', '--nb', '--close', '--no-fork', '--verbose'],
    ],
    skip: 1,
    script: ['-c', '--command'],
  },
  // What they write to with -o may be a command.
  strace: { valued: letters('abeIpPsSuUXE'), flags: letters('fFqrtTvxycCdiknwzZD'), opaque: ['-o'] },
  ltrace: { valued: letters('aADelnpsuwxF'), flags: letters('bcCfiLrStT'), opaque: ['-o'] },
  unshare: { flags: letters('muinpUCTfrc') },
  nsenter: { valued: ['-t', '--target', '-S', '-G'], flags: letters('amuinpUCTF') },
  busybox: {},
  toybox: {},
  fakeroot: { flags: ['-u'] },
  unbuffer: { flags: ['-p'] },
  chronic: { flags: letters('ve') },
  setarch: personality,
  linux32: personality,
  linux64: personality,
  setpriv: { opaque: ['-'] },
  prlimit: { opaque: ['-'] },
  numactl: { opaque: ['-'] },
  su: { opaque: ['*'] },
  runuser: { opaque: ['*'] },
  pkexec: { opaque: ['-'] },
  script: { opaque: ['*'] },
  'systemd-run': { opaque: ['-'] },
  parallel: { opaque: ['*'] },
};

// Names of the files that a publish writes before it swaps them in: `.warrant-HEX.tmp`, where HEX says for which file (8
// digits of its name's hash), by which process (8), and 8 random digits. So what a crash left can be told from what lives.
import { randomBytes } from 'node:crypto';
import { sha256 } from './file-version.ts';

const PATTERN = /^\.warrant-([0-9a-f]{8})([0-9a-f]{8})[0-9a-f]{8}\.tmp$/;

const tagOf = (name: string): string => sha256(name).slice(0, 8);

/** A new temp name for a file in the same folder. */
export function newTempName(name: string): string {
  const pid = process.pid.toString(16).padStart(8, '0');
  return `.warrant-${tagOf(name)}${pid}${randomBytes(4).toString('hex')}.tmp`;
}

/** Whether a publish made this name for what it is writing. */
export const isTempName = (name: string): boolean => PATTERN.test(name);

/** The name under which what cannot be put back is left for people. */
export function recoveryName(name: string, temp: string): string {
  return `${name.slice(0, 200)}.warrant-recovered-${temp.slice(-16, -4)}`;
}

/** A name for what must not be found under its own. */
export function asideName(name: string): string {
  return `${name.slice(0, 200)}.warrant-aside-${randomBytes(6).toString('hex')}`;
}

/** The process that made this temp for a file of this name; null = it is no temp of that file. */
export function tempOwner(entry: string, name: string): number | null {
  const match = PATTERN.exec(entry);
  return match?.[1] === tagOf(name) ? Number.parseInt(match[2] ?? '', 16) : null;
}

/** Whether the process that made a temp may still be at it. `madeMs` = when the temp was made, Unix milliseconds. */
export function isLiveOwner(pid: number, madeMs: number): boolean {
  // A process that has a former one's number: what is older than it is not its own.
  if (pid === process.pid) return madeMs >= Date.now() - process.uptime() * 1000;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

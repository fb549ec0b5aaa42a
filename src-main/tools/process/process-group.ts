// Signals to everything that a command started: its process group, the process namespace of its fence, and a look for
// what left the group.
import fs from 'node:fs';
import { errnoOf } from '../workspace/door-error.ts';

/** Sends a signal to a group; false when nobody is left in it. */
export function signalGroup(leader: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-leader, signal);
    return true;
  } catch (error) {
    // EPERM: somebody is left who may not be signalled (a program that changed its user).
    if (errnoOf(error) === 'ESRCH' || errnoOf(error) === 'EPERM') return false;
    throw error;
  }
}

const pidsFrom = (first: number): number[] =>
  fs.readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) && Number(name) >= first ? [Number(name)] : []));

/** Reads a file or link below /proc of a process that may be gone; null then. */
function ofProcess<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (errnoOf(error) === '') throw error;
    return null;
  }
}

const namespaceOf = (pid: number | 'self'): string | null => ofProcess(() => fs.readlinkSync(`/proc/${pid}/ns/pid`));

/** SIGTERM to all in the namespace of `init` but itself: a signal to the fence would end them all without warning. */
export function terminateInside(init: number): void {
  const namespace = namespaceOf(init);
  if (namespace === null || namespace === namespaceOf('self')) return;
  for (const pid of pidsFrom(init + 1)) {
    if (namespaceOf(pid) !== namespace) continue;
    ofProcess(() => process.kill(pid, 'SIGTERM'));
  }
}

/** A process that a command left running outside its group. */
export interface Survivor {
  readonly pid: number;
  readonly name: string;
}

/**
 * Processes that carry `mark` (NAME=value) in the environment they were started with: those that a command left
 * behind by leaving its group. Linux alone; looks at pids from `first` up, as the system gives them in that order.
 */
export function findSurvivors(mark: string, first: number): Survivor[] {
  if (process.platform !== 'linux') return [];
  const wanted = Buffer.from(`${mark}\0`);
  return pidsFrom(first).flatMap((pid) => {
    const environment = ofProcess(() => fs.readFileSync(`/proc/${pid}/environ`));
    if (environment?.includes(wanted) !== true) return [];
    const name = ofProcess(() => fs.readFileSync(`/proc/${pid}/comm`, 'utf8').trim());
    return name === null ? [] : [{ pid, name }];
  });
}

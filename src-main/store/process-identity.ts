// Tells whether the process behind a lease is still the same living process. Where the system shows when a process
// began (Linux), a recycled pid is not taken for the old one; elsewhere being alive is all that can be asked.
import { readFileSync } from 'node:fs';
import os from 'node:os';

/** A process as a lease remembers it. `started` is opaque text, empty where the system does not tell. */
export interface ProcessIdentity {
  pid: number;
  started: string;
  host: string;
}

/** A holder on another host (a container that shares the folder) cannot be asked; after this long it counts as gone. */
const FOREIGN_LEASE_MS = 30 * 60_000;

let ownStarted: string | undefined;
let ownHost: string | undefined;

/** This machine's name as it was when first asked: a laptop that changes networks may get another, and keeps its leases. */
function hostName(): string {
  return (ownHost ??= os.hostname());
}

/** Clock ticks from boot to the start of the process, from field 22 of its stat line; null = no such process. */
function readStarted(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The command's name is in parentheses and may hold anything, so fields are counted after the last one.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has ended; only its parent has not noticed.
    return fields[0] === 'Z' ? null : (fields[19] ?? '');
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives and belongs to someone else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function startedOf(pid: number): string {
  if (process.platform !== 'linux') return '';
  if (pid !== process.pid) return readStarted(pid) ?? '';
  ownStarted ??= readStarted(pid) ?? '';
  return ownStarted;
}

/** The identity of a process of this machine. */
export function identifyProcess(pid: number): ProcessIdentity {
  return { pid, started: startedOf(pid), host: hostName() };
}

/** Whether two identities name one process. */
export function isSameProcess(a: ProcessIdentity, b: ProcessIdentity): boolean {
  return a.pid === b.pid && a.started === b.started && a.host === b.host;
}

/** Whether the process still lives. `lastSeenAtMs` decides for other hosts alone. */
export function isProcessAlive(identity: ProcessIdentity, lastSeenAtMs: number, nowMs: number): boolean {
  if (identity.host !== hostName()) return nowMs - lastSeenAtMs < FOREIGN_LEASE_MS;
  if (!isAlive(identity.pid)) return false;
  if (process.platform !== 'linux') return true;
  const started = readStarted(identity.pid);
  return started !== null && (identity.started === '' || identity.started === started);
}

// One instance a folder, without a socket: a lock file that names its holder, and an inbox of files by which a later start
// hands over what it was asked to do. A lock whose process is gone (killed, or its number in use by another) is taken over.
import { randomUUID } from 'node:crypto';
import {
  type FSWatcher,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  watch,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

/** What a later start hands over. */
export interface HandOver {
  argv: string[];
  cwd: string;
  additionalData: unknown;
}

/** How to take a lock. */
export interface InstanceLockOptions {
  /** Handed to the holder when the lock is taken already. */
  message: HandOver;
  /** Called for each later start, once a message. Must not throw. */
  onSecond(message: HandOver): void;
}

/** A lock held by this process until it is released or the process ends. */
export interface InstanceLock {
  release(): void;
}

interface Holder {
  pid: number;
  /** Start time of the process in the system's own unit; '' where the system tells none. */
  started: string;
}

const LOCK_FILE = 'instance.lock';
const INBOX_FOLDER = 'instance.inbox';
const RECOVERY_STALE_MS = 10_000;
const HAND_OVER_LIMIT_MS = 3_000;
const ATTEMPTS = 200;
const PAUSE_MS = 20;

/** Takes the lock of `folder` (made with mode 0700), or hands the message over to its holder and gives undefined. */
export function takeInstanceLock(folder: string, options: InstanceLockOptions): InstanceLock | undefined {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lockFile = path.join(folder, LOCK_FILE);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (createLock(lockFile)) return holdLock(folder, options);
    const holder = readHolder(lockFile);
    if (holder && isRunning(holder)) {
      handOver(path.join(folder, INBOX_FOLDER), options.message);
      return undefined;
    }
    removeStaleLock(lockFile);
  }
  return undefined;
}

/** A link makes the file appear with its content or not at all. */
function createLock(lockFile: string): boolean {
  const draft = `${lockFile}.${randomUUID()}`;
  const me: Holder = { pid: process.pid, started: startOf(process.pid) };
  writeFileSync(draft, JSON.stringify(me), { mode: 0o600, flag: 'wx' });
  try {
    linkSync(draft, lockFile);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

function holdLock(folder: string, options: InstanceLockOptions): InstanceLock {
  const inbox = path.join(folder, INBOX_FOLDER);
  rmSync(inbox, { recursive: true, force: true });
  mkdirSync(inbox, { mode: 0o700 });
  const watcher = watchInbox(inbox, () => {
    for (const message of takeMessages(inbox)) options.onSecond(message);
  });
  const release = (): void => {
    watcher.close();
    process.off('exit', release);
    const holder = readHolder(path.join(folder, LOCK_FILE));
    if (holder?.pid === process.pid) rmSync(path.join(folder, LOCK_FILE), { force: true });
  };
  process.on('exit', release);
  return { release };
}

function watchInbox(inbox: string, onChange: () => void): { close(): void } {
  try {
    const watcher: FSWatcher = watch(inbox, onChange);
    watcher.unref();
    watcher.on('error', () => {
      watcher.close();
    });
    return watcher;
  } catch {
    // The system has no watches left: look once a second.
    const timer = setInterval(onChange, 1_000).unref();
    return {
      close() {
        clearInterval(timer);
      },
    };
  }
}

function takeMessages(inbox: string): HandOver[] {
  return listInbox(inbox).flatMap((name) => {
    const file = path.join(inbox, name);
    try {
      const message: unknown = JSON.parse(readFileSync(file, 'utf8'));
      rmSync(file, { force: true });
      return isHandOver(message) ? [message] : [];
    } catch {
      // Taken by an earlier call for the same change, or not a message of ours.
      return [];
    }
  });
}

function listInbox(inbox: string): string[] {
  try {
    return readdirSync(inbox)
      .filter((name) => name.endsWith('.json'))
      .sort();
  } catch {
    return [];
  }
}

function isHandOver(value: unknown): value is HandOver {
  if (typeof value !== 'object' || value === null || !('argv' in value) || !('cwd' in value)) return false;
  const { argv, cwd } = value;
  return Array.isArray(argv) && argv.every((item) => typeof item === 'string') && typeof cwd === 'string';
}

/** Leaves the message and waits shortly until the holder took it, so that this process does not end before. */
function handOver(inbox: string, message: HandOver): void {
  const file = path.join(inbox, `${String(Date.now())}-${randomUUID()}.json`);
  const end = Date.now() + HAND_OVER_LIMIT_MS;
  let left = false;
  while (Date.now() < end && !(left && !exists(file))) {
    left ||= leaveMessage(file, message);
    pause();
  }
}

/** False while the holder is between taking its lock and making its inbox. */
function leaveMessage(file: string, message: HandOver): boolean {
  try {
    writeFileSync(`${file}.draft`, JSON.stringify(message), { mode: 0o600, flag: 'w' });
    renameSync(`${file}.draft`, file);
    return true;
  } catch {
    return false;
  }
}

/** Removes a lock whose holder is gone. A folder is the mutex, so that no two processes remove each other's new lock. */
function removeStaleLock(lockFile: string): void {
  const mutex = `${lockFile}.recovery`;
  try {
    mkdirSync(mutex);
  } catch {
    if (ageMs(mutex) > RECOVERY_STALE_MS) rmSync(mutex, { recursive: true, force: true });
    pause();
    return;
  }
  try {
    const holder = readHolder(lockFile);
    if (!holder || !isRunning(holder)) rmSync(lockFile, { force: true });
  } finally {
    rmSync(mutex, { recursive: true, force: true });
  }
}

function readHolder(lockFile: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(lockFile, 'utf8'));
    if (typeof value !== 'object' || value === null || !('pid' in value) || !('started' in value)) return undefined;
    const { pid, started } = value;
    return typeof pid === 'number' && typeof started === 'string' ? { pid, started } : undefined;
  } catch {
    return undefined;
  }
}

function isRunning({ pid, started }: Holder): boolean {
  if (pid === process.pid) return started === startOf(pid);
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs, as another user.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  return started === '' || startOf(pid) === started;
}

/** Field 22 of /proc/PID/stat, counted after the name in parentheses, which may hold blanks; a zombie has none. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? '' : (fields[19] ?? '');
  } catch {
    return '';
  }
}

function ageMs(file: string): number {
  try {
    return Date.now() - statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}

function exists(file: string): boolean {
  try {
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
}

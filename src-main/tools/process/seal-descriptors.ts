// Closes for every program that is started from here what this process was given open by whoever started it: Node does so only
// up to the first number that is free. Linux alone; elsewhere nothing is known of such descriptors.
import fs from 'node:fs';
import { errnoOf } from '../workspace/door-error.ts';

const O_CLOEXEC = 0o2000000;
const F_SETFD = 2;
const FD_CLOEXEC = 1;

/** Numbers above 2 that a new program would get. */
function inheritable(): number[] {
  return fs.readdirSync('/proc/self/fd').flatMap((name) => {
    try {
      const flags = /^flags:\s*(\d+)/m.exec(fs.readFileSync(`/proc/self/fdinfo/${name}`, 'utf8'))?.[1] ?? '0';
      return Number(name) > 2 && (Number.parseInt(flags, 8) & O_CLOEXEC) === 0 ? [Number(name)] : [];
    } catch (error) {
      // The listing's own descriptor is closed by now.
      if (errnoOf(error) === '') throw error;
      return [];
    }
  });
}

async function seal(): Promise<void> {
  const open = process.platform === 'linux' ? inheritable() : [];
  if (open.length === 0) return;
  const { default: koffi } = await import('koffi');
  const fcntl = koffi.load(null).func('int fcntl(int fd, int command, ...)');
  for (const descriptor of open) fcntl(descriptor, F_SETFD, 'int', FD_CLOEXEC);
}

let sealing: Promise<void> | null = null;

/** Looks once a process; later calls are free. Rejects where the native layer cannot be loaded and there is something to close. */
export function sealDescriptors(): Promise<void> {
  return (sealing ??= seal());
}

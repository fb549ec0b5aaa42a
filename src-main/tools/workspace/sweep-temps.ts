// Removes what a publish that a crash cut left beside its file. A temp holds either our new bytes, not yet swapped in, or the
// bytes that the swap displaced. Invariant: bytes of another party are never removed; they get a recovery name.
import fs from 'node:fs';
import { FILE_FLAGS, O_CLOEXEC } from './directory-calls.ts';
import { errnoOf } from './door-error.ts';
import { readDescriptor } from './file-version.ts';
import type { PublishTarget } from './publish-file.ts';
import { isLiveOwner, recoveryName, tempOwner } from './temp-names.ts';
import type { Swept } from './workspace-door.ts';

/** sha256 of the file of this name; null when it is no file, or gone. */
function digestAt({ calls, directory }: PublishTarget, name: string): string | null {
  let descriptor: number;
  try {
    descriptor = calls.openAt(directory, name, FILE_FLAGS | O_CLOEXEC);
  } catch (error) {
    if (errnoOf(error) === '') throw error;
    return null;
  }
  try {
    if (!fs.fstatSync(descriptor).isFile()) return null;
    return readDescriptor(descriptor, Number.MAX_SAFE_INTEGER).version.sha256;
  } finally {
    fs.closeSync(descriptor);
  }
}

/**
 * Sweeps the temps of one file. `base` = sha256 of the bytes that the cut publish stood on, null = it made a new file. While
 * the file has its base still, a temp is our own; a temp that is the base was displaced as it should be.
 */
export function sweepTemps(target: PublishTarget, base: string | null): Swept {
  const { calls, directory, name } = target;
  const swept = { removed: 0, kept: [] as string[] };
  const present = base === null ? null : digestAt(target, name);
  for (const entry of calls.list(directory)) {
    const owner = tempOwner(entry.name, name);
    if (owner === null || entry.type !== 'file') continue;
    if (isLiveOwner(owner, Number(calls.statAt(directory, entry.name).ctimeMs))) continue;
    const own = base === null || present === base || digestAt(target, entry.name) === base;
    if (own) {
      calls.unlinkAt(directory, entry.name);
      swept.removed += 1;
    } else {
      const kept = recoveryName(name, entry.name);
      calls.renameNew(directory, entry.name, kept);
      swept.kept.push(kept);
    }
  }
  if (swept.removed + swept.kept.length > 0) fs.fsyncSync(directory);
  return swept;
}

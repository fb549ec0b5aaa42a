// Puts bytes under a name of an open directory in one step: temp beside it, sync, exchange, compare what came out, undo
// if it was not what was expected, sync. Invariant: the name holds the old bytes or the new ones, and no other party's
// bytes are ever lost; what cannot be put back is left under a recovery name.
import fs from 'node:fs';
import { AppError } from '../../base/app-error.ts';
import { FILE_FLAGS, O_CLOEXEC } from './directory-calls.ts';
import type { DirectoryCalls } from './directory-calls.ts';
import { errnoOf } from './door-error.ts';
import { readDescriptor, toVersion } from './file-version.ts';
import { newTempName, recoveryName } from './temp-names.ts';
import type { FileVersion } from './workspace-door.ts';

const TEMP_FLAGS =
  fs.constants.O_RDWR | fs.constants.O_CREAT | fs.constants.O_EXCL | fs.constants.O_NOFOLLOW | O_CLOEXEC;
/** A roll back that swapped this often has met something that will not hold still. */
const ROLL_BACK_ROUNDS = 100;

/** Where to publish: `directory` is an open descriptor, `shown` the path for messages. */
export interface PublishTarget {
  readonly calls: DirectoryCalls;
  readonly directory: number;
  readonly name: string;
  readonly shown: string;
}

const conflict = (shown: string, what: string): AppError =>
  new AppError('workspace.conflict', `${shown} ${what}. Nothing was written; read it again and repeat the change.`, {
    details: { path: shown },
  });

/** Refuses what replacing a file by rename would silently change: its owner, its other names, its read-only state. */
function assertReplaceable(shown: string, expected: FileVersion): void {
  const refuse = (why: string): never => {
    throw new AppError('workspace.no-permission', `${shown} ${why}. Nothing was written.`, {
      details: { path: shown },
    });
  };
  if ((expected.mode & 0o222) === 0) refuse('is read-only. Make it writable first (chmod u+w)');
  if (expected.links > 1) refuse(`has ${expected.links} names (hard links), which replacing it would separate`);
  const me = process.geteuid?.() ?? 0;
  if (me !== 0 && expected.uid !== me) refuse('belongs to another user, which replacing it would change');
}

/** Keeps mode and owner of the file that is replaced. */
function keepAttributes(descriptor: number, target: PublishTarget, expected: FileVersion): void {
  try {
    const mine = fs.fstatSync(descriptor);
    if (mine.uid !== expected.uid || mine.gid !== expected.gid) fs.fchownSync(descriptor, expected.uid, expected.gid);
    fs.fchmodSync(descriptor, expected.mode);
  } catch (error) {
    if (errnoOf(error) !== 'EPERM') throw error;
    throw new AppError(
      'workspace.no-permission',
      `${target.shown} belongs to a group that you cannot give files to. Nothing was written.`,
      { details: { path: target.shown }, cause: error },
    );
  }
}

/** Writes and syncs the temp file; gives the version that the target will have. */
function writeTemp(
  target: PublishTarget,
  temp: string,
  content: { bytes: Uint8Array; expected: FileVersion | null },
): FileVersion {
  const { bytes, expected } = content;
  const mode = expected === null ? 0o666 : 0o600;
  const descriptor = target.calls.openAt(target.directory, temp, TEMP_FLAGS, mode);
  try {
    for (let offset = 0; offset < bytes.length;) offset += fs.writeSync(descriptor, bytes, offset);
    if (expected !== null) keepAttributes(descriptor, target, expected);
    fs.fsyncSync(descriptor);
    return { ...toVersion(fs.fstatSync(descriptor, { bigint: true }), bytes), links: 1 };
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Whether a name is the expected file still, by inode and by content: savers in place keep the inode. */
function isExpected(target: PublishTarget, name: string, expected: FileVersion): boolean {
  let descriptor: number;
  try {
    descriptor = target.calls.openAt(target.directory, name, FILE_FLAGS);
  } catch (error) {
    if (errnoOf(error) === '') throw error;
    return false;
  }
  try {
    const stat = fs.fstatSync(descriptor, { bigint: true });
    if (!stat.isFile() || String(stat.ino) !== expected.ino || String(stat.dev) !== expected.dev) return false;
    return readDescriptor(descriptor, Number.MAX_SAFE_INTEGER).version.sha256 === expected.sha256;
  } finally {
    fs.closeSync(descriptor);
  }
}

const inodeAt = (target: PublishTarget, name: string): string =>
  String(target.calls.statAt(target.directory, name).ino);

/**
 * Undoes a swap. A third writer may replace the name meanwhile; then the undo displaces that newer file, which is put
 * back in turn: swap until what comes out is what was put in last. false = it did not settle.
 */
function rollBack(target: PublishTarget, temp: string, mine: string): boolean {
  let inName = mine;
  let inTemp = inodeAt(target, temp);
  for (let round = 0; round < ROLL_BACK_ROUNDS; round++) {
    try {
      target.calls.exchange(target.directory, temp, target.name);
    } catch (error) {
      // Somebody removed the name after the swap: without us that removal would have hit the displaced file.
      if (errnoOf(error) === 'ENOENT') return true;
      throw error;
    }
    const out = inodeAt(target, temp);
    if (out === inName) return true;
    inName = inTemp;
    inTemp = out;
  }
  return false;
}

/** Leaves the temp, which may be another party's only copy, under a name that people find. */
function keepForRecovery(target: PublishTarget, temp: string): never {
  const kept = recoveryName(target.name, temp);
  target.calls.renameNew(target.directory, temp, kept);
  fs.fsyncSync(target.directory);
  throw new AppError(
    'workspace.conflict',
    `${target.shown} was changed again and again while it was written. The version that could not be put back is kept beside it as ${kept}.`,
    { details: { path: target.shown, recovered: kept } },
  );
}

const noExchange = new Set(['EINVAL', 'ENOSYS', 'EOPNOTSUPP', 'ENOTSUP']);

/** Swaps in the temp where the file system cannot exchange: look once more, then rename. false = not in one step. */
function replaceWithoutExchange(target: PublishTarget, temp: string, expected: FileVersion): false {
  if (!isExpected(target, target.name, expected)) throw conflict(target.shown, 'changed since it was read');
  target.calls.renameOver(target.directory, temp, target.name);
  return false;
}

/** Replaces the expected file; true = in one step that lost nothing. The displaced file is left under `temp`. */
function replace(
  target: PublishTarget,
  temp: { name: string; keep: boolean },
  versions: { mine: FileVersion; expected: FileVersion },
): boolean {
  try {
    target.calls.exchange(target.directory, temp.name, target.name);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'ENOENT') throw conflict(target.shown, 'was deleted since it was read');
    if (noExchange.has(errno)) return replaceWithoutExchange(target, temp.name, versions.expected);
    throw error;
  }
  temp.keep = true;
  if (isExpected(target, temp.name, versions.expected)) {
    temp.keep = false;
    return true;
  }
  if (!rollBack(target, temp.name, versions.mine.ino)) keepForRecovery(target, temp.name);
  temp.keep = false;
  throw conflict(target.shown, 'changed since it was read');
}

function create(target: PublishTarget, temp: string): void {
  try {
    target.calls.renameNew(target.directory, temp, target.name);
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') throw conflict(target.shown, 'exists already, and was not read before');
    throw error;
  }
}

/** Publishes; see WorkspaceDoor.publish. Throws AppError or SystemCallError. */
export function publishFile(
  target: PublishTarget,
  bytes: Uint8Array,
  expected: FileVersion | null,
): { version: FileVersion; atomic: boolean } {
  if (expected !== null) assertReplaceable(target.shown, expected);
  const temp = { name: newTempName(target.name), keep: false };
  let atomic = true;
  try {
    const mine = writeTemp(target, temp.name, { bytes, expected });
    if (expected === null) create(target, temp.name);
    else atomic = replace(target, temp, { mine, expected });
    removeTemp(target, temp);
    fs.fsyncSync(target.directory);
    return { version: mine, atomic };
  } catch (error) {
    removeTemp(target, temp);
    throw error;
  }
}

function removeTemp(target: PublishTarget, temp: { name: string; keep: boolean }): void {
  if (temp.keep) return;
  try {
    target.calls.unlinkAt(target.directory, temp.name);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}

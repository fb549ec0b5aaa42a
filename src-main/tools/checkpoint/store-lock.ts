// One process at a time changes the checkpoints of a project: a file with its number says which. One whose process is gone,
// or that is older than any capture may take, is nobody's.
import fs from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../../base/app-error.ts';
import { errnoOf } from '../workspace/door-error.ts';
import { storeError } from './plain-objects.ts';

const PATIENCE_MS = 30_000;
const LOOK_MS = 50;
const STALE_MS = 600_000;

/** Runs work while no other process changes what `file` guards. Code store.locked after half a minute. */
export async function withStoreLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const endMs = Date.now() + PATIENCE_MS;
  while (!take(file)) {
    if (Date.now() > endMs) {
      throw new AppError('store.locked', 'Another Warrant works on the checkpoints of this folder. Try again.');
    }
    await wait(LOOK_MS);
  }
  try {
    return await work();
  } finally {
    fs.rmSync(file, { force: true });
  }
}

function take(file: string): boolean {
  try {
    fs.writeFileSync(file, String(process.pid), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw storeError(error);
    if (isNobodys(file)) fs.rmSync(file, { force: true });
    return false;
  }
}

function isNobodys(file: string): boolean {
  try {
    const pid = Number(fs.readFileSync(file, 'utf8'));
    const ageMs = Date.now() - fs.statSync(file).mtimeMs;
    if (ageMs > STALE_MS) return true;
    if (!Number.isInteger(pid) || pid <= 0) return ageMs > 1000;
    // Within this process jobs go one after the other: a lock of its number is a former one's.
    if (pid === process.pid) return ageMs > 1000;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return errnoOf(error) === 'ESRCH';
  }
}

// The filesystem door under attack: a second process swaps a folder, or a file, for a link that leads outside, while the
// door reads, lists and writes. Nothing outside may be reached; a check by path, the control, must be seen to fail.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { isAppError } from '../../../src-main/base/app-error.ts';
import { DescriptorDoor } from '../../../src-main/tools/workspace/descriptor-door.ts';
import type { DirectoryCalls } from '../../../src-main/tools/workspace/directory-calls.ts';
import { parseDoorPath } from '../../../src-main/tools/workspace/door-path.ts';
import { loadPosixCalls } from '../../../src-main/tools/workspace/posix-calls.ts';
import { procCalls } from '../../../src-main/tools/workspace/proc-calls.ts';
import type { DoorPath, FileVersion } from '../../../src-main/tools/workspace/workspace-door.ts';

const posixCalls = await loadPosixCalls();

/** WARRANT_LONG=1: 210,000 operations in all (FIG-22). */
const LONG = process.env['WARRANT_LONG'] === '1';
const OPERATIONS = LONG ? 14_000 : 1500;
const sums = { operations: 0, done: 0, escapes: 0, swaps: 0, fooled: 0 };
afterAll(() => {
  if (LONG) console.log(`FIG-22 races: ${JSON.stringify(sums)}`);
});
// Without a journal the attacker swaps far more often.
const base = fs.existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir();

interface Arena {
  readonly root: string;
  readonly outside: string;
  readonly door: DescriptorDoor;
  /** Stops the attacker; gives its number of swaps. */
  stop(): Promise<number>;
}

const at = (text: string): DoorPath => parseDoorPath(text, { roots: [], platform: 'linux' });

async function attack(first: string, second: string): Promise<ChildProcess> {
  const script = path.resolve(import.meta.dirname, '../../helpers/swap-attacker.ts');
  const child = spawn(process.execPath, [script, first, second], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return child;
}

async function arena(target: 'folder' | 'file', calls: DirectoryCalls): Promise<Arena> {
  const top = fs.mkdtempSync(path.join(base, 'warrant-race-'));
  const root = path.join(top, 'root');
  const outside = path.join(top, 'outside');
  fs.mkdirSync(path.join(root, 'd'), { recursive: true });
  fs.mkdirSync(outside);
  fs.writeFileSync(path.join(root, 'd/f'), 'INSIDE');
  fs.writeFileSync(path.join(outside, 'f'), 'OUTSIDE');
  const pair =
    target === 'folder'
      ? [path.join(root, 'd'), path.join(root, 'l')]
      : [path.join(root, 'd/f'), path.join(root, 'd/l')];
  fs.symlinkSync(target === 'folder' ? outside : path.join(outside, 'f'), pair[1] ?? '');
  const descriptor = fs.openSync(root, fs.constants.O_RDONLY | fs.constants.O_DIRECTORY);
  const door = new DescriptorDoor(descriptor, calls);
  const child = await attack(pair[0] ?? '', pair[1] ?? '');
  onTestFinished(() => {
    door.close();
    fs.closeSync(descriptor);
    fs.rmSync(top, { recursive: true, force: true });
  });
  return {
    root,
    outside,
    door,
    stop: () =>
      new Promise((resolve) => {
        child.stdout?.once('data', (text: Buffer) => {
          sums.swaps += Number(text);
          resolve(Number(text));
        });
        child.kill('SIGTERM');
      }),
  };
}

/** Runs operations until there were OPERATIONS of them and some succeeded; an AppError is a refusal, not an escape. */
async function attempts(operate: (round: number) => boolean): Promise<{ done: number; escapes: number }> {
  const count = { done: 0, escapes: 0 };
  const deadline = Date.now() + 40_000;
  for (let round = 0; round < OPERATIONS || (count.done === 0 && Date.now() < deadline); round++) {
    sums.operations += 1;
    try {
      if (operate(round)) count.done += 1;
      else count.escapes += 1;
    } catch (error) {
      if (!isAppError(error)) throw error;
    }
    // Lets the attacker in on a machine with one free processor.
    if (round % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  sums.done += count.done;
  sums.escapes += count.escapes;
  return count;
}

const forms: readonly (readonly [string, DirectoryCalls])[] = [
  ['openat2', posixCalls],
  ['openat', { ...posixCalls, openBeneath: null }],
  ['proc', procCalls],
];

describe.skipIf(process.platform !== 'linux')(
  'FIG-22: a folder or file that is swapped for a link meanwhile',
  { timeout: LONG ? 900_000 : 300_000 },
  () => {
    it('the control, which checks a path and then uses it, is fooled', async () => {
      const { root, stop } = await arena('folder', posixCalls);
      const file = path.join(root, 'd/f');
      let rounds = 0;
      const wanted = LONG ? 20_000 : 1;
      for (const deadline = Date.now() + 50_000; (sums.fooled === 0 || rounds < wanted) && Date.now() < deadline;) {
        rounds += 1;
        try {
          if (!fs.realpathSync(file).startsWith(root + path.sep)) continue;
          if (fs.readFileSync(file, 'utf8') === 'OUTSIDE') sums.fooled += 1;
        } catch {
          // Caught in the middle of a swap: not what is looked for.
        }
      }
      expect(await stop()).toBeGreaterThan(0);
      expect(sums.fooled).toBeGreaterThan(0);
    });

    it.each(forms)('FILE-02: reads never leave the root (%s)', async (_name, calls) => {
      for (const target of ['folder', 'file'] as const) {
        const { door, stop } = await arena(target, calls);
        const count = await attempts(() => door.read(at('d/f'), 100).bytes.toString() === 'INSIDE');
        expect(await stop()).toBeGreaterThan(0);
        expect(count.escapes).toBe(0);
        expect(count.done).toBeGreaterThan(0);
      }
    });

    it.each(forms)('FILE-02: listings never leave the root (%s)', async (_name, calls) => {
      const { root, door, stop } = await arena('folder', calls);
      fs.writeFileSync(path.join(root, 'inside-only'), '');
      const count = await attempts(() => door.list(at('d')).every(({ name }) => name === 'f'));
      const names = await attempts(() => door.list(at('.')).some(({ name }) => name === 'inside-only'));
      expect(await stop()).toBeGreaterThan(0);
      expect([count.escapes, names.escapes]).toEqual([0, 0]);
      expect(count.done).toBeGreaterThan(0);
    });

    it.each(forms)('FILE-02: writes never land outside (%s)', async (_name, calls) => {
      const { outside, door, stop } = await arena('folder', calls);
      let version: FileVersion | null = null;
      const count = await attempts((round) => {
        if (round % 3 === 0) {
          door.publish(at(`d/new-${round}`), Buffer.from('x'), null);
        } else if (round % 3 === 1) {
          door.publish(at(`d/sub-${round}/x`), Buffer.from('x'), null);
        } else {
          version = door.read(at('d/f'), 100).version;
          door.publish(at('d/f'), Buffer.from(`INSIDE ${round}`), version);
        }
        return true;
      });
      expect(await stop()).toBeGreaterThan(0);
      expect(count.done).toBeGreaterThan(0);
      expect(fs.readdirSync(outside)).toEqual(['f']);
      expect(fs.readFileSync(path.join(outside, 'f'), 'utf8')).toBe('OUTSIDE');
    });
  },
);

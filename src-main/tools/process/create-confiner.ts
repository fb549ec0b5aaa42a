// Finds out whether commands can be fenced on this machine, by running the fence once, and puts commands inside it.
// Invariant: a command is fenced or it is not started; there is no silent way around.
import { spawn } from 'node:child_process';
import type { StdioOptions } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { Readable } from 'node:stream';
import { AppError } from '../../base/app-error.ts';
import { bwrapArguments } from './bwrap-arguments.ts';
import type { BwrapFeatures } from './bwrap-arguments.ts';
import { signalGroup } from './process-group.ts';
import type { Fence, FencedCommand, ProcessCommand, ProcessConfiner } from './process-confiner.ts';

const PROBE_TIMEOUT_MS = 10_000;
/** Fixed places: a PATH could name a folder that a project writes. */
const PROGRAMS = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap'];
const STATUS_DESCRIPTOR = 3;
const ROOT_DESCRIPTOR = 4;

interface Found {
  readonly available: boolean;
  readonly reason: string;
  /** The next probe looks again: the machine was too busy to tell. */
  readonly again: boolean;
  readonly program: string;
  readonly features: BwrapFeatures;
}

const none = (reason: string): Found => ({
  available: false,
  reason,
  again: false,
  program: '',
  features: { disableUserns: false },
});

/** What a probe found: null = the fence held; else what it said, and whether another look may find otherwise. */
type Answer = { readonly reason: string; readonly slow: boolean } | null;

/** Runs one fence around nothing. */
async function tryFence(program: string, features: BwrapFeatures): Promise<Answer> {
  const root = fs.realpathSync(os.tmpdir());
  const descriptor = fs.openSync(root, fs.constants.O_RDONLY | fs.constants.O_DIRECTORY);
  try {
    const fence: Fence = {
      root,
      rootDescriptor: descriptor,
      writable: true,
      network: false,
      home: os.homedir(),
      readable: [],
      readOnly: [],
      hidden: [],
    };
    const list = ['--json-status-fd', '3', ...bwrapArguments(fence, features, ROOT_DESCRIPTOR), '/bin/sh', '-c', ':'];
    return await runProbe(program, list, descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

function runProbe(program: string, list: readonly string[], root: number): Promise<Answer> {
  return new Promise((resolve) => {
    // The status descriptor must be open: 'ignore' leaves a number above 2 closed, and the fence then takes it for its own
    // and waits for itself.
    const stdio: StdioOptions = ['ignore', 'ignore', 'pipe', 'pipe', root];
    const child = spawn(program, [...list], { stdio, env: {}, detached: true });
    const status = child.stdio[STATUS_DESCRIPTOR];
    let said = '';
    // A fence that is killed while it is built can leave its inner half waiting: the whole group has to go.
    const timer = setTimeout(() => {
      if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
      settle({ reason: `it did not answer in ${PROBE_TIMEOUT_MS / 1000} s`, slow: true });
    }, PROBE_TIMEOUT_MS);
    const settle = (answer: Answer): void => {
      clearTimeout(timer);
      child.stderr?.destroy();
      if (status instanceof Readable) status.destroy();
      resolve(answer);
    };
    if (status instanceof Readable) status.resume();
    child.stderr?.on('data', (chunk: Buffer) => (said = (said + chunk.toString('utf8')).slice(0, 500)));
    child.on('error', (error) => settle({ reason: error.message, slow: false }));
    child.on('close', (code) => {
      settle(code === 0 ? null : { reason: said.trim() || `it ended with ${code ?? 'a signal'}`, slow: code === null });
    });
  });
}

async function look(): Promise<Found> {
  if (process.platform !== 'linux')
    return none('Commands cannot be confined on this system, so each one is asked for.');
  const program = PROGRAMS.find((file) => fs.existsSync(file));
  if (program === undefined) {
    return none('bubblewrap is not installed, so commands cannot be confined. Install the package "bubblewrap".');
  }
  let reason = '';
  let again = false;
  for (const disableUserns of [true, false]) {
    const answer = await tryFence(program, { disableUserns });
    if (answer === null) return { available: true, reason: '', again: false, program, features: { disableUserns } };
    reason = answer.reason.split('\n')[0] ?? '';
    again = answer.slow;
    if (again) break;
  }
  return { ...none(`bubblewrap cannot build its fence here (${reason}), so each command is asked for.`), again };
}

/** A confiner for this machine. Looks at nothing before `probe`; `status` says so until then. */
export function createConfiner(): ProcessConfiner {
  let looking: Promise<Found> | null = null;
  let found: Found | null = null;
  const probe = async (): Promise<Found> => {
    looking ??= look();
    found = await looking;
    if (found.again) looking = null;
    return found;
  };
  return {
    async probe() {
      const { available, reason } = await probe();
      return { available, reason };
    },
    status() {
      if (found === null) return { available: false, reason: 'Not looked yet whether commands can be confined here.' };
      return { available: found.available, reason: found.reason };
    },
    wrap(command: ProcessCommand, fence: Fence): FencedCommand {
      if (found?.available !== true) {
        throw new AppError('process.confinement-failed', found?.reason ?? 'Commands cannot be confined here.');
      }
      const pinned = fence.rootDescriptor === null ? null : ROOT_DESCRIPTOR;
      const list = bwrapArguments(fence, found.features, pinned);
      return {
        program: found.program,
        arguments: ['--json-status-fd', String(STATUS_DESCRIPTOR), ...list, command.program, ...command.arguments],
        descriptors: fence.rootDescriptor === null ? ['status'] : ['status', fence.rootDescriptor],
      };
    },
  };
}

// Finds out whether commands can be fenced on this machine, by running the fence once, and puts commands inside it.
// Invariant: a command is fenced or it is not started; there is no silent way around.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { Readable } from 'node:stream';
import { AppError } from '../../base/app-error.ts';
import { bwrapArguments } from './bwrap-arguments.ts';
import type { BwrapFeatures } from './bwrap-arguments.ts';
import type { Fence, FencedCommand, ProcessCommand, ProcessConfiner } from './process-confiner.ts';

const PROBE_TIMEOUT_MS = 5000;
/** Fixed places: a PATH could name a folder that a project writes. */
const PROGRAMS = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap'];
const STATUS_DESCRIPTOR = 3;
const ROOT_DESCRIPTOR = 4;

interface Found {
  readonly available: boolean;
  readonly reason: string;
  readonly program: string;
  readonly features: BwrapFeatures;
}

const none = (reason: string): Found => ({ available: false, reason, program: '', features: { disableUserns: false } });

/** Runs one fence around `true`; null = it held, else what it said. */
function tryFence(program: string, features: BwrapFeatures): Promise<string | null> {
  const root = fs.realpathSync(os.tmpdir());
  const descriptor = fs.openSync(root, fs.constants.O_RDONLY | fs.constants.O_DIRECTORY);
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
  return new Promise((resolve) => {
    const list = ['--json-status-fd', '3', ...bwrapArguments(fence, features, ROOT_DESCRIPTOR), '/bin/sh', '-c', ':'];
    const child = spawn(program, list, {
      // The status descriptor must be open: with 'ignore' there is none, and bubblewrap waits for itself.
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', descriptor],
      env: {},
      timeout: PROBE_TIMEOUT_MS,
      killSignal: 'SIGKILL',
    });
    let said = '';
    const status = child.stdio[STATUS_DESCRIPTOR];
    if (status instanceof Readable) status.resume();
    const settle = (answer: string | null): void => resolve(answer);
    child.stderr?.on('data', (chunk: Buffer) => (said = (said + chunk.toString('utf8')).slice(0, 500)));
    child.on('error', (error) => settle(error.message));
    child.on('close', (code) => settle(code === 0 ? null : said.trim() || `it ended with ${code ?? 'a signal'}`));
  }).finally(() => fs.closeSync(descriptor)) as Promise<string | null>;
}

async function look(): Promise<Found> {
  if (process.platform !== 'linux')
    return none('Commands cannot be confined on this system, so each one is asked for.');
  const program = PROGRAMS.find((file) => fs.existsSync(file));
  if (program === undefined) {
    return none('bubblewrap is not installed, so commands cannot be confined. Install the package "bubblewrap".');
  }
  let reason = '';
  for (const disableUserns of [true, false]) {
    const answer = await tryFence(program, { disableUserns });
    if (answer === null) return { available: true, reason: '', program, features: { disableUserns } };
    reason = answer.split('\n')[0] ?? '';
  }
  return none(`bubblewrap cannot build its fence here (${reason}), so each command is asked for.`);
}

/** A confiner for this machine. Looks at nothing before `probe`; `status` says so until then. */
export function createConfiner(): ProcessConfiner {
  let looking: Promise<Found> | null = null;
  let found: Found | null = null;
  const probe = async (): Promise<Found> => {
    looking ??= look();
    found = await looking;
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

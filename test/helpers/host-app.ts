// Starts the small application of test/fixtures/host-app on the Chromium host and talks to it over its standard streams.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { findBrowser } from '../../src-main/chromium/browser-lookup.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Why tests of the host cannot run here, or '' when they can. */
export function browserMissing(): string {
  try {
    findBrowser();
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** A line that the application printed: an event, or the answer to a command. */
export type HostLine = Record<string, unknown>;

/** A running host application. */
export class HostApp {
  readonly process: ChildProcess;
  readonly data: string;
  readonly lines: HostLine[] = [];
  readonly #waiters = new Set<() => void>();
  #lastId = 0;

  /** `data` is its folder of user data; a fresh one when missing. */
  constructor(options: { data?: string; folder?: string } = {}) {
    this.data = options.data ?? mkdtempSync(path.join(os.tmpdir(), 'warrant-host-'));
    this.process = spawn(
      process.execPath,
      [path.join(root, 'src-main/chromium/cli.ts'), path.join(root, 'test/fixtures/host-app')],
      {
        stdio: ['pipe', 'pipe', 'inherit'],
        env: {
          ...process.env,
          WARRANT_HEADLESS: '1',
          HOST_APP_DATA: this.data,
          HOST_APP_FOLDER: options.folder ?? '',
          EXAMPLE_API_KEY: 'not-for-the-browser',
        },
      },
    );
    const { stdout } = this.process;
    if (stdout) {
      createInterface({ input: stdout }).on('line', (line) => {
        this.lines.push(JSON.parse(line) as HostLine);
        for (const wake of this.#waiters) wake();
      });
    }
    this.process.on('exit', () => {
      for (const wake of this.#waiters) wake();
    });
  }

  /** The first line, now or later, that fits; rejects when the process ends without it. */
  async line(fits: (line: HostLine) => boolean): Promise<HostLine> {
    for (;;) {
      const found = this.lines.find(fits);
      if (found) return found;
      if (this.process.exitCode !== null || this.process.signalCode !== null) throw new Error('The host ended');
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          this.#waiters.delete(wake);
          resolve();
        };
        this.#waiters.add(wake);
      });
    }
  }

  event(name: string): Promise<HostLine> {
    return this.line((line) => line['event'] === name);
  }

  /** Evaluates code in the page; gives its value, or the text of what it threw as { error }. */
  async page(code: string): Promise<unknown> {
    return this.#ask({ page: code });
  }

  /** Runs the body of a function of `context` in the main process. */
  async main(code: string): Promise<unknown> {
    return this.#ask({ main: code });
  }

  async #ask(command: object): Promise<unknown> {
    const id = ++this.#lastId;
    this.process.stdin?.write(`${JSON.stringify({ id, ...command })}\n`);
    const answer = await this.line((line) => line['id'] === id);
    return 'error' in answer ? { error: answer['error'] } : answer['value'];
  }

  /** Ends it with a signal, and resolves to its exit code (null after a kill). */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (this.process.exitCode === null && this.process.signalCode === null) {
      const gone = new Promise((resolve) => this.process.once('exit', resolve));
      this.process.kill(signal);
      await gone;
    }
    return this.process.exitCode;
  }

  /** Process numbers of the browsers that use this application's profile. */
  browserPids(): number[] {
    return processesWith(`--user-data-dir=${path.join(this.data, 'chromium')}`);
  }

  removeData(): void {
    rmSync(this.data, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/** Numbers of running processes whose command line has `text`. */
export function processesWith(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text);
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Local addresses on which these processes listen for TCP, from the kernel's own tables (no tool is needed). */
export function listeningSockets(pids: readonly number[]): string[] {
  const listening = new Map<string, string>();
  for (const table of ['tcp', 'tcp6']) {
    for (const line of readFileSync(`/proc/net/${table}`, 'utf8').split('\n').slice(1)) {
      const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
      if (state === LISTEN) listening.set(`socket:[${inode}]`, local);
    }
  }
  const open = pids.flatMap((pid) => descriptorsOf(pid));
  return open.flatMap((target) => listening.get(target) ?? []);
}

/** The state of a listening socket in /proc/net/tcp. */
const LISTEN = '0A';

function descriptorsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${String(pid)}/fd`).map((fd) => readlinkSync(`/proc/${String(pid)}/fd/${fd}`));
  } catch {
    // The process, or one of its descriptors, has just gone.
    return [];
  }
}

// One shell that stays between calls: /bin/sh reading from a pipe, in its own group and, where it was asked for so, inside the
// fence. Each command is evaluated as it was written and ends with a mark that nobody can guess. Ends with TERM, then KILL, of
// the whole group; never waits for a pipe alone.
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { LiveOutput } from './live-output.ts';
import { OutputCapture, type CaptureOptions, type CapturedOutput } from './output-capture.ts';
import type { FencedCommand, ProcessCommand } from './process-confiner.ts';
import { signalGroup } from './process-group.ts';

const GRACE_MS = 500;
/** The mark, an exit code and line ends. */
const MARK_ROOM = 64;

/** What came of one call: the output since the last one, and whether the command goes on. */
export interface ShellStep {
  /** ended = the command is done; running = it goes on; gone = the shell itself has ended. */
  readonly state: 'ended' | 'running' | 'gone';
  readonly exitCode: number | null;
  readonly output: CapturedOutput;
}

export interface StepOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly capture: CaptureOptions;
  readonly tell: (text: string) => void;
}

export interface ShellStart {
  readonly command: ProcessCommand | FencedCommand;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

export class PersistentShell {
  readonly #child: ChildProcess;
  readonly #mark = randomBytes(16).toString('hex');
  /** Output that no call has taken yet. */
  #held = Buffer.alloc(0);
  #running = false;
  #gone = false;
  #exitCode: number | null = null;
  #wake: () => void = () => {};

  constructor({ command, cwd, environment }: ShellStart) {
    const passed = 'descriptors' in command ? command.descriptors.map((one) => (one === 'status' ? 'pipe' : one)) : [];
    const stdio: StdioOptions = ['pipe', 'pipe', 'pipe', ...passed];
    this.#child = spawn(command.program, [...command.arguments], { cwd, env: environment, detached: true, stdio });
    this.#child.on('error', () => this.#end(null));
    this.#child.on('exit', (code) => this.#end(code));
    this.#child.stdin?.on('error', () => undefined);
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (chunk: Buffer) => this.#take(chunk));
    for (const stream of this.#child.stdio.slice(3)) if (stream && 'resume' in stream) stream.resume();
    this.#write('exec 2>&1\n');
  }

  get isRunning(): boolean {
    return this.#running && !this.#gone;
  }

  get isGone(): boolean {
    return this.#gone;
  }

  /** Begins a command; the one before must have ended. */
  begin(command: string): void {
    this.#running = true;
    this.#write(`command eval ${quoted(command)}; printf '\\n%s %s\\n' ${this.#mark} "$?"\n`);
  }

  /** Gives a line to what runs. */
  input(text: string): void {
    this.#write(text.endsWith('\n') ? text : `${text}\n`);
  }

  /** Waits for the end of the command, its time, or the signal (which ends the shell). Never rejects. */
  async step(options: StepOptions): Promise<ShellStep> {
    const capture = new OutputCapture(options.capture);
    const live = new LiveOutput(options.tell);
    const finish = (state: ShellStep['state'], exitCode: number | null): ShellStep => {
      live.end();
      return { state, exitCode, output: capture.finish() };
    };
    const hear = (chunk: Buffer): void => {
      capture.push(chunk);
      live.push(chunk);
    };
    const deadline = AbortSignal.any([options.signal, AbortSignal.timeout(options.timeoutMs)]);
    for (;;) {
      const ended = this.#drain(hear);
      if (ended !== null) return finish('ended', ended);
      if (this.#gone) return finish('gone', this.#exitCode);
      if (options.signal.aborted) {
        await this.stop();
        this.#drain(hear);
        return finish('gone', null);
      }
      if (deadline.aborted) {
        this.#drain(hear, true);
        return finish('running', null);
      }
      await this.#news(deadline);
    }
  }

  /** Ends the shell and all of its group. */
  async stop(): Promise<void> {
    const { pid } = this.#child;
    if (this.#gone || pid === undefined) return;
    const gone = new Promise<void>((resolve) => this.#child.once('exit', () => resolve()));
    signalGroup(pid, 'SIGTERM');
    const timer = setTimeout(() => signalGroup(pid, 'SIGKILL'), GRACE_MS);
    await gone;
    clearTimeout(timer);
    signalGroup(pid, 'SIGKILL');
  }

  #write(text: string): void {
    this.#child.stdin?.write(text);
  }

  #take(chunk: Buffer): void {
    this.#held = Buffer.concat([this.#held, chunk]);
    this.#wake();
  }

  #end(code: number | null): void {
    this.#gone = true;
    this.#running = false;
    this.#exitCode = code;
    if (this.#child.pid !== undefined) signalGroup(this.#child.pid, 'SIGKILL');
    this.#child.stdin?.destroy();
    this.#wake();
  }

  /** Hands on what is output for sure; the exit code once the mark is there. `all` = also what could be a mark's beginning. */
  #drain(hear: (chunk: Buffer) => void, all = false): number | null {
    const mark = Buffer.from(`\n${this.#mark} `);
    const at = this.#held.indexOf(mark);
    const end = at === -1 ? -1 : this.#held.indexOf('\n', at + mark.length);
    if (end !== -1) {
      const code = Number(this.#held.subarray(at + mark.length, end).toString('latin1'));
      hear(this.#held.subarray(0, at));
      this.#held = Buffer.from(this.#held.subarray(end + 1));
      this.#running = false;
      return code;
    }
    const whole = all || this.#gone;
    const upTo = at !== -1 ? at : whole ? this.#held.length : Math.max(0, this.#held.length - MARK_ROOM);
    if (upTo > 0) hear(this.#held.subarray(0, upTo));
    this.#held = Buffer.from(this.#held.subarray(upTo));
    return null;
  }

  /** Resolves when output or the end came, or the deadline. */
  #news(deadline: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        deadline.removeEventListener('abort', done);
        this.#wake = () => {};
        resolve();
      };
      this.#wake = done;
      deadline.addEventListener('abort', done, { once: true });
    });
  }
}

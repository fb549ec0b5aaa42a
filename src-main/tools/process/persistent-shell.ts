// One shell that stays between calls: /bin/sh reading from a pipe, in its own group and, where it was asked for so, inside the
// fence. Each command is evaluated as it was written and ends with a mark that nobody can guess. Its pipes are drained all the
// time, into memory that does not grow. Ends with TERM, then KILL, of everything; never waits for a pipe alone.
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { StatusReader } from './fence-status.ts';
import { LiveOutput } from './live-output.ts';
import { MarkedOutput } from './marked-output.ts';
import { OutputCapture, type CaptureOptions, type CapturedOutput } from './output-capture.ts';
import type { FencedCommand, ProcessCommand } from './process-confiner.ts';
import { findSurvivors, signalGroup, terminateInside } from './process-group.ts';

const GRACE_MS = 500;
/** How long the pipes are read on after the shell ended. */
const DRAIN_MS = 250;
/** What is kept of output that comes while no call waits for it: its first and its last bytes, less than a call shows. */
const BETWEEN: CaptureOptions = {
  headBytes: 12 * 1024,
  tailBytes: 12 * 1024,
  spillBytes: 0,
  spillFolder: null,
  spillId: '',
};
const RECENT_BYTES = 8 * 1024;

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
  /** NAME=value that everything which it starts carries, so that what leaves its group can be ended too; null = none can. */
  readonly mark: string | null;
  /** Output came, or a command began or ended. Called often; must not throw. */
  readonly changed: () => void;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

export class PersistentShell {
  readonly #child: ChildProcess;
  readonly #start: ShellStart;
  readonly #word = randomBytes(16).toString('hex');
  readonly #reader = new MarkedOutput(
    this.#word,
    (bytes) => this.#hear(bytes),
    (code) => this.#commandEnded(code),
  );
  readonly #status = new StatusReader();
  /** Output that no call has taken yet; null = there is none. */
  #between: OutputCapture | null = null;
  #sink: ((chunk: Buffer) => void) | null = null;
  #recent: Buffer = Buffer.alloc(0);
  #running = false;
  #gone = false;
  /** Of the command that ended since the last call. */
  #endedWith: number | null = null;
  #exitCode: number | null = null;
  #drain: NodeJS.Timeout | null = null;
  #wake: () => void = () => {};

  constructor(start: ShellStart) {
    const { command, cwd, environment } = start;
    this.#start = start;
    const fenced = 'descriptors' in command;
    const passed = fenced ? command.descriptors.map((one) => (one === 'status' ? 'pipe' : one)) : [];
    const stdio: StdioOptions = ['pipe', 'pipe', 'pipe', ...passed];
    this.#child = spawn(command.program, [...command.arguments], { cwd, env: environment, detached: true, stdio });
    this.#child.on('error', () => this.#end(null));
    this.#child.on('exit', (code) => this.#exited(code));
    this.#child.on('close', () => this.#end(this.#exitCode));
    this.#child.stdin?.on('error', () => undefined);
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (chunk: Buffer) => this.#take(chunk));
    if (fenced) this.#status.listen(this.#child, command.descriptors.indexOf('status') + 3);
    this.#write('exec 2>&1\n');
  }

  get isRunning(): boolean {
    return this.#running && !this.#gone;
  }

  get isGone(): boolean {
    return this.#gone;
  }

  /** The last bytes of all output, for a person who looks. */
  get recent(): Buffer {
    return this.#recent;
  }

  /** Begins a command; the one before must have ended. */
  begin(command: string): void {
    this.#running = true;
    this.#endedWith = null;
    this.#write(`command eval ${quoted(command)}; printf '\\n%s %s\\n' ${this.#word} "$?"\n`);
    this.#start.changed();
  }

  /** Gives a line to what runs. */
  input(text: string): void {
    this.#write(text.endsWith('\n') ? text : `${text}\n`);
  }

  /** Puts words of our own into the output, where whoever reads it next finds them. */
  note(text: string): void {
    this.#hear(Buffer.from(`\n${text}\n`));
  }

  /** Waits for the end of the command, its time, or the signal (which ends the shell). Never rejects. */
  async step(options: StepOptions): Promise<ShellStep> {
    const capture = new OutputCapture(options.capture);
    const live = new LiveOutput(options.tell);
    const finish = (state: ShellStep['state'], exitCode: number | null): ShellStep => {
      this.#sink = null;
      live.end();
      return { state, exitCode, output: capture.finish() };
    };
    this.#sinkTo((chunk) => {
      capture.push(chunk);
      live.push(chunk);
    });
    const deadline = AbortSignal.any([options.signal, AbortSignal.timeout(options.timeoutMs)]);
    for (;;) {
      if (this.#endedWith !== null) return finish('ended', this.#takeEnd());
      if (this.#gone) return finish('gone', this.#exitCode);
      if (options.signal.aborted) {
        await this.stop();
        return finish('gone', null);
      }
      if (deadline.aborted) this.#reader.look();
      if (deadline.aborted) return finish('running', null);
      await this.#news(deadline);
    }
  }

  /** Ends the shell and everything that it started: TERM, a moment, KILL. */
  async stop(): Promise<void> {
    const { pid } = this.#child;
    if (this.#gone || pid === undefined || this.#drain !== null) return;
    const gone = new Promise<void>((resolve) => this.#child.once('exit', () => resolve()));
    const inside = this.#status.childPid;
    // A signal to the fence itself would end all inside without a moment.
    if (inside !== null) terminateInside(inside);
    else signalGroup(pid, 'SIGTERM');
    const timer = setTimeout(() => signalGroup(pid, 'SIGKILL'), GRACE_MS);
    await gone;
    clearTimeout(timer);
    signalGroup(pid, 'SIGKILL');
    if (this.#start.mark !== null) for (const left of findSurvivors(this.#start.mark, pid)) killOne(left.pid);
  }

  #write(text: string): void {
    this.#child.stdin?.write(text);
  }

  #take(chunk: Buffer): void {
    this.#reader.push(chunk);
    this.#start.changed();
    this.#wake();
  }

  #hear(bytes: Buffer): void {
    const newest = bytes.subarray(Math.max(0, bytes.length - RECENT_BYTES));
    const all = Buffer.concat([this.#recent, newest]);
    this.#recent = Buffer.from(all.subarray(Math.max(0, all.length - RECENT_BYTES)));
    if (this.#sink !== null) this.#sink(bytes);
    else (this.#between ??= new OutputCapture(BETWEEN)).push(bytes);
  }

  /** From here on output goes there; first what came meanwhile. */
  #sinkTo(sink: (chunk: Buffer) => void): void {
    const kept = this.#between?.finish();
    this.#between = null;
    this.#sink = sink;
    if (kept === undefined) return;
    sink(kept.head);
    if (kept.omitted > 0)
      sink(Buffer.from(`\n[${String(kept.omitted)} bytes that came between calls are left out.]\n`));
    sink(kept.tail);
  }

  #commandEnded(code: number): void {
    this.#endedWith = code;
    this.#running = false;
  }

  #takeEnd(): number | null {
    const code = this.#endedWith;
    this.#endedWith = null;
    return code;
  }

  /** The shell itself ended: what is left of its group goes too, then the pipes get a moment. */
  #exited(code: number | null): void {
    this.#exitCode = code;
    if (this.#child.pid !== undefined) signalGroup(this.#child.pid, 'SIGKILL');
    this.#drain = setTimeout(() => this.#end(code), DRAIN_MS);
  }

  #end(code: number | null): void {
    if (this.#gone) return;
    if (this.#drain !== null) clearTimeout(this.#drain);
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
    this.#reader.end();
    this.#gone = true;
    this.#running = false;
    this.#exitCode = code;
    this.#status.end();
    if (this.#child.pid !== undefined) signalGroup(this.#child.pid, 'SIGKILL');
    this.#child.stdin?.destroy();
    this.#start.changed();
    this.#wake();
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

function killOne(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone already, or not ours to end.
  }
}

// The door to processes: one program in its own group, without a terminal, its output drained whatever happens, and
// settled when the program has ended: never by waiting for a pipe that a descendant may hold. Stop is TERM, 500 ms,
// KILL, to the whole group. Runs on the main thread: a fence's life is tied to the thread that started it.
import { spawn } from 'node:child_process';
import type { ChildProcess, StdioOptions } from 'node:child_process';
import { StatusReader } from './fence-status.ts';
import { LiveOutput } from './live-output.ts';
import { OutputCapture } from './output-capture.ts';
import type { CaptureOptions, CapturedOutput } from './output-capture.ts';
import type { FencedCommand, ProcessCommand } from './process-confiner.ts';
import { signalGroup, terminateInside } from './process-group.ts';

/** From TERM to KILL. */
const GRACE_MS = 500;
/** How long pipes are read on after the program ended. */
const DRAIN_MS = 250;

/** What is run and how. */
export interface RunOptions {
  readonly command: ProcessCommand | FencedCommand;
  /** Absolute working folder. */
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly capture: CaptureOptions;
  /** Live output; must not throw. */
  readonly tell: (text: string) => void;
  /** Instead of capturing standard output: gets each chunk, which is only valid during the call. */
  readonly readOutput?: (chunk: Buffer) => void;
}

/** How a process ended. */
export interface ProcessOutcome {
  /** started = it ran and ended; not-started = it could not be run; fence-failed = the fence could not be put up. */
  readonly type: 'started' | 'not-started' | 'fence-failed';
  /** Why it could not be started. */
  readonly reason: string;
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stopped: 'no' | 'timeout' | 'cancelled';
  readonly output: CapturedOutput;
  /** Somebody outside the group held the output open after the program ended. */
  readonly pipeHeld: boolean;
  readonly pid: number | null;
}

/** Runs a command to its end. Never rejects: every failure is an outcome. */
export function runProcess(options: RunOptions): Promise<ProcessOutcome> {
  return new Promise((resolve) => new RunningProcess(options, resolve).start());
}

const isFenced = (command: ProcessCommand | FencedCommand): command is FencedCommand => 'descriptors' in command;

class RunningProcess {
  readonly #options: RunOptions;
  readonly #resolve: (outcome: ProcessOutcome) => void;
  readonly #capture: OutputCapture;
  readonly #live: LiveOutput;
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #status: StatusReader | null;
  #child: ChildProcess | null = null;
  #exit: { code: number | null; signal: NodeJS.Signals | null } | null = null;
  #stopped: ProcessOutcome['stopped'] = 'no';
  #settled = false;

  constructor(options: RunOptions, resolve: (outcome: ProcessOutcome) => void) {
    this.#options = options;
    this.#resolve = resolve;
    this.#capture = new OutputCapture(options.capture);
    this.#live = new LiveOutput(options.tell);
    this.#status = isFenced(options.command) ? new StatusReader() : null;
  }

  start(): void {
    const { command, cwd, environment, signal, timeoutMs } = this.#options;
    if (signal.aborted) {
      this.#stopped = 'cancelled';
      this.#settle({ type: 'not-started', reason: 'It was cancelled before it started.', pipeHeld: false });
      return;
    }
    const passed = isFenced(command) ? command.descriptors.map((each) => (each === 'status' ? 'pipe' : each)) : [];
    const stdio: StdioOptions = ['ignore', 'pipe', 'pipe', ...passed];
    let child: ChildProcess;
    try {
      child = spawn(command.program, [...command.arguments], { cwd, env: environment, detached: true, stdio });
    } catch (error) {
      // Node throws at once for arguments that no program can get, such as one with a NUL.
      this.#settle({
        type: 'not-started',
        reason: error instanceof Error ? error.message : String(error),
        pipeHeld: false,
      });
      return;
    }
    this.#child = child;
    child.on('error', (error) => this.#settle({ type: 'not-started', reason: error.message, pipeHeld: false }));
    child.stdout?.on('data', (chunk: Buffer) => this.#receive(chunk, true));
    child.stderr?.on('data', (chunk: Buffer) => this.#receive(chunk, false));
    if (isFenced(command)) this.#status?.listen(child, command.descriptors.indexOf('status') + 3);
    child.on('exit', (code, endSignal) => this.#ended(code, endSignal));
    child.on('close', () => this.#closed());
    signal.addEventListener('abort', this.#cancel, { once: true });
    this.#after(timeoutMs, () => this.#stop('timeout'));
  }

  readonly #cancel = (): void => this.#stop('cancelled');

  #after(ms: number, run: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      run();
    }, ms);
    this.#timers.add(timer);
  }

  #receive(chunk: Buffer, standard: boolean): void {
    if (standard && this.#options.readOutput) {
      this.#options.readOutput(chunk);
      return;
    }
    this.#capture.push(chunk);
    this.#live.push(chunk);
  }

  #stop(why: 'timeout' | 'cancelled'): void {
    if (this.#settled || this.#stopped !== 'no' || this.#exit !== null) return;
    this.#stopped = why;
    const inside = this.#status?.childPid ?? null;
    if (this.#status === null) this.#signal('SIGTERM');
    else if (inside !== null) terminateInside(inside);
    else this.#signal('SIGKILL');
    this.#after(GRACE_MS, () => {
      this.#signal('SIGKILL');
      this.#after(DRAIN_MS, () => this.#settle({ type: 'started', reason: '', pipeHeld: true }));
    });
  }

  #signal(signal: NodeJS.Signals): void {
    const pid = this.#child?.pid;
    if (pid !== undefined) signalGroup(pid, signal);
  }

  /** The program ended: what is left of its group goes too, then the pipes get a moment. */
  #ended(code: number | null, signal: NodeJS.Signals | null): void {
    this.#exit = { code, signal };
    this.#signal('SIGKILL');
    this.#after(DRAIN_MS, () => this.#settle({ type: 'started', reason: '', pipeHeld: true }));
  }

  #closed(): void {
    this.#signal('SIGKILL');
    this.#settle({ type: 'started', reason: '', pipeHeld: false });
  }

  #settle(how: Pick<ProcessOutcome, 'type' | 'reason' | 'pipeHeld'>): void {
    if (this.#settled) return;
    this.#settled = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#options.signal.removeEventListener('abort', this.#cancel);
    this.#child?.stdout?.destroy();
    this.#child?.stderr?.destroy();
    this.#status?.end();
    this.#child?.unref();
    this.#live.end();
    const output = this.#capture.finish();
    this.#resolve({ ...this.#judged(how, output), output, pid: this.#child?.pid ?? null, stopped: this.#stopped });
  }

  /** The exit as the command's own: a fence reports it, and a fence that reports none has failed itself. */
  #judged(
    how: Pick<ProcessOutcome, 'type' | 'reason' | 'pipeHeld'>,
    output: CapturedOutput,
  ): Pick<ProcessOutcome, 'type' | 'reason' | 'pipeHeld' | 'exitCode' | 'signal'> {
    const code = this.#exit?.code ?? null;
    const signal = this.#exit?.signal ?? null;
    if (this.#status === null || how.type !== 'started') return { ...how, exitCode: code, signal };
    const inside = this.#status.exitCode;
    if (inside === null && this.#stopped === 'no' && signal === null) {
      return {
        ...how,
        type: 'fence-failed',
        reason: output.head.toString('utf8').trim(),
        exitCode: null,
        signal: null,
      };
    }
    return { ...how, exitCode: inside, signal };
  }
}

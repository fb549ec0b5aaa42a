// The main thread's side of the checkpoint worker: started at the first job and joined
// on close. Jobs run one after another; reading, hashing and git are the worker's alone.
import { Worker } from 'node:worker_threads';
import { AppError, fromWireError } from '../../base/app-error.ts';
import type { WireError } from '../../contract/errors.ts';
import { JOB, type CheckpointJobName, type CheckpointJobs, type CheckpointSettings } from './checkpoint-jobs.ts';

/** A job on its way to the worker; `stop` holds one number that is no longer 0 when it should end. */
export interface CheckpointRequest<K extends CheckpointJobName = CheckpointJobName> {
  readonly id: number;
  readonly name: K;
  readonly input: CheckpointJobs[K]['input'];
  readonly stop: SharedArrayBuffer;
}

export type CheckpointAnswer =
  | { readonly id: number; readonly type: 'done'; readonly output: unknown }
  | { readonly id: number; readonly type: 'failed'; readonly error: WireError };

interface Pending {
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: AppError) => void;
}

export class CheckpointClient {
  readonly #settings: CheckpointSettings;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | null = null;
  #closed = false;
  #nextId = 1;

  constructor(settings: CheckpointSettings) {
    this.#settings = settings;
  }

  /**
   * Runs a job. Rejects with its AppError; an abort ends a capture as `cancelled`, and lets any other job end. A capture that
   * a turn has waited too long for goes on, so that the next one is quick, and is no checkpoint: tool.timed-out.
   */
  async run<K extends CheckpointJobName>(
    name: K,
    input: CheckpointJobs[K]['input'],
    signal?: AbortSignal,
  ): Promise<CheckpointJobs[K]['output']> {
    if (this.#closed) throw new AppError('store.io', 'Warrant is being closed.');
    const worker = this.#started();
    const id = this.#nextId++;
    const stop = new SharedArrayBuffer(4);
    const mark = (how: number): void => void Atomics.store(new Int32Array(stop), 0, how);
    const abort = (): void => mark(JOB.stopped);
    const late = name === 'capture' ? this.#lateAfter(id, () => mark(JOB.late)) : undefined;
    if (signal?.aborted === true) abort();
    signal?.addEventListener('abort', abort, { once: true });
    try {
      const output = await new Promise<unknown>((resolve, reject) => {
        this.#pending.set(id, { resolve, reject });
        worker.ref();
        worker.postMessage({ id, name, input, stop } satisfies CheckpointRequest<K>);
      });
      // The worker runs the job that was named, so its output is of that job's type.
      return output as CheckpointJobs[K]['output'];
    } finally {
      clearTimeout(late);
      signal?.removeEventListener('abort', abort);
      this.#letRest(worker);
    }
  }

  /** Lets running jobs end, then joins the worker. Any number of times. */
  async close(): Promise<void> {
    this.#closed = true;
    const worker = this.#worker;
    if (worker === null) return;
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    worker.ref();
    worker.postMessage('close');
    await ended;
  }

  /** Without a job it keeps no program alive; but whoever closes waits for its end. */
  #letRest(worker: Worker): void {
    if (this.#pending.size === 0 && !this.#closed) worker.unref();
  }

  #lateAfter(id: number, tell: () => void): NodeJS.Timeout {
    const { patienceMs } = this.#settings.guard;
    return setTimeout(() => {
      tell();
      const words = `Reading all files took longer than ${Math.round(patienceMs / 1000)} seconds. They are kept from a later turn on.`;
      this.#pending.get(id)?.reject(new AppError('tool.timed-out', words));
      this.#pending.delete(id);
    }, patienceMs);
  }

  #started(): Worker {
    if (this.#worker !== null) return this.#worker;
    const file = import.meta.url.endsWith('.ts') ? './checkpoint-worker.ts' : './checkpoint-worker.js';
    const worker = new Worker(new URL(file, import.meta.url), { workerData: this.#settings, trackUnmanagedFds: false });
    worker.on('message', (answer: CheckpointAnswer) => {
      this.#receive(answer);
    });
    worker.on('error', (error) => {
      this.#fail(error);
    });
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = null;
      this.#fail(null);
    });
    worker.unref();
    this.#worker = worker;
    return worker;
  }

  #receive(answer: CheckpointAnswer): void {
    const job = this.#pending.get(answer.id);
    this.#pending.delete(answer.id);
    if (answer.type === 'done') job?.resolve(answer.output);
    else job?.reject(fromWireError(answer.error));
  }

  #fail(cause: unknown): void {
    for (const job of this.#pending.values()) {
      job.reject(
        new AppError('store.io', 'The work on checkpoints ended unexpectedly. Look again what is there.', { cause }),
      );
    }
    this.#pending.clear();
  }
}

// The main thread's side of the files worker: starts it at the first job, matches answers to jobs, and joins it on close.
// An abort stops a walk at its next file; a mutation that began is waited for, so nothing is published unseen.
import { Worker } from 'node:worker_threads';
import { AppError, fromWireError } from '../../base/app-error.ts';
import type { WireError } from '../../contract/errors.ts';
import type { FilesJobName, FilesJobs } from './files-jobs.ts';
import type { DoorSource } from './load-door.ts';

export type WorkerStart = DoorSource;

/** A job on its way to the worker; `stop` holds one number that is no longer 0 when it should end. */
export interface JobRequest<K extends FilesJobName = FilesJobName> {
  readonly id: number;
  readonly name: K;
  readonly input: FilesJobs[K]['input'];
  readonly stop: SharedArrayBuffer;
}

export type WorkerMessage =
  | { readonly id: number; readonly type: 'found'; readonly paths: readonly string[] }
  | { readonly id: number; readonly type: 'done'; readonly output: unknown }
  | { readonly id: number; readonly type: 'failed'; readonly error: WireError };

/** `found` gets paths in batches of at most 256; false = enough, stop. */
export interface JobOptions {
  readonly signal?: AbortSignal;
  readonly found?: (paths: readonly string[]) => boolean;
}

interface Pending {
  readonly stop: Int32Array;
  readonly found: (paths: readonly string[]) => boolean;
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: AppError) => void;
}

export class FilesClient {
  readonly #source: DoorSource;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | null = null;
  #nextId = 1;

  constructor(source: DoorSource) {
    this.#source = source;
  }

  /** Runs a job in the worker. Rejects with the job's AppError; an abort does not reject, the job ends by itself. */
  async run<K extends FilesJobName>(
    name: K,
    input: FilesJobs[K]['input'],
    options: JobOptions = {},
  ): Promise<FilesJobs[K]['output']> {
    const worker = this.#started();
    const id = this.#nextId++;
    const stop = new SharedArrayBuffer(4);
    const flag = new Int32Array(stop);
    const abort = (): void => void Atomics.store(flag, 0, 1);
    if (options.signal?.aborted === true) abort();
    options.signal?.addEventListener('abort', abort, { once: true });
    try {
      const output = await new Promise<unknown>((resolve, reject) => {
        this.#pending.set(id, { stop: flag, found: options.found ?? (() => true), resolve, reject });
        worker.ref();
        worker.postMessage({ id, name, input, stop } satisfies JobRequest<K>);
      });
      // The worker runs the job that was named, so its output is of that job's type.
      return output as FilesJobs[K]['output'];
    } finally {
      options.signal?.removeEventListener('abort', abort);
      if (this.#pending.size === 0) worker.unref();
    }
  }

  /** Lets running jobs end, then joins the worker. */
  async close(): Promise<void> {
    const worker = this.#worker;
    if (worker === null) return;
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    worker.ref();
    worker.postMessage('close');
    await ended;
  }

  #started(): Worker {
    if (this.#worker !== null) return this.#worker;
    const file = import.meta.url.endsWith('.ts') ? './files-worker.ts' : './files-worker.js';
    // Descriptors that koffi opened are unknown to Node, which would warn at each close.
    const worker = new Worker(new URL(file, import.meta.url), { workerData: this.#source, trackUnmanagedFds: false });
    worker.on('message', (message: WorkerMessage) => this.#receive(message));
    worker.on('error', (error) => this.#fail(error));
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = null;
      this.#fail(null);
    });
    worker.unref();
    this.#worker = worker;
    return worker;
  }

  #receive(message: WorkerMessage): void {
    const job = this.#pending.get(message.id);
    if (job === undefined) return;
    if (message.type === 'found') {
      if (!job.found(message.paths)) Atomics.store(job.stop, 0, 1);
      return;
    }
    this.#pending.delete(message.id);
    if (message.type === 'done') job.resolve(message.output);
    else job.reject(fromWireError(message.error));
  }

  #fail(cause: unknown): void {
    for (const job of this.#pending.values()) {
      job.reject(
        new AppError(
          'workspace.io',
          'The file work ended unexpectedly, so its outcome is unknown. Read the file again.',
          {
            cause,
          },
        ),
      );
    }
    this.#pending.clear();
  }
}

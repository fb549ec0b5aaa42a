// The client's side of one worker: calls with ids, and what happens when the worker dies. Calls that were under way then
// reject with store.io (whether they were done is not known); the worker is started again once.
import { Worker } from 'node:worker_threads';
import { AppError, fromWireError } from '../base/app-error.ts';
import type { WireResult } from '../contract/errors.ts';
import type { OpenOptions } from './open-database.ts';
import type { ServedStore, StoreAnswer, StoreCall, StoreMethod } from './store-protocol.ts';

type Settle = (result: WireResult<unknown>) => void;

function stoppedError(folder: string): AppError {
  return new AppError(
    'store.io',
    `The part of Warrant that keeps chats in ${folder} stopped unexpectedly. What was saved is safe; try again, and restart Warrant if it stays.`,
    { details: { folder } },
  );
}

export class WorkerLink {
  readonly #url: URL;
  readonly #options: OpenOptions;
  readonly #pending = new Map<number, Settle>();
  #worker: Worker | null = null;
  #restartsLeft = 0;
  #lastId = 0;
  #ready: Promise<void> = Promise.resolve();
  #closing = false;

  /** `url` is the worker's file; call `start` before anything else. */
  constructor(url: URL, options: OpenOptions) {
    this.#url = url;
    this.#options = options;
  }

  /** Resolves when the worker has opened the store; rejects with what the opening gave. */
  async start(): Promise<void> {
    this.#ready = this.#startWorker(this.#options);
    await this.#ready;
    this.#restartsLeft = 1;
  }

  /** Calls a method; rejects with the AppError it gave, or store.io when the worker is gone. */
  async call<M extends StoreMethod>(
    method: M,
    ...args: Parameters<ServedStore[M]>
  ): Promise<Awaited<ReturnType<ServedStore[M]>>> {
    await this.#ready;
    const worker = this.#worker;
    if (worker === null) throw stoppedError(this.#options.folder);
    const id = ++this.#lastId;
    const result = await new Promise<WireResult<unknown>>((resolve) => {
      this.#pending.set(id, resolve);
      worker.postMessage({ id, method, args } satisfies StoreCall);
    });
    if (!result.ok) throw fromWireError(result.error);
    return result.value as Awaited<ReturnType<ServedStore[M]>>;
  }

  /** Closes the store and waits for the worker's end. Calls that were made before are answered first. */
  async close(): Promise<void> {
    if (this.#closing) return;
    const worker = this.#worker;
    if (worker !== null) {
      const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
      const closed = this.call('close');
      this.#closing = true;
      await closed.finally(() => ended);
    }
    this.#closing = true;
  }

  async #startWorker(options: OpenOptions): Promise<void> {
    const worker = new Worker(this.#url, { workerData: options });
    this.#worker = worker;
    const opened = new Promise<WireResult<unknown>>((resolve) => this.#pending.set(0, resolve));
    worker.on('message', ({ id, result }: StoreAnswer) => {
      const settle = this.#pending.get(id);
      this.#pending.delete(id);
      settle?.(result);
    });
    // The error itself says nothing to the caller that the exit does not; the exit follows.
    worker.on('error', () => undefined);
    worker.on('exit', () => this.#onExit(worker));
    const result = await opened;
    if (!result.ok) throw fromWireError(result.error);
  }

  #onExit(worker: Worker): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    const failure = stoppedError(this.#options.folder);
    const waiting = [...this.#pending.values()];
    this.#pending.clear();
    if (!this.#closing && this.#restartsLeft > 0) {
      this.#restartsLeft -= 1;
      // Moving a damaged file aside is the person's choice each time.
      this.#ready = this.#startWorker({ ...this.#options, startFresh: false });
      // Whoever calls next hears of a failed start; nobody needs to be waiting for it now.
      this.#ready.catch(() => undefined);
    }
    for (const settle of waiting) {
      settle({
        ok: false,
        error: { code: failure.code, message: failure.message, retryable: true, details: { ...failure.details } },
      });
    }
  }
}

// The worker's side of the store: opens it, says so, and answers calls in the order in which they come.
import { parentPort, workerData } from 'node:worker_threads';
import { toWireError } from '../base/app-error.ts';
import type { WireResult } from '../contract/errors.ts';
import type { OpenOptions } from './open-database.ts';
import { openServedStore } from './open-store.ts';
import type { ServedStore, StoreAnswer, StoreCall, StoreMethod } from './store-protocol.ts';

async function settle(work: () => Promise<unknown>): Promise<WireResult<unknown>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    return { ok: false, error: toWireError(error) };
  }
}

/** Serves the store named by the worker's data (OpenOptions) on the parent's port until `close` is called. */
export async function serveStore(options: Partial<OpenOptions> = {}): Promise<void> {
  const port = parentPort;
  if (port === null) return;
  const answer = (message: StoreAnswer): void => port.postMessage(message);
  let store: ServedStore | null = null;
  const opened = await settle(async () => {
    store = await openServedStore({ ...(workerData as OpenOptions), ...options });
  });
  const served = store as ServedStore | null;
  if (served !== null) {
    const methods = served as unknown as Record<StoreMethod, (...values: readonly unknown[]) => Promise<unknown>>;
    port.on('message', ({ id, method, args }: StoreCall) => {
      void settle(() => methods[method](...args)).then((result) => {
        answer({ id, result });
        if (method === 'close') port.close();
      });
    });
  }
  answer({ id: 0, result: opened });
}

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

interface ServeOptions extends Partial<OpenOptions> {
  /** Does what is to be done by itself while nothing is asked. */
  readonly upkeep?: boolean;
}

/** How long nothing must have been asked before the index goes on following, and how long it rests between pieces. */
const QUIET_MS = 300;
const REST_MS = 15;

/** Lets the index follow while nothing is asked; call it with each call that comes, and at the end. */
function followWhenQuiet(store: ServedStore): { asked(): void; end(): void } {
  let timer: NodeJS.Timeout | null = null;
  const wait = (ms: number): void => {
    timer = setTimeout(() => {
      timer = null;
      // A failure (a full disk, another process that writes) is tried again with the next call that comes.
      store.followSearch().then(
        (more) => more && timer === null && wait(REST_MS),
        () => undefined,
      );
    }, ms);
    timer.unref();
  };
  const stop = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };
  return {
    asked: () => {
      stop();
      wait(QUIET_MS);
    },
    end: stop,
  };
}

/** Serves the store named by the worker's data (OpenOptions) on the parent's port until `close` is called. */
export async function serveStore({ upkeep = false, ...options }: ServeOptions = {}): Promise<void> {
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
    const following = upkeep ? followWhenQuiet(served) : null;
    following?.asked();
    port.on('message', ({ id, method, args }: StoreCall) => {
      if (method === 'close') following?.end();
      else following?.asked();
      void settle(() => methods[method](...args)).then((result) => {
        answer({ id, result });
        if (method === 'close') port.close();
      });
    });
  }
  answer({ id: 0, result: opened });
}

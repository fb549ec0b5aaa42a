// The checkpoint worker: runs jobs one after another, away from the main thread, with git as its child. A job that has begun
// is finished, but for a capture that nobody wants any more. Started by checkpoint-client; speaks only to it.
import { parentPort, workerData } from 'node:worker_threads';
import { toWireError } from '../../base/app-error.ts';
import type { CheckpointAnswer, CheckpointRequest } from './checkpoint-client.ts';
import type { CheckpointJobName, CheckpointJobs, CheckpointSettings } from './checkpoint-jobs.ts';
import { CheckpointStore } from './checkpoint-store.ts';

type Runner<K extends CheckpointJobName> = (
  input: CheckpointJobs[K]['input'],
  stopped: () => boolean,
) => Promise<CheckpointJobs[K]['output']> | CheckpointJobs[K]['output'];

const store = new CheckpointStore(workerData as CheckpointSettings);

const jobs: { readonly [K in CheckpointJobName]: Runner<K> } = {
  capture: (input, stopped) => store.capture(input, stopped),
  warm: (input, stopped) => store.warm(input, stopped),
  finish: (input, stopped) => store.finish(input, stopped),
  list: (input) => store.list(input),
  changes: (input) => store.changes(input),
  diff: (input) => store.diff(input),
  plan: (input, stopped) => store.plan(input, stopped),
  restore: (input) => store.restore(input),
  forget: (input) => store.forget(input),
  collect: (input) => store.collect(input),
  sessions: () => store.sessions(),
  bytes: () => store.bytes(),
};

async function answer<K extends CheckpointJobName>(request: CheckpointRequest<K>): Promise<CheckpointAnswer> {
  const { id, name, input } = request;
  const flag = new Int32Array(request.stop);
  try {
    const output = await jobs[name](input, () => Atomics.load(flag, 0) !== 0);
    return { id, type: 'done', output };
  } catch (error) {
    return { id, type: 'failed', error: toWireError(error) };
  }
}

let last: Promise<void> = Promise.resolve();
parentPort?.on('message', (request: CheckpointRequest | 'close') => {
  last = last.then(async () => {
    if (request === 'close') parentPort?.close();
    else parentPort?.postMessage(await answer(request));
  });
});

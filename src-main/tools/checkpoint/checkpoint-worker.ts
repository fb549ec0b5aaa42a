// The checkpoint worker: runs jobs one after another, away from the main thread, with git as its child. A job that has begun
// is finished, but for a capture that nobody wants any more. Started by checkpoint-client; speaks only to it.
import { parentPort, workerData } from 'node:worker_threads';
import { toWireError } from '../../base/app-error.ts';
import type { CheckpointAnswer, CheckpointRequest } from './checkpoint-client.ts';
import { JOB, type CheckpointJobName, type CheckpointJobs, type CheckpointSettings } from './checkpoint-jobs.ts';
import { CheckpointStore, type Asker } from './checkpoint-store.ts';

type Runner<K extends CheckpointJobName> = (
  input: CheckpointJobs[K]['input'],
  asker: Asker,
) => Promise<CheckpointJobs[K]['output']> | CheckpointJobs[K]['output'];

const store = new CheckpointStore(workerData as CheckpointSettings);

const jobs: { readonly [K in CheckpointJobName]: Runner<K> } = {
  capture: (input, asker) => store.capture(input, asker),
  warm: (input) => store.warm(input),
  finish: (input) => store.finish(input),
  list: (input) => store.list(input),
  changes: (input) => store.changes(input),
  diff: (input) => store.diff(input),
  plan: (input) => store.plan(input),
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
    const asker: Asker = {
      stopped: () => Atomics.load(flag, 0) === JOB.stopped,
      late: () => Atomics.load(flag, 0) === JOB.late,
    };
    const output = await jobs[name](input, asker);
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

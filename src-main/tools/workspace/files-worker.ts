// The files worker: runs jobs on files one after another, away from the main thread. A job that has begun is finished,
// whoever waits for it. Started by files-client; speaks only to it.
import { parentPort, workerData } from 'node:worker_threads';
import { toWireError } from '../../base/app-error.ts';
import { filesJobs } from './files-jobs.ts';
import type { FilesJobName, JobReporter } from './files-jobs.ts';
import type { JobRequest, WorkerMessage, WorkerStart } from './files-client.ts';
import { loadDoor } from './load-door.ts';
import type { WorkspaceDoor } from './workspace-door.ts';

const BATCH = 256;

function post(message: WorkerMessage, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer);
}

/** Collects found paths into messages of at most BATCH; stops the job when the main thread raised the flag. */
function reporterFor(request: JobRequest): JobReporter & { flush(): void } {
  let batch: string[] = [];
  const stop = new Int32Array(request.stop);
  const flush = (): void => {
    if (batch.length > 0) post({ id: request.id, type: 'found', paths: batch });
    batch = [];
  };
  return {
    found(path) {
      batch.push(path);
      if (batch.length >= BATCH) flush();
      return Atomics.load(stop, 0) === 0;
    },
    flush,
  };
}

function runJob<K extends FilesJobName>(door: WorkspaceDoor, request: JobRequest<K>): void {
  const reporter = reporterFor(request);
  const output = filesJobs[request.name](door, request.input, reporter);
  reporter.flush();
  post({ id: request.id, type: 'done', output });
}

async function serve(start: WorkerStart): Promise<void> {
  const door = await loadDoor(start);
  parentPort?.on('message', (request: JobRequest | 'close') => {
    if (request === 'close') {
      door.close();
      parentPort?.close();
      return;
    }
    try {
      runJob(door, request);
    } catch (error) {
      post({ id: request.id, type: 'failed', error: toWireError(error) });
    }
  });
}

await serve(workerData as WorkerStart);

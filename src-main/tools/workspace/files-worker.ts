// The files worker: runs jobs on files one after another, away from the main thread. A job that has begun is finished,
// whoever waits for it. Started by files-client; speaks only to it.
import { parentPort, workerData } from 'node:worker_threads';
import { toWireError } from '../../base/app-error.ts';
import { filesJobs } from './files-jobs.ts';
import type { FilesJobName, JobReporter } from './files-jobs.ts';
import type { JobRequest, WorkerMessage, WorkerStart } from './files-client.ts';
import { FolderCache } from './folder-cache.ts';
import { loadDoor } from './load-door.ts';
import { TreeNews } from './tree-news.ts';
import type { WorkspaceDoor } from './workspace-door.ts';

/** Texts, and their characters, in one message. */
const BATCH = 256;
const BATCH_CHARACTERS = 32 * 1024;

function post(message: WorkerMessage, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer);
}

/** What stays between jobs. */
interface Held {
  readonly door: WorkspaceDoor;
  readonly folders: FolderCache;
  readonly news: TreeNews;
}

/** Collects found paths into messages of at most BATCH; stops the job when the main thread raised the flag. */
function reporterFor(request: JobRequest, { folders, news }: Omit<Held, 'door'>): JobReporter & { flush(): void } {
  let batch: string[] = [];
  let characters = 0;
  const stop = new Int32Array(request.stop);
  const flush = (): void => {
    if (batch.length > 0) post({ id: request.id, type: 'found', paths: batch });
    batch = [];
    characters = 0;
  };
  return {
    found(path) {
      batch.push(path);
      characters += path.length;
      if (batch.length >= BATCH || characters >= BATCH_CHARACTERS) flush();
      return Atomics.load(stop, 0) === 0;
    },
    isStopped: () => Atomics.load(stop, 0) !== 0,
    folders,
    news,
    flush,
  };
}

function runJob<K extends FilesJobName>(held: Held, request: JobRequest<K>): void {
  const reporter = reporterFor(request, held);
  const output = filesJobs[request.name](held.door, request.input, reporter);
  reporter.flush();
  post({ id: request.id, type: 'done', output });
}

async function serve(start: WorkerStart): Promise<void> {
  const door = await loadDoor(start);
  const folders = new FolderCache(door);
  const held = { door, folders, news: new TreeNews(folders) };
  parentPort?.on('message', (request: JobRequest | 'close') => {
    if (request === 'close') {
      door.close();
      parentPort?.close();
      return;
    }
    try {
      runJob(held, request);
    } catch (error) {
      post({ id: request.id, type: 'failed', error: toWireError(error) });
    }
  });
}

await serve(workerData as WorkerStart);

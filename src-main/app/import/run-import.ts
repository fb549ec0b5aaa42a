// Runs an import's worker: its pieces come one after the other, each when the one before was taken. Ends it when asked to, and
// leaves nothing running.
import { Worker } from 'node:worker_threads';
import { AppError, fromWireError } from '../../base/app-error.ts';
import type { EntryData, NewEntry } from '../../contract/entries.ts';
import type { ImportJob, ImportMessage, ImportRequest } from './import-protocol.ts';

/** Takes what the worker hands over, in this order: `parsed`, all records, all entries. */
export interface ImportTaker {
  progress(part: number): void;
  parsed(what: { title: string; report: EntryData<'import'>; records: number }): Promise<void>;
  records(records: string[]): Promise<void>;
  entries(entries: NewEntry[]): Promise<void>;
}

function workerFile(): URL {
  const ending = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
  return new URL(`./import-worker${ending}`, import.meta.url);
}

function stopped(): AppError {
  return new AppError('cancelled', 'The import was stopped. Nothing of it is left.');
}

async function take(message: ImportMessage, taker: ImportTaker): Promise<void> {
  if (message.type === 'parsed') await taker.parsed(message);
  else if (message.type === 'records') await taker.records(message.records);
  else if (message.type === 'entries') await taker.entries(message.entries);
}

/** Resolves when all of the file was taken. Codes config.invalid, cancelled when `signal` aborts, and what the taker gives. */
export async function runImport(job: ImportJob, taker: ImportTaker, signal: AbortSignal): Promise<void> {
  if (signal.aborted) throw stopped();
  const worker = new Worker(workerFile(), { workerData: job });
  try {
    await new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(stopped()), { once: true });
      worker.on('error', reject);
      worker.on('exit', () => reject(new AppError('internal', 'The import ended without an answer. Try it again.')));
      worker.on('message', (message: ImportMessage) => {
        if (message.type === 'end') resolve();
        else if (message.type === 'failed') reject(fromWireError(message.error));
        else if (message.type === 'progress') taker.progress(message.part);
        else {
          take(message, taker).then(() => {
            worker.postMessage({ type: 'more' } satisfies ImportRequest);
          }, reject);
        }
      });
    });
  } finally {
    await worker.terminate();
  }
}

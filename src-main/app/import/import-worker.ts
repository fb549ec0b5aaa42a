// Reads and understands a file beside the main thread, and hands it over piece by piece. Leaves storing it to its starter.
import { parentPort, workerData } from 'node:worker_threads';
import { toWireError } from '../../base/app-error.ts';
import { assertValidHistory } from '../../engine/fold-history.ts';
import type { ImportJob, ImportMessage } from './import-protocol.ts';
import { parseFile } from './parse-file.ts';
import { readLines } from './read-lines.ts';

/** Entries and characters of one piece; one that is larger goes alone. */
const PIECE = 256;
const PIECE_CHARACTERS = 65_536;

function* pieces<T>(values: readonly T[], sizeOf: (value: T) => number): Generator<T[]> {
  let piece: T[] = [];
  let size = 0;
  for (const value of values) {
    const more = sizeOf(value);
    if (piece.length > 0 && (piece.length >= PIECE || size + more > PIECE_CHARACTERS)) {
      yield piece;
      piece = [];
      size = 0;
    }
    piece.push(value);
    size += more;
  }
  if (piece.length > 0) yield piece;
}

async function main(): Promise<void> {
  const port = parentPort;
  if (port === null) return;
  const { file, nowMs } = workerData as ImportJob;
  const tell = (message: ImportMessage): void => {
    port.postMessage(message);
  };
  const hand = async (message: ImportMessage): Promise<void> => {
    const asked = new Promise((resolve) => port.once('message', resolve));
    tell(message);
    await asked;
  };
  try {
    const lines = await readLines(file, (part) => {
      tell({ type: 'progress', part });
    });
    const { title, report, records, entries } = await parseFile(lines, { file, nowMs });
    // Before anything is stored: a chat whose history is refused could never be opened.
    assertValidHistory(entries);
    await hand({ type: 'parsed', title, report, records: records.length });
    for (const piece of pieces(records, ({ length }) => length)) await hand({ type: 'records', records: piece });
    for (const piece of pieces(entries, (entry) => JSON.stringify(entry.data).length))
      await hand({ type: 'entries', entries: piece });
    tell({ type: 'end' });
  } catch (error) {
    tell({ type: 'failed', error: toWireError(error) });
  }
  port.close();
}

await main();

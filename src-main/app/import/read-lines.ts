// The lines of a text file that are not empty, in order, told how far it is. A file that cannot be read or is too large gives
// an error that says so; nothing else is decided here.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { AppError } from '../../base/app-error.ts';

/** Larger files are refused: they would not fit into memory beside the chats that are open. */
const MOST_BYTES = 268_435_456;
/** Steps of a hundredth: more would tell nothing. */
const STEP = 0.01;

/** Code config.invalid. `onPart` hears how much of the file was read, from 0 to 1. */
export async function readLines(file: string, onPart: (part: number) => void): Promise<string[]> {
  try {
    const facts = await stat(file);
    if (!facts.isFile() || facts.size > MOST_BYTES) throw unreadable(file, 'it is no file of at most 256 MB');
    const lines: string[] = [];
    const stream = createReadStream(file, { encoding: 'utf8' });
    let told = 0;
    for await (const line of createInterface({ input: stream, crlfDelay: Infinity })) {
      if (line.trim() !== '') lines.push(line);
      const part = stream.bytesRead / Math.max(1, facts.size);
      if (part < told + STEP) continue;
      told = part;
      onPart(Math.min(1, part));
    }
    return lines;
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw unreadable(file, error instanceof Error ? error.message : 'it could not be read');
  }
}

function unreadable(file: string, why: string): AppError {
  return new AppError('config.invalid', `${file} was not imported: ${why}. Nothing was changed.`, {
    details: { file },
  });
}

// Notes faults in one file of the data folder for whoever looks into them, with the one before it kept. Never fails: a fault
// that cannot be noted is not worth another.
import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Logger } from '../base/logger.ts';

const MAX_BYTES = 1024 * 1024;
const MAX_CHARS_A_NOTE = 4_000;

/** A logger into `folder`/warrant.log (mode 0600); a full one becomes warrant.1.log. */
export function createFileLogger(folder: string): Logger {
  const file = path.join(folder, 'warrant.log');
  const note = (level: string, text: string): void => {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES) {
        renameSync(file, path.join(folder, 'warrant.1.log'));
      }
      appendFileSync(file, `${new Date().toISOString()} ${level} ${text.slice(0, MAX_CHARS_A_NOTE)}\n`, {
        mode: 0o600,
      });
    } catch {
      return;
    }
  };
  return {
    info: (message) => {
      note('info', message);
    },
    error: (message, error) => {
      note('error', `${message}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    },
  };
}

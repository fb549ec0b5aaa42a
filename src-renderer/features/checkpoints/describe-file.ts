// What would happen to a file that is put back, and what did, in a few words. Pure.
import type { CheckpointFile, RestoreResult } from '../../../src-main/contract/checkpoints.ts';

const BACK: Readonly<Record<CheckpointFile['change'], string>> = {
  added: 'comes back',
  changed: 'as it was',
  removed: 'is removed',
  mode: 'permissions as they were',
};

/** What putting it back does to it. */
export function describeBack(file: CheckpointFile): string {
  const what = BACK[file.change];
  return file.kind === 'file' ? what : `${file.kind}: ${what}`;
}

/** `1 file`, `3 files`. */
export function countFiles(count: number): string {
  return count === 1 ? '1 file' : `${count.toLocaleString('en')} files`;
}

/** What was put back and what was not, in at most a few lines. */
export function describeResult({ restored, kept }: RestoreResult): { level: 'info' | 'warning'; message: string } {
  const done = restored.length === 0 ? 'No file was put back.' : `${countFiles(restored.length)} put back.`;
  if (kept.length === 0) return { level: 'info', message: done };
  const first = kept.slice(0, 3).map(({ path, why }) => `${path.toWellFormed()}: ${why}`);
  const more = kept.length > first.length ? [`and ${kept.length - first.length} more`] : [];
  return { level: 'warning', message: `${done} Left as they are: ${[...first, ...more].join('; ')}` };
}

// Long outputs of commands, kept as files beside the database: those of a chat that is deleted for good go with it, and all
// together never grow beyond a bound, however long chats run.
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { CallId } from '../contract/ids.ts';

/** Bytes that all kept outputs have at most: the oldest go first. */
export const MOST_KEPT = 4_294_967_296;

/** As the tools name the file of a call's output. */
const nameOf = (callId: CallId): string => callId.replace(/[^A-Za-z0-9-]/g, '-').slice(0, 64);

/** Deletes the outputs of these calls. */
export async function dropOutputs(folder: string, calls: readonly CallId[]): Promise<void> {
  for (const callId of calls) await rm(path.join(folder, nameOf(callId)), { force: true });
}

/** Deletes the oldest outputs until no more than `most` bytes are left; gives how many were deleted. */
export async function pruneOutputs(folder: string, most: number = MOST_KEPT): Promise<number> {
  const names = await readdir(folder).catch((): string[] => []);
  const files: { file: string; bytes: number; atMs: number }[] = [];
  for (const name of names) {
    const file = path.join(folder, name);
    const facts = await stat(file).catch(() => null);
    if (facts?.isFile()) files.push({ file, bytes: facts.size, atMs: facts.mtimeMs });
  }
  files.sort((a, b) => b.atMs - a.atMs);
  let kept = 0;
  let dropped = 0;
  for (const { file, bytes } of files) {
    kept += bytes;
    if (kept <= most) continue;
    await rm(file, { force: true });
    dropped += 1;
  }
  return dropped;
}

// What changed in one file between two trees, for people: lines where both sides are text, words elsewhere.
import { isAppError } from '../../base/app-error.ts';
import { decodeText } from '../workspace/text-file.ts';
import { unifiedDiff } from '../workspace/unified-diff.ts';
import type { ReadObject, TreeItem } from './tree.ts';

/** Above this nothing is compared line by line. */
const MOST_BYTES = 512 * 1024;

export interface ShownDiff {
  /** Unified diff; null = there is none to show. */
  readonly diff: string | null;
  readonly added: number | null;
  readonly removed: number | null;
  /** In words, where there is no diff. */
  readonly note: string;
}

const none = (note: string): ShownDiff => ({ diff: null, added: null, removed: null, note });

/** The difference from `from` to `to`; null = nothing there. Rejects as `read` does. */
export async function showDiff(
  file: { path: string; from: TreeItem | null; to: TreeItem | null },
  read: ReadObject,
): Promise<ShownDiff> {
  const { from, to } = file;
  if (from?.type === 'skipped' || to?.type === 'skipped') return none('Its bytes were not kept.');
  if (from?.type === 'folder' || to?.type === 'folder') return none('An empty folder.');
  if (sizeOf(from) + sizeOf(to) > MOST_BYTES) return none('It is too large to be shown here.');
  const [before, after] = [await textOf(from, read), await textOf(to, read)];
  if (before === undefined || after === undefined) return none('It is no text.');
  if (before === after) return none('Its permissions alone.');
  return { ...unifiedDiff(file.path.toWellFormed(), before, after ?? ''), note: '' };
}

const sizeOf = (item: TreeItem | null): number => (item?.type === 'file' ? item.size : 0);

/** null = nothing there, undefined = no text. */
async function textOf(item: TreeItem | null, read: ReadObject): Promise<string | null | undefined> {
  if (item?.type === 'link') return `link to ${item.target.toWellFormed()}\n`;
  if (item?.type !== 'file') return null;
  const bytes = await read(item.id);
  try {
    return decodeText(bytes).text;
  } catch (error) {
    if (isAppError(error)) return undefined;
    throw error;
  }
}

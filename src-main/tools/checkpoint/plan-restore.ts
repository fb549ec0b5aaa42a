// Works out which files would be put back and to what: each as it was before the first of the given turns that changed it.
// Pure; whoever asks has read the trees.
import type { CheckpointFile } from '../../contract/checkpoints.ts';
import { compareTrees, isSameItem, type Tree, type TreeItem } from './tree.ts';

/** A turn's files before and after it; the last one's `after` may be what is there now. */
export interface TurnTrees {
  readonly before: Tree;
  readonly after: Tree;
}

export interface PlannedFile {
  readonly path: string;
  readonly now: TreeItem | null;
  readonly wanted: TreeItem | null;
  readonly by: CheckpointFile['by'];
  readonly again: boolean;
}

/**
 * `turns` oldest first; `others` = also what something else changed since the first of them, but for paths that were not
 * always kept. In the order of paths.
 */
export function planRestore(
  turns: readonly TurnTrees[],
  now: Tree,
  others: { readonly except: ReadonlySet<string> } | null,
): PlannedFile[] {
  const [first] = turns;
  if (first === undefined) return [];
  const touched = new Map<string, { wanted: TreeItem | null; left: TreeItem | null }>();
  for (const { before, after } of turns) {
    for (const { path, from, to } of compareTrees(before, after)) {
      touched.set(path, { wanted: touched.get(path)?.wanted ?? (touched.has(path) ? null : from), left: to });
    }
  }
  const files: PlannedFile[] = [];
  for (const [path, { wanted, left }] of touched) {
    const there = now.get(path) ?? null;
    if (isSameItem(there, wanted)) continue;
    files.push({ path, now: there, wanted, by: 'turn', again: !isSameItem(there, left) });
  }
  for (const { path, from, to } of others ? compareTrees(first.before, now) : []) {
    if (!touched.has(path) && others?.except.has(path) !== true)
      files.push({ path, now: to, wanted: from, by: 'other', again: false });
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** What happens to a path that goes from one item to another. */
export function changeOf(from: TreeItem | null, to: TreeItem | null): CheckpointFile['change'] {
  if (from === null) return 'added';
  if (to === null) return 'removed';
  return from.type === 'file' && to.type === 'file' && from.id === to.id ? 'mode' : 'changed';
}

/** What a path is, after the change where it is there then. */
export function kindOf(from: TreeItem | null, to: TreeItem | null): CheckpointFile['kind'] {
  const item = to ?? from;
  return item?.type === 'link' || item?.type === 'folder' ? item.type : 'file';
}

/** Why this cannot be put back, in words; null = it can. */
export function blockedWhy({ now, wanted }: Pick<PlannedFile, 'now' | 'wanted'>): string | null {
  const skipped = wanted?.type === 'skipped' ? wanted : now?.type === 'skipped' ? now : null;
  if (skipped === null) return null;
  if (skipped.why === 'large') return 'It is too large to be kept.';
  return skipped.why === 'unreadable' ? 'It could not be read.' : 'It is neither a file, a folder nor a link.';
}

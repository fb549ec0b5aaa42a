// How much of a path is kept when a chat goes back: found by a number of messages, or by the message to go back before.
import { AppError } from '../base/app-error.ts';
import type { Entry } from '../contract/entries.ts';
import type { EntryId } from '../contract/ids.ts';
import { Projection, projectMessages } from '../engine/project-request.ts';

/** keep = so many messages, the system message counted; before = up to that entry, without it. */
export type RewindTarget =
  { readonly type: 'keep'; readonly messages: number } | { readonly type: 'before'; readonly entryId: EntryId };

export interface KeptPath {
  /** The entries that are kept, from the root. */
  readonly entries: Entry[];
  /** Messages that the model is not sent any more. */
  readonly removed: number;
}

/** What stays of a path; all of it (removed 0) when as much is to be kept as there is. Code session.not-found. */
export function keptPath(path: readonly Entry[], target: RewindTarget): KeptPath {
  const length = target.type === 'keep' ? lengthOf(path, target.messages) : lengthBefore(path, target.entryId);
  const entries = path.slice(0, Math.max(1, length));
  return { entries, removed: Math.max(0, projectMessages(path).length - projectMessages(entries).length) };
}

/** The longest beginning with at most so many messages; a call is never kept without its results (H5). */
function lengthOf(path: readonly Entry[], messages: number): number {
  const projection = new Projection();
  let length = 0;
  let total = 1;
  for (const [index, entry] of path.entries()) {
    projection.append(entry);
    total = 1 + projection.messages().length;
    if (total <= messages) length = index + 1;
  }
  return total <= messages ? path.length : length;
}

function lengthBefore(path: readonly Entry[], entryId: EntryId): number {
  const index = path.findIndex((entry) => entry.id === entryId);
  if (index < 0) {
    throw new AppError(
      'session.not-found',
      'This message is not on the path that the chat is on. Open the chat again.',
    );
  }
  return index;
}

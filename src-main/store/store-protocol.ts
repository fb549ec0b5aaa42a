// What crosses between the store's client and its workers: calls with ids, answers as values. An error crosses in its
// wire form; nothing is thrown.
import type { WireResult } from '../contract/errors.ts';
import type { SessionId } from '../contract/ids.ts';
import type { ReadEntries } from './read-entries.ts';
import type { Store } from './store.ts';

/** A part of a path: the entries from a seq on, and where to go on (null = that was the last). */
export interface PathPart extends ReadEntries {
  next: number | null;
}

/** The store as a worker serves it: a path is asked for in parts, so that no answer is a long pause for the asker. */
export interface ServedStore extends Store {
  /** At most 256 entries or about 64 Ki characters (one entry may be larger). Code session.not-found. */
  readPathPart(id: SessionId, fromSeq: number, toSeq: number | undefined): Promise<PathPart>;
}

/** Methods that a call may name. */
export type StoreMethod = keyof ServedStore;

export interface StoreCall {
  id: number;
  method: StoreMethod;
  args: readonly unknown[];
}

/** The answer to a call; id 0 says whether the store could be opened. */
export interface StoreAnswer {
  id: number;
  result: WireResult<unknown>;
}

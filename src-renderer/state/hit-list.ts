// What was found in chats, page by page. Pure.
import type { WireError } from '../../src-main/contract/errors.ts';
import type { SearchHit, SearchPage } from '../../src-main/contract/session.ts';

export interface HitList {
  /** Newest first. */
  readonly hits: readonly SearchHit[];
  readonly cursor: string | null;
  /** Parts of chats that cannot be found yet. */
  readonly behind: number;
  readonly phase: 'new' | 'loading' | 'ready' | 'failed';
  readonly error: WireError | null;
}

export const noHits: HitList = { hits: [], cursor: null, behind: 0, phase: 'new', error: null };

/** Fewer letters would fit nearly everything. */
export const SHORTEST_SEARCH = 2;

/** The next page after those that are there. */
export function withHits(list: HitList, page: SearchPage): HitList {
  const known = new Set(list.hits.map((hit) => hit.entryId));
  const added = page.hits.filter((hit) => !known.has(hit.entryId));
  return { ...page, hits: [...list.hits, ...added], phase: 'ready', error: null };
}

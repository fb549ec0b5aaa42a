// The port of a search service, and the check of what it gives: nothing reaches the model that is not a bounded record with
// an http or https URL. Who supplies a service picks it; none is built in.
import { AppError } from '../../base/app-error.ts';

/** One hit. Characters at most: title 256, url 2,048, snippet 1,024. */
export interface SearchRecord {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}

export interface SearchRequest {
  readonly query: string;
  /** At most this many records. */
  readonly count: number;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly userAgent: string;
  readonly signal: AbortSignal;
}

/**
 * A search service. `search` settles soon after `signal` aborts and leaves nothing running then; a remote entry that is
 * malformed is dropped by itself and never fails the search. Codes tool.failed, tool.timed-out, cancelled.
 */
export interface SearchProvider {
  /** The request that a query makes, for the person who decides. */
  urlOf(query: string): URL;
  search(request: SearchRequest): Promise<readonly SearchRecord[]>;
}

export const SEARCH_BOUNDS = { count: 10, maxCount: 50, title: 256, url: 2048, snippet: 1024 } as const;

/** Whether a URL may be shown as a hit. */
export function isWebUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** What is wrong with a provider's records; null = all are within bounds. */
function objectionTo(records: unknown, count: number): string | null {
  if (!Array.isArray(records)) return 'it gave no list';
  if (records.length > count) return `it gave ${String(records.length)} records where ${String(count)} were asked for`;
  for (const record of records as unknown[]) {
    if (typeof record !== 'object' || record === null) return 'it gave a record that is none';
    const { title, url, snippet } = record as Record<string, unknown>;
    if (typeof title !== 'string' || title.length > SEARCH_BOUNDS.title) return 'it gave a title that is too long';
    if (typeof snippet !== 'string' || snippet.length > SEARCH_BOUNDS.snippet) return 'it gave a text that is too long';
    if (typeof url !== 'string' || url.length > SEARCH_BOUNDS.url || !isWebUrl(url)) {
      return 'it gave an address that is not http or https';
    }
  }
  return null;
}

/** The records of a search, checked. tool.failed when the service broke its bounds: then none of them is shown. */
export function checkedRecords(records: readonly SearchRecord[], count: number): readonly SearchRecord[] {
  const why = objectionTo(records, count);
  if (why === null) return records;
  throw new AppError('tool.failed', `The search service broke its bounds (${why}), so nothing of its answer is shown.`);
}

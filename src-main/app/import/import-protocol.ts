// What an import's worker and whoever started it say to each other. The worker waits for a `more` after each piece, so that
// neither side ever holds more than a piece of what is on its way.
import type { EntryData, NewEntry } from '../../contract/entries.ts';
import type { WireError } from '../../contract/errors.ts';

export interface ImportJob {
  /** Absolute path of the file. */
  readonly file: string;
  readonly nowMs: number;
}

export type ImportMessage =
  | { readonly type: 'progress'; readonly part: number }
  | { readonly type: 'parsed'; readonly title: string; readonly report: EntryData<'import'>; readonly records: number }
  | { readonly type: 'records'; readonly records: string[] }
  | { readonly type: 'entries'; readonly entries: NewEntry[] }
  | { readonly type: 'end' }
  | { readonly type: 'failed'; readonly error: WireError };

export interface ImportRequest {
  readonly type: 'more';
}

// Finds entries of all chats by their words, newest first, page by page. Newest first costs the same for a common word as
// for a rare one; an order by relevance would look at every entry that has the word.
import { AppError } from '../base/app-error.ts';
import type { ProjectId, SessionId } from '../contract/ids.ts';
import type { SearchHit, SearchPage } from '../contract/session.ts';
import { readRange } from './read-entries.ts';
import { countBehind } from './search-index.ts';
import { searchTerms, toMatch } from './search-query.ts';
import { snippetOf } from './search-snippet.ts';
import { wordsFrom } from './search-words.ts';
import { searchableText } from './searchable-text.ts';
import type { StoreDatabase } from './store-database.ts';

/** See Store.search. */
export interface SearchQuery {
  text: string;
  projectId: ProjectId | null;
  cursor: string | null;
  limit: number;
}

interface HitRow {
  document: number;
  session: number;
  seq: number;
  session_id: string;
  project_id: string;
  title: string;
  archived: number;
}

const MAX_PAGE = 200;

const hitsSql = `SELECT d.number AS document, s.number AS session, d.place & 4294967295 AS seq,
    s.id AS session_id, s.project_id, s.title, s.archived
  FROM (SELECT rowid FROM search WHERE search MATCH ? AND rowid < ? ORDER BY rowid DESC) AS f
  JOIN search_document d ON d.number = f.rowid JOIN session s ON s.number = d.place >> 32
  WHERE s.archived < 2 AND (? IS NULL OR s.project_id = ?) ORDER BY f.rowid DESC LIMIT ?`;

function before(cursor: string | null): number {
  if (cursor === null) return Number.MAX_SAFE_INTEGER;
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw new AppError('ipc.invalid-input', 'This place in the search is not known. Search again.', {
    details: { cursor },
  });
}

function toHit(database: StoreDatabase, row: HitRow, words: readonly string[]): SearchHit | null {
  const session = { id: row.session_id as SessionId, number: row.session };
  const [entry] = readRange(database, session, { fromSeq: row.seq, toSeq: row.seq + 1 }).entries;
  if (!entry) return null;
  return {
    sessionId: session.id,
    projectId: row.project_id as ProjectId,
    title: row.title,
    archived: row.archived !== 0,
    entryId: entry.id,
    seq: entry.seq,
    kind: entry.kind,
    atMs: entry.atMs,
    ...snippetOf(searchableText(entry), words),
  };
}

/** See Store.search. */
export function searchEntries(database: StoreDatabase, query: SearchQuery): SearchPage {
  const match = toMatch(query.text, (beginning) => wordsFrom(database, beginning));
  const from = before(query.cursor);
  if (match === null) return { hits: [], cursor: null, behind: 0 };
  const limit = Math.min(Math.max(Math.trunc(query.limit), 1), MAX_PAGE);
  const rows = database.all<HitRow>(hitsSql, match, from, query.projectId, query.projectId, limit + 1);
  const words = searchTerms(query.text).map((term) => term.text);
  const shown = rows.slice(0, limit);
  const hits = shown.flatMap((row) => toHit(database, row, words) ?? []);
  const cursor = rows.length > limit ? String(shown.at(-1)?.document ?? 0) : null;
  return { hits, cursor, behind: countBehind(database) };
}

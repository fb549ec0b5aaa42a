// The search index over the texts of entries. It is no projection: it follows behind, search_mark says how far it has come
// in each session, and it can be dropped and made again.
import type { Migration } from '../migrate.ts';

/** The index itself; made again by renewIndex. */
export const SEARCH_TABLE = `CREATE VIRTUAL TABLE search USING fts5 (
  text, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
)`;

const sql = `
-- number: the order in which entries were indexed, and the row of the index. The texts themselves stay in the entries.
CREATE TABLE search_document (number INTEGER PRIMARY KEY, place INTEGER NOT NULL) STRICT;
CREATE INDEX search_document_place ON search_document (place);
CREATE TABLE search_mark (session INTEGER PRIMARY KEY REFERENCES session (number), seq INTEGER NOT NULL) STRICT;
${SEARCH_TABLE};
`;

export const search: Migration = { number: 4, name: 'search', sql };

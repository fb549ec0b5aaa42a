// Entries are kept in the order of their place, a number made of the session's and the entry's: a session's entries lie
// side by side, and a commit touches one page for them instead of the table's and an index's.
import type { Migration } from '../migrate.ts';

const sql = `
-- place: session * 2^32 + seq, so 2 million sessions of 4 billion entries each stay exact in a double.
CREATE TABLE entry_by_place (
  place INTEGER PRIMARY KEY,
  session INTEGER NOT NULL REFERENCES session (number),
  seq INTEGER NOT NULL GENERATED ALWAYS AS (place & 4294967295) VIRTUAL,
  branch INTEGER NOT NULL DEFAULT 0,
  id TEXT NOT NULL,
  parent TEXT,
  kind TEXT NOT NULL,
  at INTEGER NOT NULL,
  payload TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;
INSERT INTO entry_by_place (place, session, branch, id, parent, kind, at, payload, hash)
  SELECT (session << 32) + seq, session, branch, id, parent, kind, at, payload, hash FROM entry ORDER BY session, seq;
DROP TABLE entry;
ALTER TABLE entry_by_place RENAME TO entry;
CREATE UNIQUE INDEX entry_id ON entry (session, id);
`;

export const entryPlace: Migration = { number: 2, name: 'entry-place', sql };

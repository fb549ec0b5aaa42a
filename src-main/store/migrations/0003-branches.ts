// Sessions get more than one leaf: where each branch forked, and where the head is. The trash is a third place beside the
// list and the archive; what the store did for its own upkeep, and records of imported files, are kept apart.
import type { Migration } from '../migrate.ts';

const sql = `
ALTER TABLE session ADD COLUMN head_branch INTEGER NOT NULL DEFAULT 0;

-- Projection: a branch begins at entry first_seq, a child of entry parent_seq of parent_branch; the branch's entries are
-- one run of seqs. Branch 0 is the root's and has a row only when it has a name. from_seq: the leaf before.
CREATE TABLE branch (
  session INTEGER NOT NULL REFERENCES session (number),
  number INTEGER NOT NULL,
  first_seq INTEGER NOT NULL,
  parent_branch INTEGER NOT NULL,
  parent_seq INTEGER NOT NULL,
  from_seq INTEGER NOT NULL,
  how TEXT NOT NULL,
  name TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (session, number)
) STRICT, WITHOUT ROWID;

-- archived: 0 = in the list, 1 = archived, 2 = in the trash since trashed_at.
ALTER TABLE session ADD COLUMN trashed_at INTEGER;
ALTER TABLE session ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;

CREATE TABLE upkeep (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- Lines of an imported file, as they were, in order.
CREATE TABLE imported_record (
  session INTEGER NOT NULL REFERENCES session (number),
  number INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (session, number)
) STRICT;
`;

export const branches: Migration = { number: 3, name: 'branches', sql };

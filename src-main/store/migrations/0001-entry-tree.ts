// The first schema: projects, sessions with their append-only entries, the projections of entries, leases, and what is
// no entry (running text, drafts, attachments).
import type { Migration } from '../migrate.ts';

const sql = `
CREATE TABLE project (
  id TEXT PRIMARY KEY,
  path TEXT NOT NULL,
  dev TEXT NOT NULL,
  ino TEXT NOT NULL,
  last_opened_at INTEGER NOT NULL,
  hidden INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX project_identity ON project (dev, ino);
CREATE INDEX project_path ON project (path);

-- number: the session's short name inside this database; everything from title to queued is a projection of entries.
CREATE TABLE session (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  project_id TEXT NOT NULL REFERENCES project (id),
  unread INTEGER NOT NULL DEFAULT 0,
  archived INTEGER NOT NULL DEFAULT 0,
  head_seq INTEGER NOT NULL DEFAULT 0,
  head_id TEXT,
  head_hash TEXT NOT NULL,
  title TEXT NOT NULL DEFAULT '',
  title_folded TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL DEFAULT 0,
  updated_at INTEGER NOT NULL DEFAULT 0,
  settled_seq INTEGER NOT NULL DEFAULT 0,
  open_turn TEXT,
  mode TEXT NOT NULL DEFAULT 'ask',
  model TEXT NOT NULL DEFAULT '',
  turns INTEGER NOT NULL DEFAULT 0,
  last_outcome TEXT,
  input_tokens INTEGER NOT NULL DEFAULT 0,
  output_tokens INTEGER NOT NULL DEFAULT 0,
  cached_tokens INTEGER NOT NULL DEFAULT 0,
  reasoning_tokens INTEGER NOT NULL DEFAULT 0,
  cost_usd REAL,
  context_tokens INTEGER NOT NULL DEFAULT 0,
  waiting INTEGER NOT NULL DEFAULT 0,
  queued INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX session_newest ON session (archived, updated_at DESC, number DESC);
CREATE INDEX session_newest_of_project ON session (project_id, archived, updated_at DESC, number DESC);

-- hash: see entry-hash.ts. branch is 0 until a session has more than one leaf.
CREATE TABLE entry (
  session INTEGER NOT NULL REFERENCES session (number),
  seq INTEGER NOT NULL,
  branch INTEGER NOT NULL DEFAULT 0,
  id TEXT NOT NULL,
  parent TEXT,
  kind TEXT NOT NULL,
  at INTEGER NOT NULL,
  payload TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX entry_seq ON entry (session, seq);
CREATE UNIQUE INDEX entry_id ON entry (session, id);

-- Projection, one row a call that the gate saw: the ledger. decision is waiting, run or deny.
CREATE TABLE call (
  session INTEGER NOT NULL REFERENCES session (number),
  call_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  turn_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  tool TEXT NOT NULL,
  summary TEXT NOT NULL,
  effects TEXT NOT NULL,
  decision TEXT NOT NULL,
  decided_by TEXT,
  reason TEXT NOT NULL,
  lasting TEXT NOT NULL,
  digest TEXT NOT NULL,
  confined INTEGER NOT NULL,
  changed_by_person INTEGER NOT NULL,
  started_at INTEGER,
  status TEXT,
  duration_ms REAL,
  PRIMARY KEY (session, call_id)
) STRICT, WITHOUT ROWID;

-- Waiting calls are counted with every append, and must not cost more the longer a chat is.
CREATE INDEX call_waiting ON call (session, turn_id) WHERE decision = 'waiting' AND status IS NULL;

-- Projection: which change (by its place in the result of entry seq) touched which path. The diff stays in the entry.
CREATE TABLE file_change (
  session INTEGER NOT NULL REFERENCES session (number),
  seq INTEGER NOT NULL,
  place INTEGER NOT NULL,
  path TEXT NOT NULL,
  PRIMARY KEY (session, seq, place)
) STRICT, WITHOUT ROWID;

-- Projection: messages that wait for the running turn to end. Text and attachments stay in the entry.
CREATE TABLE queue (
  session INTEGER NOT NULL REFERENCES session (number),
  queue_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (session, queue_id)
) STRICT, WITHOUT ROWID;

-- started: when the process began, as its system tells it, so that a recycled pid is not taken for the holder.
CREATE TABLE lease (
  session INTEGER PRIMARY KEY REFERENCES session (number),
  holder TEXT NOT NULL,
  pid INTEGER NOT NULL,
  started TEXT NOT NULL,
  host TEXT NOT NULL,
  taken_at INTEGER NOT NULL
) STRICT;

CREATE TABLE partial (
  session INTEGER NOT NULL REFERENCES session (number),
  number INTEGER NOT NULL,
  turn_id TEXT NOT NULL,
  text TEXT NOT NULL,
  reasoning TEXT NOT NULL,
  PRIMARY KEY (session, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE draft (
  session INTEGER PRIMARY KEY REFERENCES session (number),
  text TEXT NOT NULL,
  attachment_ids TEXT NOT NULL
) STRICT;

-- carry: the first half of a character whose second half is still to come (a UTF-16 code unit); 0 = none.
CREATE TABLE attachment (
  number INTEGER PRIMARY KEY,
  session INTEGER NOT NULL REFERENCES session (number),
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  characters INTEGER NOT NULL,
  carry INTEGER NOT NULL,
  UNIQUE (session, id)
) STRICT;
CREATE TABLE attachment_piece (
  number INTEGER PRIMARY KEY,
  attachment INTEGER NOT NULL REFERENCES attachment (number) ON DELETE CASCADE,
  text TEXT NOT NULL
) STRICT;
CREATE INDEX attachment_piece_of ON attachment_piece (attachment, number);
`;

export const entryTree: Migration = { number: 1, name: 'entry-tree', sql };

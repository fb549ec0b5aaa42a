// The store's interface: one SQLite database of append-only entry trees with projections that are written in the same
// transaction. Implemented in this thread (open-store.ts) and over a worker (store-client.ts); both behave the same.
// Every method may reject with store.* codes; reads never write.
import type { Attachment, Entry, NewEntry, Outcome, Usage } from '../contract/entries.ts';
import type { AttachmentId, EntryId, ProjectId, SessionId, TurnId } from '../contract/ids.ts';
import type { ChangedFile, LedgerRow, QueueItem, SearchPage } from '../contract/session.ts';

/** A project's row. dev and ino are decimal text. */
export interface ProjectRow {
  id: ProjectId;
  path: string;
  dev: string;
  ino: string;
  lastOpenedAtMs: number;
  hidden: boolean;
}

/** A session's row: projections of its entries plus what is no entry (unread, archived). */
export interface SessionRow {
  id: SessionId;
  projectId: ProjectId;
  title: string;
  createdAtMs: number;
  updatedAtMs: number;
  /** Sequence number of the newest entry. */
  headSeq: number;
  /** Sequence number of the end of the last finished turn; 0 = none. */
  settledSeq: number;
  /** A turn that has begun and not ended; null = none. */
  openTurnId: string | null;
  /** Calls with an approval-request and no verdict yet, in the open turn. */
  waitingApprovals: number;
  queued: number;
  mode: 'plan' | 'ask' | 'auto';
  model: string;
  turns: number;
  lastOutcome: Outcome | null;
  /** What programs call it by; '' where a former version made it. */
  name: string;
  /** false = it is kept in memory alone and gone when its store is closed. */
  saved: boolean;
  /** It stands at the top of its list. */
  pinned: boolean;
  unread: boolean;
  archived: boolean;
  /** When it was put into the trash; null = it is not there. */
  trashedAtMs: number | null;
  usage: Usage;
  /** Input tokens of the newest assistant message: how full the context is. */
  contextTokens: number;
  /** Who holds the session: `pid@host` text; null = nobody. A lease of a dead process counts as nobody. */
  heldBy: string | null;
}

export interface SessionPage {
  sessions: SessionRow[];
  /** Goes on after the last row; null = no more. */
  cursor: string | null;
}

/** A branch of a session's tree: a run of entries that began as the child of another branch's entry. */
export interface Branch {
  /** 0 = the root's. */
  number: number;
  firstSeq: number;
  /** null = the root's. */
  parentBranch: number | null;
  /** The entry that the first one is a child of. */
  parentSeq: number;
  /** Where the chat was before it moved here. */
  fromSeq: number;
  how: 'root' | 'rewind' | 'undo' | 'jump';
  name: string;
}

/** A turn anywhere in the tree. */
export interface TreeTurn {
  turnId: TurnId;
  /** Its message, or what it went on with. */
  seq: number;
  entryId: EntryId;
  /** The last entry before its branch goes on with another turn. */
  endSeq: number;
  branch: number;
  atMs: number;
  /** The first 200 characters of the message; '' where it went on without one. */
  text: string;
  outcome: Outcome['type'] | null;
}

export interface SessionTree {
  headSeq: number;
  headBranch: number;
  /** In order of their number; the root's comes first. */
  branches: Branch[];
  /** In order of their seq. */
  turns: TreeTurn[];
}

/** Where a chat is listed. */
export type SessionPlace = 'list' | 'archive' | 'trash';

/** Whether the database is whole; `problems` are SQLite's words. */
export interface DatabaseCheck {
  ok: boolean;
  problems: string[];
}

/** How large a chat's entries are, in bytes. */
export interface ChatSize {
  id: SessionId;
  title: string;
  place: SessionPlace;
  bytes: number;
}

export interface StoreStats {
  /** rollback = the slower one, for a folder that machines share. */
  journal: 'log' | 'rollback';
  /** Bytes of the database that nothing uses; they are given back little by little. */
  freeBytes: number;
  trashed: number;
  /** Finished copies of the database. */
  backups: { count: number; bytes: number; newestAtMs: number | null };
  /** When the database was last found whole; null = never looked. */
  checkedAtMs: number | null;
  databaseBytes: number;
  sessions: number;
  entries: number;
}

/** Who is writing: `holder` names the process for people, `pid` is checked for being alive. */
export interface LeaseHolder {
  holder: string;
  pid: number;
}

export interface Store {
  /**
   * Finds the project by device and inode, else by path, else makes it, with `id` where that is given; updates path and
   * time; unhides it.
   */
  openProject(input: { path: string; dev: string; ino: string; nowMs: number; id?: ProjectId }): Promise<ProjectRow>;
  /**
   * Says that a project's folder is this one now. A project that was made of that folder meanwhile becomes part of it;
   * gives the row and the ids of those. Code project.not-found.
   */
  relinkProject(input: {
    id: ProjectId;
    path: string;
    dev: string;
    ino: string;
    nowMs: number;
  }): Promise<{ project: ProjectRow; merged: ProjectId[] }>;
  /** Newest first. */
  listProjects(): Promise<ProjectRow[]>;
  getProject(id: ProjectId): Promise<ProjectRow | null>;
  hideProject(id: ProjectId): Promise<void>;

  /** Makes a session with its first entries (session-start first), and takes its lease. */
  createSession(input: {
    id: SessionId;
    projectId: ProjectId;
    entries: readonly NewEntry[];
    lease: LeaseHolder;
    /** Lines of a file that the session was imported from, kept verbatim. */
    records?: readonly string[];
    /** It is in no list until `finishImport`: what is left of an import that was cut goes by itself. */
    importing?: boolean;
    /** false = it is to be kept in memory alone; a store that is on a disk refuses nothing here and saves it. */
    saved?: boolean;
  }): Promise<SessionRow>;
  /** Adds lines of the file that a session is being imported from, after those that are there. Code session.busy. */
  addRecords(id: SessionId, pid: number, records: readonly string[]): Promise<void>;
  /** Puts a session that is imported whole into the list. Code session.not-found. */
  finishImport(id: SessionId): Promise<void>;
  /** Deletes what there is of a session that is being imported. */
  dropImport(id: SessionId): Promise<void>;
  /** A page, newest first by updatedAtMs; the first page begins with all that are pinned. `filter` matches the title, case-insensitively, anywhere. */
  listSessions(input: {
    projectId: ProjectId | null;
    filter: string;
    archived: boolean;
    /** The chats in the trash, and none else. */
    trashed?: boolean;
    cursor: string | null;
    limit: number;
  }): Promise<SessionPage>;
  getSession(id: SessionId): Promise<SessionRow | null>;
  /** The newest session of that name that is not in the trash, or null. */
  findSession(name: string): Promise<SessionRow | null>;
  /** The newest session of a project that has entries beyond its start, or null. */
  lastSession(projectId: ProjectId): Promise<SessionRow | null>;

  /** Takes the lease. Code session.busy (details.holder) while another living process holds it. */
  acquire(id: SessionId, lease: LeaseHolder): Promise<void>;
  release(id: SessionId, pid: number): Promise<void>;

  /**
   * Appends after the head, as one transaction, updates the projections, and gives the entries with sessionId, parentId
   * and seq. It is durable then (synchronous=FULL), but for entries that end with a step's end: they are written and
   * survive a crash of this process, and `synced` tells when they survive a loss of power. Code session.busy when `pid`
   * does not hold the lease.
   */
  append(id: SessionId, pid: number, entries: readonly NewEntry[]): Promise<Entry[]>;
  /**
   * Resolves when all that was appended lasts through a loss of power. Wait for it before anything leaves that builds on
   * a step's end: the next request. Rejects with store.io where the disk failed; nothing is appended
   * any more then, as what became of those entries cannot be known.
   */
  synced(): Promise<void>;
  /**
   * All entries of the path from root to head, or to the entry at `toSeq`, in order. Damaged or unknown rows are left out
   * and counted. Code session.not-found.
   */
  readPath(id: SessionId, toSeq?: number): Promise<{ entries: Entry[]; unreadable: number }>;
  /** The newest `limit` entries of the path to the head with seq < beforeSeq (null = from the head), oldest first. */
  readPage(
    id: SessionId,
    input: { beforeSeq: number | null; limit: number },
  ): Promise<{ entries: Entry[]; hasEarlier: boolean }>;
  readEntry(id: SessionId, entryId: EntryId): Promise<Entry | null>;
  /** The ledger: one row a call, in order of the calls. */
  listLedger(id: SessionId): Promise<LedgerRow[]>;
  /** Files that calls changed, by path, each with its changes in order. */
  listChanges(id: SessionId): Promise<ChangedFile[]>;
  listQueue(id: SessionId): Promise<QueueItem[]>;
  /** Lines of the file that the session was imported from, verbatim and in order; none for any other. */
  readRecords(id: SessionId): Promise<string[]>;
  /** All branches and turns. Code session.not-found. */
  readTree(id: SessionId): Promise<SessionTree>;
  /**
   * Makes a session of its own from the path of `from` to the entry at `toSeq` (null = the head), a copy of each entry,
   * followed by `entries`, and takes its lease. The other session is not changed. Code session.not-found.
   */
  forkSession(input: {
    from: SessionId;
    toSeq: number | null;
    id: SessionId;
    entries: readonly NewEntry[];
    lease: LeaseHolder;
    /** What programs call the new session by; absent = as the other one. */
    name?: string;
  }): Promise<SessionRow>;

  /**
   * Entries that have all words of `text` (their beginnings; words in double quotes follow each other), newest first, of
   * all chats that are not in the trash, or of one project's. Codes ipc.invalid-input for an unknown cursor, store.damaged
   * (over workers the index is then made again).
   */
  search(input: {
    text: string;
    projectId: ProjectId | null;
    cursor: string | null;
    limit: number;
  }): Promise<SearchPage>;
  /** Indexes a small piece of what cannot be found yet; gives whether there is more. The worker does so by itself. */
  followSearch(): Promise<boolean>;
  /** Drops the search index, which is then made again from the entries by `followSearch`. For one that is damaged. */
  renewSearch(): Promise<void>;

  setArchived(id: SessionId, archived: boolean): Promise<void>;
  /** Puts a chat into the list, the archive or the trash. Codes session.not-found; session.busy for the trash while held. */
  setPlace(id: SessionId, place: SessionPlace, nowMs: number): Promise<void>;
  /**
   * Deletes a chat of the trash for good, in small pieces, and gives its space back to the disk. Codes session.not-found,
   * session.busy, config.invalid when it is not in the trash. Cut by a crash, `upkeep` goes on with it.
   */
  purge(id: SessionId): Promise<void>;
  /** Does what is due: the day's copy, chats that are in the trash for 30 days, purges that were cut, free space. */
  upkeep(nowMs: number): Promise<{ backup: string | null; purged: number; checkDue: boolean }>;
  /** Checks the whole database, on the connection that reads. */
  check(): Promise<DatabaseCheck>;
  /** Notes that a check found the database whole. */
  noteCheck(nowMs: number): Promise<void>;
  /** The largest chats, largest first; at most 200. */
  chatSizes(limit: number): Promise<ChatSize[]>;
  setPinned(id: SessionId, pinned: boolean): Promise<void>;
  setUnread(id: SessionId, unread: boolean): Promise<void>;

  /** Running text of the open step, replaced whole or appended; not durable beyond NORMAL. Removed by the next append. */
  putPartial(id: SessionId, partial: { turnId: string; text: string; reasoning: string }): Promise<void>;
  getPartial(id: SessionId): Promise<{ turnId: string; text: string; reasoning: string } | null>;

  getDraft(id: SessionId): Promise<{ text: string; attachments: Attachment[] }>;
  setDraft(id: SessionId, draft: { text: string; attachmentIds: readonly AttachmentId[] }): Promise<void>;
  /** Appends a piece to an attachment's text (made when absent); gives it without its text. */
  putAttachment(id: SessionId, input: { attachmentId: AttachmentId; name: string; piece: string }): Promise<Attachment>;
  /** Attachments with their texts, in the order asked for; absent ones are left out. */
  getAttachments(id: SessionId, ids: readonly AttachmentId[]): Promise<Attachment[]>;

  stats(): Promise<StoreStats>;
  /** Makes the projections of one session (null = of all) anew from its entries. Code session.not-found. */
  rebuildProjections(id: SessionId | null): Promise<void>;
  close(): Promise<void>;
}

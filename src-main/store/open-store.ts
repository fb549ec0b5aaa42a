// The store in this thread: opens the database and answers every method of the Store interface on it. Used as it is by
// the headless command, and inside the workers of store-client.ts.
import type { Entry, NewEntry } from '../contract/entries.ts';
import type { SessionId } from '../contract/ids.ts';
import type { SearchPage } from '../contract/session.ts';
import { appendEntries, foldTitle } from './append-entries.ts';
import { createSession } from './create-session.ts';
import { forkSession } from './fork-session.ts';
import { getAttachments, getDraft, putAttachment, setDraft } from './drafts.ts';
import { releaseLease, takeLease } from './leases.ts';
import { addImported, dropImport, finishImport } from './imports.ts';
import { listChanges, listLedger, listQueue } from './ledger-rows.ts';
import { LogSync } from './log-sync.ts';
import { openDatabase, openTelemetryConnection, type OpenOptions } from './open-database.ts';
import { getPartial, PartialWriter } from './partials.ts';
import { getProject, listProjects, openProject, relinkProject } from './project-rows.ts';
import { readEntry } from './read-entries.ts';
import { readPage, readPath, readPathPart, readRecords, sessionOf } from './read-path.ts';
import { readTree } from './read-tree.ts';
import { rebuildProjections } from './rebuild-projections.ts';
import { findSession, getSession, lastSession, listSessions } from './session-rows.ts';
import { searchEntries } from './search-entries.ts';
import { followEntries, renewIndex } from './search-index.ts';
import { tidyUp, doUpkeep, type Attempt } from './store-upkeep.ts';
import { beginPurge, chatSizes, checkDatabase, noteDone, setPlace } from './upkeep.ts';
import type { StoreDatabase } from './store-database.ts';
import { databaseStats } from './store-stats.ts';
import { fromPreparing, sessionNotFound, storeError, toStoreError } from './store-error.ts';
import type { ServedStore } from './store-protocol.ts';
import type { Store } from './store.ts';

/** What stands beside the connection that writes: running text, syncs, and the index's connection, opened at first use. */
interface Around {
  readonly partials: PartialWriter;
  readonly log: LogSync;
  index(): StoreDatabase;
}

type Writes = Pick<
  Store,
  | 'openProject'
  | 'relinkProject'
  | 'hideProject'
  | 'createSession'
  | 'forkSession'
  | 'addRecords'
  | 'finishImport'
  | 'dropImport'
  | 'acquire'
  | 'release'
  | 'append'
  | 'synced'
  | 'followSearch'
  | 'renewSearch'
  | 'setArchived'
  | 'setPlace'
  | 'purge'
  | 'upkeep'
  | 'noteCheck'
  | 'setPinned'
  | 'setUnread'
  | 'putPartial'
  | 'setDraft'
  | 'putAttachment'
  | 'rebuildProjections'
>;

function setFlag(database: StoreDatabase, id: SessionId, flag: { column: 'pinned' | 'unread'; on: boolean }): void {
  const sql = `UPDATE session SET ${flag.column} = ? WHERE id = ?`;
  if (database.run(sql, flag.on ? 1 : 0, id) === 0) throw sessionNotFound(id);
}

/** Appends as one transaction; that of a step's end is synced beside what goes on. See Store.append. */
function append(
  database: StoreDatabase,
  around: Pick<Around, 'partials' | 'log'>,
  input: { id: SessionId; pid: number; entries: readonly NewEntry[] },
): Entry[] {
  const { partials, log } = around;
  const { id, pid, entries } = input;
  if (log.failure !== null) throw log.failure;
  const write = (): Entry[] => appendEntries(database, id, { pid, partial: partials.mayHold(id) }, entries);
  const later = entries.at(-1)?.kind === 'step-end' && log.open();
  const stored = later ? database.unsynced(write) : write();
  if (later) log.start();
  partials.forget(id);
  return stored;
}

function writes(database: StoreDatabase, around: Around, attempt: Attempt): Writes {
  const { partials, log } = around;
  return {
    openProject: (input) => attempt(() => openProject(database, input)),
    relinkProject: (input) => attempt(() => relinkProject(database, input)),
    hideProject: (id) => attempt(() => void database.run('UPDATE project SET hidden = 1 WHERE id = ?', id)),
    createSession: (input) => attempt(() => createSession(database, input)),
    addRecords: (id, pid, records) => attempt(() => addImported(database, id, { pid, records })),
    finishImport: (id) => attempt(() => finishImport(database, id)),
    dropImport: async (id) => {
      await attempt(() => dropImport(database, id));
      await tidyUp(database, attempt);
    },
    forkSession: (input) => attempt(() => forkSession(database, input)),
    acquire: (id, lease) =>
      attempt(() => {
        database.write(() => takeLease(database, sessionOf(database, id), lease));
        partials.doubt(id);
      }),
    release: (id, pid) => attempt(() => releaseLease(database, id, pid)),
    append: (id, pid, entries) => attempt(() => append(database, around, { id, pid, entries })),
    synced: () => log.done(),
    followSearch: () => attempt(() => followEntries(around.index())),
    renewSearch: () => attempt(() => renewIndex(around.index())),
    setArchived: (id, archived) =>
      attempt(() => setPlace(database, id, { place: archived ? 'archive' : 'list', nowMs: 0 })),
    setPlace: (id, place, nowMs) => attempt(() => setPlace(database, id, { place, nowMs })),
    purge: async (id) => {
      await attempt(() => beginPurge(database, id));
      await tidyUp(database, attempt);
    },
    upkeep: (nowMs) => doUpkeep(database, attempt, nowMs),
    noteCheck: (nowMs) => attempt(() => noteDone(database, 'check', nowMs)),
    setPinned: (id, pinned) => attempt(() => setFlag(database, id, { column: 'pinned', on: pinned })),
    setUnread: (id, unread) => attempt(() => setFlag(database, id, { column: 'unread', on: unread })),
    putPartial: (id, partial) => attempt(() => partials.put(id, partial)),
    setDraft: (id, draft) => attempt(() => setDraft(database, id, draft)),
    putAttachment: (id, input) => attempt(() => putAttachment(database, id, input)),
    rebuildProjections: (id) => attempt(() => rebuildProjections(database, id)),
  };
}

/** What the index cannot be asked for, as its texts are fixed, is damage. */
function search(database: StoreDatabase, query: Parameters<Store['search']>[0]): SearchPage {
  try {
    return database.read(() => searchEntries(database, query));
  } catch (error) {
    throw fromPreparing(error, database.file);
  }
}

function reads(database: StoreDatabase, attempt: Attempt): Omit<ServedStore, keyof Writes | 'close'> {
  return {
    listProjects: () => attempt(() => listProjects(database)),
    getProject: (id) => attempt(() => getProject(database, id)),
    listSessions: (input) => attempt(() => listSessions(database, { ...input, filter: foldTitle(input.filter) })),
    getSession: (id) => attempt(() => getSession(database, id)),
    findSession: (name) => attempt(() => findSession(database, name)),
    lastSession: (projectId) => attempt(() => lastSession(database, projectId)),
    readPath: (id, toSeq) => attempt(() => readPath(database, sessionOf(database, id), toSeq)),
    readPathPart: (id, fromSeq, toSeq) =>
      attempt(() => readPathPart(database, sessionOf(database, id), { fromSeq, toSeq })),
    readPage: (id, page) => attempt(() => database.read(() => readPage(database, sessionOf(database, id), page))),
    readRecords: (id) => attempt(() => readRecords(database, sessionOf(database, id).number)),
    readTree: (id) => attempt(() => database.read(() => readTree(database, sessionOf(database, id)))),
    readEntry: (id, entryId) => attempt(() => readEntry(database, id, entryId)),
    listLedger: (id) => attempt(() => listLedger(database, id)),
    listChanges: (id) => attempt(() => database.read(() => listChanges(database, id))),
    check: async () => attempt(() => checkDatabase(database)).then((check) => check),
    chatSizes: (limit) => attempt(() => chatSizes(database, Math.min(Math.max(Math.trunc(limit), 1), 200))),
    search: (query) => attempt(() => search(database, query)),
    listQueue: (id) => attempt(() => database.read(() => listQueue(database, id))),
    getPartial: (id) => attempt(() => getPartial(database, id)),
    getDraft: (id) => attempt(() => getDraft(database, id)),
    getAttachments: (id, ids) => attempt(() => getAttachments(database, id, ids)),
    stats: () => attempt(() => databaseStats(database)),
  };
}

/** Opens the store of a data folder in this thread. Rejects with store.*; see OpenOptions. */
export async function openStore(options: OpenOptions): Promise<Store> {
  return openServedStore(options);
}

/** The same with what a worker serves beyond it. */
export async function openServedStore(options: OpenOptions): Promise<ServedStore> {
  const database = openDatabase(options);
  const partials = new PartialWriter(() => openTelemetryConnection(database));
  const log = new LogSync(database.file);
  let index: StoreDatabase | null = null;
  const around = { partials, log, index: () => (index ??= openTelemetryConnection(database)) };
  let closed = false;
  const attempt: Attempt = async (work) => {
    if (closed) throw storeError('store.io', database.file);
    try {
      return work();
    } catch (error) {
      throw toStoreError(error, database.file);
    }
  };
  return {
    ...writes(database, around, attempt),
    ...reads(database, attempt),
    close: async () => {
      if (closed) return;
      closed = true;
      await log.close();
      partials.close();
      index?.close();
      database.close();
    },
  };
}

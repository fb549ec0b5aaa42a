// The store over two workers: one writes, one reads on its own connection, so reads never wait behind a commit and this
// thread never waits for the disk. Behaves as open-store.ts does, but a read sees only writes that were answered before.
import { isAppError } from '../base/app-error.ts';
import type { SessionId } from '../contract/ids.ts';
import type { OpenOptions } from './open-database.ts';
import type { ReadEntries } from './read-entries.ts';
import type { Store } from './store.ts';
import { WorkerLink } from './worker-link.ts';

/** Where the workers' code is: beside this file, as source or as built. */
export interface WorkerFiles {
  store: URL;
  reader: URL;
}

function workerFiles(): WorkerFiles {
  const source = import.meta.url.endsWith('.ts');
  return {
    store: new URL(source ? './store-worker.ts' : './store-worker.js', import.meta.url),
    reader: new URL(source ? './reader-worker.ts' : './reader-worker.js', import.meta.url),
  };
}

async function readWholePath(link: WorkerLink, id: SessionId, toSeq?: number): Promise<ReadEntries> {
  const whole: ReadEntries = { entries: [], unreadable: 0 };
  for (let fromSeq: number | null = 1; fromSeq !== null;) {
    const part: Awaited<ReturnType<typeof link.call<'readPathPart'>>> = await link.call(
      'readPathPart',
      id,
      fromSeq,
      toSeq,
    );
    for (const entry of part.entries) whole.entries.push(entry);
    whole.unreadable += part.unreadable;
    fromSeq = part.next;
  }
  return whole;
}

/** The link for reads. Where no second connection can be had, they go where writes go. */
async function startReader(reader: WorkerLink, writer: WorkerLink): Promise<WorkerLink> {
  try {
    await reader.start();
    return reader;
  } catch (error) {
    if (!isAppError(error)) throw error;
    return writer;
  }
}

/** Opens the store of a data folder in workers. Rejects with store.*, as openStore does. */
export async function openStoreWorker(options: OpenOptions, files: WorkerFiles = workerFiles()): Promise<Store> {
  const writer = new WorkerLink(files.store, options);
  await writer.start();
  const reading = options.inMemory
    ? Promise.resolve(writer)
    : startReader(new WorkerLink(files.reader, options), writer);
  reading.catch(() => undefined);
  return {
    openProject: (input) => writer.call('openProject', input),
    relinkProject: (input) => writer.call('relinkProject', input),
    hideProject: (id) => writer.call('hideProject', id),
    createSession: (input) => writer.call('createSession', input),
    acquire: (id, lease) => writer.call('acquire', id, lease),
    release: (id, pid) => writer.call('release', id, pid),
    append: (id, pid, entries) => writer.call('append', id, pid, entries),
    synced: () => writer.call('synced'),
    setArchived: (id, archived) => writer.call('setArchived', id, archived),
    setPlace: (id, place, nowMs) => writer.call('setPlace', id, place, nowMs),
    purge: (id) => writer.call('purge', id),
    upkeep: (nowMs) => writer.call('upkeep', nowMs),
    noteCheck: (nowMs) => writer.call('noteCheck', nowMs),
    check: async () => (await reading).call('check'),
    chatSizes: async (limit) => (await reading).call('chatSizes', limit),
    setPinned: (id, pinned) => writer.call('setPinned', id, pinned),
    setUnread: (id, unread) => writer.call('setUnread', id, unread),
    putPartial: (id, partial) => writer.call('putPartial', id, partial),
    setDraft: (id, draft) => writer.call('setDraft', id, draft),
    putAttachment: (id, input) => writer.call('putAttachment', id, input),
    rebuildProjections: (id) => writer.call('rebuildProjections', id),
    listProjects: async () => (await reading).call('listProjects'),
    getProject: async (id) => (await reading).call('getProject', id),
    listSessions: async (input) => (await reading).call('listSessions', input),
    getSession: async (id) => (await reading).call('getSession', id),
    findSession: async (name) => (await reading).call('findSession', name),
    lastSession: async (projectId) => (await reading).call('lastSession', projectId),
    readPath: async (id, toSeq) => readWholePath(await reading, id, toSeq),
    readPage: async (id, input) => (await reading).call('readPage', id, input),
    readEntry: async (id, entryId) => (await reading).call('readEntry', id, entryId),
    listLedger: async (id) => (await reading).call('listLedger', id),
    listChanges: async (id) => (await reading).call('listChanges', id),
    listQueue: async (id) => (await reading).call('listQueue', id),
    readRecords: async (id) => (await reading).call('readRecords', id),
    readTree: async (id) => (await reading).call('readTree', id),
    addRecords: (id, pid, records) => writer.call('addRecords', id, pid, records),
    finishImport: (id) => writer.call('finishImport', id),
    dropImport: (id) => writer.call('dropImport', id),
    forkSession: (input) => writer.call('forkSession', input),
    search: async (query) => {
      try {
        return await (await reading).call('search', query);
      } catch (error) {
        // The index alone can be made again; whoever searches then finds what is there already.
        if (isAppError(error) && error.code === 'store.damaged')
          await writer.call('renewSearch').catch(() => undefined);
        throw error;
      }
    },
    renewSearch: () => writer.call('renewSearch'),
    followSearch: () => writer.call('followSearch'),
    getPartial: async (id) => (await reading).call('getPartial', id),
    getDraft: async (id) => (await reading).call('getDraft', id),
    getAttachments: async (id, ids) => (await reading).call('getAttachments', id, ids),
    stats: async () => (await reading).call('stats'),
    close: async () => {
      // The reader first: the last connection to close tidies the log away, and a reader cannot.
      const link = await reading.catch(() => writer);
      if (link !== writer) await link.close();
      await writer.close();
    },
  };
}

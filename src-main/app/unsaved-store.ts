// One store over two: the one on the disk, and one in memory for chats that are not to be saved. Whatever names a chat goes
// where that chat is, so nobody else has to know; nothing of an unsaved chat is ever given to the store on the disk.
import type { SessionId } from '../contract/ids.ts';
import type { Store } from '../store/store.ts';

/** More than anybody has open at once. */
const MOST_UNSAVED = 1_000;

/** `open` gives the store in memory, at the first chat that is not to be saved; `close` closes both. */
export function withUnsavedChats(saved: Store, open: () => Promise<Store>): Store {
  const ids = new Set<SessionId>();
  let opened: Promise<Store> | null = null;
  const memory = (): Promise<Store> => (opened ??= open());
  const storeOf = (id: SessionId): Promise<Store> | Store => (ids.has(id) ? memory() : saved);
  return {
    ...chatsOf(storeOf),
    ...databaseOf(saved),
    async createSession(input) {
      if (input.saved !== false) return saved.createSession(input);
      const store = await memory();
      const project = await saved.getProject(input.projectId);
      if (project) await store.openProject({ ...project, nowMs: project.lastOpenedAtMs });
      const row = await store.createSession(input);
      ids.add(row.id);
      return row;
    },
    async forkSession(input) {
      const row = await (await storeOf(input.from)).forkSession(input);
      if (!row.saved) ids.add(row.id);
      return row;
    },
    /** The unsaved ones come with the first page: they are the chats of this very moment. */
    async listSessions(input) {
      const page = await saved.listSessions(input);
      if (ids.size === 0 || input.cursor !== null) return page;
      const unsaved = await (await memory()).listSessions({ ...input, limit: MOST_UNSAVED });
      return { ...page, sessions: [...unsaved.sessions, ...page.sessions] };
    },
    async search(input) {
      const page = await saved.search(input);
      if (ids.size === 0 || input.cursor !== null) return page;
      const store = await memory();
      while (await store.followSearch());
      const unsaved = await store.search(input);
      return { ...page, hits: [...unsaved.hits, ...page.hits] };
    },
    async purge(id) {
      await (await storeOf(id)).purge(id);
      ids.delete(id);
    },
    async close() {
      await Promise.all([saved.close(), opened?.then((store) => store.close())]);
    },
  };
}

type Divided = 'createSession' | 'forkSession' | 'listSessions' | 'search' | 'purge' | 'close';

/** What is about the database as a whole: that on the disk. */
function databaseOf(saved: Store) {
  return {
    openProject: (input) => saved.openProject(input),
    relinkProject: (input) => saved.relinkProject(input),
    listProjects: () => saved.listProjects(),
    getProject: (id) => saved.getProject(id),
    hideProject: (id) => saved.hideProject(id),
    lastSession: (id) => saved.lastSession(id),
    findSession: (name) => saved.findSession(name),
    synced: () => saved.synced(),
    followSearch: () => saved.followSearch(),
    renewSearch: () => saved.renewSearch(),
    upkeep: (nowMs) => saved.upkeep(nowMs),
    check: () => saved.check(),
    noteCheck: (nowMs) => saved.noteCheck(nowMs),
    chatSizes: (limit) => saved.chatSizes(limit),
    stats: () => saved.stats(),
    rebuildProjections: (id) => saved.rebuildProjections(id),
  } satisfies Partial<Store>;
}

/** What names a chat. */
function chatsOf(storeOf: (id: SessionId) => Promise<Store> | Store) {
  return {
    getSession: async (id) => (await storeOf(id)).getSession(id),
    acquire: async (id, lease) => (await storeOf(id)).acquire(id, lease),
    release: async (id, pid) => (await storeOf(id)).release(id, pid),
    append: async (id, pid, entries) => (await storeOf(id)).append(id, pid, entries),
    addRecords: async (id, pid, records) => (await storeOf(id)).addRecords(id, pid, records),
    finishImport: async (id) => (await storeOf(id)).finishImport(id),
    dropImport: async (id) => (await storeOf(id)).dropImport(id),
    readPath: async (id, toSeq) => (await storeOf(id)).readPath(id, toSeq),
    readPage: async (id, input) => (await storeOf(id)).readPage(id, input),
    readEntry: async (id, entryId) => (await storeOf(id)).readEntry(id, entryId),
    listLedger: async (id) => (await storeOf(id)).listLedger(id),
    listChanges: async (id) => (await storeOf(id)).listChanges(id),
    listQueue: async (id) => (await storeOf(id)).listQueue(id),
    readRecords: async (id) => (await storeOf(id)).readRecords(id),
    readTree: async (id) => (await storeOf(id)).readTree(id),
    setArchived: async (id, archived) => (await storeOf(id)).setArchived(id, archived),
    setPlace: async (id, place, nowMs) => (await storeOf(id)).setPlace(id, place, nowMs),
    setPinned: async (id, pinned) => (await storeOf(id)).setPinned(id, pinned),
    setUnread: async (id, unread) => (await storeOf(id)).setUnread(id, unread),
    putPartial: async (id, partial) => (await storeOf(id)).putPartial(id, partial),
    getPartial: async (id) => (await storeOf(id)).getPartial(id),
    getDraft: async (id) => (await storeOf(id)).getDraft(id),
    setDraft: async (id, draft) => (await storeOf(id)).setDraft(id, draft),
    putAttachment: async (id, input) => (await storeOf(id)).putAttachment(id, input),
    getAttachments: async (id, ids) => (await storeOf(id)).getAttachments(id, ids),
  } satisfies Omit<Store, Divided | keyof ReturnType<typeof databaseOf>>;
}

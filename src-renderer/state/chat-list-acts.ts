// Acts on lists of chats: pages, filter, rename, archive.
import type { ProjectId, SessionId } from '../../src-main/contract/ids.ts';
import { wireErrorOf } from '../bridge/bridge-error.ts';
import type { Client } from '../bridge/client.ts';
import {
  knownChat,
  reduceApp,
  withList,
  withNotice,
  searches,
  type AppStore,
  type AppStoreState,
} from './app-store.ts';
import { emptyList, withPage } from './chat-list.ts';
import { noHits, SHORTEST_SEARCH, withHits } from './hit-list.ts';

export interface ChatListActs {
  /** Reads the first or next page of a project's chats; nothing to do when all are here or one is on its way. */
  readonly loadMore: (projectId: ProjectId) => Promise<void>;
  /** Filters chats of all projects by title and content; '' ends it. Only the newest filter's answer is shown. */
  readonly setFilter: (filter: string) => Promise<void>;
  /** Shows the archived chats of all projects, or the lists again. */
  readonly showArchived: (archived: boolean) => Promise<void>;
  readonly loadMoreFound: () => Promise<void>;
  readonly loadMoreHits: () => Promise<void>;
  readonly renameChat: (sessionId: SessionId, title: string) => Promise<void>;
  readonly setArchived: (sessionId: SessionId, archived: boolean) => Promise<void>;
  readonly setPinned: (sessionId: SessionId, pinned: boolean) => Promise<void>;
  /** Writes a chat into a file and tells where it is. */
  readonly exportChat: (sessionId: SessionId, format: 'jsonl' | 'messages' | 'markdown') => Promise<void>;
  /** Puts a chat into the trash; the settings' Data page takes it back. */
  readonly trashChat: (sessionId: SessionId) => Promise<void>;
}

export interface ChatListActsOptions {
  readonly client: Client;
  readonly app: AppStore;
  /** Runs an act and tells a failure as a notice. */
  readonly attempt: (act: () => Promise<void>) => Promise<void>;
}

const PAGE = 50;

export function createChatListActs({ client, app, attempt }: ChatListActsOptions): ChatListActs {
  const find = async (cursor: string | null): Promise<void> => {
    const { filter, archived } = app.getState();
    const wanted = (state: AppStoreState): boolean => state.filter === filter && state.archived === archived;
    try {
      const page = await client.sessions.list({ projectId: null, filter, archived, cursor, limit: PAGE });
      app.setState((state) =>
        wanted(state) ? { found: withPage(cursor === null ? emptyList : state.found, page) } : state,
      );
    } catch (caught) {
      const error = wireErrorOf(caught);
      app.setState((state) => (wanted(state) ? { found: { ...state.found, phase: 'failed', error } } : state));
    }
  };
  const findHits = async (cursor: string | null): Promise<void> => {
    const { filter } = app.getState();
    const wanted = (state: AppStoreState): boolean => state.filter === filter;
    try {
      const page = await client.sessions.search({ text: filter, cursor, limit: PAGE });
      app.setState((state) =>
        wanted(state) ? { hits: withHits(cursor === null ? noHits : state.hits, page) } : state,
      );
    } catch (caught) {
      const error = wireErrorOf(caught);
      app.setState((state) => (wanted(state) ? { hits: { ...state.hits, phase: 'failed', error } } : state));
    }
  };
  const search = async (): Promise<void> => {
    const on = searches(app.getState());
    const inChats = app.getState().filter.trim().length >= SHORTEST_SEARCH;
    app.setState(({ found, hits }) => ({
      found: on ? { ...found, phase: 'loading' } : emptyList,
      hits: inChats ? { ...hits, phase: 'loading' } : noHits,
    }));
    await Promise.all([on ? find(null) : null, inChats ? findHits(null) : null]);
  };
  return {
    async loadMore(projectId) {
      const list = app.getState().lists[projectId] ?? emptyList;
      if (list.phase === 'loading' || (list.phase === 'ready' && list.cursor === null)) return;
      app.setState((state) => withList(state, projectId, (now) => ({ ...now, phase: 'loading', error: null })));
      try {
        const page = await client.sessions.list({ projectId, cursor: list.cursor, limit: PAGE });
        app.setState((state) => withList(state, projectId, (now) => withPage(now, page)));
      } catch (caught) {
        const error = wireErrorOf(caught);
        app.setState((state) => withList(state, projectId, (now) => ({ ...now, phase: 'failed', error })));
      }
    },
    async setFilter(filter) {
      app.setState({ filter });
      await search();
    },
    async showArchived(archived) {
      app.setState({ archived });
      await search();
    },
    async loadMoreHits() {
      const { hits } = app.getState();
      if (hits.phase !== 'ready' || hits.cursor === null) return;
      app.setState({ hits: { ...hits, phase: 'loading' } });
      await findHits(hits.cursor);
    },
    async loadMoreFound() {
      const { found } = app.getState();
      if (!searches(app.getState()) || found.phase !== 'ready' || found.cursor === null) return;
      app.setState({ found: { ...found, phase: 'loading' } });
      await find(found.cursor);
    },
    renameChat: (sessionId, title) =>
      attempt(async () => {
        const trimmed = title.trim().slice(0, 300);
        const chat = knownChat(app.getState(), sessionId);
        if (trimmed === '' || chat?.title === trimmed) return;
        await client.sessions.rename({ sessionId, title: trimmed });
        if (!chat) return;
        app.setState((state) => reduceApp(state, { type: 'session-update', session: { ...chat, title: trimmed } }));
      }),
    setPinned: (sessionId, pinned) =>
      attempt(async () => {
        await client.sessions.setPinned({ sessionId, pinned });
      }),
    exportChat: (sessionId, format) =>
      attempt(async () => {
        const { path } = await client.sessions.exportChat({ sessionId, format });
        app.setState((state) => withNotice(state, 'info', `Saved as ${path}`));
      }),
    trashChat: (sessionId) =>
      attempt(async () => {
        await client.sessions.trash({ sessionId });
        app.setState((state) => reduceApp(state, { type: 'session-remove', sessionId }));
      }),
    setArchived: (sessionId, archived) =>
      attempt(async () => {
        const chat = knownChat(app.getState(), sessionId);
        await client.sessions.setArchived({ sessionId, archived });
        if (!chat) return;
        app.setState((state) => ({
          ...reduceApp(state, { type: 'session-update', session: { ...chat, archived } }),
          sessionId: archived && state.sessionId === sessionId ? null : state.sessionId,
        }));
      }),
  };
}

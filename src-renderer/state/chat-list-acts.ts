// Acts on lists of chats: pages, filter, rename, archive.
import type { ProjectId, SessionId } from '../../src-main/contract/ids.ts';
import { wireErrorOf } from '../bridge/bridge-error.ts';
import type { Client } from '../bridge/client.ts';
import { knownChats, reduceApp, withList, type AppStore } from './app-store.ts';
import { emptyList, withPage } from './chat-list.ts';

export interface ChatListActs {
  /** Reads the first or next page of a project's chats; nothing to do when all are here or one is on its way. */
  readonly loadMore: (projectId: ProjectId) => Promise<void>;
  /** Filters chats of all projects by title and content; '' ends it. Only the newest filter's answer is shown. */
  readonly setFilter: (filter: string) => Promise<void>;
  readonly loadMoreFound: () => Promise<void>;
  readonly renameChat: (sessionId: SessionId, title: string) => Promise<void>;
  readonly setArchived: (sessionId: SessionId, archived: boolean) => Promise<void>;
}

export interface ChatListActsOptions {
  readonly client: Client;
  readonly app: AppStore;
  /** Runs an act and tells a failure as a notice. */
  readonly attempt: (act: () => Promise<void>) => Promise<void>;
}

const PAGE = 50;

export function createChatListActs({ client, app, attempt }: ChatListActsOptions): ChatListActs {
  const find = async (filter: string, cursor: string | null): Promise<void> => {
    try {
      const page = await client.sessions.list({ projectId: null, filter, cursor, limit: PAGE });
      app.setState((state) =>
        state.filter === filter ? { found: withPage(cursor === null ? emptyList : state.found, page) } : state,
      );
    } catch (caught) {
      const error = wireErrorOf(caught);
      app.setState((state) =>
        state.filter === filter ? { found: { ...state.found, phase: 'failed', error } } : state,
      );
    }
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
      app.setState((state) => ({ filter, found: filter === '' ? emptyList : { ...state.found, phase: 'loading' } }));
      if (filter.trim() !== '') await find(filter, null);
    },
    async loadMoreFound() {
      const { filter, found } = app.getState();
      if (filter.trim() === '' || found.phase !== 'ready' || found.cursor === null) return;
      app.setState({ found: { ...found, phase: 'loading' } });
      await find(filter, found.cursor);
    },
    renameChat: (sessionId, title) =>
      attempt(async () => {
        const trimmed = title.trim().slice(0, 300);
        const chat = knownChats(app.getState()).find((known) => known.id === sessionId);
        if (trimmed === '' || chat?.title === trimmed) return;
        await client.sessions.rename({ sessionId, title: trimmed });
        if (!chat) return;
        app.setState((state) => reduceApp(state, { type: 'session-update', session: { ...chat, title: trimmed } }));
      }),
    setArchived: (sessionId, archived) =>
      attempt(async () => {
        const chat = knownChats(app.getState()).find((known) => known.id === sessionId);
        await client.sessions.setArchived({ sessionId, archived });
        if (!chat) return;
        app.setState((state) => ({
          ...reduceApp(state, { type: 'session-update', session: { ...chat, archived } }),
          sessionId: archived && state.sessionId === sessionId ? null : state.sessionId,
        }));
      }),
  };
}

// What the window knows of the app: facts from main, projects, lists of chats, which chat is shown, notices.
// Only state and pure changes to it; who fetches and asks is window-state.ts.
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppState } from '../../src-main/contract/api.ts';
import type { WireError } from '../../src-main/contract/errors.ts';
import type { AppEvent } from '../../src-main/contract/events.ts';
import type { ProjectId, SessionId } from '../../src-main/contract/ids.ts';
import type { SessionSummary } from '../../src-main/contract/session.ts';
import { emptyList, withChat, withoutChat, type ChatList } from './chat-list.ts';
import { noHits, type HitList } from './hit-list.ts';

export interface AppNotice {
  readonly id: number;
  readonly level: 'info' | 'warning' | 'error';
  readonly message: string;
}

/** A part of a chat that the person went to. */
export interface ShownPlace {
  readonly sessionId: SessionId;
  readonly entryId: string;
  /** Another number each time, so that going to the same place again goes there again. */
  readonly n: number;
}

export interface AppStoreState {
  readonly phase: 'loading' | 'ready' | 'failed';
  readonly error: WireError | null;
  /** null until main answered. */
  readonly app: AppState | null;
  readonly lists: Readonly<Record<string, ChatList>>;
  /** What the person typed to filter chats, and what main found for it over all projects. */
  readonly filter: string;
  /** `found` has archived chats instead of the others, also without a filter. */
  readonly archived: boolean;
  readonly found: ChatList;
  /** What was found in the chats themselves, for the same filter. */
  readonly hits: HitList;
  readonly projectId: ProjectId | null;
  readonly sessionId: SessionId | null;
  readonly place: ShownPlace | null;
  /** Imports that run, by their id: how far each is, from 0 to 1. */
  readonly imports: Readonly<Record<string, number>>;
  readonly notices: readonly AppNotice[];
}

export type AppStore = StoreApi<AppStoreState>;

export function createAppStore(): AppStore {
  return createStore<AppStoreState>(() => ({
    phase: 'loading',
    error: null,
    app: null,
    lists: {},
    filter: '',
    archived: false,
    found: emptyList,
    hits: noHits,
    projectId: null,
    sessionId: null,
    place: null,
    imports: {},
    notices: [],
  }));
}

/** The state after an event of the app; `open-project` and `command` ask for an act and change nothing here. */
export function reduceApp(state: AppStoreState, event: AppEvent): AppStoreState {
  const { app } = state;
  switch (event.type) {
    case 'session-update':
      return withSession(state, event.session);
    case 'session-remove':
      return {
        ...state,
        lists: mapLists(state, (list) => withoutChat(list, event.sessionId)),
        found: withoutChat(state.found, event.sessionId),
        sessionId: state.sessionId === event.sessionId ? null : state.sessionId,
      };
    case 'projects-update':
      return app ? { ...state, app: { ...app, projects: event.projects } } : state;
    case 'settings-update':
      return app ? { ...state, app: { ...app, settings: event.settings } } : state;
    case 'models-update':
      return app ? { ...state, app: { ...app, models: event.models } } : state;
    case 'import-progress':
      return { ...state, imports: { ...state.imports, [event.importId]: event.part } };
    case 'notice':
      return withNotice(state, event.level, event.message);
    case 'open-project':
    case 'command':
      return state;
  }
}

/** A notice at the top of the window; the same words are not said twice at once. */
export function withNotice(state: AppStoreState, level: AppNotice['level'], message: string): AppStoreState {
  if (state.notices.some((notice) => notice.message === message)) return state;
  const id = (state.notices.at(-1)?.id ?? 0) + 1;
  return { ...state, notices: [...state.notices.slice(-4), { id, level, message }] };
}

/** One project's list changed by `change`; a list that is not there begins empty. */
export function withList(state: AppStoreState, projectId: string, change: (list: ChatList) => ChatList): AppStoreState {
  return { ...state, lists: { ...state.lists, [projectId]: change(state.lists[projectId] ?? emptyList) } };
}

/** All chats of the lists, each once. */
export function knownChats(state: AppStoreState): readonly SessionSummary[] {
  return Object.values(state.lists).flatMap((list) => list.chats);
}

/** Whether the side bar shows what was found in place of the lists. */
export function searches({ filter, archived }: Pick<AppStoreState, 'filter' | 'archived'>): boolean {
  return archived || filter.trim() !== '';
}

/** A chat that the window knows, from its lists or from what was found. */
export function knownChat(state: AppStoreState, sessionId: SessionId): SessionSummary | undefined {
  return [...knownChats(state), ...state.found.chats].find((chat) => chat.id === sessionId);
}

function withSession(state: AppStoreState, session: SessionSummary): AppStoreState {
  const next = withList(state, session.projectId, (list) => withChat(list, session));
  const isFound = state.found.chats.some((chat) => chat.id === session.id);
  return isFound ? { ...next, found: withChat(next.found, session, state.archived) } : next;
}

function mapLists(state: AppStoreState, change: (list: ChatList) => ChatList): Readonly<Record<string, ChatList>> {
  return Object.fromEntries(Object.entries(state.lists).map(([id, list]) => [id, change(list)]));
}

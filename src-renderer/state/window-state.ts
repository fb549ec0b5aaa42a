// The window's one object: client, stores, the stream of events, and the acts a person can ask for.
// Acts never throw: what fails is told as a notice, where the act's own screen does not show it better.
import type { EventEnvelope } from '../../src-main/contract/events.ts';
import type { ProjectId, SessionId } from '../../src-main/contract/ids.ts';
import type { SearchHit } from '../../src-main/contract/session.ts';
import type { Settings, WindowPatch } from '../../src-main/contract/settings.ts';
import { wireErrorOf } from '../bridge/bridge-error.ts';
import type { Client } from '../bridge/client.ts';
import { createAppStore, knownChat, knownChats, reduceApp, withNotice, type AppStore } from './app-store.ts';
import { createChatListActs, type ChatListActs } from './chat-list-acts.ts';
import { createChatStore, type ChatStore } from './chat-store.ts';
import { createFileDrops, type FileDrops } from './file-drops.ts';
import { createProjectActs, type ProjectActs } from './project-acts.ts';
import { createLayoutStore, type LayoutStore } from './layout-store.ts';
import { windowTitle } from './chat-list.ts';

export interface WindowActs extends ChatListActs, ProjectActs {
  /** Reads the app's state and shows the current project; again after a failure. */
  readonly start: () => Promise<void>;
  readonly showProject: (projectId: ProjectId) => Promise<void>;
  readonly showSession: (sessionId: SessionId) => Promise<void>;
  /** Shows a chat at what was found in it. */
  readonly showHit: (hit: SearchHit) => Promise<void>;
  /**
   * A new chat in this project (default: the one shown), saved or not (default: as the settings say); an empty one that is
   * there already is taken.
   */
  readonly newChat: (projectId?: ProjectId, how?: { readonly saved: boolean }) => Promise<void>;
  /** Gives the new settings; throws a BridgeError, which the settings screen shows where the change was made. */
  readonly updateSettings: (patch: WindowPatch) => Promise<Settings>;
  /** Copies text and says so. */
  /** A message went out in this chat: from now on a new chat is another one, also before main has told of it. */
  readonly markUsed: (sessionId: SessionId) => void;
  readonly copyText: (text: string) => Promise<void>;
  /** Runs an act and tells a failure as a notice. */
  readonly attempt: (act: () => Promise<unknown>) => Promise<void>;
  readonly notify: (level: 'info' | 'warning' | 'error', message: string) => void;
  readonly dismissNotice: (id: number) => void;
}

export interface WindowState {
  readonly client: Client;
  readonly app: AppStore;
  readonly chats: ChatStore;
  readonly layout: LayoutStore;
  readonly drops: FileDrops;
  readonly acts: WindowActs;
  /** Begins to listen to main's events; gives the undo. */
  readonly listen: () => () => void;
}

/** At most this many chats stay open (and subscribed) behind the one that is shown. */
const OPEN_CHATS = 4;

export function createWindowState(client: Client): WindowState {
  const app = createAppStore();
  const chats = createChatStore(client);
  const layout = createLayoutStore();
  const notify: WindowActs['notify'] = (level, message) => app.setState((state) => withNotice(state, level, message));
  const attempt = async (act: () => Promise<unknown>): Promise<void> => {
    try {
      await act();
    } catch (caught) {
      notify('error', wireErrorOf(caught).message);
    }
  };
  const lists = createChatListActs({ client, app, attempt });
  const recent: SessionId[] = [];
  const used = new Set<SessionId>();

  const show = async (sessionId: SessionId): Promise<void> => {
    const projectId = knownChat(app.getState(), sessionId)?.projectId;
    app.setState((state) => ({ sessionId, projectId: projectId ?? state.projectId }));
    layout.showChat();
    recent.splice(0, recent.length, sessionId, ...recent.filter((id) => id !== sessionId));
    for (const old of recent.splice(OPEN_CHATS)) void attempt(() => chats.close(old));
    await chats.open(sessionId);
    const opened = chats.store.getState().chats[sessionId]?.chat;
    if (opened) app.setState((state) => reduceApp(state, { type: 'session-update', session: opened.summary }));
    if (opened?.summary.unread) await attempt(() => client.sessions.markRead({ sessionId }));
  };

  const showHit = async ({ sessionId, entryId, seq }: SearchHit): Promise<void> => {
    await show(sessionId);
    await attempt(async () => {
      if (await chats.reach(sessionId, { entryId, seq })) {
        app.setState(({ place }) => ({ place: { sessionId, entryId, n: (place?.n ?? 0) + 1 } }));
        return;
      }
      if (chats.store.getState().chats[sessionId]?.phase !== 'open') return;
      layout.showPanel('tree');
      notify('info', 'This stands on another branch of the chat. The tree at the right leads there.');
    });
  };

  const newChat: WindowActs['newChat'] = async (given, how) => {
    const projectId = given ?? app.getState().projectId;
    if (projectId === null) return projects.chooseFolder();
    const saved = how?.saved ?? app.getState().app?.settings.saveChats ?? true;
    await attempt(async () => {
      const known = app.getState().lists[projectId]?.chats ?? [];
      const empty = known.find(
        (chat) =>
          chat.turns === 0 && chat.status === 'idle' && chat.queued === 0 && chat.saved === saved && !used.has(chat.id),
      );
      const session = empty ?? (await client.sessions.create({ projectId, saved }));
      app.setState((state) => reduceApp(state, { type: 'session-update', session }));
      await show(session.id);
    });
  };

  const showProject = async (projectId: ProjectId): Promise<void> => {
    app.setState({ projectId });
    layout.showChat();
    const list = app.getState().lists[projectId];
    if (list?.phase !== 'ready') await lists.loadMore(projectId);
    const newest = app.getState().lists[projectId]?.chats[0];
    const present = app.getState().app?.projects.find((project) => project.id === projectId)?.present ?? false;
    if (newest) await show(newest.id);
    else if (present && app.getState().lists[projectId]?.phase === 'ready') await newChat(projectId);
    else app.setState({ sessionId: null });
  };

  const projects = createProjectActs({ client, app, layout, attempt, showProject });

  const acts: WindowActs = {
    ...lists,
    ...projects,
    showProject,
    showSession: show,
    showHit,
    newChat,
    attempt,
    notify,
    markUsed: (id) => used.add(id),
    dismissNotice: (id) => app.setState(({ notices }) => ({ notices: notices.filter((notice) => notice.id !== id) })),
    async start() {
      app.setState({ phase: 'loading', error: null });
      try {
        const facts = await client.app.getState({});
        app.setState({ phase: 'ready', app: facts });
        for (const notice of facts.notices) notify(notice.level, notice.message);
        const current = facts.currentProjectId;
        if (current) await showProject(current);
        // The others' first pages are read once the shown chat is there: they must not delay it.
        for (const project of facts.projects) if (project.id !== current) await lists.loadMore(project.id);
      } catch (caught) {
        app.setState({ phase: 'failed', error: wireErrorOf(caught) });
      }
    },
    async updateSettings(patch) {
      const settings = await client.settings.update({ patch });
      app.setState((state) => reduceApp(state, { type: 'settings-update', settings }));
      return settings;
    },
    copyText: (text) =>
      attempt(async () => {
        await client.app.copyText({ text });
        notify('info', 'Copied.');
      }),
  };

  return {
    client,
    app,
    chats,
    layout,
    drops: createFileDrops(),
    acts,
    listen: () => {
      const stopEvents = client.onEvents((envelopes) => onEvents({ app, chats, layout, acts }, envelopes));
      const stopTitle = followTitle(client, app, chats);
      return () => {
        stopEvents();
        stopTitle();
      };
    },
  };
}

/** Routes a batch: events of chats to their chats, events of the app to the app. */
function onEvents(
  window: Pick<WindowState, 'app' | 'chats' | 'layout' | 'acts'>,
  envelopes: readonly EventEnvelope[],
): void {
  const { app, chats, layout, acts } = window;
  chats.apply(envelopes);
  for (const envelope of envelopes) {
    if (envelope.sessionId !== null) continue;
    const { event } = envelope;
    app.setState((state) => reduceApp(state, event));
    if (event.type === 'session-update') chats.applySummary(event.session);
    if (event.type === 'open-project') void acts.showProject(event.projectId);
    if (event.type === 'command') runCommand(event.command, acts, layout);
  }
}

/** What the system's menu or a shortcut of the system may ask for. */
function runCommand(command: string, acts: WindowActs, layout: LayoutStore): void {
  if (command === 'new-chat') void acts.newChat();
  else if (command === 'open-folder') void acts.chooseFolder();
  else if (command === 'settings') layout.showSettings();
  else if (command === 'help') layout.showDialog({ type: 'help' });
  else if (command === 'palette') layout.showDialog({ type: 'palette' });
  else if (command === 'toggle-side-bar') layout.toggleSideBar();
  else if (command === 'toggle-panel') layout.togglePanel();
}

/** Keeps the window's title true: `(2) Fix the test - Warrant`. Gives the undo. */
function followTitle(client: Client, app: AppStore, chats: ChatStore): () => void {
  let told = '';
  const tell = (): void => {
    const state = app.getState();
    const id = state.sessionId;
    // An archived chat, or one beyond the first page, is in no list; once it is open it is known all the same.
    const open = id === null ? undefined : (knownChat(state, id) ?? chats.store.getState().chats[id]?.chat?.summary);
    const others = knownChats(state).filter((chat) => chat.id !== open?.id);
    const title = windowTitle(open ? [...others, open] : others, open?.title ?? null);
    if (title === told) return;
    told = title;
    document.title = title;
    // A title that could not be set is no matter for the person; the next change tries again.
    client.app.setTitle({ title }).catch(() => (told = ''));
  };
  const stops = [app.subscribe(tell), chats.store.subscribe(tell)];
  return () => {
    for (const stop of stops) stop();
  };
}

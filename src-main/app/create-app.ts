// Wires the whole app: store, settings, models, tools, sessions. The same for the window and the command; whoever calls
// gives the host and, for the command, a store in its own thread.
import { randomUUID } from 'node:crypto';
import { toWireError } from '../base/app-error.ts';
import type { Logger } from '../base/logger.ts';
import type { AppEvent } from '../contract/events.ts';
import type { ProjectId, SessionId } from '../contract/ids.ts';
import type { Outcome } from '../contract/entries.ts';
import type { Rule } from '../contract/settings.ts';
import type { Approver, Asker } from '../engine/ports.ts';
import type { Store } from '../store/store.ts';
import { createConfiner } from '../tools/process/create-confiner.ts';
import type { AppContext } from './app-context.ts';
import { Announcer } from './announcer.ts';
import { CheckpointsService } from './checkpoints-service.ts';
import { createHandlers, type HandlerParts } from './create-handlers.ts';
import { EventHub } from './event-hub.ts';
import type { Handlers } from './handlers.ts';
import type { AppHost } from './host.ts';
import { ModelsService } from './models-service.ts';
import type { PendingApprovals } from './pending-approvals.ts';
import { ProjectsService } from './projects-service.ts';
import { SessionsService } from './sessions-service.ts';
import type { SettingsService } from './settings-service.ts';
import { TransferService } from './transfer-service.ts';
import { UpkeepService } from './upkeep-service.ts';
import { environmentDigests, shellEnvironment, type ShellEnvironment } from './shell-environment.ts';
import { permissionOf } from './tool-permissions.ts';

export interface AppOptions {
  readonly host: AppHost;
  readonly logger: Logger;
  readonly store: Store;
  readonly settings: SettingsService;
  readonly dataFolder: string;
  /** Private folder for kept outputs of commands. */
  readonly outputFolder: string;
  readonly environment: NodeJS.ProcessEnv;
  /** PATH of the login shell, before that of `environment`; it may change while the app runs, for chats opened later. */
  readonly loginPath?: { readonly current: string | null; refresh(): Promise<void> } | undefined;
  /** Names this process to others that want the same chat: `the window`, `warrant run`. */
  readonly program: string;
  /** Rules of this process alone (`--allow`). */
  readonly extraRules?: readonly Rule[];
  /** Puts another approver in front of the windows (the terminal). */
  readonly approverFor?: (approvals: PendingApprovals) => Approver;
  /** Who answers what models ask: null = nobody can; absent = windows. */
  readonly asker?: Asker | null;
  /** Told of every end of a turn. */
  readonly onTurnEnd?: (id: SessionId, outcome: Outcome) => void;
  /** Things to tell at start. */
  readonly notices?: readonly { level: 'info' | 'warning' | 'error'; message: string }[];
}

export interface App {
  readonly handlers: Handlers;
  readonly events: EventHub;
  readonly logger: Logger;
  readonly projects: ProjectsService;
  readonly sessions: SessionsService;
  readonly models: ModelsService;
  readonly settings: SettingsService;
  readonly checkpoints: CheckpointsService;
  /** Opens a folder that was handed over (argument, second start, file manager) and shows it. Gives null and a notice when it cannot be. */
  openFolder(path: string): Promise<ProjectId | null>;
  /** The window is gone: its subscriptions end, idle chats are let go. */
  windowGone(windowId: number): void;
  /** Brings everything to rest, durably. Called once. */
  close(): Promise<void>;
}

/** The app. Nothing runs until a window or the command asks for it, but the search for local models. */
export function createApp(options: AppOptions): App {
  const { store, settings, logger } = options;
  const events = new EventHub(randomUUID());
  const models = new ModelsService({
    settings,
    secrets: options.host.secrets,
    environment: options.environment,
    version: options.host.version,
    stored: () => store.synced(),
  });
  const projects = new ProjectsService(store);
  const announcer = new Announcer(options, events);
  const context = createContext(options, { events, models, announcer });
  const sessions = new SessionsService(context, options.program);
  context.checkpoints.follow({ load: (id) => sessions.load(id), live: () => sessions.live() });
  announcer.summarise = (id) => sessions.summary(id);
  followSettings(options, { events, models, sessions });
  const start: HandlerParts['start'] = { currentProjectId: null };
  const publish = (event: AppEvent): void => {
    events.publishApp(event);
  };
  const transfer = new TransferService({ ...options, sessions, publish });
  const upkeep = new UpkeepService({
    ...{ ...options, publish, nowMs: () => Date.now() },
    tidy: (nowMs) => context.checkpoints.upkeep(nowMs),
  });
  return {
    handlers: createHandlers({ ...options, context, projects, sessions, models, publish, start, upkeep, transfer }),
    events,
    logger,
    projects,
    sessions,
    models,
    settings,
    checkpoints: context.checkpoints,
    async openFolder(path) {
      try {
        const project = await projects.open(path);
        start.currentProjectId = project.id;
        publish({ type: 'projects-update', projects: await projects.list() });
        publish({ type: 'open-project', projectId: project.id });
        return project.id;
      } catch (error) {
        publish({ type: 'notice', level: 'error', message: toWireError(error).message });
        return null;
      }
    },
    windowGone(windowId) {
      events.removeWindow(windowId);
      for (const live of sessions.live()) {
        void sessions.letGoIfIdle(live.id).catch((error: unknown) => {
          logger.error('a chat was not let go', error);
        });
      }
    },
    async close() {
      upkeep.end();
      await context.checkpoints.rest();
      await sessions.close();
      await context.checkpoints.close();
      events.flush();
      await store.close();
    },
  };
}

/** What commands get around them: the same until the login shell tells another PATH. */
function surroundingsOf({ environment, settings, loginPath }: AppOptions): () => Surroundings {
  const names = settings.current.shellVariables;
  const make = (login: string | null): Surroundings => {
    const shell = shellEnvironment(environment, names, login);
    return { login, shell, digests: environmentDigests(shell) };
  };
  let known = make(loginPath?.current ?? null);
  return () => {
    const login = loginPath?.current ?? null;
    if (login !== known.login) known = make(login);
    return known;
  };
}

interface Surroundings {
  readonly login: string | null;
  readonly shell: ShellEnvironment;
  readonly digests: AppContext['environmentDigests'];
}

function createContext(
  options: AppOptions,
  parts: { events: EventHub; models: ModelsService; announcer: Announcer },
): AppContext {
  const { settings } = options;
  const surroundings = surroundingsOf(options);
  const context: AppContext = {
    version: options.host.version,
    logger: options.logger,
    store: options.store,
    settings,
    models: parts.models,
    events: parts.events,
    confiner: createConfiner(),
    outputFolder: options.outputFolder,
    get shellEnvironment() {
      return surroundings().shell;
    },
    get environmentDigests() {
      return surroundings().digests;
    },
    extraRules: options.extraRules ?? [],
    approverFor: options.approverFor,
    asker: options.asker,
    histories: new Map(),
    offers: new Map(),
    checkpoints: new CheckpointsService({ ...options, searchPath: () => surroundings().shell.path }),
    permission: (tool) => permissionOf(settings.current, tool),
    lastVersion: (id, path) => context.histories.get(id)?.lastVersion(path) ?? null,
    sessionChanged: (id) => {
      parts.announcer.sessionChanged(id);
    },
    approvalAsked: (approval) => {
      parts.announcer.approvalAsked(approval);
    },
    turnEnded: (id, outcome) => {
      parts.announcer.turnEnded(id, outcome);
    },
  };
  return context;
}

/** Changed settings reach windows and every chat that is loaded. */
function followSettings(
  options: AppOptions,
  parts: { events: EventHub; models: ModelsService; sessions: SessionsService },
): void {
  options.settings.changed.on((next) => {
    options.host.setTheme(next.theme);
    parts.events.publishApp({ type: 'settings-update', settings: next });
    parts.events.publishApp({ type: 'models-update', models: parts.models.list() });
    void parts.sessions.settingsChanged().catch((error: unknown) => {
      options.logger.error('settings did not reach every chat', error);
    });
  });
}

// The contract's procedures, each a few lines over a service. Inputs come parsed; errors are thrown as AppErrors and put
// into an envelope by the router.
import path from 'node:path';
import { newId } from '../base/new-id.ts';
import type { AppEvent } from '../contract/events.ts';
import type { AttachmentId, ProjectId, SessionId } from '../contract/ids.ts';
import type { Rule } from '../contract/settings.ts';
import type { AppContext } from './app-context.ts';
import type { AppOptions } from './create-app.ts';
import type { ChatContext } from './chat-context.ts';
import { completeFiles } from './complete-files.ts';
import { folderBytes } from './folder-bytes.ts';
import type { Handlers } from './handlers.ts';
import { KeySourceConsent } from './key-source-consent.ts';
import { knownTools } from './known-tools.ts';
import type { ModelsService } from './models-service.ts';
import type { ProjectsService } from './projects-service.ts';
import { assertRemembers, rememberedRule } from './remember-approval.ts';
import type { SessionsService } from './sessions-service.ts';
import type { TransferService } from './transfer-service.ts';
import type { UpkeepService } from './upkeep-service.ts';
import { defaultPermission, TOOL_TITLES } from './tool-permissions.ts';

export interface HandlerParts extends AppOptions {
  readonly context: AppContext;
  readonly projects: ProjectsService;
  readonly sessions: SessionsService;
  readonly models: ModelsService;
  readonly publish: (event: AppEvent) => void;
  readonly transfer: TransferService;
  readonly upkeep: UpkeepService;
  /** The folder that a start asked for. */
  readonly start: { currentProjectId: ProjectId | null };
}

/** One function for each procedure of the contract. */
export function createHandlers(parts: HandlerParts): Handlers {
  return {
    app: appHandlers(parts),
    projects: projectHandlers(parts),
    sessions: sessionHandlers(parts),
    approvals: {
      answer: async ({ sessionId, callId, ...answer }) => {
        const live = await parts.sessions.load(sessionId);
        const approval = live.approvals().find((one) => one.callId === callId);
        const always = answer.answer === 'allow-always';
        if (always) assertRemembers(parts.settings.current, answer.changedArguments);
        live.answer(callId, { ...answer, changedArguments: answer.changedArguments });
        if (!always || !approval) return;
        const { projectId } = await parts.sessions.summary(sessionId);
        const rule = rememberedRule(approval, projectId, newId());
        if (rule) await parts.settings.update({ rules: [...parts.settings.current.rules, rule] });
      },
      answerQuestion: async ({ sessionId, callId, answer }) => {
        const live = await parts.sessions.load(sessionId);
        live.answerQuestion(callId, answer);
      },
    },
    shells: {
      send: async ({ sessionId, line }) => (await parts.sessions.load(sessionId)).shell.send(line),
      stop: async ({ sessionId }) => (await parts.sessions.load(sessionId)).shell.stop(),
    },
    checkpoints: checkpointHandlers(parts),
    context: contextHandlers(parts),
    settings: {
      get: () => Promise.resolve(parts.settings.current),
      update: ({ patch }) => parts.settings.update(patch),
    },
    models: modelHandlers(parts),
  };
}

function appHandlers(parts: HandlerParts): Handlers['app'] {
  const { host, context, models, projects, settings, start } = parts;
  return {
    getState: async (_input, caller) => {
      context.events.addWindow(caller.windowId);
      const all = await projects.list();
      const { available, reason } = await context.confiner.probe();
      const first = all.find((project) => project.id === start.currentProjectId) ?? all[0] ?? null;
      return {
        version: host.version,
        runtime: host.runtime,
        platform: process.platform,
        home: context.shellEnvironment.home,
        epoch: context.events.epoch,
        dataFolder: parts.dataFolder,
        projects: all,
        currentProjectId: first?.id ?? null,
        settings: settings.current,
        models: models.list(),
        toolNames: knownTools(settings.current).map((tool) => ({
          name: tool.name,
          title: TOOL_TITLES[tool.name] ?? tool.name,
          default: defaultPermission(tool.name),
          class: tool.class,
        })),
        confinement: { available, reason },
        firstRun: all.length === 0,
        nativeFolderDialog: host.nativeFolderDialog,
        keyCommands: host.confirm !== null,
        notices: [
          ...(settings.problem ? [{ level: 'warning' as const, message: settings.problem }] : []),
          ...(parts.notices ?? []),
        ],
      };
    },
    pickFolder: () => host.pickFolder(),
    listFolders: (input) => projects.listFolders(input.path),
    openExternal: ({ url }) => host.openExternal(url),
    copyText: ({ text }) => host.copyText(text),
    openDataFolder: () => host.openPath(parts.dataFolder),
    getDataStats: async () => {
      const stats = await context.store.stats();
      const outputBytes = await folderBytes(parts.outputFolder);
      const checkpointBytes = await context.checkpoints.bytes();
      return { folder: parts.dataFolder, outputBytes, checkpointBytes, ...stats };
    },
    listChatSizes: ({ limit }) => context.store.chatSizes(limit),
    setTitle: async ({ title }, caller) => {
      host.setTitle(caller.windowId, title);
      await Promise.resolve();
    },
    reportReady: async ({ sinceStartMs }) => {
      host.ready(sinceStartMs);
      parts.upkeep.start();
      // From here on the disk and the processor are free.
      void parts.loginPath?.refresh();
      void models.discover().then((list) => {
        parts.publish({ type: 'models-update', models: list });
      });
      await Promise.resolve();
    },
  };
}

function projectHandlers(parts: HandlerParts): Handlers['projects'] {
  const { projects, publish, settings, sessions } = parts;
  const announce = async (): Promise<void> => {
    publish({ type: 'projects-update', projects: await projects.list() });
  };
  return {
    list: () => projects.list(),
    open: async (input) => {
      const project = await projects.open(input.path);
      await announce();
      return project;
    },
    relink: async ({ projectId, path: folder }) => {
      const project = await projects.relink(projectId, folder, async (merged) => {
        const { rules } = settings.current;
        const ofMerged = (rule: Rule): boolean => merged.some((id) => rule.project === id);
        if (!rules.some(ofMerged)) return;
        await settings.update({
          rules: rules.map((rule) => (ofMerged(rule) ? { ...rule, project: projectId } : rule)),
        });
      });
      await sessions.projectMoved(projectId);
      await announce();
      return project;
    },
    forget: async ({ projectId }) => {
      await projects.forget(projectId);
      await announce();
    },
    readInstructions: async ({ projectId }) => {
      const { showInstructions } = await import('./project-instructions.ts');
      return showInstructions(settings, await projects.get(projectId));
    },
    decideInstructions: async ({ projectId, choice }) => {
      const { decideInstructions } = await import('./project-instructions.ts');
      await decideInstructions(settings, await projects.get(projectId), choice);
      await sessions.projectMoved(projectId);
    },
    completeFiles: async ({ projectId, query }) => completeFiles((await projects.get(projectId)).path, query),
  };
}

function sessionHandlers(parts: HandlerParts): Handlers['sessions'] {
  const { sessions, context } = parts;
  const { store } = context;
  return {
    list: (input) => sessions.list(input),
    search: (input) => store.search(input),
    create: async (input) => {
      const live = await sessions.create(input);
      context.sessionChanged(live.id);
      return sessions.summary(live.id);
    },
    open: ({ sessionId }, caller) => sessions.open(sessionId, caller.windowId),
    close: ({ sessionId }, caller) => sessions.leave(sessionId, caller.windowId),
    readEarlier: ({ sessionId, beforeSeq, limit }) => sessions.readEarlier(sessionId, beforeSeq, limit),
    readEntry: ({ sessionId, entryId }) => sessions.readEntry(sessionId, entryId),
    submit: ({ sessionId, text, attachmentIds }) => sessions.submit(sessionId, text, attachmentIds),
    continueTurn: ({ sessionId }) => sessions.continueTurn(sessionId),
    stop: async ({ sessionId }) => sessions.get(sessionId)?.stop('person'),
    removeQueued: async ({ sessionId, queueId }) => (await sessions.load(sessionId)).removeQueued(queueId),
    rename: ({ sessionId, title }) => sessions.rename(sessionId, title),
    setArchived: ({ sessionId, archived }) => sessions.setArchived(sessionId, archived),
    setPinned: ({ sessionId, pinned }) => sessions.setPinned(sessionId, pinned),
    trash: ({ sessionId }) => sessions.trash(sessionId),
    restore: ({ sessionId }) => sessions.restore(sessionId),
    purge: ({ sessionId }) => sessions.purge(sessionId),
    markRead: ({ sessionId }) => sessions.markRead(sessionId),
    clearContext: async ({ sessionId }) => (await sessions.load(sessionId)).clearContext(),
    rewind: ({ sessionId, to }) => sessions.branches.rewind(sessionId, to),
    undoRewind: async ({ sessionId }) => ({ undone: await sessions.branches.undo(sessionId) }),
    jump: ({ sessionId, turnSeq }) => sessions.branches.jump(sessionId, turnSeq),
    nameBranch: ({ sessionId, branch, name }) => sessions.branches.name(sessionId, branch, name),
    fork: async ({ sessionId, turnSeq }) => sessions.summary(await sessions.branches.fork(sessionId, turnSeq)),
    exportChat: async ({ sessionId, format }) => ({ path: await parts.transfer.export(sessionId, format) }),
    importChat: async ({ projectId, path: file, importId }) => {
      const { sessionId, report } = await parts.transfer.import(projectId, file, importId);
      context.sessionChanged(sessionId);
      return { session: await sessions.summary(sessionId), report };
    },
    stopImport: ({ importId }) => parts.transfer.stop(importId),
    loadMessages: ({ sessionId, path }) => parts.transfer.replace(sessionId, path),
    readTree: ({ sessionId }) => sessions.branches.tree(sessionId),
    setMode: async ({ sessionId, mode }) => (await sessions.load(sessionId)).setMode(mode),
    setModel: ({ sessionId, model }) => sessions.setModel(sessionId, model),
    setEnabledTools: async ({ sessionId, tools }) => (await sessions.load(sessionId)).setEnabledTools(tools),
    setConfinement: async ({ sessionId, on }) => (await sessions.load(sessionId)).setConfinement(on),
    saveDraft: ({ sessionId, text, attachmentIds }) => store.setDraft(sessionId, { text, attachmentIds }),
    putAttachment: ({ sessionId, attachmentId, name, piece }) =>
      store.putAttachment(sessionId, { attachmentId: attachmentId ?? newId<AttachmentId>(), name, piece }),
    getAuthority: ({ sessionId }) => sessions.authority(sessionId),
    updateAuthority: ({ sessionId }) => sessions.updateAuthority(sessionId),
    listLedger: ({ sessionId }) => store.listLedger(sessionId),
    listChanges: ({ sessionId }) => store.listChanges(sessionId),
  };
}

function checkpointHandlers({ context: { checkpoints } }: HandlerParts): Handlers['checkpoints'] {
  return {
    list: ({ sessionId }) => checkpoints.list(sessionId),
    readChanges: ({ sessionId, checkpointId }) => checkpoints.changes(sessionId, checkpointId),
    readDiff: ({ sessionId, checkpointId, path: file }) => checkpoints.diff(sessionId, checkpointId, file),
    plan: ({ sessionId, scope }) => checkpoints.plan(sessionId, scope),
    restore: ({ sessionId, ...how }) => checkpoints.restore(sessionId, how),
  };
}

function contextHandlers({ sessions }: HandlerParts): Handlers['context'] {
  const of = async ({ sessionId }: { sessionId: SessionId }): Promise<ChatContext> =>
    (await sessions.load(sessionId)).context;
  return {
    compact: async (input) => (await of(input)).compact(input.focus),
    startAfresh: async (input) => (await of(input)).startAfresh(input.objective),
    undo: async (input) => ({ undone: await (await of(input)).undo(input.entryId) }),
    leaveOut: async (input) => ({ left: await (await of(input)).leaveOut(input.callId) }),
    pin: async (input) => (await of(input)).pin(input.callId, input.on),
    read: async (input) => (await of(input)).view(),
    readRequest: async (input) => (await of(input)).requestJson(input.text, input.offset),
  };
}

function modelHandlers(parts: HandlerParts): Handlers['models'] {
  const { models, host, settings } = parts;
  const settingsFile = path.join(parts.dataFolder, 'settings.json');
  const commands = new KeySourceConsent({ host, settings, settingsFile });
  return {
    list: () => Promise.resolve(models.list()),
    discover: () => models.discover(),
    saveProvider: async ({ provider }) => {
      await commands.check(provider);
      return models.saveProvider(provider);
    },
    removeProvider: ({ providerId }) => models.removeProvider(providerId),
    setKey: ({ providerId, key }) => models.setKey(providerId, key),
    removeKey: ({ providerId }) => models.removeKey(providerId),
    listKeys: () => models.listKeys(),
    test: ({ model }) => models.test(model),
  };
}

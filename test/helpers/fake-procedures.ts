// What the made-up main answers: every procedure of the contract over the fake content.
import type { Api, Area, OutputOf, ParsedInputOf } from '../../src-main/contract/api.ts';
import { attachmentIdSchema } from '../../src-main/contract/ids.ts';
import type { SessionId } from '../../src-main/contract/ids.ts';
import type { SessionSummary, SessionView } from '../../src-main/contract/session.ts';
import { fakeSummary, fakeView } from './fake-content.ts';
import { createEntryMaker, turnId } from './fake-entries.ts';
import { wireError, type FakeBridge, type FakeContent } from './fake-bridge.ts';

type Procedures = {
  [A in Area]: {
    [P in keyof Api[A]]: (input: ParsedInputOf<Api[A][P]>) => OutputOf<Api[A][P]> | Promise<OutputOf<Api[A][P]>>;
  };
};

export interface FakeProceduresOptions extends Pick<FakeBridge, 'emit' | 'emitApp'> {
  readonly content: FakeContent;
}

const NOTHING_SENT = {
  ...{ tokens: 0, window: null, limit: null, parts: [], items: [], reductions: [], pinned: [], issued: 0 },
};

const NO_REPORT = {
  ...{ format: 'codex' as const, file: '', records: 79, understood: { message: 12 } },
  ...{ kept: { event: 40 }, broken: 1, messages: 12, entries: 20 },
};

export function createFakeProcedures({ content, emit, emitApp }: FakeProceduresOptions): Procedures {
  let made = 0;

  const viewOf = (id: SessionId): SessionView => {
    const view = content.views[id];
    if (!view) throw wireError('session.not-found', 'This chat is not there any more.') as unknown as Error;
    return view;
  };
  const patch = (id: SessionId, change: Partial<SessionSummary>): void => {
    const index = content.sessions.findIndex((session) => session.id === id);
    const known = content.sessions[index];
    if (!known) return;
    const next = { ...known, ...change };
    content.sessions[index] = next;
    const view = content.views[id];
    if (view) view.summary = next;
    emitApp({ type: 'session-update', session: next });
  };
  const addEntries = (id: SessionId, fill: (maker: ReturnType<typeof createEntryMaker>) => void): void => {
    const view = viewOf(id);
    const maker = createEntryMaker(id, Date.now(), (view.entries.at(-1)?.seq ?? 0) + 1);
    fill(maker);
    view.entries.push(...maker.entries);
    emit(id, { type: 'entries-append', entries: maker.entries });
  };
  const changeAuthority = (id: SessionId, change: Partial<SessionView['authority']>): void => {
    const view = viewOf(id);
    view.authority = { ...view.authority, ...change };
    emit(id, { type: 'authority-update', authority: view.authority });
  };

  return {
    app: {
      getState: () => content.app,
      pickFolder: () => null,
      listFolders: ({ path }) => {
        const listing = content.folders[path ?? content.app.home];
        if (!listing) throw wireError('project.not-found', `There is no folder ${path ?? ''}.`) as unknown as Error;
        return listing;
      },
      openExternal: () => undefined,
      copyText: () => undefined,
      openDataFolder: () => undefined,
      getDataStats: () => ({
        folder: content.app.dataFolder,
        journal: 'log',
        databaseBytes: 48_234_496,
        outputBytes: 12_582_912,
        checkpointBytes: 34_603_008,
        sessions: content.sessions.length,
        entries: 18_204,
        freeBytes: 0,
        trashed: content.sessions.filter((session) => session.trashedAtMs !== null).length,
        backups: { count: 7, bytes: 310_000_000, newestAtMs: 1 },
        checkedAtMs: 1,
      }),
      listChatSizes: ({ limit }) =>
        content.sessions.slice(0, limit).map(({ id, title }) => ({ id, title, place: 'list' as const, bytes: 1000 })),
      setTitle: () => undefined,
      reportReady: () => undefined,
    },
    projects: {
      list: () => content.app.projects,
      open: ({ path }) => {
        const name = path.split('/').at(-1) ?? path;
        const known = content.app.projects.find((project) => project.path === path);
        if (known) return known;
        if (path.includes('missing'))
          throw wireError('project.not-found', `There is no folder ${path}. Choose another one.`) as unknown as Error;
        const template = content.app.projects[0];
        const project = {
          ...(template ?? { id: 'p' as never, lastOpenedAtMs: 0, present: true }),
          id: `p-${name}` as never,
          path,
          name,
          shownPath: path.replace(content.app.home, '~'),
          present: true,
        };
        content.app.projects = [project, ...content.app.projects];
        return project;
      },
      relink: ({ projectId, path }) => {
        const project = content.app.projects.find((known) => known.id === projectId);
        if (!project || path.includes('nothing'))
          throw wireError('project.not-found', `There is no folder ${path}.`) as unknown as Error;
        Object.assign(project, { path, shownPath: path.replace(content.app.home, '~'), present: true });
        return project;
      },
      forget: ({ projectId }) => {
        content.app.projects = content.app.projects.filter((project) => project.id !== projectId);
      },
      readInstructions: () => content.instructions ?? null,
      decideInstructions: ({ projectId, choice }) => {
        content.app.settings = {
          ...content.app.settings,
          instructions: { ...content.app.settings.instructions, [projectId]: choice },
        };
        if (content.instructions) content.instructions.state = choice.use ? 'used' : 'declined';
        emitApp({ type: 'settings-update', settings: content.app.settings });
      },
      completeFiles: ({ query }) => content.files.filter((file) => file.includes(query)).slice(0, 50),
    },
    sessions: {
      list: ({ projectId, filter, archived, trashed, cursor, limit }) => {
        const all = content.sessions
          .filter((session) => projectId === null || session.projectId === projectId)
          .filter((session) => (session.trashedAtMs !== null) === trashed)
          .filter((session) => trashed || session.archived === archived)
          .filter((session) => session.title.toLowerCase().includes(filter.toLowerCase()))
          .toSorted((a, b) => b.updatedAtMs - a.updatedAtMs);
        const from = Number(cursor ?? 0);
        const more = from + limit < all.length;
        return { sessions: all.slice(from, from + limit), cursor: more ? String(from + limit) : null };
      },
      search: ({ cursor, limit }) => {
        const from = Number(cursor ?? 0);
        const all = content.hits ?? [];
        const more = from + limit < all.length;
        return { hits: all.slice(from, from + limit), cursor: more ? String(from + limit) : null, behind: 0 };
      },
      create: ({ projectId, model, mode, saved = true }) => {
        const project = content.app.projects.find((known) => known.id === projectId);
        if (!project) throw wireError('project.not-found', 'This project is not there.') as unknown as Error;
        const id = `new-${(made += 1)}`;
        const summary = fakeSummary(id, projectId, 0, {
          title: 'New chat',
          turns: 0,
          updatedAtMs: Date.now(),
          saved,
          ...(model === undefined ? {} : { model }),
          ...(mode === undefined ? {} : { mode }),
        });
        content.sessions.push(summary);
        content.views[id] = fakeView(summary, project, []);
        emitApp({ type: 'session-update', session: summary });
        return summary;
      },
      open: ({ sessionId }) => viewOf(sessionId),
      close: () => undefined,
      readEarlier: ({ sessionId, beforeSeq, limit }) => {
        const older = viewOf(sessionId).entries.filter((entry) => entry.seq < beforeSeq);
        return { entries: older.slice(-limit), hasEarlier: older.length > limit };
      },
      readEntry: ({ sessionId, entryId }) => {
        const entry = viewOf(sessionId).entries.find((known) => known.id === entryId);
        if (!entry) throw wireError('session.not-found', 'This entry is not there.') as unknown as Error;
        return { ...entry, trimmed: false };
      },
      submit: ({ sessionId, text }) => {
        const view = viewOf(sessionId);
        if (view.summary.status !== 'idle' && view.summary.status !== 'interrupted') {
          view.queue = [...view.queue, { queueId: `q${(made += 1)}`, text, attachments: [] }];
          emit(sessionId, { type: 'queue-update', queue: view.queue });
          return { queued: true };
        }
        const turn = turnId(`t-new-${(made += 1)}`);
        addEntries(sessionId, (maker) => maker.add('user-message', { turnId: turn, text, attachments: [] }));
        patch(sessionId, { status: 'running', turns: view.summary.turns + 1, title: text.slice(0, 60) });
        emit(sessionId, { type: 'step-start', turnId: turn, step: 1 });
        return { queued: false };
      },
      continueTurn: ({ sessionId }) => patch(sessionId, { status: 'running' }),
      stop: ({ sessionId }) => {
        patch(sessionId, { status: 'idle', waitingApprovals: 0 });
        emit(sessionId, { type: 'turn-end', turnId: turnId('t'), outcome: { type: 'cancelled', source: 'person' } });
      },
      removeQueued: ({ sessionId, queueId }) => {
        const view = viewOf(sessionId);
        view.queue = view.queue.filter((item) => item.queueId !== queueId);
        emit(sessionId, { type: 'queue-update', queue: view.queue });
      },
      rename: ({ sessionId, title }) => patch(sessionId, { title }),
      setArchived: ({ sessionId, archived }) => patch(sessionId, { archived }),
      setPinned: ({ sessionId, pinned }) => patch(sessionId, { pinned }),
      trash: ({ sessionId }) => patch(sessionId, { trashedAtMs: 1, archived: true }),
      restore: ({ sessionId }) => patch(sessionId, { trashedAtMs: null, archived: false }),
      purge: ({ sessionId }) => {
        content.sessions = content.sessions.filter((session) => session.id !== sessionId);
      },
      markRead: ({ sessionId }) => patch(sessionId, { unread: false }),
      clearContext: ({ sessionId }) => addEntries(sessionId, (maker) => maker.add('context-clear', { by: 'person' })),
      rewind: () => ({ removed: 0 }),
      undoRewind: () => ({ undone: false }),
      jump: () => undefined,
      nameBranch: () => undefined,
      fork: ({ sessionId }) => viewOf(sessionId).summary,
      exportChat: ({ format }) => ({ path: `${content.app.dataFolder}/exports/chat.${format}` }),
      importChat: ({ path }) => {
        const session = content.sessions[0];
        if (!session || path.includes('bad'))
          throw wireError('config.invalid', 'This is no session file that is known.') as unknown as Error;
        return { session, report: { ...NO_REPORT, file: path } };
      },
      stopImport: () => undefined,
      loadMessages: ({ path }) => ({ ...NO_REPORT, file: path }),
      readTree: () => content.tree ?? { on: true, branches: [], turns: [], undoable: 0, hidden: 0 },
      setMode: ({ sessionId, mode }) => {
        patch(sessionId, { mode });
        addEntries(sessionId, (maker) => maker.add('mode', { mode, by: 'person' }));
      },
      setModel: ({ sessionId, model }) => {
        const previous = viewOf(sessionId).summary.model;
        patch(sessionId, { model });
        addEntries(sessionId, (maker) => maker.add('model', { model, previous, by: 'person' }));
      },
      setEnabledTools: ({ sessionId, tools }) =>
        changeAuthority(sessionId, {
          tools: viewOf(sessionId).authority.tools.map((tool) => {
            const enabled = tools.includes(tool.name);
            const behaviour = !enabled ? 'off' : tool.behaviour === 'off' ? 'asks' : tool.behaviour;
            return { ...tool, enabled, behaviour };
          }),
        }),
      setConfinement: ({ sessionId, on }) =>
        changeAuthority(sessionId, { confinement: { ...viewOf(sessionId).authority.confinement, on } }),
      saveDraft: ({ sessionId, text }) => {
        viewOf(sessionId).draft = { text, attachments: [] };
      },
      putAttachment: ({ attachmentId, name, piece }) => ({
        id: attachmentId ?? attachmentIdSchema.parse(`a${(made += 1)}`),
        name,
        bytes: piece.length,
        tokens: Math.ceil(piece.length / 4),
        text: '',
      }),
      getAuthority: ({ sessionId }) => viewOf(sessionId).authority,
      updateAuthority: ({ sessionId }) => {
        const { offer, generation } = viewOf(sessionId).authority;
        changeAuthority(sessionId, { offer: [], generation: generation + 1 });
        return offer;
      },
      listLedger: () => content.ledger,
      listChanges: () => content.changes,
    },
    shells: {
      send: ({ sessionId, line }) => {
        const view = viewOf(sessionId);
        if (view.shell?.running !== true)
          throw wireError('process.not-running', 'Nothing runs in the shell any more.') as unknown as Error;
        view.shell = { ...view.shell, recent: `${view.shell.recent}\n[A person gave it the line "${line}".]\n` };
        emit(sessionId, { type: 'shell-update', shell: view.shell });
      },
      stop: ({ sessionId }) => {
        viewOf(sessionId).shell = null;
        emit(sessionId, { type: 'shell-update', shell: null });
      },
    },
    checkpoints: {
      list: () => content.checkpoints?.list ?? { off: null, checkpoints: [] },
      readChanges: () => content.checkpoints?.changes ?? [],
      readDiff: () => ({ diff: content.checkpoints?.diff ?? null, note: 'It is no text.' }),
      plan: () => content.checkpoints?.plan ?? { problem: null, notes: [], shown: '1', files: [] },
      restore: ({ paths }) => ({ restored: paths, kept: [], checkpointId: null }),
    },
    context: {
      compact: () => ({ skipped: true, messages: 0 }),
      startAfresh: () => ({ skipped: false, messages: 2 }),
      undo: () => ({ undone: true }),
      leaveOut: () => ({ left: true }),
      pin: () => undefined,
      read: () => content.context ?? NOTHING_SENT,
      readRequest: ({ offset }) => ({ json: offset === 0 ? '{\n  "model": "guide"' : '\n}', total: 22 }),
    },
    approvals: {
      answerQuestion: ({ sessionId, callId }) => {
        const view = viewOf(sessionId);
        if (!view.questions.some((waiting) => waiting.callId === callId))
          throw wireError('approval.not-waiting', 'This was already answered.') as unknown as Error;
        view.questions = view.questions.filter((waiting) => waiting.callId !== callId);
        emit(sessionId, { type: 'question-settle', callId });
      },
      answer: ({ sessionId, callId, digest, answer, reason }) => {
        const view = viewOf(sessionId);
        const approval = view.approvals.find((waiting) => waiting.callId === callId);
        if (!approval) throw wireError('approval.not-waiting', 'This was already answered.') as unknown as Error;
        if (approval.digest !== digest)
          throw wireError('approval.changed', 'What was asked has changed; look at it again.') as unknown as Error;
        view.approvals = view.approvals.filter((waiting) => waiting !== approval);
        emit(sessionId, { type: 'approval-settle', callId });
        patch(sessionId, {
          waitingApprovals: view.approvals.length,
          status: view.approvals.length > 0 ? 'waiting' : 'running',
        });
        const { turnId: turn, tool, summary, effects, preview } = approval;
        const common = { turnId: turn, callId, tool, summary };
        const denied = answer === 'deny';
        addEntries(sessionId, (maker) => {
          maker.add('verdict', {
            ...common,
            effects,
            decision: denied ? 'deny' : 'run',
            by: { who: 'person' },
            reason,
            lasting: answer === 'allow-session' ? 'session' : 'once',
            digest,
            confined: true,
          });
          if (!denied) maker.add('tool-start', { ...common, digest, preview });
          maker.add('tool-result', {
            ...common,
            status: denied ? 'denied' : 'ok',
            content: denied ? reason : '12 passed',
            facts: denied ? {} : { exitCode: 0 },
            changes: [],
            durationMs: 1840,
          });
        });
      },
    },
    settings: {
      get: () => content.app.settings,
      update: ({ patch: change }) => {
        const defined = Object.entries(change).filter(([, value]) => value !== undefined);
        content.app.settings = { ...content.app.settings, ...Object.fromEntries(defined) };
        emitApp({ type: 'settings-update', settings: content.app.settings });
        return content.app.settings;
      },
    },
    models: {
      list: () => content.app.models,
      discover: () => content.app.models,
      saveProvider: ({ provider }) => {
        const { settings } = content.app;

        const others = settings.providers.filter((known) => known.id !== provider.id);
        content.app.settings = { ...settings, providers: [...others, provider] };
        return content.app.settings;
      },
      removeProvider: ({ providerId }) => {
        const { settings } = content.app;
        const providers = settings.providers.filter((known) => known.id !== providerId);
        content.app.settings = { ...settings, providers };
        return content.app.settings;
      },
      setKey: ({ providerId }) => {
        const state = { providerId, source: 'stored' as const, protection: 'file' as const };
        content.keys = [...content.keys.filter((key) => key.providerId !== providerId), state];
        return state;
      },
      removeKey: ({ providerId }) => {
        content.keys = content.keys.filter((key) => key.providerId !== providerId);
        return { providerId, source: 'none', protection: 'none' };
      },
      listKeys: () => content.keys,
      test: ({ model }) => {
        if (model.includes('anthropic'))
          throw wireError(
            'provider.auth',
            'Anthropic refused the key (401). Nothing was sent but the test. Enter the key again in Settings.',
          ) as unknown as Error;
        return { text: 'OK', durationMs: 412 };
      },
    },
  };
}

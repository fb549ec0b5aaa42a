// The chats: list, make, open, and all verbs of an opened chat. Keeps at most one live session per chat, with its lease;
// what can be done to a chat that is not loaded is done without loading it.
import { AppError, isAppError } from '../base/app-error.ts';
import { newId } from '../base/new-id.ts';
import type { AuthorityChange, Mode } from '../contract/authority.ts';
import type { Attachment, WindowEntry } from '../contract/entries.ts';
import type { AttachmentId, EntryId, ProjectId, SessionId } from '../contract/ids.ts';
import type { AuthorityView, SessionSummary, SessionView } from '../contract/session.ts';
import type { LeaseHolder, SessionRow } from '../store/store.ts';
import type { AppContext } from './app-context.ts';
import { BranchesService } from './branches-service.ts';
import { beginChat } from './begin-chat.ts';
import { coldView } from './cold-view.ts';
import { createImported, type FillImported } from './create-imported.ts';
import { InOrder } from './in-order.ts';
import { dropOutputs } from './kept-outputs.ts';
import type { LiveSession } from './live-session.ts';
import { findOffer, loadSession } from './load-session.ts';
import { assertSameFolder } from './same-folder.ts';
import { toSummary } from './session-summary.ts';
import { toFullWindowEntry, toWindowEntry } from './window-entry.ts';

export interface CreateInput {
  readonly projectId: ProjectId;
  readonly model?: string | undefined;
  readonly mode?: Mode | undefined;
  /** What programs call it by; absent = a made name. */
  readonly name?: string | undefined;
  /** false = it is kept in memory alone; absent = as the settings say. */
  readonly saved?: boolean | undefined;
}

export class SessionsService {
  readonly branches: BranchesService;
  readonly #context: AppContext;
  readonly #lease: LeaseHolder;
  readonly #live = new Map<SessionId, LiveSession>();
  readonly #submits = new InOrder<SessionId>();
  readonly #loading = new Map<SessionId, Promise<LiveSession>>();

  /** `program` names this process to others that want the same chat: `the window`, `warrant run`. */
  constructor(context: AppContext, program: string) {
    this.#context = context;
    this.#lease = { holder: program, pid: process.pid };
    this.branches = new BranchesService({
      context,
      lease: this.#lease,
      load: (id) => this.load(id),
      reload: (live, work) => this.#reload(live, work),
    });
  }

  /** Loaded chats. */
  live(): LiveSession[] {
    return [...this.#live.values()];
  }

  get(id: SessionId): LiveSession | null {
    return this.#live.get(id) ?? null;
  }

  async list(
    input: Parameters<AppContext['store']['listSessions']>[0],
  ): Promise<{ sessions: SessionSummary[]; cursor: string | null }> {
    const page = await this.#context.store.listSessions(input);
    return { sessions: page.sessions.map((row) => this.#summary(row)), cursor: page.cursor };
  }

  /** The summary of one chat. Code session.not-found. */
  async summary(id: SessionId): Promise<SessionSummary> {
    return this.#summary(await this.#row(id));
  }

  /** The newest chat of a project. Code session.not-found. */
  async newest(projectId: ProjectId): Promise<SessionId> {
    const row = await this.#context.store.lastSession(projectId);
    if (!row) throw new AppError('session.not-found', 'There is no chat of this folder yet.');
    return row.id;
  }

  /** Makes a chat in a project, loaded. Codes project.gone, config.invalid. */
  async create(input: CreateInput): Promise<LiveSession> {
    const { store, settings } = this.#context;
    const projectPath = await this.#projectPath(input.projectId);
    const id = newId<SessionId>();
    const saved = input.saved ?? settings.current.saveChats;
    const entries = await beginChat(this.#context, { ...input, id, projectPath, saved });
    await store.createSession({ id, projectId: input.projectId, lease: this.#lease, saved, entries });
    return this.#load(id, false);
  }

  /** What a window draws of a chat; subscribes it. Without the lease or the folder it is shown read-only. */
  async open(id: SessionId, windowId: number): Promise<SessionView> {
    const { store, events } = this.#context;
    events.subscribe(windowId, id);
    const draft = await store.getDraft(id);
    let live: LiveSession;
    try {
      live = await this.load(id);
    } catch (error) {
      if (!isAppError(error) || (error.code !== 'session.busy' && error.code !== 'project.gone')) throw error;
      return coldView(this.#context, await this.#row(id), { error, draft });
    }
    await store.setUnread(id, false);
    const row = await this.#row(id);
    events.flush();
    return live.view({ row, epoch: events.epoch, n: events.lastNumber(id), draft });
  }

  /** A window does not show the chat any more; one that nobody shows and that rests is let go. */
  async leave(id: SessionId, windowId: number): Promise<void> {
    this.#context.events.unsubscribe(windowId, id);
    await this.letGoIfIdle(id);
  }

  async letGoIfIdle(id: SessionId): Promise<void> {
    const live = this.#live.get(id);
    if (!live || live.isBusy || this.#context.events.isShown(id)) return;
    this.#live.delete(id);
    await live.close();
    this.#context.sessionChanged(id);
  }

  /** The loaded chat. Codes session.not-found, session.busy, project.gone, session.history-invalid. */
  async load(id: SessionId): Promise<LiveSession> {
    return this.#live.get(id) ?? this.#load(id, false);
  }

  async readEarlier(
    id: SessionId,
    beforeSeq: number,
    limit: number,
  ): Promise<{ entries: WindowEntry[]; hasEarlier: boolean }> {
    const page = await this.#context.store.readPage(id, { beforeSeq, limit });
    return { entries: page.entries.map(toWindowEntry), hasEarlier: page.hasEarlier };
  }

  /** One entry in full. Code session.not-found. */
  async readEntry(id: SessionId, entryId: EntryId): Promise<WindowEntry> {
    const entry = await this.#context.store.readEntry(id, entryId);
    if (!entry) throw new AppError('session.not-found', 'This part of the chat is not there.');
    return toFullWindowEntry(entry);
  }

  /** Starts a turn with a message, or queues it; messages stay in their order. Codes session.busy, project.gone. */
  submit(id: SessionId, text: string, attachmentIds: readonly AttachmentId[]): Promise<{ queued: boolean }> {
    return this.#submits.run(id, () => this.#submit(id, text, attachmentIds));
  }

  /** Goes on with the last turn. Codes project.gone, session.input-pending. */
  async continueTurn(id: SessionId): Promise<void> {
    const live = await this.load(id);
    await assertSameFolder(live.engine.authority.workspace);
    await live.continueTurn();
  }

  async setModel(id: SessionId, ref: string): Promise<void> {
    const live = await this.load(id);
    await live.setModel(await this.#context.models.create(ref));
  }

  /** Renames a chat, loaded or not (D17). */
  async rename(id: SessionId, title: string): Promise<void> {
    const live = this.#live.get(id);
    if (live) {
      await live.rename(title);
      return;
    }
    const { store } = this.#context;
    await store.acquire(id, this.#lease);
    try {
      const atMs = Date.now();
      await store.append(id, this.#lease.pid, [
        { id: newId<EntryId>(atMs), atMs, kind: 'title', data: { title, by: 'person' } },
      ]);
    } finally {
      // Loaded meanwhile: then the lease is that chat's.
      if (!this.#live.has(id) && !this.#loading.has(id)) await store.release(id, this.#lease.pid);
    }
    this.#context.sessionChanged(id);
  }

  async setArchived(id: SessionId, archived: boolean): Promise<void> {
    await this.#context.store.setArchived(id, archived);
    this.#context.sessionChanged(id);
  }

  async setPinned(id: SessionId, pinned: boolean): Promise<void> {
    await this.#context.store.setPinned(id, pinned);
    this.#context.sessionChanged(id);
  }

  /** The chat that has that id or that name. Code session.not-found. */
  async find(idOrName: string): Promise<SessionId> {
    const { store } = this.#context;
    const row = (await store.getSession(idOrName as SessionId)) ?? (await store.findSession(idOrName));
    if (!row) throw new AppError('session.not-found', `There is no chat ${idOrName}.`);
    return row.id;
  }

  /** Puts a chat into the trash, at rest. Codes session.not-at-boundary while a turn runs, session.busy, session.not-found. */
  async trash(id: SessionId): Promise<void> {
    const live = this.#live.get(id);
    if (live?.isBusy) {
      throw new AppError('session.not-at-boundary', 'Wait for the answer, or stop it, and then delete this chat.');
    }
    const { saved } = await this.#row(id);
    this.#live.delete(id);
    await live?.close();
    await this.#context.store.setPlace(id, 'trash', Date.now());
    // A trash is for what was saved: of this one nothing is left anywhere.
    if (!saved) await this.#context.store.purge(id);
    this.#context.events.publishApp({ type: 'session-remove', sessionId: id });
  }

  /** Takes a chat back from the trash. Code session.not-found. */
  async restore(id: SessionId): Promise<void> {
    await this.#context.store.setPlace(id, 'list', Date.now());
    this.#context.sessionChanged(id);
  }

  /** Deletes a chat of the trash for good. Codes session.not-found, session.busy, config.invalid. */
  async purge(id: SessionId): Promise<void> {
    const { projectId } = await this.#row(id);
    const calls = (await this.#context.store.listLedger(id)).map(({ callId }) => callId);
    await this.#context.store.purge(id);
    await dropOutputs(this.#context.outputFolder, calls);
    await this.#context.checkpoints.forget(id, projectId);
    this.#context.events.publishApp({ type: 'session-remove', sessionId: id });
  }

  async markRead(id: SessionId): Promise<void> {
    await this.#context.store.setUnread(id, false);
    this.#context.sessionChanged(id);
  }

  /** What the chat may do, compared with what the settings would give now. */
  async authority(id: SessionId): Promise<AuthorityView> {
    const live = await this.load(id);
    await this.#refreshOffer(live);
    return live.authorityView();
  }

  /** Takes all that the settings allow now; at a boundary. Gives what changed. */
  async updateAuthority(id: SessionId): Promise<AuthorityChange[]> {
    const live = await this.load(id);
    if (live.isBusy || live.engine.openTurn) {
      throw new AppError('session.not-at-boundary', 'Wait for the answer, or stop it, and then update the authority.');
    }
    await this.#refreshOffer(live);
    const changes = this.#context.offers.get(id) ?? [];
    this.#live.delete(id);
    await live.close();
    const again = await this.#load(id, true);
    this.#context.events.publish(id, { type: 'authority-update', authority: again.authorityView() });
    return changes;
  }

  /** Settings changed: every loaded chat looks at what it may and what it could be given. */
  async settingsChanged(): Promise<void> {
    for (const live of this.live()) {
      await this.#refreshOffer(live);
      live.settingsChanged();
    }
  }

  /** A project's folder is another one now: its chats that rest are loaded anew over it. */
  async projectMoved(projectId: ProjectId): Promise<void> {
    for (const live of this.live()) {
      const row = await this.#context.store.getSession(live.id);
      if (row?.projectId !== projectId || live.isBusy) continue;
      await this.#reload(live, () => Promise.resolve());
      this.#context.events.publish(live.id, { type: 'path-change' });
    }
  }

  /** Makes a chat of a file, piece by piece: see create-imported.ts. Codes project.*, and what `fill` gives. */
  async createImported(projectId: ProjectId, fill: FillImported): Promise<SessionId> {
    const projectPath = await this.#projectPath(projectId);
    return createImported(this.#context, { projectId, projectPath, lease: this.#lease }, fill);
  }

  /** Brings all chats to rest and lets go of them. Never rejects for what a chat does. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#loading.values()]);
    await Promise.allSettled(this.live().map((live) => live.close()));
    this.#live.clear();
  }

  // ---- Inside ----

  async #submit(id: SessionId, text: string, attachmentIds: readonly AttachmentId[]): Promise<{ queued: boolean }> {
    const live = await this.load(id);
    const attachments: Attachment[] = await this.#context.store.getAttachments(id, attachmentIds);
    if (text.trim() === '' && attachments.length === 0)
      throw new AppError('ipc.invalid-input', 'The message is empty.');
    await assertSameFolder(live.engine.authority.workspace);
    const queued = await live.submit(text, attachments);
    await this.#context.store.setDraft(id, { text: '', attachmentIds: [] });
    return { queued };
  }

  async #load(id: SessionId, widen: boolean): Promise<LiveSession> {
    const running = this.#loading.get(id);
    if (running) return running;
    const loading = this.#loadLeased(id, widen).finally(() => this.#loading.delete(id));
    this.#loading.set(id, loading);
    return loading;
  }

  /** Lets go of a chat, does something to what is stored of it, and loads it anew; whoever wants it meanwhile waits. */
  async #reload(live: LiveSession, work: () => Promise<void>): Promise<void> {
    const { id } = live;
    const again = async (): Promise<LiveSession> => {
      await live.close();
      await this.#context.store.acquire(id, this.#lease);
      try {
        await work();
      } catch (error) {
        await this.#context.store.release(id, this.#lease.pid);
        throw error;
      }
      return this.#loadLeased(id, false);
    };
    this.#live.delete(id);
    const loading = again().finally(() => this.#loading.delete(id));
    this.#loading.set(id, loading);
    await loading;
  }

  async #loadLeased(id: SessionId, widen: boolean): Promise<LiveSession> {
    const { store } = this.#context;
    const row = await this.#row(id);
    await store.acquire(id, this.#lease);
    try {
      const { entries, unreadable } = await store.readPath(id);
      const projectPath = await this.#projectPath(row.projectId);
      const live = await loadSession(this.#context, {
        ...{ id, projectId: row.projectId, projectPath, saved: row.saved },
        ...{ entries, widen, model: row.model },
      });
      this.#live.set(id, live);
      await this.#refreshOffer(live);
      if (unreadable > 0) {
        live.notice(
          'warning',
          `${String(unreadable)} damaged parts of this chat could not be read and are left out. They are kept on disk.`,
        );
      }
      return live;
    } catch (error) {
      await store.release(id, this.#lease.pid);
      throw error;
    }
  }

  async #refreshOffer(live: LiveSession): Promise<void> {
    this.#context.offers.set(live.id, await findOffer(this.#context, live.engine));
  }

  async #row(id: SessionId): Promise<SessionRow> {
    const row = await this.#context.store.getSession(id);
    if (!row) throw new AppError('session.not-found', 'This chat is not there any more.');
    return row;
  }

  async #projectPath(id: ProjectId): Promise<string> {
    const row = await this.#context.store.getProject(id);
    if (!row) throw new AppError('project.not-found', 'The project of this chat is not known. Open its folder again.');
    return row.path;
  }

  #summary(row: SessionRow): SessionSummary {
    return toSummary(row, this.#live.get(row.id) ?? null);
  }
}

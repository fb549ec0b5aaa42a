// File checkpoints of chats: whether they are on, what a turn changed, what would be put back, and putting it back. What
// does the work is loaded with the first job; a chat that writes nothing never gets there.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../base/app-error.ts';
import type { Logger } from '../base/logger.ts';
import { newId } from '../base/new-id.ts';
import type {
  Checkpoint,
  CheckpointFile,
  CheckpointList,
  RestorePlan,
  RestoreResult,
  RestoreScope,
} from '../contract/checkpoints.ts';
import type { Entry } from '../contract/entries.ts';
import type { CheckpointId, ProjectId, SessionId } from '../contract/ids.ts';
import type { WorkspaceIdentity } from '../engine/ports.ts';
import type { Store } from '../store/store.ts';
import { searchFolders } from '../tools/process/child-environment.ts';
import type { CheckpointClient } from '../tools/checkpoint/checkpoint-client.ts';
import type { CheckpointGuard, CheckpointProject, PlanInput } from '../tools/checkpoint/checkpoint-jobs.ts';
import { entryNow } from './carried-facts.ts';
import type { SettingsService } from './settings-service.ts';
import type { LiveSession } from './live-session.ts';
import { removedTurns } from './removed-turns.ts';
import { SessionCheckpointer, type RunCheckpointJob } from './session-checkpointer.ts';

const SWITCHED_OFF = 'File checkpoints are switched off in the settings.';
const NOT_SAVED = 'This chat is not saved, so nothing of its files is kept either.';

export interface CheckpointsParts {
  readonly store: Pick<Store, 'getSession' | 'readPath' | 'readTree'>;
  readonly settings: SettingsService;
  readonly logger: Logger;
  readonly dataFolder: string;
  /** PATH in which git is looked for. */
  readonly searchPath: () => string;
  /** Other limits than the usual ones. */
  readonly guard?: Partial<CheckpointGuard> | undefined;
}

/** The chats that are loaded, for whoever puts files back under them. */
export interface LoadedChats {
  load(id: SessionId): Promise<LiveSession>;
  live(): LiveSession[];
}

/** What of a plan a person chose. */
export interface ChosenRestore {
  readonly scope: RestoreScope;
  /** Names the plan that they saw. */
  readonly shown: string;
  readonly paths: readonly string[];
}

export class CheckpointsService {
  readonly #parts: CheckpointsParts;
  readonly #folder: string;
  #client: Promise<CheckpointClient> | null = null;
  #chats: LoadedChats | null = null;
  readonly #restoring = new Set<Promise<RestoreResult>>();

  constructor(parts: CheckpointsParts) {
    this.#parts = parts;
    this.#folder = path.join(parts.dataFolder, 'checkpoints');
  }

  /** Called once, before anything is asked about a chat. */
  follow(chats: LoadedChats): void {
    this.#chats = chats;
  }

  /** The port of a chat that is being loaded. */
  checkpointerFor(input: {
    sessionId: SessionId;
    projectId: ProjectId;
    identity: WorkspaceIdentity;
    entries: readonly Entry[];
  }): SessionCheckpointer {
    const { sessionId, projectId, identity, entries } = input;
    const { logger } = this.#parts;
    return new SessionCheckpointer({
      ...{ sessionId, entries, run: this.#run, project: { id: projectId, identity } },
      nowMs: () => Date.now(),
      log: (message, error) => {
        logger.error(message, error);
      },
    });
  }

  /** The checkpoints of a chat, newest first, with the turns whose files could not be kept. Code session.not-found. */
  async list(id: SessionId): Promise<CheckpointList> {
    const { store } = this.#parts;
    const { off, projectId } = await this.#about(id);
    const kept = this.#hasAny(projectId, id) ? await this.#run('list', { projectId, sessionId: id }) : [];
    const { turns } = await store.readTree(id);
    const textOf = new Map(turns.map((turn) => [turn.turnId, turn]));
    const { entries } = await store.readPath(id);
    const failed = entries.flatMap((entry): Checkpoint[] => {
      if (entry.kind !== 'checkpoint' || entry.data.problem === null) return [];
      const { turnId, problem } = entry.data;
      const facts = { id: null, turnId, atMs: entry.atMs, text: textOf.get(turnId)?.text ?? '' };
      return [{ ...facts, changed: null, skipped: 0, problem, open: false }];
    });
    const checkpoints = kept.map(({ id: checkpointId, turnId, atMs, changed, skipped, ended }): Checkpoint => {
      const turn = turnId === null ? null : textOf.get(turnId);
      const facts = { id: checkpointId, turnId, atMs, text: turn?.text ?? '', changed, skipped };
      return { ...facts, problem: null, open: !ended && turn?.outcome === null };
    });
    return { off, checkpoints: [...checkpoints, ...failed].sort((a, b) => b.atMs - a.atMs) };
  }

  /** What one turn changed. Codes session.not-found, store.*. */
  async changes(id: SessionId, checkpointId: CheckpointId): Promise<CheckpointFile[]> {
    return this.#run('changes', { project: await this.#project(id), sessionId: id, checkpointId });
  }

  /** What it changed in one file. Codes session.not-found, store.*. */
  async diff(id: SessionId, checkpointId: CheckpointId, file: string): Promise<{ diff: string | null; note: string }> {
    return this.#run('diff', { project: await this.#project(id), sessionId: id, checkpointId, path: file });
  }

  /** What would be put back; nothing is changed. Codes session.not-found, session.busy, store.*. */
  async plan(id: SessionId, scope: RestoreScope): Promise<RestorePlan> {
    const live = await this.#chat(id);
    const { input, notes, problem } = await this.#inputOf(live, scope);
    if (input === null) return { problem, notes, shown: '', files: [] };
    const { shown, files } = await this.#run('plan', input);
    return { problem: null, notes, shown, files };
  }

  /**
   * Puts files back, after a checkpoint of how they are; `shown` names the plan that a person saw, `paths` what of it they
   * chose. What changed after the plan is left alone. Codes session.not-at-boundary while a turn of any chat of the folder
   * runs, session.busy, workspace.conflict, store.*; nothing was changed then.
   */
  async restore(id: SessionId, how: ChosenRestore): Promise<RestoreResult> {
    const restoring = this.#restore(id, how);
    this.#restoring.add(restoring);
    try {
      return await restoring;
    } finally {
      this.#restoring.delete(restoring);
    }
  }

  /** Resolves once nothing is being put back; called before chats are closed. */
  async rest(): Promise<void> {
    await Promise.allSettled(this.#restoring);
  }

  /** A chat is deleted for good: what was kept for it goes. Never rejects. */
  async forget(id: SessionId, projectId: ProjectId): Promise<void> {
    if (!this.#hasAny(projectId, id)) return;
    try {
      await this.#run('forget', { projectId, sessionIds: [id] });
    } catch (error) {
      this.#parts.logger.error('checkpoints of a deleted chat were not freed', error);
    }
  }

  /** Bytes on disk. */
  async bytes(): Promise<number> {
    return existsSync(this.#folder) ? this.#run('bytes', undefined) : 0;
  }

  /** Frees what is too old, too much, or of chats that are gone. Never rejects. */
  async upkeep(nowMs: number): Promise<void> {
    if (!existsSync(this.#folder)) return;
    const { store, logger } = this.#parts;
    try {
      const rows = await Promise.all(
        (await this.#run('sessions', undefined)).map(({ sessionId }) => store.getSession(sessionId)),
      );
      const sessions = rows.flatMap((row) => (row === null ? [] : [row.id]));
      await this.#run('collect', { nowMs, sessions });
    } catch (error) {
      logger.error('checkpoints were not tidied', error);
    }
  }

  /** Lets what runs end. */
  async close(): Promise<void> {
    await (await this.#client?.catch(() => null))?.close();
  }

  readonly #run: RunCheckpointJob = async (name, input, signal) => (await this.#loaded()).run(name, input, signal);

  #loaded(): Promise<CheckpointClient> {
    this.#client ??= this.#load();
    return this.#client;
  }

  async #load(): Promise<CheckpointClient> {
    const { searchPath, dataFolder, guard } = this.#parts;
    const [{ CheckpointClient }, { CHECKPOINT_GUARD }] = await Promise.all([
      import('../tools/checkpoint/checkpoint-client.ts'),
      import('../tools/checkpoint/checkpoint-jobs.ts'),
    ]);
    return new CheckpointClient({
      folder: this.#folder,
      dataFolder,
      searchPath: searchFolders(searchPath()).join(path.delimiter),
      guard: { ...CHECKPOINT_GUARD, ...guard },
    });
  }

  async #restore(id: SessionId, { scope, shown, paths }: ChosenRestore): Promise<RestoreResult> {
    const live = await this.#chat(id);
    this.#assertResting(live);
    const { input, problem } = await this.#inputOf(live, scope);
    if (input === null) throw new AppError('store.io', problem ?? 'There is nothing to put back.');
    const result = await this.#run('restore', { ...input, shown, chosen: paths, madeId: newId<CheckpointId>() });
    const { checkpointId, restored, kept } = result;
    const facts = { checkpointId, restored: restored.length, kept: kept.length };
    await live.engine.record([entryNow('files-restore', { ...facts, by: 'person' })]);
    return result;
  }

  #hasAny(projectId: ProjectId, id: SessionId): boolean {
    return existsSync(path.join(this.#folder, projectId, 'chats', id));
  }

  async #about(id: SessionId): Promise<{ off: string | null; projectId: ProjectId }> {
    const { store, settings } = this.#parts;
    const row = await store.getSession(id);
    if (!row) throw new AppError('session.not-found', 'This chat is not there any more.');
    const off = row.saved ? (settings.current.checkpoints ? null : SWITCHED_OFF) : NOT_SAVED;
    return { off, projectId: row.projectId };
  }

  #chat(id: SessionId): Promise<LiveSession> {
    if (this.#chats === null) throw new AppError('internal', 'No chats are followed.');
    return this.#chats.load(id);
  }

  async #project(id: SessionId): Promise<CheckpointProject> {
    const { projectId } = await this.#about(id);
    const live = await this.#chat(id);
    return { id: projectId, identity: live.engine.authority.workspace };
  }

  /** Which checkpoints a scope means; null = there is none, and why. */
  async #inputOf(
    live: LiveSession,
    scope: RestoreScope,
  ): Promise<{ input: PlanInput | null; notes: string[]; problem: string | null }> {
    const { projectId, off } = await this.#about(live.id);
    const project = { id: projectId, identity: live.engine.authority.workspace };
    const base = { project, sessionId: live.id };
    if (scope.type === 'file' || scope.type === 'turn') {
      const paths = scope.type === 'file' ? [scope.path] : null;
      return {
        input: { ...base, checkpointIds: [scope.checkpointId], paths, others: false },
        notes: [],
        problem: null,
      };
    }
    const kept = this.#hasAny(projectId, live.id) ? await this.#run('list', { projectId, sessionId: live.id }) : [];
    if (scope.type === 'since') {
      const at = kept.findIndex(({ id }) => id === scope.checkpointId);
      if (at < 0) throw new AppError('session.not-found', 'This checkpoint is not there any more.');
      const checkpointIds = kept.slice(at).flatMap(({ id, turnId }, n) => (turnId === null && n > 0 ? [] : [id]));
      return { input: { ...base, checkpointIds, paths: null, others: true }, notes: [], problem: null };
    }
    const { turnIds, notes, unkept } = removedTurns(live.path, scope.entryId);
    const checkpointIds = kept.flatMap(({ id, turnId }) => (turnId !== null && turnIds.has(turnId) ? [id] : []));
    if (checkpointIds.length === 0) return { input: null, notes, problem: unkept ? (notes[0] ?? off) : null };
    return { input: { ...base, checkpointIds, paths: null, others: true }, notes, problem: null };
  }

  #assertResting(live: LiveSession): void {
    if (live.isBusy || live.engine.openTurn) {
      throw new AppError('session.not-at-boundary', 'Wait for the answer, or stop it, and then put files back.');
    }
    const { dev, ino } = live.engine.authority.workspace;
    const other = this.#chats?.live().find((one) => {
      const { workspace } = one.engine.authority;
      return one !== live && one.isBusy && workspace.dev === dev && workspace.ino === ino;
    });
    if (!other) return;
    const words = 'Another chat works in this folder. Wait for it, or stop it, and then put files back.';
    throw new AppError('session.not-at-boundary', words);
  }
}

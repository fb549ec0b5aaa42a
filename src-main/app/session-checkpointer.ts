// The engine's port for keeping files, for one chat: once a turn before its first write, at its end once more, and again for
// what a later call names although git ignores it. What fails is told in the chat, once a turn.
import { isAppError } from '../base/app-error.ts';
import { newId } from '../base/new-id.ts';
import type { Effect } from '../contract/authority.ts';
import type { Entry, EntryData } from '../contract/entries.ts';
import type { CheckpointId, SessionId, TurnId } from '../contract/ids.ts';
import type { Checkpointer } from '../engine/ports.ts';
import type { CheckpointJobName, CheckpointJobs, CheckpointProject } from '../tools/checkpoint/checkpoint-jobs.ts';

/** Runs a job on checkpoints; the first one starts what runs them. */
export type RunCheckpointJob = <K extends CheckpointJobName>(
  name: K,
  input: CheckpointJobs[K]['input'],
  signal?: AbortSignal,
) => Promise<CheckpointJobs[K]['output']>;

const REFUSED_MS = 600_000;

export interface SessionCheckpointerParts {
  readonly sessionId: SessionId;
  readonly project: CheckpointProject;
  /** The chat's path: which turns have been told of. */
  readonly entries: readonly Entry[];
  readonly run: RunCheckpointJob;
  readonly nowMs: () => number;
  readonly log: (message: string, error: unknown) => void;
}

export class SessionCheckpointer implements Checkpointer {
  readonly #parts: SessionCheckpointerParts;
  /** Whether the files of a turn were kept, for turns that were told of. */
  readonly #kept = new Map<TurnId, boolean>();
  readonly #warmed = new Set<TurnId>();
  /** A folder that is too large is not looked at anew for every turn. */
  #refused: { readonly problem: string; readonly untilMs: number } | null = null;

  constructor(parts: SessionCheckpointerParts) {
    this.#parts = parts;
    for (const { kind, data } of parts.entries) {
      if (kind === 'checkpoint') this.#kept.set(data.turnId, data.checkpointId !== null);
    }
  }

  expect(turnId: TurnId): void {
    if (this.#kept.has(turnId) || this.#warmed.has(turnId) || this.#refusal() !== null) return;
    this.#warmed.add(turnId);
    const { sessionId, project, run, log } = this.#parts;
    void run('warm', { project, sessionId }).catch((error: unknown) => {
      log('files could not be kept ahead of time', error);
    });
  }

  async keep(
    call: { turnId: TurnId; effects: readonly Effect[] },
    signal: AbortSignal,
  ): Promise<EntryData<'checkpoint'> | null> {
    const { turnId } = call;
    const also = call.effects.flatMap(({ kind, target }) =>
      kind === 'write-inside' || kind === 'write-protected' ? [target] : [],
    );
    const known = this.#kept.get(turnId);
    if (known === false || (known === true && also.length === 0)) return null;
    const refusal = this.#refusal();
    if (refusal !== null) return this.#failed(turnId, refusal);
    try {
      const { checkpointId, skipped } = await this.#capture(turnId, also, signal);
      if (known === true) return null;
      this.#kept.set(turnId, true);
      return { turnId, checkpointId, problem: null, skipped };
    } catch (error) {
      this.#parts.log('the files of a turn were not kept', error);
      if (known === true || (isAppError(error) && error.code === 'cancelled')) return null;
      const problem = isAppError(error) ? error.message : 'An unexpected error occurred.';
      if (isAppError(error) && error.code === 'workspace.too-large') {
        this.#refused = { problem, untilMs: this.#parts.nowMs() + REFUSED_MS };
      }
      return this.#failed(turnId, problem);
    }
  }

  /** A turn has ended: the files are taken as it left them. Never rejects. */
  async ended(turnId: TurnId): Promise<void> {
    if (this.#kept.get(turnId) !== true) return;
    const { sessionId, project, run, log } = this.#parts;
    try {
      await run('finish', { project, sessionId, turnId });
    } catch (error) {
      log('the files after a turn were not kept', error);
    }
  }

  #refusal(): string | null {
    const refused = this.#refused;
    return refused !== null && this.#parts.nowMs() < refused.untilMs ? refused.problem : null;
  }

  #failed(turnId: TurnId, problem: string): EntryData<'checkpoint'> {
    this.#kept.set(turnId, false);
    return { turnId, checkpointId: null, problem, skipped: 0 };
  }

  #capture(turnId: TurnId, also: readonly string[], signal: AbortSignal): Promise<CheckpointJobs['capture']['output']> {
    const { sessionId, project, run } = this.#parts;
    return run('capture', { project, sessionId, checkpointId: newId<CheckpointId>(), turnId, also }, signal);
  }
}

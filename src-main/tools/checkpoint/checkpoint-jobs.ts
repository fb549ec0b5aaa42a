// The jobs on checkpoints and their values, as they cross to the worker and back. Types alone.
import type { CheckpointId, ProjectId, SessionId, TurnId } from '../../contract/ids.ts';
import type { CheckpointFile, RestoreResult } from '../../contract/checkpoints.ts';
import type { WorkspaceIdentity } from '../../engine/ports.ts';

/** A project, and where its checkpoints are. */
export interface CheckpointProject {
  readonly id: ProjectId;
  readonly identity: WorkspaceIdentity;
}

/** What the worker is started with. */
export interface CheckpointSettings {
  /** Folder that holds one folder a project. */
  readonly folder: string;
  /** PATH in which git is looked for; '' = there is none. */
  readonly searchPath: string;
  /** Absolute path of the data folder: never part of a checkpoint. */
  readonly dataFolder: string;
  readonly guard: CheckpointGuard;
}

/** How much is kept at most. Bytes, milliseconds. */
export interface CheckpointGuard {
  readonly largestFile: number;
  readonly mostFiles: number;
  /** New bytes of one capture. */
  readonly mostBytes: number;
  /** How long a turn waits for its files; what takes longer goes on, and is no checkpoint. */
  readonly patienceMs: number;
  readonly mostMs: number;
  /** Free space that is left alone. */
  readonly freeBytes: number;
  /** Size of one project's store from which the oldest checkpoints go. */
  readonly storeBytes: number;
  readonly keptMs: number;
}

/** What the number that a job's asker shares with the worker means. */
export const JOB = { wanted: 0, stopped: 1, late: 2 } as const;

export const CHECKPOINT_GUARD: CheckpointGuard = {
  largestFile: 32 * 1024 * 1024,
  mostFiles: 200_000,
  mostBytes: 1024 * 1024 * 1024,
  patienceMs: 20_000,
  mostMs: 600_000,
  freeBytes: 256 * 1024 * 1024,
  storeBytes: 2 * 1024 * 1024 * 1024,
  keptMs: 30 * 86_400_000,
};

export interface CaptureInput {
  readonly project: CheckpointProject;
  readonly sessionId: SessionId;
  readonly checkpointId: CheckpointId;
  /** null = it is made before something is put back. */
  readonly turnId: TurnId | null;
  /** Paths in the project that a call names: taken although git ignores them. */
  readonly also: readonly string[];
}

export interface Captured {
  readonly checkpointId: CheckpointId;
  /** Files that are named, and whose bytes were not kept. */
  readonly skipped: number;
}

/** Which files are to be what they were before which turns; `paths` null = all that the turns changed. */
export interface PlanInput {
  readonly project: CheckpointProject;
  readonly sessionId: SessionId;
  readonly checkpointIds: readonly CheckpointId[];
  readonly paths: readonly string[] | null;
  /** Also files that something else changed since the first of them. */
  readonly others: boolean;
}

export interface Planned {
  /** Names the files as they are now. */
  readonly shown: string;
  readonly files: CheckpointFile[];
}

export interface RestoreInput extends PlanInput {
  readonly shown: string;
  /** The files that are put back, of those that were shown. */
  readonly chosen: readonly string[];
  /** Id of the checkpoint that is made before. */
  readonly madeId: CheckpointId;
}

/** One checkpoint of a chat. */
export interface ListedCheckpoint {
  readonly id: CheckpointId;
  readonly turnId: TurnId | null;
  readonly atMs: number;
  /** Its turn has ended and how the files were then is known. */
  readonly ended: boolean;
  /** Files that differ between before and after; null = not known yet. */
  readonly changed: number | null;
  readonly skipped: number;
}

export interface CheckpointJobs {
  capture: { input: CaptureInput; output: Captured };
  warm: { input: { project: CheckpointProject; sessionId: SessionId }; output: void };
  /** Takes the files as they are at the end of a turn. */
  finish: { input: { project: CheckpointProject; sessionId: SessionId; turnId: TurnId }; output: void };
  list: { input: { projectId: ProjectId; sessionId: SessionId }; output: ListedCheckpoint[] };
  /** What one turn changed: files, with lines where that is cheap. */
  changes: {
    input: { project: CheckpointProject; sessionId: SessionId; checkpointId: CheckpointId };
    output: CheckpointFile[];
  };
  diff: {
    input: { project: CheckpointProject; sessionId: SessionId; checkpointId: CheckpointId; path: string };
    output: { diff: string | null; note: string };
  };
  plan: { input: PlanInput; output: Planned };
  restore: { input: RestoreInput; output: RestoreResult };
  /** Frees the checkpoints of chats; null = of the whole project. */
  forget: { input: { projectId: ProjectId; sessionIds: readonly SessionId[] }; output: void };
  /** Frees what is too old or too much, and chats' that are not among `sessionIds`. */
  collect: { input: { nowMs: number; sessions: readonly SessionId[] | null }; output: void };
  sessions: { input: void; output: { projectId: ProjectId; sessionId: SessionId }[] };
  bytes: { input: void; output: number };
}
export type CheckpointJobName = keyof CheckpointJobs;

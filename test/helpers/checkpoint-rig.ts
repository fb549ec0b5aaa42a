// One project folder with its checkpoints, over a real store of either kind; and a plain copy of a tree, to compare with.
import fs from 'node:fs';
import path from 'node:path';
import { newId } from '../../src-main/base/new-id.ts';
import type { RestoreResult } from '../../src-main/contract/checkpoints.ts';
import type { CheckpointId, ProjectId, SessionId, TurnId } from '../../src-main/contract/ids.ts';
import {
  CHECKPOINT_GUARD,
  type CheckpointGuard,
  type CheckpointProject,
  type CheckpointSettings,
  type Planned,
} from '../../src-main/tools/checkpoint/checkpoint-jobs.ts';
import { CheckpointStore } from '../../src-main/tools/checkpoint/checkpoint-store.ts';
import { bestGuarantee } from '../../src-main/tools/workspace/load-door.ts';
import type { DoorGuarantee } from '../../src-main/tools/workspace/workspace-door.ts';
import { tempFolder } from './temp-folder.ts';

export type Kind = 'git' | 'plain';

export interface CheckpointRig {
  readonly folder: string;
  readonly data: string;
  readonly project: CheckpointProject;
  readonly sessionId: SessionId;
  readonly settings: CheckpointSettings;
  readonly store: CheckpointStore;
  /** Keeps the files as a turn's first write does; gives the checkpoint. */
  begin(turn: string, also?: readonly string[]): Promise<CheckpointId>;
  end(turn: string): Promise<void>;
  plan(ids: readonly CheckpointId[], how?: { paths?: readonly string[]; others?: boolean }): Promise<Planned>;
  /** Plans, and puts back all of it that can be, or what is chosen. */
  restore(
    ids: readonly CheckpointId[],
    how?: { paths?: readonly string[]; others?: boolean; chosen?: readonly string[] },
  ): Promise<RestoreResult>;
}

export interface RigChoice {
  readonly kind: Kind;
  /** Where the project is, below a fresh folder. */
  readonly at?: string;
  readonly guard?: Partial<CheckpointGuard>;
  readonly searchPath?: string;
  /** Form of the door; the machine's best, unless told otherwise. */
  readonly guarantee?: DoorGuarantee;
}

/** The project's identity as a session has it. */
export function identityOf(folder: string, guarantee = bestGuarantee()): CheckpointProject['identity'] {
  const { dev, ino } = fs.statSync(folder, { bigint: true });
  return { path: fs.realpathSync(folder), dev: String(dev), ino: String(ino), guarantee };
}

export async function checkpointRig(choice: RigChoice): Promise<CheckpointRig> {
  const folder = path.join(await tempFolder(), choice.at ?? 'project');
  fs.mkdirSync(folder, { recursive: true });
  const data = await tempFolder();
  const sessionId = newId<SessionId>();
  const project = { id: newId<ProjectId>(), identity: identityOf(folder, choice.guarantee) };
  const settings = {
    folder: path.join(data, 'checkpoints'),
    dataFolder: data,
    searchPath: choice.kind === 'git' ? (choice.searchPath ?? '/usr/local/bin:/usr/bin:/bin') : '',
    guard: { ...CHECKPOINT_GUARD, ...choice.guard },
  };
  const store = new CheckpointStore(settings);
  const rig: CheckpointRig = {
    ...{ folder, data, project, sessionId, settings, store },
    begin: async (turn, also = []) => {
      const input = { project, sessionId, checkpointId: newId<CheckpointId>(), turnId: turn as TurnId, also };
      return (await store.capture(input, { stopped: () => false, late: () => false })).checkpointId;
    },
    end: (turn) => store.finish({ project, sessionId, turnId: turn as TurnId }),
    plan: (checkpointIds, { paths, others } = {}) =>
      store.plan({ project, sessionId, checkpointIds, paths: paths ?? null, others: others ?? true }),
    restore: async (checkpointIds, how = {}) => {
      const { shown, files } = await rig.plan(checkpointIds, how);
      const chosen = how.chosen ?? files.map((file) => file.path);
      const asked = { project, sessionId, checkpointIds, paths: how.paths ?? null, others: how.others ?? true };
      return store.restore({ ...asked, shown, chosen, madeId: newId<CheckpointId>() });
    },
  };
  return rig;
}

/** A folder's files as text one can compare: path in hex, type, permissions, bytes or target. */
export function copyOf(folder: string, leaveOut: (path: string) => boolean = () => false): string[] {
  const rows: string[] = [];
  const enter = (at: Buffer, prefix: Buffer): void => {
    for (const name of fs.readdirSync(at, { encoding: 'buffer' })) {
      const full = Buffer.concat([at, Buffer.from('/'), name]);
      const own = Buffer.concat([prefix, name]);
      if (name.toString() === '.git' || leaveOut(own.toString())) continue;
      const stat = fs.lstatSync(full);
      const what = stat.isSymbolicLink()
        ? `link ${fs.readlinkSync(full, { encoding: 'buffer' }).toString('hex')}`
        : stat.isFile()
          ? `file ${(stat.mode & 0o777).toString(8)} ${fs.readFileSync(full).toString('base64')}`
          : 'folder';
      rows.push(`${own.toString('hex')} ${what}`);
      if (stat.isDirectory()) enter(full, Buffer.concat([own, Buffer.from('/')]));
    }
  };
  enter(Buffer.from(folder), Buffer.alloc(0));
  return rows.sort();
}

/** Writes files below a folder, with the folders above them. */
export function write(folder: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [file, content] of Object.entries(files)) {
    const full = path.join(folder, file);
    fs.mkdirSync(path.dirname(full), { recursive: true });
    fs.writeFileSync(full, content);
  }
}

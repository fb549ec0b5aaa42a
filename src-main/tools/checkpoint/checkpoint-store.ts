// All that is done with checkpoints, job by job: keep, list, compare, plan, put back, free. Runs in the worker, one job after
// the other; see checkpoint-jobs.ts for what each takes and gives.
import fs from 'node:fs';
import { AppError } from '../../base/app-error.ts';
import type { CheckpointFile, RestoreResult } from '../../contract/checkpoints.ts';
import type { CheckpointId, SessionId } from '../../contract/ids.ts';
import type {
  CaptureInput,
  Captured,
  CheckpointJobs,
  CheckpointProject,
  CheckpointSettings,
  ListedCheckpoint,
  Planned,
  PlanInput,
  RestoreInput,
} from './checkpoint-jobs.ts';
import { blockedWhy, changeOf, kindOf, planRestore, type PlannedFile, type TurnTrees } from './plan-restore.ts';
import { ProjectStore, type Snapshot } from './project-store.ts';
import type { CheckpointRecord } from './records.ts';
import { restoreTree } from './restore-tree.ts';
import { showDiff } from './show-diff.ts';
import type { TreeDoor } from '../workspace/tree-door.ts';
import { compareTrees, foldersOf, isSameItem, type Tree, type TreeChange } from './tree.ts';

/** So many files of a list are compared line by line. */
const MOST_COUNTED = 200;

type Input<K extends keyof CheckpointJobs> = CheckpointJobs[K]['input'];
const never = (): boolean => false;

/** Who waits for a capture. */
export interface Asker {
  /** It is not wanted any more. */
  readonly stopped: () => boolean;
  /** Nobody waits for it any more: what it reads is kept for the next one, and it is no checkpoint. */
  readonly late: () => boolean;
}

export class CheckpointStore {
  readonly #settings: CheckpointSettings;
  readonly #projects = new Map<string, ProjectStore>();
  /** The files as a plan showed them, until they are put back or shown anew. */
  readonly #shown = new Map<string, Snapshot>();

  constructor(settings: CheckpointSettings) {
    this.#settings = settings;
  }

  /** Keeps the files, once a turn; an ignored path that a later call names is added to the turn's checkpoint. */
  async capture(input: CaptureInput, asker: Asker): Promise<Captured> {
    const { project, sessionId, turnId, checkpointId, also } = input;
    const store = this.#store(project.id);
    return store.alone(() =>
      store.withDoor(project, async (door) => {
        const former = store.records.list(sessionId).find((one) => one.turnId === turnId);
        if (former) return this.#amended(store, { input, former, door });
        const named = namedPaths(store, sessionId, store.leftOut(door, project, also));
        const now = await store.capture(door, { project, also: new Set(named), stopped: asker.stopped });
        if (asker.late()) throw new AppError('cancelled', 'It came too late.');
        const record = newRecord(now, { id: checkpointId, turnId, named });
        store.records.save(sessionId, record);
        return captured(record);
      }),
    );
  }

  /** Reads the files while nothing needs them yet, so that keeping them is quick. */
  async warm({ project, sessionId }: Input<'warm'>): Promise<void> {
    await this.#now(this.#store(project.id), { project, sessionId });
  }

  async finish({ project, sessionId, turnId }: Input<'finish'>): Promise<void> {
    const store = this.#store(project.id);
    await store.alone(async () => {
      const record = store.records.list(sessionId).find((one) => one.turnId === turnId);
      if (record === undefined) return;
      await store.withDoor(project, async (door) => {
        const also = new Set(namedPaths(store, sessionId));
        const now = await store.capture(door, { project, also, stopped: never });
        if (now.store !== record.store) return;
        const changed = compareTrees(await store.tree(record.store, record.before), now.tree).length;
        store.records.save(sessionId, { ...record, after: now.root, changed });
        await store.tidy();
      });
    });
  }

  list({ projectId, sessionId }: Input<'list'>): ListedCheckpoint[] {
    const store = this.#store(projectId);
    if (!store.exists) return [];
    return store.records.list(sessionId).map(({ id, turnId, atMs, after, changed, skipped }) => ({
      ...{ id, turnId, atMs, changed, skipped },
      ended: after !== null,
    }));
  }

  async changes({ project, sessionId, checkpointId }: Input<'changes'>): Promise<CheckpointFile[]> {
    const store = this.#store(project.id);
    const record = found(store.records.find(sessionId, checkpointId));
    const { before, after } = await this.#treesOf(store, { project, sessionId, record });
    const files = compareTrees(before, after);
    return this.#described(store, record.store, files.map(asTurns));
  }

  async diff({ project, sessionId, checkpointId, path }: Input<'diff'>): Promise<CheckpointJobs['diff']['output']> {
    const store = this.#store(project.id);
    const record = found(store.records.find(sessionId, checkpointId));
    const { before, after } = await this.#treesOf(store, { project, sessionId, record });
    const file = { path, from: before.get(path) ?? null, to: after.get(path) ?? null };
    const { diff, note } = await store.reading(record.store, (reader) => showDiff(file, (id) => reader.read(id)));
    return { diff, note };
  }

  async plan(input: PlanInput): Promise<Planned> {
    const { project, sessionId } = input;
    const store = this.#store(project.id);
    const records = this.#records(store, input);
    const now = await this.#now(store, { project, sessionId });
    const kind = assertOneStore(records, now);
    const planned = await this.#planned(store, { input, records, now });
    this.#shown.clear();
    this.#shown.set(now.root, now);
    return { shown: now.root, files: await this.#described(store, kind, planned) };
  }

  async restore(input: RestoreInput): Promise<RestoreResult> {
    const { project, sessionId, madeId, chosen } = input;
    const store = this.#store(project.id);
    const shown = this.#shown.get(input.shown);
    if (shown === undefined) {
      throw new AppError('workspace.conflict', 'The list of files is too old. Look at it again; nothing was changed.');
    }
    return store.alone(() =>
      store.withDoor(project, async (door) => {
        const named = namedPaths(store, sessionId);
        const also = new Set(named);
        const records = this.#records(store, input);
        const now = await store.capture(door, { project, also, stopped: never });
        const kind = assertOneStore(records, now);
        // Made first: what is put back can be taken back.
        const made = newRecord(now, { id: madeId, turnId: null, named });
        store.records.save(sessionId, made);
        const wanted = new Set(chosen);
        const planned = (await this.#planned(store, { input, records, now: shown })).filter(({ path }) =>
          wanted.has(path),
        );
        const { steps, kept } = unchanged(planned, now.tree);
        const first = await store.tree(kind, records[0]?.before ?? now.root);
        const idOf = await store.idOf(kind);
        const done = await store.reading(kind, (reader) =>
          restoreTree(steps, {
            door,
            idOf,
            read: (id) => reader.read(id),
            folders: foldersToStay(now.tree, first, steps),
          }),
        );
        const then = await store.capture(door, { project, also, stopped: never });
        const changed = compareTrees(now.tree, then.tree).length;
        store.records.save(sessionId, { ...made, after: then.root, changed });
        return { restored: done.restored, kept: [...kept, ...done.kept], checkpointId: madeId };
      }),
    );
  }

  async forget({ projectId, sessionIds }: Input<'forget'>): Promise<void> {
    const store = this.#store(projectId);
    if (!store.exists) return;
    await store.alone(async () => {
      for (const id of sessionIds) store.records.forget(id);
      await store.collect();
    });
  }

  async collect({ nowMs, sessions }: Input<'collect'>): Promise<void> {
    const known = sessions === null ? null : new Set(sessions);
    for (const projectId of this.#projectIds()) {
      const store = this.#store(projectId);
      await store.alone(async () => {
        const gone = known === null ? [] : store.records.sessions().filter((id) => !known.has(id));
        for (const id of gone) store.records.forget(id);
        const old = store.all().filter(({ record }) => record.atMs < nowMs - this.#settings.guard.keptMs);
        for (const { sessionId, record } of old) store.records.remove(sessionId, record.id);
        if (gone.length + old.length > 0) await store.collect();
        await this.#shrink(store);
      });
    }
  }

  sessions(): CheckpointJobs['sessions']['output'] {
    return this.#projectIds().flatMap((id) =>
      this.#store(id)
        .records.sessions()
        .map((sessionId) => ({ projectId: id as CheckpointProject['id'], sessionId })),
    );
  }

  bytes(): number {
    return this.#projectIds().reduce((sum, id) => sum + this.#store(id).bytes(), 0);
  }

  /** The oldest checkpoints go while there is too much; the newest stays. */
  async #shrink(store: ProjectStore): Promise<void> {
    for (let all = store.all(); all.length > 1 && store.bytes() > this.#settings.guard.storeBytes; all = store.all()) {
      for (const { sessionId, record } of all.slice(0, Math.ceil(all.length / 4))) {
        store.records.remove(sessionId, record.id);
      }
      await store.collect();
    }
  }

  #records(store: ProjectStore, { sessionId, checkpointIds }: PlanInput): CheckpointRecord[] {
    const wanted = new Set<CheckpointId>(checkpointIds);
    const records = store.records.list(sessionId).filter(({ id }) => wanted.has(id));
    if (records.length !== wanted.size || records.length === 0) found(null);
    return records;
  }

  async #planned(
    store: ProjectStore,
    { input, records, now }: { input: PlanInput; records: readonly CheckpointRecord[]; now: Snapshot },
  ): Promise<PlannedFile[]> {
    const { project, sessionId } = input;
    const turns: TurnTrees[] = [];
    for (const record of records) turns.push(await this.#treesOf(store, { project, sessionId, record, now }));
    const except = new Set(namedPaths(store, sessionId));
    const planned = planRestore(turns, now.tree, input.others ? { except } : null);
    const { paths } = input;
    return paths === null ? planned : planned.filter(({ path }) => paths.includes(path));
  }

  /** A turn that a crash cut ended where the next one began, or where things are now. */
  async #treesOf(
    store: ProjectStore,
    at: { project: CheckpointProject; sessionId: SessionId; record: CheckpointRecord; now?: Snapshot },
  ): Promise<TurnTrees> {
    const { project, sessionId, record } = at;
    const before = await store.tree(record.store, record.before);
    const end = record.after ?? store.records.list(sessionId).find((one) => isNext(one, record))?.before;
    if (end !== undefined) return { before, after: await store.tree(record.store, end) };
    const now = at.now ?? (await this.#now(store, { project, sessionId }));
    return { before, after: now.tree };
  }

  /** The files as they are now, kept until something is freed. */
  #now(
    store: ProjectStore,
    { project, sessionId }: { project: CheckpointProject; sessionId: SessionId },
  ): Promise<Snapshot> {
    const also = new Set(namedPaths(store, sessionId));
    return store.alone(() => store.withDoor(project, (door) => store.capture(door, { project, also, stopped: never })));
  }

  /** What a turn's checkpoint did not know to keep: paths that git ignores and a later call is about to write to. */
  async #amended(
    store: ProjectStore,
    { input, former, door }: { input: CaptureInput; former: CheckpointRecord; door: TreeDoor },
  ): Promise<Captured> {
    const { project, sessionId, also } = input;
    const fresh = store.leftOut(door, project, also).filter((path) => !former.named.includes(path));
    if (fresh.length === 0 || former.after !== null) return captured(former);
    const tree = new Map(await store.tree(former.store, former.before));
    const named = namedPaths(store, sessionId, fresh);
    const now = await store.capture(door, { project, also: new Set(named), stopped: never });
    if (now.store !== former.store) return captured(former);
    for (const path of fresh) {
      const item = now.tree.get(path);
      if (item && !tree.has(path)) tree.set(path, item);
    }
    const before = await store.put(former.store, tree);
    const record = { ...former, before, named };
    store.records.save(sessionId, record);
    return captured(record);
  }

  async #described(
    store: ProjectStore,
    kind: 'git' | 'plain',
    files: readonly PlannedFile[],
  ): Promise<CheckpointFile[]> {
    return store.reading(kind, async (reader) => {
      const shown: CheckpointFile[] = [];
      for (const { path, now, wanted, by, again } of files) {
        const counted = shown.length < MOST_COUNTED;
        const lines = counted ? await showDiff({ path, from: now, to: wanted }, (id) => reader.read(id)) : null;
        shown.push({
          ...{ path, by, again, change: changeOf(now, wanted), kind: kindOf(now, wanted) },
          ...{ added: lines?.added ?? null, removed: lines?.removed ?? null },
          blocked: blockedWhy({ now, wanted }),
        });
      }
      return shown;
    });
  }

  #store(projectId: string): ProjectStore {
    const store = this.#projects.get(projectId) ?? new ProjectStore(this.#settings, projectId);
    this.#projects.set(projectId, store);
    return store;
  }

  #projectIds(): string[] {
    const { folder } = this.#settings;
    return fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  }
}

function newRecord(now: Snapshot, how: Pick<CheckpointRecord, 'id' | 'turnId' | 'named'>): CheckpointRecord {
  let skipped = 0;
  for (const item of now.tree.values()) if (item.type === 'skipped') skipped += 1;
  const state = { store: now.store, before: now.root, after: null, changed: null, skipped };
  return { version: 1, ...how, atMs: Date.now(), ...state };
}

const captured = ({ id, skipped }: CheckpointRecord): Captured => ({ checkpointId: id, skipped });

/** Ignored paths that calls of a chat named, and more. */
function namedPaths(store: ProjectStore, sessionId: SessionId, more: readonly string[] = []): string[] {
  return [...new Set([...store.records.list(sessionId).flatMap(({ named }) => named), ...more])];
}

const isNext = (one: CheckpointRecord, record: CheckpointRecord): boolean =>
  one.store === record.store && (one.atMs > record.atMs || (one.atMs === record.atMs && one.id > record.id));

const asTurns = ({ path, from, to }: TreeChange): PlannedFile => ({
  ...{ path, now: from, wanted: to },
  ...{ by: 'turn', again: false },
});

/** What is still as it was shown; the rest is left alone, with the reason. */
function unchanged(planned: readonly PlannedFile[], now: Tree): { steps: PlannedFile[]; kept: RestoreResult['kept'] } {
  const steps: PlannedFile[] = [];
  const kept: RestoreResult['kept'] = [];
  for (const file of planned) {
    const blocked = blockedWhy(file);
    const same = isSameItem(now.get(file.path) ?? null, file.now);
    if (same && blocked === null) steps.push(file);
    else kept.push({ path: file.path, why: blocked ?? 'It changed after the list was made. It was left as it is.' });
  }
  return { steps, kept };
}

/** Folders that hold something afterwards, or were there before the turn. */
function foldersToStay(now: Tree, first: Tree, steps: readonly PlannedFile[]): Set<string> {
  const then = new Map(now);
  for (const { path, wanted } of steps) {
    if (wanted === null) then.delete(path);
    else then.set(path, wanted);
  }
  return new Set([...foldersOf(then), ...foldersOf(first)]);
}

function assertOneStore(records: readonly CheckpointRecord[], now: Snapshot): 'git' | 'plain' {
  if (records.every(({ store }) => store === now.store)) return now.store;
  const words =
    now.store === 'git' ? 'was made without git, which is there now' : 'needs git, which is not there any more';
  throw new AppError('store.io', `This checkpoint ${words}. Nothing was changed.`);
}

function found(record: CheckpointRecord | null): CheckpointRecord {
  if (record) return record;
  throw new AppError('session.not-found', 'This checkpoint is not there any more. Nothing was changed.');
}

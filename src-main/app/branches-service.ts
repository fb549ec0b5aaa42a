// Going back and forth in a chat's tree: rewind, undo, jump, names of branches, forks into chats of their own. Each is one
// durable commit; the chat is then loaded anew from its path, so that nothing of the path before is left in memory.
import { AppError } from '../base/app-error.ts';
import { newId } from '../base/new-id.ts';
import type { Entry, EntryData, NewEntry } from '../contract/entries.ts';
import type { EntryId, SessionId } from '../contract/ids.ts';
import type { TreeView } from '../contract/session-tree.ts';
import { projectMessages } from '../engine/project-request.ts';
import type { Branch, LeaseHolder, SessionTree } from '../store/store.ts';
import type { AppContext } from './app-context.ts';
import { carriedEntries, entryNow } from './carried-facts.ts';
import { keptPath, type RewindTarget } from './kept-path.ts';
import type { LiveSession } from './live-session.ts';
import { nameOfNew } from './session-name.ts';

export interface BranchesParts {
  readonly context: AppContext;
  readonly lease: LeaseHolder;
  load(id: SessionId): Promise<LiveSession>;
  /** Runs work on a chat that is not loaded meanwhile, with its lease, and loads it anew. */
  reload(live: LiveSession, work: () => Promise<void>): Promise<void>;
}

/** A place of a chat that this process remembers; nothing of it is stored. */
export interface PositionMarker {
  readonly sessionId: SessionId;
  readonly entryId: EntryId;
}

/** Moves that can be taken back, oldest first, by the seq that each came from. */
export function undoStack(branches: readonly Branch[]): number[] {
  const stack: number[] = [];
  for (const { how, fromSeq } of branches) {
    if (how === 'undo') stack.pop();
    else if (how !== 'root') stack.push(fromSeq);
  }
  return stack;
}

export class BranchesService {
  readonly #parts: BranchesParts;

  constructor(parts: BranchesParts) {
    this.#parts = parts;
  }

  /**
   * Goes back on the path. Keeping as much as there is changes nothing and removes 0. Codes session.not-at-boundary while
   * a turn is open, session.not-found.
   */
  async rewind(id: SessionId, target: RewindTarget): Promise<{ removed: number }> {
    const live = await this.#resting(id);
    const path = live.path;
    const { entries, removed } = keptPath(path, target);
    if (entries.length === path.length || (removed === 0 && target.type === 'keep')) return { removed: 0 };
    await this.#move(live, { how: 'rewind', removed }, entries);
    return { removed };
  }

  /** A light marker of where a chat is now, to be gone back to in this process (TREE-11). Code session.not-at-boundary. */
  async mark(id: SessionId): Promise<PositionMarker> {
    const live = await this.#resting(id);
    return { sessionId: id, entryId: live.path.at(-1)?.id ?? ('' as EntryId) };
  }

  /**
   * Goes back to a marker: all that was said since is not sent any more; gives how many messages that is. Codes
   * session.not-at-boundary, session.not-found where the marker is not on the path.
   */
  async rewindToMarker(marker: PositionMarker): Promise<{ removed: number }> {
    const live = await this.#resting(marker.sessionId);
    const path = live.path;
    const length = path.findIndex((entry) => entry.id === marker.entryId) + 1;
    if (length === 0) throw new AppError('session.not-found', 'This place is not on the path that the chat is on.');
    const kept = path.slice(0, length);
    const removed = Math.max(0, projectMessages(path).length - projectMessages(kept).length);
    if (length < path.length) await this.#move(live, { how: 'rewind', removed }, kept);
    return { removed };
  }

  /** Takes the last move back, also one of an earlier start. Gives whether there was one. Code session.not-at-boundary. */
  async undo(id: SessionId): Promise<boolean> {
    const { context } = this.#parts;
    const live = await this.#resting(id);
    const fromSeq = undoStack((await context.store.readTree(id)).branches).at(-1);
    if (fromSeq === undefined) return false;
    const { entries } = await context.store.readPath(id, fromSeq);
    await this.#move(live, { how: 'undo', removed: 0 }, entries);
    return true;
  }

  /**
   * Goes to the end of any turn of the tree. Codes session.not-at-boundary, session.not-found, config.invalid where
   * branches are switched off.
   */
  async jump(id: SessionId, turnSeq: number): Promise<void> {
    const { store } = this.#parts.context;
    this.#assertOn();
    const live = await this.#resting(id);
    const { entries } = await store.readPath(id, endOfTurn(await store.readTree(id), turnSeq));
    if (entries.at(-1)?.id === live.path.at(-1)?.id) return;
    const removed = Math.max(0, projectMessages(live.path).length - projectMessages(entries).length);
    await this.#move(live, { how: 'jump', removed }, entries);
  }

  /** Names a branch; '' takes the name away. Codes session.not-found, session.busy, config.invalid. */
  async name(id: SessionId, branch: number, name: string): Promise<void> {
    this.#assertOn();
    const live = await this.#parts.load(id);
    const tree = await this.#parts.context.store.readTree(id);
    if (!tree.branches.some(({ number }) => number === branch)) {
      throw new AppError('session.not-found', 'This branch is not there. Nothing was changed.');
    }
    await live.engine.record([entryNow('branch-name', { branch, name, by: 'person' })]);
  }

  /** Copies the path to the end of a turn (null = to the head) into a chat of its own; gives its id. */
  async fork(id: SessionId, turnSeq: number | null): Promise<SessionId> {
    const { context, lease } = this.#parts;
    const { store } = context;
    const { entries: now } = await store.readPath(id);
    const toSeq = turnSeq === null ? (now.at(-1)?.seq ?? null) : endOfTurn(await store.readTree(id), turnSeq);
    const { entries } = toSeq === null ? { entries: now } : await store.readPath(id, toSeq);
    const row = await store.getSession(id);
    const title = row?.title ?? '';
    const origin: EntryData<'fork'> = { sessionId: id, entryId: entries.at(-1)?.id ?? ('' as EntryId), title };
    const made = newId<SessionId>();
    const own = [
      entryNow('fork', origin),
      ...carriedEntries(now, entries, { queue: false }).filter(({ kind }) => kind !== 'title'),
      ...entries.flatMap(unqueued),
      entryNow('title', { title: title === '' ? 'Fork' : `${title} (fork)`.slice(0, 300), by: 'person' }),
    ];
    const project = row && (await store.getProject(row.projectId));
    const name = project ? await nameOfNew(store, { wanted: undefined, folder: project.path }) : '';
    await store.forkSession({ from: id, toSeq, id: made, entries: own, lease, name });
    await store.release(made, lease.pid);
    context.sessionChanged(made);
    return made;
  }

  /** The tree as a window shows it. Where branches are switched off, the path alone and how many it leaves out. */
  async tree(id: SessionId): Promise<TreeView> {
    const tree = await this.#parts.context.store.readTree(id);
    const { entries } = await this.#parts.context.store.readPath(id);
    const onPath = new Set(entries.map((entry) => entry.seq));
    const last = tree.turns.findLast(({ seq }) => onPath.has(seq))?.seq;
    const on = this.#parts.context.settings.current.branches;
    const turns = tree.turns
      .map(({ seq, endSeq, turnId, entryId, branch, atMs, text, outcome }) => ({
        ...{ seq, endSeq, turnId, entryId, branch, atMs, text, outcome },
        onPath: onPath.has(seq),
        current: seq === last,
      }))
      .filter((turn) => on || turn.onPath);
    const used = new Set(tree.turns.map((turn) => turn.branch));
    const branches = tree.branches.map(({ number, parentBranch, parentSeq, firstSeq, name }) => ({
      ...{ number, parentBranch, parentSeq, firstSeq, name },
      current: number === tree.headBranch,
    }));
    return {
      on,
      branches: on ? branches : [],
      turns,
      undoable: undoStack(tree.branches).length,
      hidden: on ? 0 : [...used].filter((branch) => !turns.some((turn) => turn.branch === branch)).length,
    };
  }

  #assertOn(): void {
    if (this.#parts.context.settings.current.branches) return;
    throw new AppError('config.invalid', 'Branches are switched off in the settings. Switch them on to use them.');
  }

  async #resting(id: SessionId): Promise<LiveSession> {
    const live = await this.#parts.load(id);
    if (live.isBusy || live.engine.openTurn) {
      throw new AppError('session.not-at-boundary', 'Wait for the answer, or stop it, and then go back.');
    }
    return live;
  }

  async #move(
    live: LiveSession,
    move: Pick<EntryData<'rewind'>, 'how' | 'removed'>,
    kept: readonly Entry[],
  ): Promise<void> {
    const { context, lease } = this.#parts;
    const path = live.path;
    const [to, from] = [kept.at(-1)?.id, path.at(-1)?.id];
    if (to === undefined || from === undefined) return;
    const used = { steps: live.engine.stepCount, calls: live.engine.executedCalls };
    const entries = [
      entryNow('rewind', { to, from, ...move, used, by: 'person' }),
      ...carriedEntries(path, kept, { queue: true }),
      ...restoredJustBefore(path),
    ];
    await this.#parts.reload(live, async () => {
      await context.store.append(live.id, lease.pid, entries);
    });
    context.events.publish(live.id, { type: 'path-change' });
    context.sessionChanged(live.id);
  }
}

/** Files that were put back together with this move are told of where the chat goes on. */
function restoredJustBefore(path: readonly Entry[]): NewEntry[] {
  const last = path.at(-1);
  return last?.kind === 'files-restore' ? [entryNow('files-restore', last.data)] : [];
}

/** Code session.not-found. */
function endOfTurn(tree: SessionTree, turnSeq: number): number {
  const turn = tree.turns.find(({ seq }) => seq === turnSeq);
  if (!turn) throw new AppError('session.not-found', 'This turn is not there. Open the chat again.');
  return turn.endSeq;
}

/** A copy has no queue: what waits, waits in the chat that it was queued in. */
function unqueued(entry: Entry, _index: number, path: readonly Entry[]): ReturnType<typeof entryNow>[] {
  if (entry.kind !== 'queue-add') return [];
  const { queueId } = entry.data;
  const left = path.some((one) => one.kind === 'queue-remove' && one.data.queueId === queueId);
  return left ? [] : [entryNow('queue-remove', { queueId, why: 'person' })];
}

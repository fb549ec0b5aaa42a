// The port that keeps files for one chat: once a turn, at its end again, and what is told where that fails.
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src-main/base/app-error.ts';
import { newId } from '../../../src-main/base/new-id.ts';
import type { Entry } from '../../../src-main/contract/entries.ts';
import type { CheckpointId, EntryId, ProjectId, SessionId, TurnId } from '../../../src-main/contract/ids.ts';
import { removedTurns } from '../../../src-main/app/removed-turns.ts';
import { SessionCheckpointer, type RunCheckpointJob } from '../../../src-main/app/session-checkpointer.ts';

const identity = { path: '/project', dev: '1', ino: '2', guarantee: 'descriptor' } as const;
const sessionId = newId<SessionId>();
const turn = (name: string): TurnId => name as TurnId;
const shell = [{ kind: 'command', target: 'make' }] as const;
const edit = [{ kind: 'write-inside', target: '.env' }] as const;
const signal = new AbortController().signal;

function rig(entries: readonly Entry[] = []) {
  const ran: string[] = [];
  const state: { fail: AppError | null; nowMs: number } = { fail: null, nowMs: 0 };
  const run = ((name: string, input: { also?: readonly string[] }) => {
    ran.push(input.also?.length ? `${name} ${input.also.join()}` : name);
    if (state.fail) return Promise.reject(state.fail);
    return Promise.resolve({ checkpointId: 'c' as CheckpointId, skipped: 0 });
  }) as unknown as RunCheckpointJob;
  const checkpointer = new SessionCheckpointer({
    ...{ sessionId, entries, run, project: { id: newId<ProjectId>(), identity } },
    ...{ nowMs: () => state.nowMs, log: () => undefined },
  });
  return { checkpointer, ran, state };
}

const entry = (kind: Entry['kind'], data: unknown, id = newId<EntryId>()): Entry =>
  ({ ...{ id, kind, data, atMs: 0, sessionId, parentId: null, seq: 0 } }) as Entry;

describe('keeping the files of a chat', () => {
  it('looks at them while a card waits, keeps them once a turn, takes in what a later call names, and takes them at the end', async () => {
    const { checkpointer, ran } = rig();
    checkpointer.expect(turn('1'));
    checkpointer.expect(turn('1'));
    expect(await checkpointer.keep({ turnId: turn('1'), effects: shell }, signal)).toMatchObject({ checkpointId: 'c' });
    expect(await checkpointer.keep({ turnId: turn('1'), effects: shell }, signal)).toBe(null);
    expect(await checkpointer.keep({ turnId: turn('1'), effects: edit }, signal)).toBe(null);
    await checkpointer.ended(turn('1'));
    await checkpointer.ended(turn('2'));
    expect(ran).toEqual(['warm', 'capture', 'capture .env', 'finish']);
  });

  it('goes on with a turn that a former process began, without a second checkpoint', async () => {
    const data = { turnId: turn('1'), checkpointId: 'c' as CheckpointId, problem: null, skipped: 0 };
    const { checkpointer, ran } = rig([entry('checkpoint', data)]);
    expect(await checkpointer.keep({ turnId: turn('1'), effects: shell }, signal)).toBe(null);
    await checkpointer.ended(turn('1'));
    expect(ran).toEqual(['finish']);
  });

  it('tells a failure once a turn, and tries again with the next one', async () => {
    const { checkpointer, ran, state } = rig();
    state.fail = new AppError('store.disk-full', 'No space.');
    expect(await checkpointer.keep({ turnId: turn('1'), effects: shell }, signal)).toMatchObject({
      ...{ checkpointId: null, problem: 'No space.' },
    });
    expect(await checkpointer.keep({ turnId: turn('1'), effects: edit }, signal)).toBe(null);
    await checkpointer.ended(turn('1'));
    state.fail = null;
    expect(await checkpointer.keep({ turnId: turn('2'), effects: shell }, signal)).toMatchObject({ checkpointId: 'c' });
    expect(ran).toEqual(['capture', 'capture']);
  });

  it('R8: a folder that is too large is looked at again only after a while', async () => {
    const { checkpointer, ran, state } = rig();
    state.fail = new AppError('workspace.too-large', 'Too many files.');
    for (const name of ['1', '2', '3']) {
      checkpointer.expect(turn(name));
      expect(await checkpointer.keep({ turnId: turn(name), effects: shell }, signal)).toMatchObject({
        problem: 'Too many files.',
      });
    }
    expect(ran).toEqual(['warm', 'capture']);
    state.nowMs = 3_600_000;
    await checkpointer.keep({ turnId: turn('4'), effects: shell }, signal);
    expect(ran).toEqual(['warm', 'capture', 'capture']);
  });

  it('a stop while files are kept tells nothing', async () => {
    const { checkpointer, state } = rig();
    state.fail = new AppError('cancelled', 'It was stopped.');
    expect(await checkpointer.keep({ turnId: turn('1'), effects: shell }, signal)).toBe(null);
  });
});

describe('turns that a rewind leaves behind', () => {
  const message = (name: string, id: EntryId) =>
    entry('user-message', { turnId: turn(name), text: `say ${name}`, attachments: [] }, id);
  const ran = (name: string, kind: string) =>
    entry('verdict', { turnId: turn(name), decision: 'run', effects: [{ kind, target: 'x' }] });
  const kept = (name: string, problem: string | null) =>
    entry('checkpoint', { turnId: turn(name), checkpointId: problem === null ? 'c' : null, problem, skipped: 0 });
  const [one, two, three] = [newId<EntryId>(), newId<EntryId>(), newId<EntryId>()];
  const path = [
    ...[message('1', one), kept('1', null), ran('1', 'command')],
    ...[message('2', two), ran('2', 'read-inside')],
    ...[message('3', three), kept('3', 'No space.'), ran('3', 'write-inside')],
  ];

  it('R7: are those from the message on, with the reason for each whose files were not kept', () => {
    const all = removedTurns(path, one);
    expect([...all.turnIds]).toEqual(['1', '2', '3']);
    expect(all.notes).toEqual(['What “say 3” changed in files cannot be taken back: No space.']);
    expect(removedTurns(path.slice(0, -3), one)).toMatchObject({ notes: [], unkept: false });
    expect([...removedTurns(path, three).turnIds]).toEqual(['3']);
  });

  it('R7: a turn that wrote while nothing was kept is told of too', () => {
    const silent = [message('1', one), ran('1', 'command-unconfined')];
    expect(removedTurns(silent, one)).toMatchObject({
      ...{ unkept: true, notes: ['What “say 1” changed in files cannot be taken back: No checkpoint was made.'] },
    });
  });
});

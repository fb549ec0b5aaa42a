// What is put back, and what is left alone: the list that was shown decides, nothing that changed meanwhile is lost, and
// what was put back can be taken back.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { newId } from '../../../src-main/base/new-id.ts';
import type { CheckpointId, SessionId } from '../../../src-main/contract/ids.ts';
import { checkpointRig, copyOf, write, type CheckpointRig } from '../../helpers/checkpoint-rig.ts';

const text = (rig: CheckpointRig, file: string): string => fs.readFileSync(path.join(rig.folder, file), 'utf8');
const exists = (rig: CheckpointRig, file: string): boolean => fs.existsSync(path.join(rig.folder, file));

async function turn(rig: CheckpointRig, name: string, change: () => void): Promise<CheckpointId> {
  const id = await rig.begin(name);
  change();
  await rig.end(name);
  return id;
}

describe.each(['git', 'plain'] as const)('putting files back, in a %s store', (kind) => {
  it('puts back one file, one turn or all since, each as it was before the first of those turns', async () => {
    const rig = await checkpointRig({ kind });
    write(rig.folder, { 'a.txt': 'a0', 'b.txt': 'b0', 'c.txt': 'c0', 'hand.txt': 'h0' });
    const first = await turn(rig, '1', () => write(rig.folder, { 'a.txt': 'a1', 'b.txt': 'b1' }));
    write(rig.folder, { 'hand.txt': 'h1', 'c.txt': 'c-by-hand' });
    const second = await turn(rig, '2', () => write(rig.folder, { 'b.txt': 'b2', 'c.txt': 'c2', 'new.txt': 'n' }));

    const one = await rig.plan([first], { others: false });
    expect(one.files.map((file) => [file.path, file.change, file.again])).toEqual([
      ['a.txt', 'changed', false],
      ['b.txt', 'changed', true],
    ]);
    const both = await rig.plan([first, second]);
    expect(both.files.map((file) => [file.path, file.change, file.by])).toEqual([
      ['a.txt', 'changed', 'turn'],
      ['b.txt', 'changed', 'turn'],
      ['c.txt', 'changed', 'turn'],
      ['hand.txt', 'changed', 'other'],
      ['new.txt', 'removed', 'turn'],
    ]);

    await rig.restore([second], { others: false, paths: ['b.txt'] });
    expect([text(rig, 'b.txt'), text(rig, 'c.txt')]).toEqual(['b1', 'c2']);
    const chosen = both.files.filter(({ by }) => by === 'turn').map((file) => file.path);
    const { restored } = await rig.restore([first, second], { chosen });
    expect(restored).toEqual(['a.txt', 'b.txt', 'c.txt', 'new.txt']);
    expect([text(rig, 'a.txt'), text(rig, 'b.txt'), exists(rig, 'new.txt')]).toEqual(['a0', 'b0', false]);
    // What a hand did between the turns, to what the first turn never touched, stays.
    expect([text(rig, 'c.txt'), text(rig, 'hand.txt')]).toEqual(['c-by-hand', 'h1']);
  });

  it('a file that one turn made and a later one changed is gone once both are taken back', async () => {
    const rig = await checkpointRig({ kind });
    write(rig.folder, { 'a.txt': 'a0' });
    const before = copyOf(rig.folder);
    const first = await turn(rig, '1', () => write(rig.folder, { 'born.txt': '1' }));
    const second = await turn(rig, '2', () => write(rig.folder, { 'born.txt': '2' }));
    expect((await rig.plan([first, second])).files).toMatchObject([{ path: 'born.txt', change: 'removed' }]);
    await rig.restore([first, second]);
    expect(copyOf(rig.folder)).toEqual(before);
  });

  it('R10: a file that was deleted at the checkpoint and made again is gone after it is put back', async () => {
    const rig = await checkpointRig({ kind });
    write(rig.folder, { 'gone/old.txt': 'o', 'a.txt': 'a' });
    fs.rmSync(path.join(rig.folder, 'gone'), { recursive: true });
    const before = copyOf(rig.folder);
    const id = await turn(rig, '1', () => write(rig.folder, { 'gone/old.txt': 'again', 'deep/er/x.txt': 'x' }));
    await rig.restore([id]);
    expect(copyOf(rig.folder)).toEqual(before);
  });

  it('makes a checkpoint before, so that what was put back can be taken back', async () => {
    const rig = await checkpointRig({ kind });
    write(rig.folder, { 'a.txt': 'a0' });
    const id = await turn(rig, '1', () => write(rig.folder, { 'a.txt': 'a1', 'b.txt': 'b1' }));
    const changed = copyOf(rig.folder);
    const { checkpointId } = await rig.restore([id]);
    expect(copyOf(rig.folder)).not.toEqual(changed);
    expect(rig.store.list({ projectId: rig.project.id, sessionId: rig.sessionId }).at(-1)).toMatchObject({
      ...{ id: checkpointId, turnId: null, ended: true, changed: 2 },
    });
    await rig.restore(checkpointId === null ? [] : [checkpointId]);
    expect(copyOf(rig.folder)).toEqual(changed);
  });

  it('leaves alone what changed after the list was shown, and tells', async () => {
    const rig = await checkpointRig({ kind });
    write(rig.folder, { 'a.txt': 'a0', 'b.txt': 'b0', 'c.txt': 'c0' });
    const id = await turn(rig, '1', () => write(rig.folder, { 'a.txt': 'a1', 'b.txt': 'b1', 'c.txt': 'c1' }));
    const { project, sessionId } = rig;
    const input = { project, sessionId, checkpointIds: [id], paths: null, others: true };
    const { shown } = await rig.store.plan(input);
    write(rig.folder, { 'b.txt': 'typed by hand' });
    fs.rmSync(path.join(rig.folder, 'c.txt'));
    const chosen = ['a.txt', 'b.txt', 'c.txt'];
    const result = await rig.store.restore({ ...input, shown, chosen, madeId: newId<CheckpointId>() });
    expect(result.restored).toEqual(['a.txt']);
    const why = 'It changed after the list was made. It was left as it is.';
    expect(result.kept).toEqual([
      { path: 'b.txt', why },
      { path: 'c.txt', why },
    ]);
    expect([text(rig, 'b.txt'), exists(rig, 'c.txt')]).toEqual(['typed by hand', false]);
  });

  it('puts nothing back by a list that was never shown, or is too old', async () => {
    const rig = await checkpointRig({ kind });
    write(rig.folder, { 'a.txt': 'a0' });
    const id = await turn(rig, '1', () => write(rig.folder, { 'a.txt': 'a1' }));
    const { project, sessionId } = rig;
    const input = { project, sessionId, checkpointIds: [id], paths: null, others: true };
    const restoring = rig.store.restore({ ...input, shown: 'other', chosen: ['a.txt'], madeId: newId<CheckpointId>() });
    await expect(restoring).rejects.toMatchObject({ code: 'workspace.conflict' });
    const unknown = rig.store.plan({ ...input, checkpointIds: [newId<CheckpointId>()] });
    await expect(unknown).rejects.toMatchObject({ code: 'session.not-found' });
    expect(text(rig, 'a.txt')).toBe('a1');
  });

  it('R1: a capture that fails makes no checkpoint, and no older one takes its place', async () => {
    const rig = await checkpointRig({ kind });
    write(rig.folder, { 'a.txt': 'a0' });
    await turn(rig, '1', () => write(rig.folder, { 'a.txt': 'a1' }));
    const store = path.join(rig.data, 'checkpoints', rig.project.id, kind);
    fs.renameSync(store, `${store}-aside`);
    fs.writeFileSync(store, 'no folder');
    write(rig.folder, { 'a.txt': 'two days of work' });
    await expect(rig.begin('2')).rejects.toMatchObject({ name: 'AppError' });
    fs.rmSync(store);
    fs.renameSync(`${store}-aside`, store);
    const kept = rig.store.list({ projectId: rig.project.id, sessionId: rig.sessionId });
    expect(kept.map(({ turnId }) => turnId)).toEqual(['1']);
    expect(text(rig, 'a.txt')).toBe('two days of work');
  });

  it('R5: rules about what git ignores that cannot be read make no checkpoint', async () => {
    const rig = await checkpointRig({ kind });
    write(rig.folder, { '.gitignore': 'node_modules\n', 'a.txt': 'a' });
    write(rig.folder, { '.gitignore': `${'x'.repeat(2_000_000)}\n` });
    await expect(rig.begin('1')).rejects.toThrow('says what git ignores, and could not be read');
    expect(rig.store.list({ projectId: rig.project.id, sessionId: rig.sessionId })).toEqual([]);
  });

  it('R8: more files or bytes than the guard allows make no checkpoint, and leave nothing of it behind', async () => {
    const rig = await checkpointRig({ kind, guard: { mostBytes: 100_000, mostFiles: 50 } });
    write(rig.folder, { 'a.txt': 'a' });
    await turn(rig, '1', () => write(rig.folder, { 'a.txt': 'A' }));
    const before = rig.store.bytes();
    for (let n = 0; n < 20; n++) write(rig.folder, { [`big/${n}.bin`]: Buffer.alloc(9000, n) });
    await expect(rig.begin('2')).rejects.toThrow('more than 0 MB');
    fs.rmSync(path.join(rig.folder, 'big'), { recursive: true });
    for (let n = 0; n < 60; n++) write(rig.folder, { [`many/${n}.txt`]: '' });
    await expect(rig.begin('2')).rejects.toThrow('more than 50 files');
    await rig.store.forget({ projectId: rig.project.id, sessionIds: [] });
    expect(rig.store.bytes()).toBeLessThan(before + 20_000);
  });

  it('R8: the oldest checkpoints go once the store is larger than its share, and those that are too old', async () => {
    const rig = await checkpointRig({ kind, guard: { storeBytes: 300_000 } });
    for (let n = 0; n < 12; n++) {
      const bytes = Buffer.from(
        Array.from({ length: 60_000 }, (_, at) => ((at * 7919 + n * 104_729) % 251) ^ ((at >> 3) % 256)),
      );
      await turn(rig, String(n), () => write(rig.folder, { 'blob.bin': bytes }));
    }
    const now = Date.now();
    await rig.store.collect({ nowMs: now, sessions: null });
    expect(rig.store.bytes()).toBeLessThan(300_000 + 50_000);
    const left = rig.store.list({ projectId: rig.project.id, sessionId: rig.sessionId });
    expect(left.at(-1)?.turnId).toBe('11');
    const last = left.at(-1)?.id;
    write(rig.folder, { 'blob.bin': 'by hand' });
    expect((await rig.plan(last ? [last] : [])).files).toHaveLength(1);
    await rig.store.collect({ nowMs: now + 40 * 86_400_000, sessions: null });
    expect(rig.store.list({ projectId: rig.project.id, sessionId: rig.sessionId })).toEqual([]);
  });

  it('frees what was kept for a chat that is deleted, and nothing of another one', async () => {
    const rig = await checkpointRig({ kind });
    write(rig.folder, { 'a.txt': 'a0' });
    const own = await turn(rig, '1', () => write(rig.folder, { 'a.txt': 'a1' }));
    const other = newId<SessionId>();
    const { project } = rig;
    const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, at) => (at * 7919) % 251));
    write(rig.folder, { 'b.bin': bytes });
    const input = { project, sessionId: other, checkpointId: newId<CheckpointId>(), turnId: 't' as never, also: [] };
    await rig.store.capture(input, { stopped: () => false, late: () => false });
    fs.rmSync(path.join(rig.folder, 'b.bin'));
    const before = rig.store.bytes();
    await rig.store.forget({ projectId: project.id, sessionIds: [other] });
    expect(rig.store.bytes()).toBeLessThan(before);
    expect(rig.store.list({ projectId: project.id, sessionId: other })).toEqual([]);
    expect((await rig.restore([own])).restored).toEqual(['a.txt']);
    expect(text(rig, 'a.txt')).toBe('a0');
    // What was freed is kept anew once it is there again.
    write(rig.folder, { 'b.bin': bytes });
    const again = await turn(rig, '2', () => fs.rmSync(path.join(rig.folder, 'b.bin')));
    expect((await rig.restore([again])).kept).toEqual([]);
    expect(fs.readFileSync(path.join(rig.folder, 'b.bin')).equals(bytes)).toBe(true);
  });

  it('what another process freed is kept anew, not remembered as kept', async () => {
    const rig = await checkpointRig({ kind });
    const { CheckpointStore } = await import('../../../src-main/tools/checkpoint/checkpoint-store.ts');
    const other = new CheckpointStore(rig.settings);
    const { project } = rig;
    write(rig.folder, { 'a.txt': 'a0', 'b.txt': 'b0' });
    // Read long after they changed: their bytes need not be read again.
    const later = Date.now() + 3_600_000;
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => later);
    onTestFinished(() => {
      clock.mockRestore();
    });
    const mine = newId<SessionId>();
    const input = { project, sessionId: mine, checkpointId: newId<CheckpointId>(), turnId: 't' as never, also: [] };
    await rig.store.capture(input, { stopped: () => false, late: () => false });
    clock.mockRestore();
    await other.forget({ projectId: project.id, sessionIds: [mine] });
    const id = await turn(rig, '1', () => write(rig.folder, { 'a.txt': 'a1', 'b.txt': 'b1' }));
    expect((await rig.restore([id])).kept).toEqual([]);
    expect([text(rig, 'a.txt'), text(rig, 'b.txt')]).toEqual(['a0', 'b0']);
  });

  it('a turn that a crash cut is compared with what is there now', async () => {
    const rig = await checkpointRig({ kind });
    write(rig.folder, { 'a.txt': 'a0' });
    const id = await rig.begin('1');
    write(rig.folder, { 'a.txt': 'a1' });
    const { project, sessionId } = rig;
    const files = await rig.store.changes({ project, sessionId, checkpointId: id });
    expect(files.map((file) => [file.path, file.change, file.added, file.removed])).toEqual([
      ['a.txt', 'changed', 1, 1],
    ]);
    const { diff } = await rig.store.diff({ project, sessionId, checkpointId: id, path: 'a.txt' });
    expect(diff).toContain('-a0');
    expect(diff).toContain('+a1');
    await rig.restore([id]);
    expect(text(rig, 'a.txt')).toBe('a0');
  });

  it('another process that works on the same checkpoints is waited for, and one that is gone is not', async () => {
    const rig = await checkpointRig({ kind });
    write(rig.folder, { 'a.txt': 'a0' });
    await turn(rig, '1', () => write(rig.folder, { 'a.txt': 'a1' }));
    const lock = path.join(rig.data, 'checkpoints', rig.project.id, 'lock');
    fs.writeFileSync(lock, String(process.ppid));
    let done = false;
    const waiting = turn(rig, '2', () => write(rig.folder, { 'a.txt': 'a2' })).then(() => (done = true));
    for (let n = 0; n < 5; n++) await new Promise((resolve) => setImmediate(resolve));
    expect(done).toBe(false);
    fs.rmSync(lock);
    await waiting;
    fs.writeFileSync(lock, '999999999');
    await turn(rig, '3', () => write(rig.folder, { 'a.txt': 'a3' }));
    expect(fs.existsSync(lock)).toBe(false);
  });
});

describe('a store that is damaged, or whose git is gone', () => {
  it('puts back nothing of a file whose kept bytes are damaged, and all of the others', async () => {
    const rig = await checkpointRig({ kind: 'plain' });
    write(rig.folder, { 'a.txt': 'a0', 'b.txt': 'b0' });
    const id = await turn(rig, '1', () => write(rig.folder, { 'a.txt': 'a1', 'b.txt': 'b1' }));
    const store = path.join(rig.data, 'checkpoints', rig.project.id, 'plain');
    const { gitId } = await import('../../../src-main/tools/checkpoint/git-objects.ts');
    expect(gitId(Buffer.from('a0'))).toHaveLength(40);
    const { createHash } = await import('node:crypto');
    const name = createHash('sha256').update('a0').digest('hex');
    fs.writeFileSync(path.join(store, name.slice(0, 2), name.slice(2)), 'rotten');
    const { shown } = await rig.plan([id], { paths: ['b.txt'] });
    expect(shown).not.toBe('');
    const { project, sessionId } = rig;
    const input = { project, sessionId, checkpointIds: [id], paths: null, others: false };
    const chosen = ['a.txt', 'b.txt'];
    const result = await rig.store.restore({ ...input, shown, chosen, madeId: newId<CheckpointId>() });
    expect(result.restored).toEqual(['b.txt']);
    expect(result.kept).toEqual([{ path: 'a.txt', why: expect.stringContaining('missing or damaged') as string }]);
    expect([text(rig, 'a.txt'), text(rig, 'b.txt')]).toEqual(['a1', 'b0']);
  });

  it('keeps files without git where none is found, also where the only one lies in the project', async () => {
    const rig = await checkpointRig({ kind: 'git', searchPath: '/nowhere' });
    write(rig.folder, { 'bin/git': '#!/bin/sh\nexit 0\n', 'a.txt': 'a0' });
    fs.chmodSync(path.join(rig.folder, 'bin/git'), 0o755);
    const { findGit } = await import('../../../src-main/tools/checkpoint/run-git.ts');
    expect(findGit(`${rig.folder}/bin:relative`, rig.folder)).toBe(null);
    const id = await turn(rig, '1', () => write(rig.folder, { 'a.txt': 'a1' }));
    expect(fs.readdirSync(path.join(rig.data, 'checkpoints', rig.project.id))).toContain('plain');
    await rig.restore([id]);
    expect(text(rig, 'a.txt')).toBe('a0');
  });
});

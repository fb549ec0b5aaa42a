// The worker that keeps files: one that is waited for too long, one that is not wanted any more, and its end.
import { describe, expect, it, onTestFinished } from 'vitest';
import path from 'node:path';
import { newId } from '../../../src-main/base/new-id.ts';
import type { CheckpointId, ProjectId, SessionId, TurnId } from '../../../src-main/contract/ids.ts';
import { CheckpointClient } from '../../../src-main/tools/checkpoint/checkpoint-client.ts';
import { CHECKPOINT_GUARD, type CheckpointGuard } from '../../../src-main/tools/checkpoint/checkpoint-jobs.ts';
import { identityOf, write } from '../../helpers/checkpoint-rig.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

async function place() {
  const [folder, data] = [await tempFolder(), await tempFolder()];
  for (let n = 0; n < 50; n++) write(folder, { [`f${n}.txt`]: `file ${n}\n` });
  const project = { id: newId<ProjectId>(), identity: identityOf(folder) };
  const client = (guard: Partial<CheckpointGuard>): CheckpointClient => {
    const made = new CheckpointClient({
      ...{ folder: path.join(data, 'checkpoints'), dataFolder: data, searchPath: '/usr/local/bin:/usr/bin:/bin' },
      guard: { ...CHECKPOINT_GUARD, ...guard },
    });
    onTestFinished(() => made.close());
    return made;
  };
  const sessionId = newId<SessionId>();
  const capture = (turn: string) => ({
    ...{ project, sessionId, checkpointId: newId<CheckpointId>(), turnId: turn as TurnId, also: [] },
  });
  return { client, capture, about: { projectId: project.id, sessionId } };
}

describe('the worker that keeps files', () => {
  it('goes on with what a turn does not wait for any more, and that is no checkpoint', async () => {
    const { client, capture, about } = await place();
    const hasty = client({ patienceMs: 1 });
    await expect(hasty.run('capture', capture('1'))).rejects.toMatchObject({ code: 'tool.timed-out' });
    expect(await hasty.run('list', about)).toEqual([]);
    expect(await hasty.run('bytes', undefined)).toBeGreaterThan(1000);
    const patient = client({});
    await patient.run('capture', capture('2'));
    expect((await patient.run('list', about)).map(({ turnId }) => turnId)).toEqual(['2']);
  });

  it('keeps nothing that is stopped, and works on afterwards', async () => {
    const { client, capture, about } = await place();
    const one = client({});
    const stopped = one.run('capture', capture('1'), AbortSignal.abort());
    await expect(stopped).rejects.toMatchObject({ code: 'cancelled' });
    await one.run('capture', capture('2'));
    expect((await one.run('list', about)).map(({ turnId }) => turnId)).toEqual(['2']);
  });

  it('ends after what it is doing, and refuses work from then on', async () => {
    const { client, capture, about } = await place();
    const one = client({});
    const running = one.run('capture', capture('1'));
    await one.close();
    expect((await running).skipped).toBe(0);
    await one.close();
    await expect(one.run('list', about)).rejects.toMatchObject({ code: 'store.io' });
    expect(await client({}).run('list', about)).toHaveLength(1);
  });
});

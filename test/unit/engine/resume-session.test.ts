// A session as a value: what belongs to the envelope, what to the engine, and what is given live again.
import { describe, expect, test } from 'vitest';
import { sessionSnapshotSchema } from '../../../src-main/contract/session-snapshot.ts';
import { resumeSession } from '../../../src-main/engine/resume-session.ts';
import {
  ask,
  call,
  calls,
  makeRig,
  rigConfig,
  rigPorts,
  say,
  ScriptedApprover,
  writer,
} from '../../helpers/engine-ports.ts';

describe('a snapshot', () => {
  test('HIST-10: has an envelope with its version that the contract knows, and a state that it does not look into', async () => {
    const rig = await makeRig({ rounds: [say('one')] });
    await ask(rig);
    const snapshot = await rig.session.snapshot();
    const other = { ...snapshot, state: { of: 'another engine' } };
    expect(sessionSnapshotSchema.parse(other)).toEqual(other);
    const { sessionId: _id, history: _history, ...config } = rigConfig();
    for (const bad of [other, { ...snapshot, version: 2 }, { ...snapshot, format: 'x' }, null]) {
      await expect(resumeSession(bad, config, rigPorts())).rejects.toMatchObject({ code: 'session.history-invalid' });
    }
  });

  test('HIST-11, HIST-12: gives a resume the conversation alone: who answers, what is confined and what listens is what is there now', async () => {
    const allows = new ScriptedApprover('allow', 'allow');
    const rounds = [calls(call('write', { n: 1 })), say('one')];
    const rig = await makeRig({ tools: [writer()], approver: allows, rounds });
    let heard = 0;
    rig.session.on(() => {
      heard += 1;
    });
    await ask(rig);
    const snapshot = JSON.parse(JSON.stringify(await rig.session.snapshot())) as unknown;
    const before = heard;

    const denies = new ScriptedApprover({ type: 'deny', reason: 'not here', by: 'person' });
    const tool = writer();
    const options = { tools: [tool], approver: denies, rounds: [calls(call('write', { n: 2 })), say('two')] };
    const ports = rigPorts(options);
    const { sessionId: _id, history: _history, ...config } = rigConfig(options);
    const session = await resumeSession(snapshot, config, ports);
    expect(session.history()).toEqual(rig.session.history());
    expect(session.grants).toEqual([]);
    const turn = await session.send('again');
    expect(turn.outcome).toEqual({ type: 'completed' });
    expect([tool.ran, allows.questions.length, denies.questions.length, heard - before]).toEqual([[], 1, 1, 0]);
  });
});

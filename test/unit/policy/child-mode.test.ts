// A session that is begun from another one: what it may do is taken by value, at that moment.
import { expect, test } from 'vitest';
import { ask, call, calls, makeRig, results, say, ScriptedApprover, testTool } from '../../helpers/engine-ports.ts';

const confiner = { status: () => ({ available: true, reason: '' }) };
const shell = () => testTool('shell', { class: 'command', effects: () => [{ kind: 'command', target: 'ls' }] });

test('MODE-11: a session begun from the live mode and confinement of another keeps them, whatever the other does later', async () => {
  const parent = await makeRig({ tools: [shell()], confiner, approver: new ScriptedApprover('allow') });
  const begin = async () => {
    const approver = new ScriptedApprover('allow');
    const { mode, confinement } = parent.session;
    const rounds = [calls(call('shell', { command: 'ls' })), say('end')];
    const rig = await makeRig({ tools: [shell()], confiner, approver, mode, confinement, rounds });
    return { rig, approver };
  };
  const early = await begin();
  await parent.session.setMode('auto', 'person');
  const auto = await begin();
  await parent.session.setConfinement(false, 'person');
  const free = await begin();
  await parent.session.setMode('plan', 'person');
  const late = await begin();

  const seen = [];
  for (const { rig, approver } of [early, auto, free, late]) {
    await ask(rig);
    const { mode, confinement } = rig.session;
    seen.push([mode, confinement, approver.questions.length, results(rig)[0]?.status]);
  }
  // Asked before, neither loosened nor tightened after; in plan mode the tool is not offered at all.
  expect(seen).toEqual([
    ['ask', true, 1, 'ok'],
    ['auto', true, 0, 'ok'],
    ['auto', false, 0, 'ok'],
    ['plan', false, 0, 'denied'],
  ]);
  expect([parent.session.mode, parent.session.confinement]).toEqual(['plan', false]);
});

// What a session does with its model: any model behind one port, another one from the next step on, and each switch told.
import { describe, expect, test } from 'vitest';
import { ask, call, calls, makeRig, say, ScriptedModel, testTool } from '../../helpers/engine-ports.ts';

describe('another model', () => {
  test('MODEL-07: is sent the next request and touches nothing else; which one it is can be read', async () => {
    const read = testTool('read');
    const rig = await makeRig({ tools: [read], rounds: [calls(call('read')), say('first')] });
    await ask(rig);
    const next = new ScriptedModel([say('second')], { ref: 'test:next' });
    const before = JSON.stringify([rig.session.history(), rig.session.mode, rig.session.enabledTools]);
    await rig.session.setModel(next, 'person');
    expect(rig.session.model.ref).toBe('test:next');
    expect(JSON.stringify([rig.session.history(), rig.session.mode, rig.session.enabledTools])).toBe(before);
    await ask(rig, 'on');
    expect(next.requests[0]?.messages.slice(0, -1)).toEqual(rig.session.history().slice(0, -2));
    expect(rig.journal.of('assistant-message').map(({ data }) => data.model)).toEqual([
      'test:scripted',
      'test:scripted',
      'test:next',
    ]);
  });

  test('EVT-12: a switch is told as it is stored: which model, which one before, and by whom', async () => {
    const rig = await makeRig();
    await rig.session.setModel(new ScriptedModel([say('x')], { ref: 'test:next' }), 'person');
    const told = rig.events.flatMap((event) => (event.type === 'entries-append' ? event.entries : []));
    expect(told.map(({ kind, data }) => [kind, data])).toEqual([
      ['model', { model: 'test:next', previous: 'test:scripted', by: 'person' }],
    ]);
  });

  test('MODEL-10: the present one again makes no record and changes nothing of what is sent', async () => {
    const rig = await makeRig();
    await ask(rig);
    const [entries, request] = [rig.journal.entries.length, rig.session.request()];
    await rig.session.setModel(new ScriptedModel([say('x')]), 'person');
    expect(rig.journal.entries).toHaveLength(entries);
    expect(rig.session.request()).toEqual(request);
  });

  test('MODEL-14: all switches of a session can be read, in order, also after it was resumed', async () => {
    const rig = await makeRig();
    for (const ref of ['test:a', 'test:b']) {
      await rig.session.setModel(new ScriptedModel([say('x')], { ref }), 'person');
    }
    const history = JSON.parse(JSON.stringify(rig.journal.entries)) as typeof rig.journal.entries;
    const again = await makeRig({ history });
    expect(again.journal.of('model').map(({ data }) => [data.previous, data.model])).toEqual([
      ['test:scripted', 'test:a'],
      ['test:a', 'test:b'],
    ]);
  });
});

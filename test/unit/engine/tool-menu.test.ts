// What the model is told of its tools, how it finds further ones, and what it may ask the person.
import { describe, expect, test } from 'vitest';
import { resumeSession } from '../../../src-main/engine/resume-session.ts';
import {
  ask,
  call,
  calls,
  makeRig,
  MemoryJournal,
  never,
  ok,
  results,
  rigConfig,
  rigPorts,
  say,
  ScriptedApprover,
  testTool,
  until,
  writer,
  type Rig,
} from '../../helpers/engine-ports.ts';

const menu = (rig: Rig): string[] => rig.session.request().tools.map((tool) => tool.name);

describe('the enabled subset', () => {
  test('TOOL-03: while a change is being stored, and when it cannot be, the whole old set holds', async () => {
    const rig = await makeRig({ tools: [testTool('a'), testTool('b'), testTool('c')] });
    const seen: string[][] = [];
    rig.journal.onAppend = () => void seen.push(rig.session.enabledTools);
    await rig.session.setEnabledTools(['a', 'c'], 'person');
    await expect(rig.session.setEnabledTools(['b', 'gone'], 'person')).rejects.toThrow();
    expect([...seen, rig.session.enabledTools]).toEqual([
      ['a', 'b', 'c'],
      ['a', 'c'],
    ]);
  });
});

describe('the detail of declarations', () => {
  const detailed = (name: string): ReturnType<typeof testTool> => {
    const tool = testTool(name, {
      parameters: {
        type: 'object',
        title: 'Arguments',
        properties: { description: { type: 'string', description: 'Why', enum: ['description'] } },
        required: ['description'],
      },
    });
    return { ...tool, declaration: { ...tool.declaration, description: `Reads ${name}. Never writes.` } };
  };
  const brief = {
    description: 'Reads a.',
    parameters: {
      type: 'object',
      properties: { description: { type: 'string', enum: ['description'] } },
      required: ['description'],
    },
  };

  test('TOOL-16: that of all is changed in the middle of a session, from the next request on', async () => {
    const rounds = [calls(call('a', { description: 'description' })), say('end')];
    const rig = await makeRig({ tools: [detailed('a')], rounds });
    const digest = rig.session.authorityDigest;
    await rig.session.submit('go');
    await rig.session.step();
    rig.session.setSchemaTier('brief');
    await rig.session.step();
    expect(rig.model.requests.map(({ tools }) => tools[0]?.description)).toEqual([
      'Reads a. Never writes.',
      'Reads a.',
    ]);
    expect(rig.model.requests[1]?.tools[0]).toMatchObject(brief);
    expect(rig.model.requests[1]?.tools[0]?.parameters).toEqual(brief.parameters);
    expect(rig.session.authorityDigest).toBe(digest);
    rig.session.setSchemaTier('full');
    expect(rig.session.request().tools).toEqual(rig.model.requests[0]?.tools);
  });

  test('TOOL-17: that of one tool goes before that of all, until it is taken back', async () => {
    const rig = await makeRig({ tools: [detailed('a'), detailed('b')] });
    const words = (): number[] => rig.session.request().tools.map((tool) => tool.description.length);
    const [full, short] = ['Reads a. Never writes.'.length, 'Reads a.'.length];
    rig.session.setSchemaTier('brief', 'a');
    expect(words()).toEqual([short, full]);
    rig.session.setSchemaTier('brief');
    rig.session.setSchemaTier('full', 'a');
    expect(words()).toEqual([full, short]);
    rig.session.setSchemaTier(null, 'a');
    expect(words()).toEqual([short, short]);
  });

  test('arguments are judged by the whole schema, whatever the model was told', async () => {
    const rig = await makeRig({ tools: [detailed('a')], rounds: [calls(call('a', { description: 5 })), say('end')] });
    rig.session.setSchemaTier('brief');
    await ask(rig);
    expect(results(rig)[0]?.status).toBe('invalid');
  });
});

describe('tools that are searched for', () => {
  const tools = (): ReturnType<typeof testTool>[] => [testTool('read'), testTool('git_log'), writer('make_release')];

  test('TOOL-19: only the core is advertised; what a search finds is advertised from the next request on', async () => {
    const rounds = [calls(call('tool_search', { query: 'git history' })), calls(call('git_log')), say('end')];
    const rig = await makeRig({ tools: tools(), deferredTools: ['git_log', 'make_release'], rounds });
    expect(menu(rig)).toEqual(['read', 'tool_search']);
    expect(await ask(rig)).toEqual({ type: 'completed' });
    expect(results(rig)).toEqual([
      { status: 'ok', content: 'git_log: git_log' },
      { status: 'ok', content: 'done' },
    ]);
    expect(rig.model.requests.map((request) => request.tools.map((tool) => tool.name))).toEqual([
      ['read', 'tool_search'],
      ['git_log', 'read', 'tool_search'],
      ['git_log', 'read', 'tool_search'],
    ]);
    expect(rig.journal.of('verdict')).toHaveLength(2);
  });

  test('TOOL-19: the search widens nothing: what it finds is judged, switched off and offered like any other', async () => {
    const rounds = [calls(call('tool_search', { query: 'release' })), calls(call('make_release')), say('end')];
    const rig = await makeRig({ tools: tools(), deferredTools: ['make_release'], rounds });
    await rig.session.setMode('plan', 'person');
    await ask(rig);
    expect(results(rig).map(({ status }) => status)).toEqual(['ok', 'denied']);
    expect(menu(rig)).toEqual(['git_log', 'read', 'tool_search']);
    expect(rig.session.authority.tools).toHaveLength(4);
  });

  test('a search that fits nothing says what there is', async () => {
    const rounds = [calls(call('tool_search', { query: 'zzz' })), say('end')];
    const rig = await makeRig({ tools: tools(), deferredTools: ['git_log', 'make_release'], rounds });
    await ask(rig);
    expect(results(rig)[0]?.content).toBe('Nothing fits. There are: git_log, make_release.');
    expect(menu(rig)).toEqual(['read', 'tool_search']);
  });

  test('TOOL-21: the split, the search and the detail are in what can be read before a send', async () => {
    const rig = await makeRig({ tools: tools(), deferredTools: ['git_log'], askUser: true });
    rig.session.setSchemaTier('brief', 'read');
    const before = rig.session.request().tools;
    await ask(rig);
    expect(rig.model.requests[0]?.tools).toEqual(before);
    expect(before.map((tool) => tool.name)).toEqual(['ask_user', 'make_release', 'read', 'tool_search']);
  });
});

describe('tools that come later', () => {
  test('TOOL-15: they are attached at a boundary, with the difference shown first; the prompt cache is cold then', async () => {
    const rig = await makeRig({ tools: [testTool('read')], rounds: [say('one'), say('two')] });
    await ask(rig);
    expect(rig.session.isPromptCacheWarm).toBe(true);
    const snapshot = await rig.session.snapshot();
    const journal = new MemoryJournal(rig.journal.entries);
    const options = { tools: [testTool('read'), testTool('grep')], journal };
    const { sessionId: _id, history: _history, ...config } = rigConfig();
    await expect(resumeSession(snapshot, config, rigPorts(options))).rejects.toMatchObject({
      code: 'authority.drift',
      details: { changes: [{ change: 'added', part: 'tool grep', widens: true }] },
    });
    const session = await resumeSession(snapshot, { ...config, acceptDrift: true }, rigPorts(options));
    expect(session.request().tools.map((tool) => tool.name)).toEqual(['grep', 'read']);
    expect(session.isPromptCacheWarm).toBe(false);
    await session.send('next');
    expect(session.isPromptCacheWarm).toBe(true);
    // The one that they were attached to is as it was (AUTH-06).
    expect(menu(rig)).toEqual(['read']);
  });

  test('TOOL-15: a change of what is advertised makes it cold as well, also back again', async () => {
    const rig = await makeRig({ tools: [testTool('read'), testTool('grep')] });
    expect(rig.session.isPromptCacheWarm).toBe(false);
    await ask(rig);
    await rig.session.setEnabledTools(['read'], 'person');
    expect(rig.session.isPromptCacheWarm).toBe(false);
    await rig.session.setEnabledTools(['read', 'grep'], 'person');
    expect(rig.session.isPromptCacheWarm).toBe(true);
  });
});

describe('tools as extension points', () => {
  test('TOOL-11: tools, approvers and what answers the model may take their time', async () => {
    const later = <T>(value: T): Promise<T> => new Promise((resolve) => setImmediate(() => resolve(value)));
    const tool = writer('write', { run: () => later(ok('slowly')) });
    const approver = new ScriptedApprover(({ prepared }) =>
      later({ type: 'allow', lasting: 'once', digest: prepared.digest }),
    );
    const rounds = [calls(call('write'), call('ask_user', { question: 'Which?' })), say('end')];
    const asker = { askUser: () => later('The first.') };
    const rig = await makeRig({ tools: [tool], approver, askUser: true, asker, rounds });
    await ask(rig);
    expect(results(rig).map(({ content }) => content)).toEqual(['slowly', 'The first.']);
  });

  test('TOOL-13: a call gets nothing of the calls before it: a session resumed elsewhere goes on the same', async () => {
    const rounds = [calls(call('read', { n: 1 })), calls(call('read', { n: 2 })), say('end')];
    const tool = testTool('read');
    const rig = await makeRig({ tools: [tool], rounds });
    await ask(rig);
    expect(new Set(tool.contexts).size).toBe(2);
    const fresh = testTool('read');
    const next = await makeRig({ tools: [fresh], history: rig.journal.entries, rounds: rounds.slice(1) });
    await ask(next, 'more');
    expect(fresh.ran).toEqual([{ n: 2 }]);
    expect(Object.keys(fresh.contexts[0] ?? {}).toSorted()).toEqual(Object.keys(tool.contexts[1] ?? {}).toSorted());
  });

  test('TOOL-22: the start of a call is announced before it runs, and nothing is announced of one that does not', async () => {
    const order: string[] = [];
    const tool = writer('write', { run: async () => (order.push('ran'), ok()) });
    const rounds = [calls(call('write', { n: 1 })), calls(call('write', { n: 2 })), say('end')];
    const approver = new ScriptedApprover('allow', { type: 'deny', reason: 'no', by: 'person' });
    const rig = await makeRig({ tools: [tool], approver, rounds });
    rig.session.on((event) => {
      if (event.type === 'call-start') order.push(`start ${event.summary}`);
      if (event.type === 'entries-append' && event.entries.some((entry) => entry.kind === 'tool-start'))
        order.push('stored');
    });
    await ask(rig);
    expect(order).toEqual(['stored', 'start write {"n":1}', 'ran']);
  });
});

describe('questions of the model to the person', () => {
  const rounds = [calls(call('ask_user', { question: 'Which?', options: ['a', 'b'] })), say('end')];

  test('APPR-23: there are some only where the flag is on, and the turn waits for the answer', async () => {
    let answer: (words: string) => void = () => {};
    const asked: unknown[] = [];
    const asker = {
      askUser: (question: unknown): Promise<string> => {
        asked.push(question);
        return new Promise((resolve) => (answer = resolve));
      },
    };
    const off = await makeRig({ asker, rounds });
    await ask(off);
    expect([menu(off), results(off)[0]?.status, asked]).toEqual([[], 'unavailable', []]);
    const on = await makeRig({ asker, askUser: true, rounds });
    expect(menu(on)).toEqual(['ask_user']);
    await on.session.submit('go');
    const turn = on.session.runTurn();
    await until(() => asked.length === 1);
    expect(asked[0]).toMatchObject({ question: 'Which?', options: ['a', 'b'] });
    expect(on.model.requests).toHaveLength(1);
    answer('b');
    expect(await turn).toEqual({ type: 'completed' });
    expect(results(on)).toEqual([{ status: 'ok', content: 'b' }]);
  });

  test('APPR-24: with nobody to ask the model is told so at once', async () => {
    const rig = await makeRig({ askUser: true, rounds });
    expect(await ask(rig)).toEqual({ type: 'completed' });
    expect(results(rig)[0]).toEqual({ status: 'ok', content: expect.stringContaining('nobody to ask') as string });
  });

  test('APPR-25: a stop ends the wait for the person, also where whoever asks does not mind it', async () => {
    let waiting = false;
    const asker = { askUser: (): Promise<string> => ((waiting = true), never()) };
    const rig = await makeRig({ askUser: true, asker, rounds });
    await rig.session.submit('go');
    const turn = rig.session.runTurn();
    await until(() => waiting);
    rig.session.stop('person');
    expect(await turn).toEqual({ type: 'cancelled', source: 'person' });
    expect(results(rig)[0]?.status).toBe('cancelled');
  });
});

// History: what a resume refuses, how entries become a valid request, and that doing it piece by piece is the same.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newId } from '../../../src-main/base/new-id.ts';
import type { AssistantPart, Entry, EntryData, EntryKind } from '../../../src-main/contract/entries.ts';
import type { CallId, EntryId, TurnId } from '../../../src-main/contract/ids.ts';
import { assertValidHistory, foldEntry, foldHistory } from '../../../src-main/engine/fold-history.ts';
import type { ModelMessage } from '../../../src-main/engine/ports.ts';
import { Projection, projectMessages } from '../../../src-main/engine/project-request.ts';
import { ask, call, calls, makeRig, say, SESSION, testTool } from '../../helpers/engine-ports.ts';

const turnId = newId<TurnId>();
function entry<K extends EntryKind>(kind: K, data: EntryData<K>): Entry {
  return { id: newId<EntryId>(), atMs: 1, sessionId: SESSION, parentId: null, seq: 0, kind, data } as Entry;
}
const user = (text: string): Entry => entry('user-message', { turnId, text, attachments: [] });
const assistant = (...parts: AssistantPart[]): Entry =>
  entry('assistant-message', { turnId, step: 1, model: 'm', parts, finish: 'stop', usage: null, durationMs: 1 });
const callPart = (id: string, name = 'read'): AssistantPart => ({
  type: 'tool-call',
  callId: id as CallId,
  name,
  argumentsText: '{}',
});
const result = (id: string, content = `result of ${id}`, tool = 'read'): Entry =>
  entry('tool-result', {
    turnId,
    callId: id as CallId,
    tool,
    summary: tool,
    status: 'ok',
    content,
    facts: {},
    changes: [],
    durationMs: 1,
  });
const clear = (): Entry => entry('context-clear', { by: 'person' });
const goOn = (): Entry => entry('turn-continue', { turnId, of: null });
const sizeOf = (message: ModelMessage): number => {
  if (message.role === 'user') return message.text.length;
  if (message.role === 'tool') return message.content.length;
  return message.parts.reduce(
    (sum, part) => sum + (part.type === 'tool-call' ? part.argumentsText : part.text).length,
    0,
  );
};
const DEFAULTS = { mode: 'ask', confinement: true, model: 'm' } as const;

/** Each call is followed by exactly its results, in order, and nothing else claims to be a result. */
function expectValid(messages: readonly ModelMessage[]): void {
  const waiting: string[] = [];
  for (const message of messages) {
    if (message.role === 'tool') expect(message.callId).toBe(waiting.shift());
    else expect(waiting).toEqual([]);
    if (message.role !== 'assistant') continue;
    expect(
      message.parts.some((part) => part.type !== 'reasoning' && (part.type === 'tool-call' || part.text !== '')),
    ).toBe(true);
    waiting.push(...message.parts.flatMap((part) => (part.type === 'tool-call' ? [part.callId] : [])));
  }
  expect(waiting).toEqual([]);
}

describe('HIST-05: a history that is refused', () => {
  test.each([
    ['the same call twice', [assistant(callPart('a')), assistant(callPart('a'))]],
    ['two results of one call', [assistant(callPart('a')), result('a'), result('a')]],
    ['a result without its call', [result('a')]],
    ['a result of another tool', [assistant(callPart('a')), result('a', '', 'shell')]],
  ])('%s', async (_name, history) => {
    expect(() => assertValidHistory(history)).toThrow(expect.objectContaining({ code: 'session.history-invalid' }));
    await expect(makeRig({ history })).rejects.toMatchObject({ code: 'session.history-invalid' });
  });
});

describe('the projection', () => {
  test('H1: a call without a result gets one that says so; results of no call are left out', () => {
    const messages = projectMessages([user('q'), assistant(callPart('a'), callPart('b')), result('b'), result('x')]);
    expectValid(messages);
    expect(messages.at(-2)).toMatchObject({
      callId: 'a',
      failed: true,
      content: expect.stringContaining('no result') as string,
    });
    expect(messages.at(-1)).toMatchObject({ callId: 'b', failed: false });
  });

  test('an empty answer, and one of reasoning alone, is no message', () => {
    expect(projectMessages([user('q'), assistant(), assistant({ type: 'reasoning', text: 'hm' })])).toHaveLength(1);
  });

  test('a clear with a call that is still open leaves nothing of it, also when its result comes later', () => {
    const projection = new Projection();
    for (const each of [user('q'), assistant(callPart('a')), clear(), result('a')]) projection.append(each);
    expect(projection.messages()).toEqual([]);
    expect([...projection.referencedTools]).toEqual([]);
  });

  test('going on asks for it only after an answer', () => {
    expect(projectMessages([user('q'), goOn()]).map((message) => message.role)).toEqual(['user']);
    expect(projectMessages([user('q'), assistant({ type: 'text', text: 'half' }), goOn()]).at(-1)).toMatchObject({
      role: 'user',
    });
    expect(projectMessages([user('q'), assistant(callPart('a')), result('a'), goOn()]).at(-1)?.role).toBe('tool');
  });

  test('attachments are part of the message, under their names', () => {
    const attachment = { id: 'a' as never, name: 'a "b".txt', bytes: 1, tokens: 1, text: 'inside' };
    const [message] = projectMessages([entry('user-message', { turnId, text: 'see', attachments: [attachment] })]);
    expect(message).toEqual({ role: 'user', text: 'see\n\n<attachment name="a \\"b\\".txt">\ninside\n</attachment>' });
  });

  test('a settled message is the same object in every later request', async () => {
    const rounds = [calls(call('read', { n: 1 })), calls(call('read', { n: 2 })), say('end')];
    const rig = await makeRig({ tools: [testTool('read')], rounds });
    await ask(rig);
    const [first, , third] = rig.model.requests;
    expect(third?.messages[0]).toBe(first?.messages[0]);
    expect(JSON.stringify(third?.messages).startsWith(JSON.stringify(first?.messages).slice(0, -1))).toBe(true);
  });

  const anyEntry = fc.oneof(
    fc.string().map(user),
    fc
      .array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 3 })
      .map((ids) => ids.map((id) => callPart(id)))
      .map((parts) => assistant(...parts)),
    fc.string().map((words) => assistant({ type: 'text', text: words })),
    fc.constantFrom('a', 'b', 'c', 'd').map((id) => result(id)),
    fc.constant(null).map(clear),
    fc.constant(null).map(goOn),
  );

  test('H1, H2: whatever the entries are, the request is valid as far as ids are unique', () => {
    fc.assert(
      fc.property(fc.array(anyEntry, { maxLength: 30 }), (entries) => {
        const seen = new Set<string>();
        const unique = entries.filter((each) => {
          if (each.kind !== 'assistant-message') return true;
          const ids = each.data.parts.flatMap((part) => (part.type === 'tool-call' ? [part.callId] : []));
          const fresh = ids.every((id) => !seen.has(id)) && new Set(ids).size === ids.length;
          for (const id of ids) seen.add(id);
          return fresh;
        });
        expectValid(projectMessages(unique));
      }),
      { numRuns: 500 },
    );
  });

  test('piece by piece, with requests in between, is the same as all at once', () => {
    fc.assert(
      fc.property(fc.array(anyEntry, { maxLength: 30 }), (entries) => {
        const projection = new Projection();
        for (const [index, each] of entries.entries()) {
          projection.append(each);
          const messages = projectMessages(entries.slice(0, index + 1));
          expect(projection.messages()).toEqual(messages);
          expect(projection.characters).toBe(messages.reduce((sum, message) => sum + sizeOf(message), 0));
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('the fold', () => {
  test('HIST-09: a session that is opened again is as it was: mode, tools, counters, outcome, request', async () => {
    const rig = await makeRig({
      tools: [testTool('read'), testTool('grep')],
      rounds: [calls(call('read')), say('end')],
    });
    await ask(rig);
    await rig.session.setMode('plan', 'person');
    await rig.session.setEnabledTools(['grep'], 'person');
    const history = JSON.parse(JSON.stringify(rig.journal.entries)) as Entry[];
    const tools = [testTool('read'), testTool('grep')];
    const next = await makeRig({ tools, history, enabledTools: rig.session.enabledTools });
    const facts = ({ session }: typeof rig): unknown => [
      session.mode,
      session.enabledTools,
      session.executedCalls,
      session.stepCount,
      session.lastOutcome,
      session.openTurn,
      session.request(),
    ];
    expect(facts(next)).toEqual(facts(rig));
  });

  test('TOOL-02: which tools are on is no part of what is resumed: the engine alone starts with all of them', async () => {
    const rig = await makeRig({ tools: [testTool('read'), testTool('grep')] });
    await rig.session.setEnabledTools([], 'person');
    const history = structuredClone(rig.journal.entries);
    const next = await makeRig({ tools: [testTool('read'), testTool('grep')], history });
    expect([rig.session.enabledTools, next.session.enabledTools]).toEqual([[], ['grep', 'read']]);
  });

  test('one entry after the other is the same as all at once', async () => {
    const rig = await makeRig({ tools: [testTool('read')], rounds: [calls(call('read'), call('gone')), say('end')] });
    await ask(rig);
    const state = foldHistory([], DEFAULTS);
    for (const each of rig.journal.entries) foldEntry(state, each);
    expect(state).toEqual(foldHistory(rig.journal.entries, DEFAULTS));
    expect(state.executedCalls).toBe(1);
  });
});

import { describe, expect, test } from 'vitest';
import type { EntryData, ResultStatus } from '../../../../src-main/contract/entries.ts';
import {
  createTranscriptItems,
  toTranscriptItems,
  type TranscriptItem,
} from '../../../../src-renderer/state/transcript-items.ts';
import { fakeCheckoutChat } from '../../../helpers/fake-checkout-chat.ts';
import { fakeProject, fakeSummary, sessionId } from '../../../helpers/fake-content.ts';
import { callId, createEntryMaker, turnId, type EntryMaker } from '../../../helpers/fake-entries.ts';

const turn = turnId('t1');
const id = sessionId('s1');

function maker(firstSeq = 1): EntryMaker {
  return createEntryMaker(id, 0, firstSeq);
}
function say(entries: EntryMaker, parts: EntryData<'assistant-message'>['parts'], finish: 'stop' | 'length' = 'stop') {
  const message = { turnId: turn, step: 1, model: 'm', parts, finish, usage: null, durationMs: 1 };
  entries.add('assistant-message', message);
}
function call(entries: EntryMaker, name: string, tool: string, status: ResultStatus = 'ok') {
  say(entries, [{ type: 'tool-call', callId: callId(name), name: tool, argumentsText: '{}' }]);
  const common = { turnId: turn, callId: callId(name), tool, summary: `${tool} ${name}` };
  entries.add('tool-start', { ...common, digest: '', preview: { type: 'none' } });
  entries.add('tool-result', { ...common, status, content: '', facts: {}, changes: [], durationMs: 1 });
}
const kinds = (items: readonly TranscriptItem[]): string[] => items.map((item) => item.kind);

describe('what is shown', () => {
  test('a real turn reads as message, answer, folded reads, search, edit, answer, waiting command', () => {
    const project = fakeProject('shop', 0);
    const view = fakeCheckoutChat(fakeSummary('s1', project.id, 0, { title: 'x' }), project);
    const items = toTranscriptItems(view.entries);
    expect(items.map((item) => (item.kind === 'calls' ? `${item.tool} ${item.calls.length}` : item.kind))).toEqual([
      'user',
      'answer',
      'read_file 4',
      'grep 1',
      'edit_file 1',
      'answer',
      'shell 1',
    ]);
  });

  test('reasoning, text and calls keep the order in which the model gave them', () => {
    const entries = maker();
    say(entries, [
      { type: 'reasoning', text: 'first' },
      { type: 'text', text: 'then' },
      { type: 'tool-call', callId: callId('c1'), name: 'grep', argumentsText: '{}' },
      { type: 'text', text: 'last' },
    ]);
    expect(kinds(toTranscriptItems(entries.entries))).toEqual(['reasoning', 'answer', 'calls', 'answer']);
  });

  test('an answer that the token limit cut says so on its last part', () => {
    const entries = maker();
    say(
      entries,
      [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
      ],
      'length',
    );
    const items = toTranscriptItems(entries.entries);
    expect(items.map((item) => item.kind === 'answer' && item.finish)).toEqual([null, 'length']);
  });

  test('a message that was cut before any text still says that it was cut', () => {
    const entries = maker();
    say(entries, [{ type: 'reasoning', text: 'long thoughts' }], 'length');
    expect(toTranscriptItems(entries.entries).at(-1)).toMatchObject({ kind: 'answer', text: '', finish: 'length' });
  });

  test('authority is told when it changed, not when it was made or came back as it was', () => {
    const entries = maker();
    const change = { change: 'altered' as const, part: 'workspace', widens: false };
    const project = fakeProject('shop', 0);
    const { snapshot } = fakeCheckoutChat(fakeSummary('s1', project.id, 0, { title: 'x' }), project).authority;
    entries.add('authority', { snapshot, digest: 'a', cause: 'created', changes: [] });
    entries.add('authority', { snapshot, digest: 'a', cause: 'resumed', changes: [] });
    entries.add('authority', { snapshot, digest: 'b', cause: 'resumed', changes: [change] });
    expect(kinds(toTranscriptItems(entries.entries))).toEqual(['notice']);
  });

  test('a call whose message is on an earlier page is shown from its result, once', () => {
    const entries = maker(40);
    const common = { turnId: turn, callId: callId('c9'), tool: 'shell', summary: 'Run make' };
    entries.add('tool-start', { ...common, digest: '', preview: { type: 'none' } });
    const rest = { status: 'ok' as const, content: '', facts: {}, changes: [], durationMs: 1 };
    entries.add('tool-result', { ...common, ...rest });
    const items = toTranscriptItems(entries.entries);
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({ kind: 'calls', calls: [{ summary: 'Run make' }] });
  });
});

describe('folding', () => {
  test('calls that failed, were denied or ran commands stand alone', () => {
    const entries = maker();
    call(entries, 'a', 'read_file');
    call(entries, 'b', 'read_file');
    call(entries, 'c', 'read_file', 'error');
    call(entries, 'd', 'read_file');
    call(entries, 'e', 'shell');
    call(entries, 'f', 'shell');
    const counts = toTranscriptItems(entries.entries).map((item) => (item.kind === 'calls' ? item.calls.length : 0));
    expect(counts).toEqual([2, 1, 1, 1, 1]);
  });

  test('text between two calls keeps them apart', () => {
    const entries = maker();
    call(entries, 'a', 'grep');
    say(entries, [{ type: 'text', text: 'And now' }]);
    call(entries, 'b', 'grep');
    expect(kinds(toTranscriptItems(entries.entries))).toEqual(['calls', 'answer', 'calls']);
  });
});

describe('over time', () => {
  test('turns that did not grow keep their items, and so do settled items of the turn that did', () => {
    const derive = createTranscriptItems();
    const entries = maker();
    entries.add('user-message', { turnId: turn, text: 'one', attachments: [] });
    say(entries, [{ type: 'text', text: 'first' }]);
    entries.add('user-message', { turnId: turn, text: 'two', attachments: [] });
    call(entries, 'a', 'grep');
    const before = derive([...entries.entries]);
    say(entries, [{ type: 'text', text: 'second' }]);
    const after = derive([...entries.entries]);
    expect(after).toHaveLength(before.length + 1);
    before.forEach((item, index) => expect(after[index]).toBe(item));
  });

  test('a call that got its result is a new item; the same entries give the same list', () => {
    const derive = createTranscriptItems();
    const entries = maker();
    say(entries, [{ type: 'tool-call', callId: callId('c1'), name: 'grep', argumentsText: '{}' }]);
    const list = [...entries.entries];
    const [waiting] = derive(list);
    expect(derive(list)[0]).toBe(waiting);
    const common = { turnId: turn, callId: callId('c1'), tool: 'grep', summary: 'Search' };
    const rest = { status: 'ok' as const, content: '', facts: {}, changes: [], durationMs: 1 };
    entries.add('tool-result', { ...common, ...rest });
    const [done] = derive([...entries.entries]);
    expect(done).not.toBe(waiting);
    expect(done?.key).toBe(waiting?.key);
  });

  test('what is derived step by step equals what is derived at once', () => {
    const project = fakeProject('shop', 0);
    const { entries } = fakeCheckoutChat(fakeSummary('s1', project.id, 0, { title: 'x' }), project);
    const derive = createTranscriptItems();
    for (let count = 1; count <= entries.length; count += 1) derive(entries.slice(0, count));
    expect(derive([...entries])).toEqual(toTranscriptItems(entries));
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EventEnvelope, SessionEvent } from '../../../../src-main/contract/events.ts';
import {
  applyEnvelope,
  mergeEntries,
  reduceChat,
  refreshChat,
  toChatState,
  withEarlier,
  type ChatState,
} from '../../../../src-renderer/state/chat-state.ts';
import { fakeProject, fakeSummary, fakeView } from '../../../helpers/fake-content.ts';
import { callId, createEntryMaker, turnId } from '../../../helpers/fake-entries.ts';
import { waitingCommand } from '../../../helpers/fake-checkout-chat.ts';
import { wireError } from '../../../helpers/fake-bridge.ts';

const project = fakeProject('shop', 1);
const summary = fakeSummary('s1', project.id, 0, { title: 'Chat' });
const turn = turnId('t1');

function emptyChat(): ChatState {
  return toChatState(fakeView(summary, project, []));
}
function reduce(state: ChatState, ...events: SessionEvent[]): ChatState {
  return events.reduce((chat, event) => reduceChat(chat, event, 1000), state);
}
function envelope(n: number, event: SessionEvent, epoch = 'epoch-1'): EventEnvelope {
  return { epoch, n, sessionId: summary.id, event };
}
const delta = (text: string, step = 1): SessionEvent => ({ type: 'text-delta', turnId: turn, step, text });

function answer(text: string, step = 1) {
  const maker = createEntryMaker(summary.id);
  maker.add('user-message', { turnId: turn, text: 'Hello', attachments: [] });
  maker.add('assistant-message', {
    turnId: turn,
    step,
    model: 'guide',
    parts: [{ type: 'text', text }],
    finish: 'stop',
    usage: null,
    durationMs: 1,
  });
  return maker.entries;
}

describe('running text', () => {
  test('deltas of a step concatenate, and text and reasoning stay apart', () => {
    const chat = reduce(
      emptyChat(),
      { type: 'step-start', turnId: turn, step: 1 },
      { type: 'reasoning-delta', turnId: turn, step: 1, text: 'hm' },
      delta('Hel'),
      delta('lo'),
    );
    expect(chat.running).toEqual({ turnId: turn, step: 1, text: 'Hello', reasoning: 'hm', drafts: [] });
  });

  test('an entry of the step takes its running text away, so that it is never shown twice', () => {
    const chat = reduce(emptyChat(), delta('Hello'), { type: 'entries-append', entries: answer('Hello') });
    expect(chat.running).toBeNull();
    expect(chat.entries).toHaveLength(2);
  });

  test('an entry of an earlier step leaves the running text of the next one', () => {
    const chat = reduce(emptyChat(), delta('later', 2), { type: 'entries-append', entries: answer('earlier', 1) });
    expect(chat.running?.text).toBe('later');
  });

  test('a step that is taken back begins empty again', () => {
    const chat = reduce(emptyChat(), delta('half an ans'), { type: 'step-discard', turnId: turn, step: 1 });
    expect(chat.running?.text).toBe('');
  });

  test('a call that is being written is one draft that grows; the next call is another', () => {
    const draft = (bytes: number): SessionEvent => ({
      type: 'call-draft',
      turnId: turn,
      step: 1,
      name: 'write_file',
      bytes,
    });
    const chat = reduce(emptyChat(), delta(''), draft(10), draft(900), draft(20));
    expect(chat.running?.drafts).toEqual([
      { name: 'write_file', bytes: 900 },
      { name: 'write_file', bytes: 20 },
    ]);
  });
});

describe('calls and approvals', () => {
  test('output of a running call is kept to its newest 64 Ki characters and goes with its result', () => {
    const id = callId('c1');
    const running = reduce(
      emptyChat(),
      { type: 'call-start', turnId: turn, callId: id, tool: 'shell', summary: 'Run yes' },
      { type: 'call-output', callId: id, text: 'a'.repeat(65_000) },
      { type: 'call-output', callId: id, text: 'b'.repeat(1000) },
    );
    expect(running.outputs[id]).toHaveLength(65_536);
    expect(running.outputs[id]?.endsWith('b')).toBe(true);
    expect(reduce(running, { type: 'call-end', callId: id }).outputs).toEqual({});
  });

  test('U11: seven calls that ask at once all wait, in order, and each is settled on its own', () => {
    const asked = Array.from({ length: 7 }, (_, index) => waitingCommand(summary, `make ${index}`, `c${index}`));
    const chat = reduce(
      emptyChat(),
      ...asked.map((approval): SessionEvent => ({ type: 'approval-request', approval })),
    );
    expect(chat.approvals.map((approval) => approval.callId)).toEqual(asked.map((approval) => approval.callId));
    const settled = reduce(chat, { type: 'approval-settle', callId: callId('c3') });
    expect(settled.approvals.map((approval) => approval.callId)).toEqual(['c0', 'c1', 'c2', 'c4', 'c5', 'c6']);
  });

  test('the same call asking again replaces its own card only', () => {
    const first = waitingCommand(summary, 'make', 'c1');
    const again = { ...first, digest: 'other' };
    const chat = reduce(
      emptyChat(),
      { type: 'approval-request', approval: first },
      { type: 'approval-request', approval: waitingCommand(summary, 'make test', 'c2') },
      { type: 'approval-request', approval: again },
    );
    expect(chat.approvals.map(({ digest }) => digest)).toEqual(['other', '77aa']);
  });

  test('a turn that ends because it waits keeps its cards; one that ends otherwise has none', () => {
    const asking = reduce(emptyChat(), { type: 'approval-request', approval: waitingCommand(summary, 'make', 'c1') });
    const end = (type: 'awaiting' | 'cancelled'): SessionEvent => ({
      type: 'turn-end',
      turnId: turn,
      outcome:
        type === 'awaiting'
          ? { type: 'awaiting-approval', callIds: [callId('c1')] }
          : { type: 'cancelled', source: 'person' },
    });
    expect(reduce(asking, end('awaiting')).approvals).toHaveLength(1);
    expect(reduce(asking, end('cancelled')).approvals).toHaveLength(0);
  });
});

describe('numbering', () => {
  test('V13: an event after a gap makes the chat stale and shows nothing out of order', () => {
    const chat = applyEnvelope(emptyChat(), envelope(1, delta('a')), 0);
    const gap = applyEnvelope(chat, envelope(3, delta('c')), 0);
    expect(gap.connection).toBe('stale');
    expect(gap.running?.text).toBe('a');
  });

  test('V13: an event of another start of main makes the chat stale', () => {
    expect(applyEnvelope(emptyChat(), envelope(1, delta('a'), 'epoch-2'), 0).connection).toBe('stale');
  });

  test('an event that the snapshot already has changes nothing', () => {
    const chat = toChatState({ ...fakeView(summary, project, []), n: 5 });
    expect(applyEnvelope(chat, envelope(5, delta('again')), 0)).toBe(chat);
  });

  test('a fresh snapshot makes a stale chat live and keeps earlier pages that join it', () => {
    const entries = answer('Hello');
    const stale: ChatState = { ...emptyChat(), entries: entries.slice(0, 1), connection: 'stale' };
    const fresh = refreshChat(stale, fakeView(summary, project, entries.slice(1), { n: 9, hasEarlier: true }));
    expect(fresh).toMatchObject({ connection: 'live', n: 9, hasEarlier: false, entries });
  });

  test('a fresh snapshot that leaves a hole after the earlier pages does not show them as one', () => {
    const early = createEntryMaker(summary.id, 0, 1);
    early.add('title', { title: 'old', by: 'person' });
    const late = createEntryMaker(summary.id, 0, 50);
    late.add('title', { title: 'new', by: 'person' });
    const stale: ChatState = { ...emptyChat(), entries: early.entries };
    const fresh = refreshChat(stale, fakeView(summary, project, late.entries, { hasEarlier: true }));
    expect(fresh).toMatchObject({ hasEarlier: true, entries: late.entries });
  });
});

describe('entries', () => {
  const all = Array.from({ length: 30 }, (_, index) => {
    const [entry] = (() => {
      const maker = createEntryMaker(summary.id, 0, index + 1);
      maker.add('title', { title: `t${index}`, by: 'person' });
      return maker.entries;
    })();
    return entry;
  }).filter((entry) => entry !== undefined);

  test('pages in any order, overlapping or not, give each entry once and in order', () => {
    const page = fc.tuple(fc.nat(29), fc.nat(29)).map(([a, b]) => all.slice(Math.min(a, b), Math.max(a, b) + 1));
    fc.assert(
      fc.property(fc.array(page, { minLength: 1, maxLength: 8 }), (pages) => {
        const merged = pages.reduce<ReturnType<typeof mergeEntries>>(mergeEntries, []);
        const wanted = all.filter((entry) => pages.some((one) => one.includes(entry)));
        expect(merged).toEqual(wanted);
      }),
    );
  });

  test('a whole entry takes the place of its trimmed form, never the other way round', () => {
    const [whole] = all;
    if (!whole) return expect.unreachable();
    const trimmed = { ...whole, trimmed: true };
    expect(mergeEntries([trimmed], [whole])).toEqual([whole]);
    expect(mergeEntries([whole], [trimmed])).toEqual([whole]);
  });

  test('an earlier page stands in front', () => {
    const chat: ChatState = { ...emptyChat(), entries: all.slice(20), hasEarlier: true };
    expect(withEarlier(chat, { entries: all.slice(0, 20), hasEarlier: false })).toMatchObject({
      entries: all,
      hasEarlier: false,
    });
  });
});

test('a retry is told with its wait until the model answers again', () => {
  const error = wireError('provider.rate-limited', 'Too many requests.');
  const waiting = reduce(emptyChat(), { type: 'retry', turnId: turn, step: 1, attempt: 2, waitMs: 4000, error });
  expect(waiting.retry).toEqual({ attempt: 2, waitMs: 4000, atMs: 1000, error });
  expect(reduce(waiting, delta('hi')).retry).toBeNull();
});

test('notices of a chat have ids of their own and the oldest give way', () => {
  const many = Array.from({ length: 30 }, (_, n): SessionEvent => ({
    type: 'notice',
    level: 'info',
    message: `n${n}`,
  }));
  const { notices } = reduce(emptyChat(), ...many);
  expect(notices).toHaveLength(20);
  expect(new Set(notices.map(({ id }) => id)).size).toBe(20);
  expect(notices.at(-1)?.message).toBe('n29');
});

describe('a chat that goes on from another path', () => {
  test('is fetched anew, and keeps earlier pages only where they lead to what is shown', () => {
    const maker = createEntryMaker(summary.id, 0, 1);
    for (const text of ['a', 'b', 'c', 'd']) maker.add('user-message', { turnId: turn, text, attachments: [] });
    const [first, second, third, fourth] = maker.entries;
    if (!first || !second || !third || !fourth) throw new TypeError('no entries');
    const chat = toChatState(fakeView(summary, project, [first, second, third]));
    expect(applyEnvelope(chat, envelope(chat.n + 1, { type: 'path-change' }, chat.epoch), 0).connection).toBe('stale');
    const child = { ...fourth, parentId: third.id };
    expect(refreshChat(chat, fakeView(summary, project, [child])).entries).toEqual([first, second, third, child]);
    const other = { ...fourth, parentId: first.id };
    expect(refreshChat(chat, fakeView(summary, project, [other])).entries).toEqual([other]);
  });
});

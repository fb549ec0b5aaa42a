import { expect, test, vi } from 'vitest';
import { createClient } from '../../../../src-renderer/bridge/client.ts';
import { createChatStore, type ChatStore } from '../../../../src-renderer/state/chat-store.ts';
import type { ChatState } from '../../../../src-renderer/state/chat-state.ts';
import { wireError, type FakeBridge } from '../../../helpers/fake-bridge.ts';
import { sessionId } from '../../../helpers/fake-content.ts';
import { turnId } from '../../../helpers/fake-entries.ts';
import { patient } from '../../../helpers/patient.ts';
import { workingScenario } from '../../../helpers/fake-scenarios.ts';

const id = sessionId('s-slow');
const delta = (text: string) => ({ type: 'text-delta' as const, turnId: turnId('t9'), step: 1, text });

function start(): { fake: FakeBridge; chats: ChatStore; chat: () => ChatState | null | undefined } {
  const fake = workingScenario();
  const client = createClient(fake.bridge);
  const chats = createChatStore(client, { now: () => 0, retryMs: () => 5 });
  client.onEvents((envelopes) => chats.apply(envelopes));
  return { fake, chats, chat: () => chats.store.getState().chats[id]?.chat };
}
const openings = (fake: FakeBridge): number => fake.calls.filter((call) => call.name === 'sessions.open').length;

test('opening a chat shows its snapshot and then its events', async () => {
  const { fake, chats, chat } = start();
  await chats.open(id);
  const stored = fake.content.views[id]?.entries;
  expect(stored).not.toHaveLength(0);
  expect(chat()?.entries).toEqual(stored);
  fake.emit(id, delta('a'), delta('b'));
  expect(chat()?.running?.text).toBe('ab');
  expect(openings(fake)).toBe(1);
});

test('events that arrive while the snapshot is on its way are applied after it, each once', async () => {
  const { fake, chats, chat } = start();
  const opened = chats.open(id);
  fake.emit(id, delta('early '));
  await opened;
  fake.emit(id, delta('late'));
  // The first event is in main's count when the snapshot is taken or not: either way nothing is doubled or lost.
  expect(chat()?.running?.text).toBe('late');
  expect(chat()?.n).toBe(2);
});

test('V13: after lost events the chat is fetched again, and what is shown stays shown meanwhile', async () => {
  const { fake, chats, chat } = start();
  await chats.open(id);
  const shown = chat()?.entries.length;
  fake.loseEvents(id, 5);
  fake.emit(id, delta('after the gap'));
  expect(chat()?.connection).toBe('stale');
  expect(chat()?.entries).toHaveLength(shown ?? -1);
  await vi.waitFor(() => expect(chat()?.connection).toBe('live'), patient);
  expect(openings(fake)).toBe(2);
  fake.emit(id, delta('again'));
  expect(chat()?.running?.text).toBe('again');
});

test('V13: a fetch that fails leaves the chat readable, and the window goes on trying', async () => {
  const { fake, chats, chat } = start();
  await chats.open(id);
  fake.fail('sessions.open', wireError('store.locked', 'The database is busy.'));
  fake.loseEvents(id, 1);
  fake.emit(id, delta('x'));
  await vi.waitFor(() => expect(openings(fake)).toBe(2), patient);
  expect(chat()?.entries.length).toBeGreaterThan(0);
  fake.fail('sessions.open', null);
  await vi.waitFor(() => expect(chat()?.connection).toBe('live'), patient);
});

test('a chat that cannot be opened says why, and opening it again tries again', async () => {
  const { fake, chats, chat } = start();
  fake.fail('sessions.open', wireError('project.gone', 'The folder is not there.'));
  await chats.open(id);
  expect(chats.store.getState().chats[id]).toMatchObject({ phase: 'failed', error: { code: 'project.gone' } });
  fake.fail('sessions.open', null);
  await chats.open(id);
  expect(chat()?.summary.title).toBe('Why is the cart test slow?');
});

test('a chat that was closed while it was being opened stays closed', async () => {
  const { chats } = start();
  const opened = chats.open(id);
  await chats.close(id);
  await opened;
  expect(chats.store.getState().chats).toEqual({});
});

test('two requests for an earlier page at once read one page', async () => {
  const { fake, chats, chat } = start();
  const view = fake.content.views[id];
  if (!view) return expect.unreachable();
  const all = view.entries;
  view.entries = all.slice(2);
  view.hasEarlier = true;
  await chats.open(id);
  view.entries = all;
  await Promise.all([chats.loadEarlier(id), chats.loadEarlier(id)]);
  expect(fake.calls.filter((call) => call.name === 'sessions.readEarlier')).toHaveLength(1);
  expect(chat()?.entries.map((entry) => entry.seq)).toEqual(all.map((entry) => entry.seq));
});

test('a trimmed entry is replaced by the whole one', async () => {
  const { fake, chats, chat } = start();
  const [first] = fake.content.views[id]?.entries ?? [];
  if (!first) return expect.unreachable();
  first.trimmed = true;
  await chats.open(id);
  await chats.loadEntry(id, first.id);
  expect(chat()?.entries[0]).not.toHaveProperty('trimmed');
});

test('a batch of many events is one change of the store', async () => {
  const { fake, chats } = start();
  await chats.open(id);
  const changed = vi.fn();
  chats.store.subscribe(changed);
  fake.emit(id, ...Array.from({ length: 50 }, () => delta('x')));
  expect(changed).toHaveBeenCalledTimes(1);
});

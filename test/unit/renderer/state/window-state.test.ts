import { expect, test, vi } from 'vitest';
import { createClient } from '../../../../src-renderer/bridge/client.ts';
import { createWindowState, type WindowState } from '../../../../src-renderer/state/window-state.ts';
import { wireError, type FakeBridge } from '../../../helpers/fake-bridge.ts';
import { fakeSummary, projectId, sessionId } from '../../../helpers/fake-content.ts';
import { patient } from '../../../helpers/patient.ts';
import { fakeScenarios, workingScenario, type ScenarioName } from '../../../helpers/fake-scenarios.ts';

// The window's title is the page's too; here there is no page.
vi.stubGlobal('document', { title: '' });

async function start(name: ScenarioName = 'working'): Promise<{ fake: FakeBridge; window: WindowState }> {
  const fake = fakeScenarios[name]();
  const window = createWindowState(createClient(fake.bridge));
  window.listen();
  await window.acts.start();
  return { fake, window };
}
const named = (fake: FakeBridge, name: string): unknown[] =>
  fake.calls.filter((call) => call.name === name).map((call) => call.input);

test('a start shows the newest chat of the current project', async () => {
  const { window } = await start();
  expect(window.app.getState()).toMatchObject({ phase: 'ready', projectId: 'shop', sessionId: 's-checkout' });
  expect(window.chats.store.getState().chats['s-checkout']?.phase).toBe('open');
});

test('V1: a start reads one page of each list and opens one chat, however many there are', async () => {
  const { fake } = await start('many');
  expect(named(fake, 'sessions.list')).toHaveLength(2);
  expect(named(fake, 'sessions.open')).toHaveLength(1);
  expect(named(fake, 'sessions.readEarlier')).toHaveLength(0);
});

test('a start without any project shows nothing but the first screen and asks for nothing', async () => {
  const { fake, window } = await start('first-run');
  expect(window.app.getState().projectId).toBeNull();
  expect(named(fake, 'sessions.list')).toEqual([]);
});

test('a start that main refuses says why; trying again works', async () => {
  const { fake, window } = await start('start-failed');
  expect(window.app.getState()).toMatchObject({ phase: 'failed', error: { code: 'store.newer-version' } });
  fake.fail('app.getState', null);
  await window.acts.start();
  expect(window.app.getState()).toMatchObject({ phase: 'ready', error: null });
});

test('the title counts what waits in all chats and names the open one', async () => {
  const { fake } = await start();
  expect(named(fake, 'app.setTitle').at(-1)).toEqual({ title: '(1) Make checkout retry safely - Warrant' });
  const [first] = fake.content.sessions;
  if (!first) return expect.unreachable();
  fake.emitApp({ type: 'session-update', session: { ...first, waitingApprovals: 0 } });
  expect(named(fake, 'app.setTitle').at(-1)).toEqual({ title: 'Make checkout retry safely - Warrant' });
});

test('the title names an open chat that is beyond the first page of every list', async () => {
  const { fake, window } = await start('many');
  const far = fake.content.sessions.at(-1);
  const view = fake.content.views['s-checkout'] ?? Object.values(fake.content.views)[0];
  if (!far || !view) return expect.unreachable();
  fake.content.views[far.id] = { ...view, summary: far };
  await window.acts.showSession(far.id);
  const lists = Object.values(window.app.getState().lists).flatMap((list) => list.chats);
  expect(lists.some((chat) => chat.id === far.id)).toBe(false);
  expect(named(fake, 'app.setTitle').at(-1)).toEqual({
    title: expect.stringContaining(`${far.title} - Warrant`) as unknown,
  });
});

test('a new chat takes the empty one that is there already', async () => {
  const { fake, window } = await start();
  await window.acts.newChat();
  const first = window.app.getState().sessionId;
  await window.acts.showSession(sessionId('s-slow'));
  await window.acts.newChat();
  expect(window.app.getState().sessionId).toBe(first);
  expect(named(fake, 'sessions.create')).toHaveLength(1);
});

test('a new chat right after a message is another one, though the chat still counts as empty', async () => {
  const { fake, window } = await start();
  await window.acts.newChat();
  const first = window.app.getState().sessionId;
  if (first === null) return expect.unreachable();
  window.acts.markUsed(first);
  await window.acts.newChat();
  expect(window.app.getState().sessionId).not.toBe(first);
  expect(named(fake, 'sessions.create')).toHaveLength(2);
});

test('an unread chat is marked as read when it is shown', async () => {
  const { fake, window } = await start();
  await window.acts.showSession(sessionId('s-csv'));
  expect(named(fake, 'sessions.markRead')).toEqual([{ sessionId: 's-csv' }]);
  expect(window.app.getState().projectId).toBe('field-notes');
});

test('no more than four chats stay open, and the one that is shown is among them', async () => {
  const { window } = await start('many');
  for (let n = 1; n < 8; n += 1) await window.acts.showSession(sessionId(`s-${n}`));
  await vi.waitFor(() => expect(Object.keys(window.chats.store.getState().chats)).toHaveLength(4), patient);
  expect(window.chats.store.getState().chats['s-7']?.phase).toBe('open');
});

test('a folder that cannot be opened gives its reason and changes nothing', async () => {
  const { window } = await start();
  const before = window.app.getState();
  expect(await window.acts.openFolder('/home/sam/missing')).toContain('There is no folder');
  expect(window.app.getState()).toEqual(before);
});

test('a folder that was opened is a project, and has a chat to write in', async () => {
  const { window } = await start();
  expect(await window.acts.openFolder('/home/sam/weather')).toBeNull();
  const { app, projectId: shown, sessionId: chat } = window.app.getState();
  expect(app?.projects[0]?.path).toBe('/home/sam/weather');
  expect(shown).toBe('p-weather');
  expect(chat).not.toBeNull();
});

test('a folder handed over by a second start is shown', async () => {
  const { fake, window } = await start();
  fake.emitApp({ type: 'open-project', projectId: projectId('field-notes') });
  await vi.waitFor(() => expect(window.app.getState().sessionId).toBe('s-csv'), patient);
});

test('a project whose folder is gone shows its chats; without any it shows no chat and makes none', async () => {
  const { fake, window } = await start();
  await window.acts.showProject(projectId('old-site'));
  expect(window.app.getState().sessionId).toBeNull();
  expect(named(fake, 'sessions.create')).toEqual([]);
});

test('an archived chat leaves the list and is no longer shown', async () => {
  const { window } = await start();
  await window.acts.setArchived(sessionId('s-checkout'), true);
  expect(window.app.getState().sessionId).toBeNull();
  expect(window.app.getState().lists['shop']?.chats.map((chat) => chat.id)).toEqual(['s-slow', 's-node']);
});

test('archived chats can be looked at, filtered and taken back', async () => {
  const { window } = await start();
  const found = (): string[] => window.app.getState().found.chats.map((chat) => chat.id);
  await window.acts.setArchived(sessionId('s-checkout'), true);
  await window.acts.showArchived(true);
  expect(found()).toEqual(['s-checkout']);
  await window.acts.setFilter('no such words');
  expect(found()).toEqual([]);
  await window.acts.setFilter('');
  expect(found()).toEqual(['s-checkout']);
  await window.acts.setArchived(sessionId('s-checkout'), false);
  expect(found()).toEqual([]);
  expect(window.app.getState().lists['shop']?.chats.map((chat) => chat.id)).toContain('s-checkout');
  await window.acts.showArchived(false);
  expect(window.app.getState().found.phase).toBe('new');
});

test('an act that fails is told as a notice', async () => {
  const { fake, window } = await start();
  fake.fail('sessions.rename', wireError('session.busy', 'Another window has this chat.'));
  await window.acts.renameChat(sessionId('s-slow'), 'New title');
  expect(window.app.getState().notices.map((notice) => notice.message)).toEqual(['Another window has this chat.']);
  expect(window.app.getState().lists['shop']?.chats[1]?.title).toBe('Why is the cart test slow?');
});

test('an answer to an older filter never replaces that of the newest', async () => {
  const fake = workingScenario();
  const window = createWindowState(createClient(fake.bridge));
  await window.acts.start();
  await Promise.all([window.acts.setFilter('c'), window.acts.setFilter('csv')]);
  expect(window.app.getState().found.chats.map((chat) => chat.id)).toEqual(['s-csv']);
  await window.acts.setFilter('');
  expect(window.app.getState().found.chats).toEqual([]);
});

test('further pages of a list are read one at a time until all is here', async () => {
  const { fake, window } = await start('many');
  const read = (): number | undefined => window.app.getState().lists['shop']?.chats.length;
  expect(read()).toBe(50);
  await Promise.all([window.acts.loadMore(projectId('shop')), window.acts.loadMore(projectId('shop'))]);
  expect(read()).toBe(100);
  for (let page = 0; page < 10; page += 1) await window.acts.loadMore(projectId('shop'));
  expect(read()).toBe(400);
  expect(named(fake, 'sessions.list')).toHaveLength(9);
});

test('a chat that changes moves to its place in the list', async () => {
  const { fake, window } = await start();
  const session = fakeSummary('s-node', projectId('shop'), -1, { title: 'Upgrade to Node 24', status: 'running' });
  fake.emitApp({ type: 'session-update', session });
  expect(window.app.getState().lists['shop']?.chats[0]?.id).toBe('s-node');
});

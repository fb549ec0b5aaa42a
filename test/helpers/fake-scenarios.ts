// The situations that the window is judged in, by name; the page of the tests takes one from its address.
import { createFakeBridge, wireError, type FakeBridge, type FakeContent } from './fake-bridge.ts';
import { fakeCheckoutChat } from './fake-checkout-chat.ts';
import { fakeAppState, fakeAuthority, fakeProject, fakeSummary, fakeView, QWEN } from './fake-content.ts';
import { createEntryMaker, turnId } from './fake-entries.ts';
import type { FolderListing } from '../../src-main/contract/api.ts';
import type { Project } from '../../src-main/contract/project.ts';
import type { SessionSummary, SessionView } from '../../src-main/contract/session.ts';

const SLOW_ANSWER = `The slow part is the fixture: it starts a database for **each** of the 41 tests.

- \`test/cart.test.ts\` waits 9.2 s for it,
- the assertions take 0.3 s.

See [how fixtures are shared](https://docs.example.com/fixtures?scope=file#shared).`;

const shop = fakeProject('shop', 1);
const notes = fakeProject('field-notes', 600);
const gone = fakeProject('old-site', 9000, false);

function folder(path: string, names: readonly string[]): FolderListing {
  const parent = path === '/' ? null : path.slice(0, path.lastIndexOf('/')) || '/';
  const folders = names.map((name) => ({
    name,
    path: path === '/' ? `/${name}` : `${path}/${name}`,
    project: ['shop', 'field-notes', 'weather'].includes(name),
  }));
  return { path, parent, folders, truncated: false };
}

const folders: Record<string, FolderListing> = {
  '/': folder('/', ['home', 'srv', 'tmp']),
  '/home': folder('/home', ['sam']),
  '/home/sam': folder('/home/sam', ['Documents', 'Downloads', 'field-notes', 'Music', 'Pictures', 'shop', 'weather']),
  '/home/sam/shop': folder('/home/sam/shop', ['docs', 'src', 'test']),
  '/home/sam/weather': folder('/home/sam/weather', []),
};

function content(projects: readonly Project[], sessions: readonly SessionSummary[]): FakeContent {
  return {
    app: fakeAppState(projects),
    sessions: [...sessions],
    views: {},
    folders,
    files: ['src/checkout.ts', 'src/http/retry.ts', 'src/http/post.ts', 'test/checkout.test.ts', 'package.json'],
    keys: [{ providerId: 'anthropic', source: 'environment', protection: 'none' }],
    ledger: [],
    changes: [],
  };
}

function shortChat(summary: SessionSummary, project: Project, change: Partial<SessionView> = {}): SessionView {
  const turn = turnId(`${summary.id}-t1`);
  const maker = createEntryMaker(summary.id, summary.updatedAtMs);
  maker.add('session-start', { model: QWEN, mode: 'ask', confinement: true });
  maker.add('user-message', { turnId: turn, text: summary.title, attachments: [] });
  maker.add('assistant-message', {
    turnId: turn,
    step: 1,
    model: QWEN,
    parts: [{ type: 'text', text: SLOW_ANSWER }],
    finish: 'stop',
    usage: null,
    durationMs: 900,
  });
  maker.add('turn-end', { turnId: turn, outcome: { type: 'completed' }, steps: 1, durationMs: 1200 });
  return fakeView(summary, project, maker.entries, change);
}

function interruptedChat(summary: SessionSummary, project: Project): SessionView {
  const turn = turnId(`${summary.id}-t1`);
  const maker = createEntryMaker(summary.id, summary.updatedAtMs);
  maker.add('session-start', { model: QWEN, mode: 'ask', confinement: true });
  maker.add('user-message', { turnId: turn, text: 'Move the build to Node 24.', attachments: [] });
  maker.add('assistant-message', {
    turnId: turn,
    step: 1,
    model: QWEN,
    parts: [{ type: 'text', text: 'I will begin with the engines field and the build image.' }],
    finish: 'stop',
    usage: null,
    durationMs: 900,
  });
  maker.add('turn-end', { turnId: turn, outcome: { type: 'interrupted' }, steps: 1, durationMs: 1200 });
  return fakeView(summary, project, maker.entries, {
    lastOutcome: { type: 'interrupted' },
    authority: fakeAuthority(project, {
      drift: [{ change: 'altered', part: 'workspace', before: 'inode 1311492', after: 'inode 1407710', widens: false }],
    }),
  });
}

/** Two projects; the shown chat runs and waits for an answer. */
export function workingScenario(): FakeBridge {
  const waiting = fakeSummary('s-checkout', shop.id, 0, {
    title: 'Make checkout retry safely',
    status: 'waiting',
    waitingApprovals: 1,
  });
  const slow = fakeSummary('s-slow', shop.id, 2, { title: 'Why is the cart test slow?', status: 'running' });
  const node = fakeSummary('s-node', shop.id, 3000, { title: 'Upgrade to Node 24', status: 'interrupted' });
  const csv = fakeSummary('s-csv', notes.id, 4300, { title: 'Import from CSV', unread: true });
  const about = fakeSummary('s-about', notes.id, 160_000, { title: 'Summary of this project' });
  const made = content([shop, notes, gone], [waiting, slow, node, csv, about]);
  made.views = {
    [waiting.id]: fakeCheckoutChat(waiting, shop),
    [slow.id]: shortChat(slow, shop),
    [node.id]: interruptedChat(node, shop),
    [csv.id]: shortChat(csv, notes),
    [about.id]: shortChat(about, notes),
  };
  return createFakeBridge(made);
}

function firstRunScenario(): FakeBridge {
  return createFakeBridge(content([], []));
}

/** A first run on a machine without a local model: only the guide is there. */
function guideOnlyScenario(): FakeBridge {
  const made = content([], []);
  made.app = { ...made.app, models: made.app.models.filter((model) => model.ref === 'guide') };
  made.app.settings = { ...made.app.settings, defaultModel: '', providers: [], rules: [] };
  return createFakeBridge(made);
}

/** 400 chats in one project, some of them waiting. */
function manyScenario(): FakeBridge {
  const sessions = Array.from({ length: 400 }, (_, index) =>
    fakeSummary(`s-${index}`, shop.id, index * 37, {
      title: `${['Fix', 'Explain', 'Rename', 'Test'][index % 4] ?? ''} part ${400 - index} of the checkout`,
      ...(index % 9 === 2 ? { status: 'waiting' as const, waitingApprovals: 1 } : {}),
      unread: index % 7 === 3,
    }),
  );
  const made = content([shop, notes], sessions);
  for (const session of sessions) made.views[session.id] = shortChat(session, shop);
  return createFakeBridge(made);
}

/** The shown project's folder is not there any more. */
function goneScenario(): FakeBridge {
  const old = fakeSummary('s-old', gone.id, 9000, { title: 'Change the header' });
  const made = content([gone, shop], [old]);
  made.views = { [old.id]: shortChat(old, gone) };
  return createFakeBridge(made);
}

function noticesScenario(): FakeBridge {
  const fake = workingScenario();
  fake.content.app.notices = [
    {
      level: 'warning',
      message:
        'The settings file could not be read. It was kept beside as settings.damaged.json, and defaults are used until you save.',
    },
    { level: 'info', message: 'This system has no keychain, so keys are kept in a file that only you can read.' },
  ];
  return fake;
}

function startFailedScenario(): FakeBridge {
  const fake = workingScenario();
  fake.fail(
    'app.getState',
    wireError(
      'store.newer-version',
      'Your chats were saved by a newer Warrant. Nothing was changed. Update Warrant to open them.',
    ),
  );
  return fake;
}

function chatFailedScenario(): FakeBridge {
  const fake = workingScenario();
  fake.fail('sessions.open', wireError('store.locked', 'The database is busy. Nothing was lost; try again.'));
  return fake;
}

function loadingScenario(): FakeBridge {
  const fake = workingScenario();
  fake.hang('app.getState');
  return fake;
}

export const fakeScenarios = {
  working: workingScenario,
  'first-run': firstRunScenario,
  'guide-only': guideOnlyScenario,
  many: manyScenario,
  gone: goneScenario,
  notices: noticesScenario,
  'start-failed': startFailedScenario,
  'chat-failed': chatFailedScenario,
  loading: loadingScenario,
} as const satisfies Record<string, () => FakeBridge>;

export type ScenarioName = keyof typeof fakeScenarios;

// The window's page over a made-up main, for what is the window's own: built once a worker, a fresh page each test.
import { rmSync } from 'node:fs';
import { type Browser, type Page, chromium, expect, test as base } from '@playwright/test';
import type { Approval, SessionView } from '../../src-main/contract/session.ts';
import type { WindowEntry } from '../../src-main/contract/entries.ts';
import type { SessionEvent } from '../../src-main/contract/events.ts';
import type { WireError } from '../../src-main/contract/errors.ts';
import { findBrowser } from '../config/find-browser.ts';
import { callId } from '../helpers/fake-entries.ts';
import { buildRendererPage, servePage } from '../helpers/renderer-page/serve-page.ts';

export { expect };

/** The chat that the working scenario shows. */
const CHAT = 's-checkout';

export interface OpenOptions {
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
}

/** What a test does with the page and with the main behind it. */
export class ChatPage {
  readonly page: Page;
  readonly #address: (query: string) => string;
  /** What the page complained of; a test ends with none. */
  readonly faults: string[] = [];

  constructor(page: Page, address: (query: string) => string) {
    this.page = page;
    this.#address = address;
    page.on('pageerror', (error) => this.faults.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') this.faults.push(message.text());
    });
  }

  get field() {
    return this.page.getByRole('textbox', { name: 'Message' });
  }

  get card() {
    return this.page.getByRole('alertdialog');
  }

  button(name: string | RegExp) {
    return this.page.getByRole('button', { name });
  }

  /** Opens the working chat; `change` may alter what main has before the window starts. */
  async open({ theme = 'light', width = 1280, height = 800 }: OpenOptions = {}): Promise<void> {
    await this.page.setViewportSize({ width, height });
    await this.page.goto(this.#address(`scenario=working&theme=${theme}`));
    await expect(this.field).toBeVisible();
  }

  /** Ends the waiting approval and the turn, so that the chat is idle. */
  async settle(): Promise<void> {
    await this.page.evaluate((id) => {
      const view = window.fake.content.views[id];
      if (view === undefined) return;
      for (const { callId } of view.approvals) window.fake.emit(view.summary.id, { type: 'approval-settle', callId });
      view.approvals = [];
      view.summary = { ...view.summary, status: 'idle', waitingApprovals: 0 };
      window.fake.emitApp({ type: 'session-update', session: view.summary });
    }, CHAT);
    await expect(this.card).toHaveCount(0);
  }

  async emit(...events: SessionEvent[]): Promise<void> {
    await this.page.evaluate(
      ([id, list]) => {
        const view = window.fake.content.views[id];
        if (view !== undefined) window.fake.emit(view.summary.id, ...list);
      },
      [CHAT, events] as const,
    );
  }

  /** Adds entries to the chat as if main had committed them; numbers and ids are made here. */
  async append(...added: Pick<WindowEntry, 'kind' | 'data'>[]): Promise<void> {
    await this.page.evaluate(
      ([id, list]) => {
        const view = window.fake.content.views[id];
        if (view === undefined) return;
        const first = (view.entries.at(-1)?.seq ?? 0) + 1;
        const entries = list.map((entry, index) => ({
          ...entry,
          id: `x-${first + index}`,
          atMs: Date.now(),
          sessionId: view.summary.id,
          parentId: null,
          seq: first + index,
        })) as unknown as WindowEntry[];
        view.entries.push(...entries);
        window.fake.emit(view.summary.id, { type: 'entries-append', entries });
      },
      [CHAT, added] as const,
    );
  }

  /** Lets one more call wait for an answer, like the one that waits already but for `change`. */
  async ask(id: string, change: Partial<Approval>): Promise<void> {
    await this.page.evaluate(
      ([chat, patch]) => {
        const view = window.fake.content.views[chat];
        if (view === undefined) return;
        const base = (window.fakeApproval ??= view.approvals[0]);
        if (base === undefined) return;
        const approval = { ...base, ...patch };
        view.approvals.push(approval);
        window.fake.emit(view.summary.id, { type: 'approval-request', approval });
      },
      [CHAT, { ...change, callId: callId(id), digest: `digest-${id}` }] as const,
    );
  }

  /** Asks for one thing alone: what waited before is settled. */
  async askOnly(id: string, change: Partial<Approval>): Promise<void> {
    await this.page.evaluate((chat) => {
      window.fakeApproval = window.fake.content.views[chat]?.approvals[0];
    }, CHAT);
    await this.settle();
    await this.ask(id, change);
    await expect(this.card).toBeVisible();
  }

  /** Changes what main has of the chat, then announces its authority. */
  async setAuthority(change: Partial<SessionView['authority']>): Promise<void> {
    await this.page.evaluate(
      ([id, patch]) => {
        const view = window.fake.content.views[id];
        if (view === undefined) return;
        view.authority = { ...view.authority, ...patch };
        window.fake.emit(view.summary.id, { type: 'authority-update', authority: view.authority });
      },
      [CHAT, change] as const,
    );
  }

  async fail(name: string, error: WireError | null): Promise<void> {
    await this.page.evaluate(([procedure, wire]) => window.fake.fail(procedure, wire), [name, error] as const);
  }

  /** Inputs of all calls of a procedure so far. */
  async inputs(name: string): Promise<Record<string, unknown>[]> {
    return this.page.evaluate(
      (wanted) =>
        window.fake.calls.filter((call) => call.name === wanted).map((call) => call.input as Record<string, unknown>),
      name,
    );
  }
}

declare global {
  interface Window {
    /** The approval that `ask` copies. */
    fakeApproval: Approval | undefined;
  }
}

interface TestFixtures {
  chat: ChatPage;
}
interface WorkerFixtures {
  pageFolder: string;
  engine: Browser;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  pageFolder: [
    async ({}, use) => {
      const folder = await buildRendererPage();
      await use(folder);
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  engine: [
    async ({}, use) => {
      const found = await findBrowser();
      if ('missing' in found) throw new TypeError(found.missing);
      const browser = await chromium.launch({
        executablePath: found.env['WARRANT_CHROMIUM'] ?? '',
        args: ['--no-sandbox', '--disable-gpu'],
        env: { ...process.env, ...found.env },
      });
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],
  chat: async ({ engine, pageFolder }, use) => {
    const context = await engine.newContext({ reducedMotion: 'reduce' });
    const chat = new ChatPage(await context.newPage(), await servePage(context, pageFolder));
    await use(chat);
    await context.close();
    expect(chat.faults).toEqual([]);
  },
});

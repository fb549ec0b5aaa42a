// The one browser of this process and the pages in it: started with the first window, opened again for further ones.
// A page that the application did not ask for (a popup, a tab by Ctrl+N) is closed as soon as it appears.
import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import path from 'node:path';
import { findBrowser } from './browser-lookup.ts';
import { type BrowserOptions, type RunningBrowser, commonArguments, startBrowser } from './browser-process.ts';
import type { CdpSession } from './cdp.ts';
import { HostError } from './host-error.ts';
import { browserSwitches, isHeadless } from './host-state.ts';

/** Size (CSS pixels) and place of a new page's window. */
export interface PagePlacement {
  width: number;
  height: number;
  position?: { x: number; y: number };
}

/** An open page, attached. */
export interface OpenPage {
  targetId: string;
  session: CdpSession;
}

interface PageWaiter {
  resolve(targetId: string): void;
  reject(reason: Error): void;
}

const PAGE_OPEN_LIMIT_MS = 60_000;
const CLOSE_LIMIT_MS = 3_000;

/** Emits `page-gone` (targetId) and `browser-gone` (reason), each at most once for its page or browser. */
export class BrowserPages extends EventEmitter {
  #browser: Promise<RunningBrowser> | undefined;
  #options: BrowserOptions | undefined;
  readonly #known = new Set<string>();
  readonly #waiters: PageWaiter[] = [];
  #closing = false;

  /**
   * Opens a window and attaches to its page; `profile` is used by the first call, which starts the browser.
   * Rejects with HostError `no-browser` or `browser-failed`.
   */
  async open(profile: string, placement: PagePlacement): Promise<OpenPage> {
    const page = this.#nextPage();
    try {
      if (this.#browser) await this.#openFurther(placement);
      else await this.#openFirst(profile, placement);
    } catch (error) {
      page.abandon(error);
    }
    const targetId = await page.targetId;
    const { cdp } = await this.#running();
    const { sessionId } = await cdp.browser.send('Target.attachToTarget', { targetId, flatten: true });
    return { targetId, session: cdp.session(sessionId) };
  }

  /** The session of the browser itself; rejects while none runs. */
  async browserSession(): Promise<CdpSession> {
    return (await this.#running()).cdp.browser;
  }

  /** Closes one window; nothing happens when it is gone already. */
  closePage(targetId: string): void {
    this.#browser?.then(({ cdp }) => {
      cdp.browser.sendQuietly('Target.closeTarget', { targetId });
    }, ignore);
  }

  /** Ends the browser and waits for its process, killing it after three seconds. */
  async close(): Promise<void> {
    this.#closing = true;
    const running = await this.#browser?.catch(ignore);
    if (!running || running.process.exitCode !== null || running.process.signalCode !== null) return;
    const gone = new Promise((resolve) => running.process.once('exit', resolve));
    running.cdp.browser.sendQuietly('Browser.close');
    const limit = setTimeout(() => running.process.kill('SIGKILL'), CLOSE_LIMIT_MS);
    await gone;
    clearTimeout(limit);
  }

  #running(): Promise<RunningBrowser> {
    return this.#browser ?? Promise.reject(new HostError('browser-failed', 'No browser runs'));
  }

  async #openFirst(profile: string, placement: PagePlacement): Promise<void> {
    this.#options = {
      executable: findBrowser(),
      profile,
      headless: isHeadless(),
      ...placement,
      flags: [
        ...[...browserSwitches].map(([name, value]) => (value ? `--${name}=${value}` : `--${name}`)),
        // For tests and for machines with needs of their own, such as a software renderer.
        ...(process.env['WARRANT_CHROMIUM_FLAGS'] ?? '').split(' ').filter(Boolean),
      ],
    };
    this.#browser = startBrowser(this.#options);
    const running = await this.#browser;
    const { browser } = running.cdp;
    browser.once('closed', () => {
      this.#onBrowserGone(running);
    });
    browser.onEvent('Target.targetCreated', ({ targetInfo }) => {
      if (targetInfo.type === 'page') this.#onPage(targetInfo.targetId, targetInfo.openerId !== undefined, browser);
    });
    browser.onEvent('Target.targetDestroyed', ({ targetId }) => {
      if (this.#known.delete(targetId)) this.emit('page-gone', targetId);
    });
    await browser.send('Target.setDiscoverTargets', { discover: true, filter: [{ type: 'page' }] });
    await denyEverything(browser);
  }

  async #openFurther(placement: PagePlacement): Promise<void> {
    const running = await this.#running();
    const options = this.#options;
    if (!options) return;
    if (options.headless) {
      await running.cdp.browser.send('Target.createTarget', { url: 'about:blank', newWindow: true });
      return;
    }
    // A page made by the protocol would come with a tab strip; a second start on the same profile opens an app window
    // in the running browser and ends.
    const { position: _old, ...rest } = options;
    const args = [...commonArguments({ ...rest, ...placement }), '--app=data:text/html,'];
    spawn(options.executable, args, { stdio: 'ignore' }).on('error', (error) => {
      this.#waiters.shift()?.reject(new HostError('browser-failed', error.message, error));
    });
  }

  #onPage(targetId: string, hasOpener: boolean, browser: CdpSession): void {
    const waiter = hasOpener ? undefined : this.#waiters.shift();
    if (waiter) {
      this.#known.add(targetId);
      waiter.resolve(targetId);
    } else {
      browser.sendQuietly('Target.closeTarget', { targetId });
    }
  }

  #onBrowserGone(running: RunningBrowser): void {
    const output = running.lastOutput();
    const reason = new HostError(
      'browser-failed',
      `The browser ${path.basename(this.#options?.executable ?? '')} ended${output ? `; its last words:\n${output}` : ''}`,
    );
    for (const waiter of this.#waiters.splice(0)) waiter.reject(reason);
    for (const targetId of [...this.#known]) {
      this.#known.delete(targetId);
      this.emit('page-gone', targetId);
    }
    if (!this.#closing) this.emit('browser-gone', reason);
  }

  #nextPage(): { targetId: Promise<string>; abandon(error: unknown): void } {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const waiter = { resolve, reject };
    this.#waiters.push(waiter);
    const forget = (): void => {
      const index = this.#waiters.indexOf(waiter);
      if (index !== -1) this.#waiters.splice(index, 1);
    };
    const limit = setTimeout(() => {
      forget();
      reject(new HostError('browser-failed', 'The browser showed no window within a minute'));
    }, PAGE_OPEN_LIMIT_MS);
    const targetId = promise.finally(() => {
      clearTimeout(limit);
    });
    return {
      targetId,
      abandon(error) {
        forget();
        reject(error instanceof Error ? error : new HostError('browser-failed', String(error)));
      },
    };
  }
}

/** Granting an empty list rejects every permission for every origin; downloads and their dialogs are refused. */
async function denyEverything(browser: CdpSession): Promise<void> {
  await Promise.all([
    browser.send('Browser.grantPermissions', { permissions: [] }),
    browser.send('Browser.setDownloadBehavior', { behavior: 'deny' }),
  ]);
}

/** The pages of this process. */
export const pages = new BrowserPages();

function ignore(): undefined {
  return undefined;
}

// Stands in for Electron's `WebContents`: one page, its messages, loads, navigation and popup decisions.
// Windows are browser-window.ts's. Each document reaches the application through the top frame's isolated world alone.
import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type Electron from 'electron';
import type { CdpSession } from './cdp.ts';
import { ignoreWhenGone } from './cdp.ts';
import { HostError } from './host-error.ts';
import { ipcMain } from './ipc-main.ts';
import { themeMedia } from './native-theme.ts';
import { PageBridge, type PageMessage } from './page-bridge.ts';
import { servePageRequests } from './page-requests.ts';
import { emitPreventable } from './preventable.ts';
import { fromBrowserUrl, toBrowserUrl } from './protocol.ts';
import { type DefaultSession, session as sessions } from './session.ts';

/** The sender's frame as far as it is used: always the top one. */
export interface PageFrame {
  readonly parent: null;
  readonly url: string;
  /** Scheme and host, such as app://main. */
  readonly origin: string;
}

/** What the page tells of its window. */
export type PageState = Extract<PageMessage, { t: 'state' }>;

type Implemented =
  | 'id'
  | 'userAgent'
  | 'send'
  | 'getURL'
  | 'isDestroyed'
  | 'executeJavaScript'
  | 'setWindowOpenHandler'
  | 'reload'
  | 'setWebRTCIPHandlingPolicy';

const LOAD_LIMIT_MS = 60_000;
let lastId = 0;

/** Emits will-navigate, will-frame-navigate, did-navigate, dom-ready, did-finish-load, render-process-gone, and `page-state`. */
export class WebContents extends EventEmitter implements Pick<Electron.WebContents, Implemented> {
  readonly id = ++lastId;
  /** Empty until the page is open. */
  userAgent = '';
  readonly session: DefaultSession = sessions.defaultSession;
  #page: { session: CdpSession; frameId: string; bridge: PageBridge } | undefined;
  #ownLoad: string | undefined;
  #url = '';
  #loader = '';
  #loadedLoader = '';
  #destroyed = false;
  #openHandler: Parameters<Electron.WebContents['setWindowOpenHandler']>[0] = () => ({ action: 'deny' });
  readonly #unsent: { channel: string; args: unknown[] }[] = [];

  isDestroyed(): boolean {
    return this.#destroyed;
  }

  getURL(): string {
    return fromBrowserUrl(this.#url);
  }

  /** The answer cannot open a window: the host closes each new one. The handler is told, as in Electron. */
  setWindowOpenHandler(handler: Parameters<Electron.WebContents['setWindowOpenHandler']>[0]): void {
    this.#openHandler = handler;
  }

  /** The browser is started with the strictest policy (browser-process.ts). */
  setWebRTCIPHandlingPolicy(_policy: Parameters<Electron.WebContents['setWebRTCIPHandlingPolicy']>[0]): void {
    return;
  }

  send(channel: string, ...args: unknown[]): void {
    if (this.#page) this.#page.bridge.push(channel, args);
    else this.#unsent.push({ channel, args });
  }

  reload(): void {
    this.#ownLoad = this.getURL();
    this.#page?.session.sendQuietly('Page.reload');
  }

  /** Runs code in the page's world. Used by tests of the host; the application itself never does. */
  async executeJavaScript(code: string): Promise<unknown> {
    const { result, exceptionDetails } = await this.#attached().session.send('Runtime.evaluate', {
      expression: code,
      awaitPromise: true,
      returnByValue: true,
      userGesture: true,
    });
    if (exceptionDetails) {
      throw new HostError('page-failed', exceptionDetails.exception?.description ?? exceptionDetails.text);
    }
    return result.value as unknown;
  }

  /** Calls a function's source in the isolated world. For parts of the host; see PageBridge.evaluate. */
  evaluateIsolated(functionSource: string, args: unknown[]): Promise<unknown> {
    return this.#attached().bridge.evaluate(functionSource, args);
  }

  /** Lets the page follow the application's theme: dark, light, or the system's. */
  applyTheme(): void {
    this.#page?.session.sendQuietly('Emulation.setEmulatedMedia', { features: themeMedia() });
  }

  /** The debugging session, for the window's own commands; HostError `page-failed` before the page is open. */
  get cdp(): CdpSession {
    return this.#attached().session;
  }

  /** Called once by the window when its page is open. */
  async attach(session: CdpSession, frameId: string, preload: string | undefined): Promise<void> {
    const bridge = new PageBridge({
      session,
      frameId,
      preload,
      onMessage: (message, origin) => {
        this.#onMessage(message, origin).catch(ignoreWhenGone);
      },
    });
    this.#page = { session, frameId, bridge };
    this.userAgent = (await session.send('Browser.getVersion')).userAgent;
    this.#listen(session);
    await Promise.all([
      bridge.install(),
      servePageRequests({ session, allowNavigation: (url, frame) => this.#allowNavigation(url, frame) }),
    ]);
    this.applyTheme();
    for (const { channel, args } of this.#unsent.splice(0)) bridge.push(channel, args);
  }

  /** Loads an address. Rejects with HostError `page-failed` when it cannot be, is overtaken by the window's end, or hangs. */
  async load(url: string): Promise<void> {
    const { session, frameId } = this.#attached();
    this.#ownLoad = new URL(url).href;
    const navigated = session.send('Page.navigate', { url: toBrowserUrl(url), frameId });
    const stopped = new AbortController();
    try {
      await Promise.race([
        navigated.then(({ errorText, loaderId }) => {
          if (errorText) throw new HostError('page-failed', `${errorText} loading '${url}'`);
          return loaderId === undefined ? undefined : this.#loaded(loaderId, stopped.signal);
        }),
        this.#loadTrouble(url, stopped.signal),
      ]);
    } finally {
      stopped.abort();
    }
  }

  /** Called by the window at its end. */
  markDestroyed(): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.emit('destroyed');
  }

  /** Resolves when the document of that loader has loaded, which may be already. */
  async #loaded(loaderId: string, signal: AbortSignal): Promise<void> {
    while (this.#loadedLoader !== loaderId && !signal.aborted) await once(this, 'did-finish-load', { signal });
  }

  /** Rejects when the window closes, the page crashes, or a minute passes; or when it is called off. */
  #loadTrouble(url: string, signal: AbortSignal): Promise<never> {
    const limit = delay(LOAD_LIMIT_MS, 'a minute passed', { signal, ref: false });
    const closed = once(this, 'destroyed', { signal }).then(() => 'the window was closed');
    const crashed = once(this, 'render-process-gone', { signal }).then(() => 'the page crashed');
    return Promise.race([limit, closed, crashed]).then((what) => {
      throw new HostError('page-failed', `'${url}' was not loaded: ${what}`);
    });
  }

  #attached(): { session: CdpSession; frameId: string; bridge: PageBridge } {
    if (!this.#page || this.#destroyed) throw new HostError('page-failed', 'The page is not open');
    return this.#page;
  }

  #listen(session: CdpSession): void {
    session.onEvent('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId !== undefined) return;
      this.#url = frame.url;
      this.#loader = frame.loaderId;
      this.emit('did-navigate', {}, this.getURL(), 200, '');
    });
    session.onEvent('Page.windowOpen', ({ url, windowName }) => {
      const referrer = { url: this.getURL(), policy: 'default' as const };
      this.#openHandler({ url, frameName: windowName, features: '', disposition: 'new-window', referrer });
    });
    session.onEvent('Inspector.targetCrashed', () => {
      this.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 });
    });
    session.onEvent('Page.domContentEventFired', () => this.emit('dom-ready', {}));
    session.onEvent('Page.loadEventFired', () => {
      this.#loadedLoader = this.#loader;
      this.emit('did-finish-load', {});
    });
  }

  #allowNavigation(url: string, frameId: string): boolean {
    const isMainFrame = frameId === this.#page?.frameId;
    if (isMainFrame && url === this.#ownLoad) {
      // The application's own load: decided already, as in Electron.
      this.#ownLoad = undefined;
      return true;
    }
    const details = { url, isMainFrame, isSameDocument: false };
    const isPrevented = emitPreventable(this, 'will-frame-navigate', details);
    return !(isMainFrame && emitPreventable(this, 'will-navigate', details)) && !isPrevented;
  }

  async #onMessage(message: PageMessage, origin: string): Promise<void> {
    if (message.t === 'state') {
      this.emit('page-state', message satisfies PageState);
      return;
    }
    const { bridge } = this.#attached();
    if (message.t === 'file') {
      bridge.reply(message.id, await bridge.filePath(message.key).then((value) => ({ value }), toFailure));
      return;
    }
    const frame: PageFrame = { parent: null, url: this.getURL(), origin: fromBrowserUrl(origin) };
    // Only the fields above are used of the event; the rest of Electron's object has no counterpart here.
    const event = { sender: this, senderFrame: frame, frameId: 0 } as unknown as Electron.IpcMainInvokeEvent;
    if (message.t === 'send') {
      ipcMain.emit(message.channel, event, ...message.args);
      return;
    }
    const answer = await ipcMain.answer(message.channel, event, message.args).then((value) => ({ value }), toFailure);
    bridge.reply(message.id, answer);
  }
}

function toFailure(error: unknown): { error: string } {
  return { error: String(error) };
}

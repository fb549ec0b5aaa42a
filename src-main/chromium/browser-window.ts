// Stands in for Electron's `BrowserWindow`: one app window of the browser. A user who closes the window closes the page at
// once (the browser asks nobody), so `close` with preventDefault is honoured for `close()` alone.
import { EventEmitter } from 'node:events';
import path from 'node:path';
import type Electron from 'electron';
import type { Protocol } from 'devtools-protocol';
import { pages } from './browser-pages.ts';
import { ignoreWhenGone } from './cdp.ts';
import { HostError } from './host-error.ts';
import { pathOverrides } from './host-state.ts';
import { nativeTheme } from './native-theme.ts';
import { emitPreventable } from './preventable.ts';
import { type PageState, WebContents } from './web-contents.ts';
import { windowRegistry } from './window-registry.ts';

type Implemented =
  | 'id'
  | 'loadURL'
  | 'show'
  | 'focus'
  | 'restore'
  | 'maximize'
  | 'getTitle'
  | 'setTitle'
  | 'getBounds'
  | 'getNormalBounds'
  | 'setBounds'
  | 'isDestroyed'
  | 'isFocused'
  | 'isMaximized'
  | 'isMinimized'
  | 'isVisible'
  | 'close'
  | 'destroy';
type WindowOptions = Electron.BrowserWindowConstructorOptions;

const DEFAULT_WIDTH = 800;
const DEFAULT_HEIGHT = 600;

/** Emits ready-to-show, focus, blur, resize, move, close and closed, as Electron's does. */
export class BrowserWindow extends EventEmitter implements Pick<Electron.BrowserWindow, Implemented> {
  readonly webContents = new WebContents();
  readonly id = this.webContents.id;
  readonly #opened: Promise<void>;
  #targetId = '';
  #title: string;
  #bounds: Electron.Rectangle;
  #normalBounds: Electron.Rectangle;
  #windowState: Protocol.Browser.WindowState = 'normal';
  #page: PageState = { t: 'state', dark: false, focused: true, hidden: false };
  #destroyed = false;

  constructor(options: WindowOptions = {}) {
    super();
    const preferences = options.webPreferences ?? {};
    if (preferences.nodeIntegration || preferences.contextIsolation === false || preferences.sandbox === false) {
      throw new HostError('misuse', 'Windows are sandboxed and context-isolated here; nothing else is offered');
    }
    this.#title = options.title ?? '';
    const { x = 0, y = 0, width = DEFAULT_WIDTH, height = DEFAULT_HEIGHT } = options;
    this.#bounds = this.#normalBounds = { x, y, width, height };
    windowRegistry.add(this);
    this.#opened = this.#open(options);
    // Told to whoever loads a page; a window that nobody loads has no use for it.
    this.#opened.catch(ignoreWhenGone);
  }

  static getAllWindows(): BrowserWindow[] {
    return windowRegistry.all().filter((window) => window instanceof BrowserWindow);
  }

  static fromWebContents(contents: { readonly id: number }): BrowserWindow | null {
    return BrowserWindow.getAllWindows().find((window) => window.webContents.id === contents.id) ?? null;
  }

  static getFocusedWindow(): BrowserWindow | null {
    return BrowserWindow.getAllWindows().find((window) => window.isFocused()) ?? null;
  }

  async loadURL(url: string): Promise<void> {
    await this.#opened;
    await this.webContents.load(url);
  }

  /** App windows are shown from their start. */
  show(): void {
    this.focus();
  }

  focus(): void {
    if (this.isMinimized()) this.restore();
    this.#command((cdp) => cdp.send('Page.bringToFront'));
  }

  restore(): void {
    this.#setWindowState('normal');
  }

  maximize(): void {
    this.#setWindowState('maximized');
  }

  getTitle(): string {
    return this.#title;
  }

  /** The browser shows the document's title as the window's. */
  setTitle(title: string): void {
    this.#title = title;
    if (this.#targetId)
      this.#command(() => this.webContents.evaluateIsolated('(title) => { document.title = title; }', [title]));
  }

  getBounds(): Electron.Rectangle {
    return { ...this.#bounds };
  }

  getNormalBounds(): Electron.Rectangle {
    return { ...this.#normalBounds };
  }

  setBounds(bounds: Partial<Electron.Rectangle>): void {
    this.#command(async (cdp) => {
      const { windowId } = await cdp.send('Browser.getWindowForTarget', { targetId: this.#targetId });
      const { x: left, y: top, width, height } = { ...this.#bounds, ...bounds };
      await cdp.send('Browser.setWindowBounds', { windowId, bounds: { left, top, width, height } });
      await this.#readBounds();
    });
  }

  isDestroyed(): boolean {
    return this.#destroyed;
  }

  isFocused(): boolean {
    return !this.#destroyed && this.#page.focused;
  }

  isMaximized(): boolean {
    return this.#windowState === 'maximized';
  }

  isMinimized(): boolean {
    return this.#windowState === 'minimized';
  }

  isVisible(): boolean {
    return !this.#destroyed && !this.#page.hidden;
  }

  close(): void {
    if (!emitPreventable(this, 'close')) this.destroy();
  }

  destroy(): void {
    if (this.#targetId) pages.closePage(this.#targetId);
    this.#onGone();
  }

  async #open(options: WindowOptions): Promise<void> {
    const { width = DEFAULT_WIDTH, height = DEFAULT_HEIGHT, x, y } = options;
    const profile = path.join(pathOverrides.get('userData') ?? '', 'chromium');
    try {
      const position = x !== undefined && y !== undefined ? { position: { x, y } } : {};
      const page = await pages.open(profile, { width, height, ...position });
      this.#targetId = page.targetId;
      if (this.#destroyed) {
        pages.closePage(page.targetId);
        throw new HostError('page-failed', 'The window was closed while it opened');
      }
      pages.on('page-gone', (targetId: string) => {
        if (targetId === page.targetId) this.#onGone();
      });
      this.#listen();
      await this.webContents.attach(page.session, page.targetId, options.webPreferences?.preload);
      await this.#readBounds();
    } catch (error) {
      this.#onGone();
      throw error;
    }
  }

  #listen(): void {
    let shown = false;
    this.webContents.on('dom-ready', () => {
      if (this.#title) this.setTitle(this.#title);
      if (!shown) this.emit('ready-to-show');
      shown = true;
    });
    this.webContents.on('page-state', (state: PageState) => {
      const before = this.#page;
      this.#page = state;
      if (nativeTheme.themeSource === 'system') nativeTheme.reportScheme(state.dark);
      if (before.focused !== state.focused) this.emit(state.focused ? 'focus' : 'blur');
      this.#command(() => this.#readBounds());
    });
    const applyTheme = (): void => {
      this.webContents.applyTheme();
    };
    nativeTheme.on('updated', applyTheme);
    this.once('closed', () => nativeTheme.off('updated', applyTheme));
  }

  async #readBounds(): Promise<void> {
    const { bounds } = await this.webContents.cdp.send('Browser.getWindowForTarget', { targetId: this.#targetId });
    const { left: x = 0, top: y = 0, width = DEFAULT_WIDTH, height = DEFAULT_HEIGHT, windowState = 'normal' } = bounds;
    const before = this.#bounds;
    this.#windowState = windowState;
    this.#bounds = { x, y, width, height };
    if (windowState === 'normal') this.#normalBounds = this.#bounds;
    if (before.width !== width || before.height !== height) this.emit('resize');
    if (before.x !== x || before.y !== y) this.emit('move');
  }

  #setWindowState(windowState: Protocol.Browser.WindowState): void {
    this.#command(async (cdp) => {
      const { windowId } = await cdp.send('Browser.getWindowForTarget', { targetId: this.#targetId });
      await cdp.send('Browser.setWindowBounds', { windowId, bounds: { windowState } });
      await this.#readBounds();
    });
  }

  /** Runs a command once the window is open; its failure means that the window is going away. */
  #command(run: (cdp: WebContents['cdp']) => Promise<unknown>): void {
    this.#opened.then(() => (this.#destroyed ? undefined : run(this.webContents.cdp))).catch(ignoreWhenGone);
  }

  #onGone(): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.webContents.markDestroyed();
    this.emit('closed');
    windowRegistry.remove(this);
  }
}

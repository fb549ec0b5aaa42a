// Makes the window: sandboxed, isolated, without any of Node, showing the page and reloading it after a crash.
import { app, BrowserWindow, nativeTheme } from 'electron';
import { isPageAddress, pageAddress } from './page-address.ts';
import { keepWindowState, readWindowState } from './window-state.ts';

/** Paper and ink of the page before it is drawn, so that a start never flashes. */
const BACKGROUND = { light: '#fbfbf9', dark: '#16181a' };
const CRASHES_BEFORE_GIVING_UP = 3;
const CRASH_WINDOW_MS = 60_000;

/** What a window needs to know. */
export interface WindowOptions {
  /** Absolute path of the built preload. */
  preload: string;
  /** File in which the window's place is kept. */
  stateFile: string;
  /** Called when the page crashed so often that it is not loaded again. Must not throw. */
  onUnusable: (reason: string) => void;
}

/** Opens the window and loads the page. Resolves when it has loaded; rejects when it cannot be shown. */
export async function createWindow(options: WindowOptions): Promise<BrowserWindow> {
  const { maximized, ...placement } = readWindowState(options.stateFile);
  const window = new BrowserWindow({
    ...placement,
    title: app.getName(),
    show: false,
    backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
    webPreferences: {
      preload: options.preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webviewTag: false,
      webSecurity: true,
      spellcheck: false,
      navigateOnDragDrop: false,
      enableWebSQL: false,
      devTools: !app.isPackaged,
    },
  });
  window.once('ready-to-show', () => {
    if (maximized) window.maximize();
    window.show();
  });
  keepWindowState(window, options.stateFile);
  reloadAfterCrash(window, options.onUnusable);
  returnToPage(window);
  await window.loadURL(pageAddress(app.isPackaged));
  return window;
}

/** The page holds nothing that main has not: it is loaded again, unless it crashes over and over. */
function reloadAfterCrash(window: BrowserWindow, onUnusable: (reason: string) => void): void {
  let crashes: number[] = [];
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    const now = Date.now();
    crashes = [...crashes.filter((at) => now - at < CRASH_WINDOW_MS), now];
    if (crashes.length > CRASHES_BEFORE_GIVING_UP) onUnusable(reason);
    else window.webContents.reload();
  });
}

/** Whatever made the window show something else (all known ways are closed), it comes back. */
function returnToPage(window: BrowserWindow): void {
  window.webContents.on('did-navigate', (_event, url) => {
    if (isPageAddress(url, app.isPackaged) || !/^(https?|file|ftp|app):/.test(url)) return;
    void window.loadURL(pageAddress(app.isPackaged)).catch(() => {
      window.destroy();
    });
  });
}

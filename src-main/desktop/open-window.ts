// Opens the window: sandboxed, isolated, without any of Node; loads the page into it, and again after a crash.
import { app, BrowserWindow, nativeTheme } from 'electron';
import type { Logger } from '../base/logger.ts';
import { isPageAddress, pageAddress } from './page-address.ts';
import { keepWindowState, readWindowState } from './window-state.ts';

/** Paper of the page before it is drawn, so that a start never flashes. */
const BACKGROUND = { light: '#fbfbf9', dark: '#16181a' };
const CRASHES_BEFORE_GIVING_UP = 3;
const CRASHES_COUNT_FOR_MS = 60_000;

/** What a window needs to know. */
export interface WindowOptions {
  /** Absolute path of the built preload. */
  preload: string;
  /** Absolute path of the icon (PNG); systems that take it from the program leave it unused. */
  icon: string;
  /** File in which the window's place is kept. */
  stateFile: string;
  logger: Logger;
}

/** Opens the window, still empty. Its page is loaded by `loadPage` once main can answer it. */
export function openWindow(options: WindowOptions): BrowserWindow {
  const { maximized, ...placement } = readWindowState(options.stateFile);
  const window = new BrowserWindow({
    ...placement,
    title: app.getName(),
    icon: options.icon,
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
      devTools: !app.isPackaged,
    },
  });
  window.once('ready-to-show', () => {
    if (maximized) window.maximize();
    window.show();
  });
  keepWindowState(window, options.stateFile);
  reloadAfterCrash(window, options.logger);
  returnToPage(window);
  return window;
}

/** Loads the page. Rejects when it cannot be shown. */
export async function loadPage(window: Electron.BrowserWindow): Promise<void> {
  try {
    await window.loadURL(pageAddress(app.isPackaged));
  } catch (error) {
    // Closed by its user while it loaded: nothing failed.
    if (!window.isDestroyed()) throw error;
  }
}

/** The page holds nothing that main has not: it is loaded again, unless it crashes over and over. */
function reloadAfterCrash(window: BrowserWindow, logger: Logger): void {
  let crashes: number[] = [];
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    logger.error('the page crashed', reason);
    const now = Date.now();
    crashes = [...crashes.filter((at) => now - at < CRASHES_COUNT_FOR_MS), now];
    if (crashes.length > CRASHES_BEFORE_GIVING_UP) app.quit();
    else void loadPage(window).catch(endApplication);
  });
}

/** Whatever made the window show something else (all known ways are closed), it comes back. */
function returnToPage(window: BrowserWindow): void {
  window.webContents.on('did-navigate', (_event, url) => {
    if (/^(https?|file|ftp):/.test(url) && !isPageAddress(url, app.isPackaged))
      void loadPage(window).catch(endApplication);
  });
}

function endApplication(): void {
  app.quit();
}

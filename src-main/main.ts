// The desktop entry: a list of set-up steps, in the order in which they must happen. The window is opened first and its page
// loaded last: a browser needs longer to start than everything else together.
import path from 'node:path';
import { app } from 'electron';
import { dataFolder, ensureDataFolder } from './app/data-folder.ts';
import { toWireError } from './base/app-error.ts';
import { registerAppScheme, serveApp } from './desktop/app-protocol.ts';
import { loadPage, openWindow } from './desktop/open-window.ts';
import { createDesktopHost } from './desktop/desktop-host.ts';
import { ElectronTransport } from './desktop/electron-transport.ts';
import { createFileLogger } from './desktop/file-logger.ts';
import { hardenBeforeReady, hardenSession } from './desktop/harden-app.ts';
import { installMenu } from './desktop/menu.ts';
import { focusWindow } from './desktop/notify.ts';
import { openApplication } from './desktop/open-application.ts';
import { startFolder, takeInstance } from './desktop/opened-folders.ts';
import { closeBeforeQuit } from './desktop/quit-sequence.ts';
import { troubleHtml } from './desktop/trouble-page.ts';
import { askAboutTrouble, shownTrouble } from './desktop/trouble-window.ts';
import { createRouter } from './ipc/router.ts';

const builtFolder = path.resolve(import.meta.dirname, '..');
const iconFolder = path.join(builtFolder, '../resources/icons');

hardenBeforeReady();
registerAppScheme();
main().catch(fail);

async function main(): Promise<void> {
  const folder = ensureDataFolder(dataFolder());
  const windowFolder = path.join(folder, 'window');
  app.setPath('userData', windowFolder);
  const later = takeInstance();
  if (!later) {
    console.error('Warrant is open already: it was asked to show the folder.');
    app.exit(0);
    return;
  }
  const logger = createFileLogger(path.join(folder, 'logs'));
  process.on('unhandledRejection', (error) => {
    logger.error('a promise was rejected and nobody waited for it', error);
  });

  await app.whenReady();
  hardenSession();
  serveApp({
    folder: path.join(builtFolder, 'renderer'),
    iconFile: path.join(iconFolder, 'warrant.svg'),
    troublePage: async () => {
      const trouble = shownTrouble();
      return trouble && troubleHtml(trouble, path.join(iconFolder, 'warrant.svg'));
    },
  });
  const transport = new ElectronTransport();
  const window = openWindow({
    preload: path.join(builtFolder, 'preload/preload.cjs'),
    stateFile: path.join(windowFolder, 'window.json'),
    icon: path.join(iconFolder, '512x512.png'),
    logger,
  });
  transport.addWindow(window);

  const opened = await openApplication({
    folder,
    logger,
    ask: (trouble) => askAboutTrouble(window, trouble),
    hostOver: (secrets) => createDesktopHost({ secrets, transport, logger }),
  });
  if (!opened || window.isDestroyed()) {
    app.quit();
    return;
  }
  closeBeforeQuit(() => opened.close(), logger);
  createRouter(opened, transport);
  installMenu((command) => {
    opened.events.publishApp({ type: 'command', command });
  });
  if (startFolder !== undefined) await opened.openFolder(startFolder);
  await loadPage(window);
  later.onFolder((next) => {
    if (next !== undefined) void opened.openFolder(next);
    focusWindow(window);
  });
}

/** A start that failed says why and ends; nothing was changed. */
function fail(error: unknown): void {
  const { message } = toWireError(error);
  console.error(error instanceof Error && error.message !== message ? `${message}\n${error.message}` : message);
  app.exit(1);
}

// The desktop entry: a list of set-up steps, in the order in which they must happen. The window is opened first and its page
// loaded last: a browser needs longer to start than everything else together.
import path from 'node:path';
import { app } from 'electron';
import type { App } from './app/create-app.ts';
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
const iconFile = path.join(builtFolder, '../resources/icons/warrant.svg');

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
  let opened: App | undefined;
  closeBeforeQuit(async () => {
    await opened?.close();
  }, logger);

  await app.whenReady();
  hardenSession();
  serveApp(path.join(builtFolder, 'renderer'), async () => {
    const trouble = shownTrouble();
    return trouble && troubleHtml(trouble, iconFile);
  });
  const transport = new ElectronTransport();
  const window = openWindow({
    preload: path.join(builtFolder, 'preload/preload.cjs'),
    stateFile: path.join(windowFolder, 'window.json'),
    logger,
  });
  transport.addWindow(window);

  opened = await openApplication({
    folder,
    logger,
    ask: (trouble) => askAboutTrouble(window, trouble),
    hostOver: (secrets) => createDesktopHost({ secrets, transport, logger }),
  });
  if (!opened || window.isDestroyed()) {
    app.quit();
    return;
  }
  createRouter(opened, transport);
  const { events } = opened;
  installMenu((command) => {
    events.publishApp({ type: 'command', command });
  });
  if (startFolder !== undefined) await opened.openFolder(startFolder);
  await loadPage(window);
  later.onFolder((next) => {
    if (next !== undefined) void opened?.openFolder(next);
    focusWindow(window);
  });
}

/** A start that failed says why and ends; nothing was changed. */
function fail(error: unknown): void {
  const { message } = toWireError(error);
  console.error(error instanceof Error && error.message !== message ? `${message}\n${error.message}` : message);
  app.exit(1);
}

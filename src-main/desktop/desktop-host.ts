// What the application asks of the desktop around it, given by Electron's parts.
import { app, BrowserWindow, clipboard, nativeTheme, shell } from 'electron';
import type { AppHost, SecretStore } from '../app/host.ts';
import { AppError } from '../base/app-error.ts';
import type { Logger } from '../base/logger.ts';
import { systemQuestion } from './confirm.ts';
import type { ElectronTransport } from './electron-transport.ts';
import { hasFolderDialog, pickFolder } from './folder-dialog.ts';
import { notify } from './notify.ts';
import { openExternal } from './open-external.ts';

/** What the host is made of. */
export interface DesktopHostOptions {
  secrets: SecretStore;
  transport: ElectronTransport;
  logger: Logger;
}

/** The desktop as the application's host. */
export function createDesktopHost({ secrets, transport, logger }: DesktopHostOptions): AppHost {
  return {
    version: app.getVersion(),
    get runtime() {
      return runtimeName(BrowserWindow.getAllWindows()[0]?.webContents.userAgent ?? '');
    },
    secrets,
    nativeFolderDialog: hasFolderDialog(),
    confirm: systemQuestion(),
    pickFolder: () => pickFolder(BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0]),
    openExternal,
    async openPath(place) {
      const trouble = await shell.openPath(place);
      if (trouble)
        throw new AppError('config.invalid', `${trouble}. The folder is ${place}.`, { details: { path: place } });
    },
    async copyText(text) {
      try {
        await clipboard.writeText(text);
      } catch (cause) {
        throw new AppError('config.invalid', 'The clipboard took nothing. Select the text and copy it by hand.', {
          cause,
        });
      }
    },
    setTitle(windowId, title) {
      transport.window(windowId)?.setTitle(title);
    },
    setTheme(theme) {
      nativeTheme.themeSource = theme;
    },
    isFocused: () => BrowserWindow.getFocusedWindow() !== null,
    notify,
    ready(sinceStartMs) {
      logger.info(`usable ${String(Math.round(sinceStartMs))} ms after the page began`);
    },
  };
}

/** `Electron 45` or `Chromium 156`, from the user agent of a window. */
export function runtimeName(userAgent: string): string {
  const [, electron] = /Electron\/(\d+)/.exec(userAgent) ?? [];
  const [, chromium] = /Chrome\/(\d+)/.exec(userAgent) ?? [];
  if (electron !== undefined) return `Electron ${electron}`;
  return chromium === undefined ? 'Chromium' : `Chromium ${chromium}`;
}

// Stands in for Electron's `clipboard`, for writing text: by a copy event in the isolated world of the focused page, which
// needs no permission and is not seen by the page's own listeners.
import type Electron from 'electron';
import { BrowserWindow } from './browser-window.ts';
import { HostError } from './host-error.ts';

const COPY = `(text) => {
  const put = (event) => {
    event.clipboardData.setData('text/plain', text);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  window.addEventListener('copy', put, { capture: true, once: true });
  const done = document.execCommand('copy');
  window.removeEventListener('copy', put, { capture: true });
  return done;
}`;

/** Electron's `clipboard`, as far as it is used. `writeText` rejects with HostError `unavailable` without a window. */
export const clipboard = {
  async writeText(text: string): Promise<void> {
    const window = BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0];
    window?.focus();
    const done = await window?.webContents.evaluateIsolated(COPY, [text]);
    if (done !== true) throw new HostError('unavailable', 'The text could not be copied: no window could take it');
  },
} satisfies Pick<Electron.Clipboard, 'writeText'>;

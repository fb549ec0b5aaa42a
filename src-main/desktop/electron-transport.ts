// The router's way to windows: one ipcMain channel a procedure, one channel of events. The only file that touches ipcMain.
// A message counts as trusted only from the top frame of a window made here, showing our own page.
import { app, type BrowserWindow, ipcMain, type IpcMainInvokeEvent } from 'electron';
import { EVENTS_CHANNEL } from '../contract/channels.ts';
import type { EventEnvelope } from '../contract/events.ts';
import type { Sender, Transport } from '../ipc/transport.ts';
import { isPageOrigin } from './page-address.ts';

type GoneListener = (windowId: number) => void;

/** A transport over the windows that are added to it. */
export class ElectronTransport implements Transport {
  readonly #windows = new Map<number, BrowserWindow>();
  readonly #goneListeners: GoneListener[] = [];

  /** Lets a window call and be told of events. Its id is that of its web contents. */
  addWindow(window: BrowserWindow): void {
    const { webContents } = window;
    const windowId = webContents.id;
    let loads = 0;
    this.#windows.set(windowId, window);
    // The second load and each later one is a page that knows nothing of what the former subscribed to.
    webContents.on('did-navigate', () => {
      if (loads++ > 0) this.#announceGone(windowId);
    });
    window.on('closed', () => {
      this.#windows.delete(windowId);
      this.#announceGone(windowId);
    });
  }

  /** The window with that id, while it is open. */
  window(windowId: number): BrowserWindow | undefined {
    return this.#windows.get(windowId);
  }

  serve(channel: string, handle: Parameters<Transport['serve']>[1]): void {
    ipcMain.handle(channel, (event, input: unknown) => handle(this.#senderOf(event), input));
  }

  push(windowId: number, events: readonly EventEnvelope[]): void {
    const window = this.#windows.get(windowId);
    if (window && !window.isDestroyed()) window.webContents.send(EVENTS_CHANNEL, events);
  }

  onWindowGone(listener: GoneListener): void {
    this.#goneListeners.push(listener);
  }

  #senderOf({ sender, senderFrame }: IpcMainInvokeEvent): Sender {
    const windowId = sender.id;
    const isTopFrame = senderFrame?.parent === null;
    const isOurPage = isTopFrame && isPageOrigin(senderFrame.url, app.isPackaged);
    return { windowId, trusted: isOurPage && this.#windows.has(windowId) };
  }

  #announceGone(windowId: number): void {
    for (const listener of this.#goneListeners) listener(windowId);
  }
}

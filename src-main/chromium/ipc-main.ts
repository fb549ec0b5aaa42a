// Stands in for Electron's `ipcMain`: handlers by channel, and plain messages as events.
import { EventEmitter } from 'node:events';
import type Electron from 'electron';
import { HostError } from './host-error.ts';

type InvokeHandler = Parameters<Electron.IpcMain['handle']>[1];

class IpcMain extends EventEmitter {
  readonly #handlers = new Map<string, InvokeHandler>();

  handle(channel: string, handler: InvokeHandler): void {
    if (this.#handlers.has(channel)) throw new HostError('misuse', `A second handler for '${channel}'`);
    this.#handlers.set(channel, handler);
  }

  handleOnce(channel: string, handler: InvokeHandler): void {
    this.handle(channel, (event, ...args: unknown[]) => {
      this.removeHandler(channel);
      return handler(event, ...args) as unknown;
    });
  }

  removeHandler(channel: string): void {
    this.#handlers.delete(channel);
  }

  /** Runs the handler of a channel; rejects with HostError `misuse` when there is none. For web-contents.ts. */
  async answer(channel: string, event: Electron.IpcMainInvokeEvent, args: unknown[]): Promise<unknown> {
    const handler = this.#handlers.get(channel);
    if (!handler) throw new HostError('misuse', `No handler registered for '${channel}'`);
    return (await handler(event, ...args)) as unknown;
  }
}

/** Electron's `ipcMain`, as far as it is used. */
export const ipcMain = new IpcMain() satisfies Pick<Electron.IpcMain, 'handle' | 'handleOnce' | 'removeHandler'>;

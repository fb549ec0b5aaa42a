// A transport in memory: what a window sends and gets, as JSON, without a browser.
import { PROCEDURES, channelOf } from '../../src-main/contract/channels.ts';
import type { WarrantBridge } from '../../src-main/contract/api.ts';
import type { EventEnvelope } from '../../src-main/contract/events.ts';
import type { WireResult } from '../../src-main/contract/errors.ts';
import type { Sender, Transport } from '../../src-main/ipc/transport.ts';

type Serve = Parameters<Transport['serve']>[1];

export class MemoryTransport implements Transport {
  readonly #channels = new Map<string, Serve>();
  readonly #listeners = new Map<number, (events: EventEnvelope[]) => void>();
  #gone: (windowId: number) => void = () => {};

  serve(channel: string, handle: Serve): void {
    this.#channels.set(channel, handle);
  }

  push(windowId: number, events: readonly EventEnvelope[]): void {
    this.#listeners.get(windowId)?.(structuredClone([...events]));
  }

  onWindowGone(listener: (windowId: number) => void): void {
    this.#gone = listener;
  }

  /** Sends as a page would: the answer crosses as JSON. */
  async send(channel: string, input: unknown, sender: Sender): Promise<WireResult<unknown>> {
    const handle = this.#channels.get(channel);
    if (!handle) throw new TypeError(`nothing serves ${channel}`);
    return JSON.parse(JSON.stringify(await handle(sender, input))) as WireResult<unknown>;
  }

  closeWindow(windowId: number): void {
    this.#gone(windowId);
  }

  /** The bridge that a window's preload would expose. */
  window(windowId: number): WarrantBridge {
    const areas = Object.entries(PROCEDURES).map(([area, names]) => [
      area,
      Object.fromEntries(
        names.map((name) => [
          name,
          (input: unknown) => this.send(channelOf(area, name), input, { windowId, trusted: true }),
        ]),
      ),
    ]);
    return {
      ...Object.fromEntries(areas),
      onEvents: (listener: (events: EventEnvelope[]) => void) => {
        this.#listeners.set(windowId, listener);
        return () => this.#listeners.delete(windowId);
      },
      pathForFile: () => Promise.resolve(''),
    } as WarrantBridge;
  }
}

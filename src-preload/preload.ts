// Gives the page `window.warrant`: one named function a procedure, the events, and the path of a dropped file. No logic: names
// come from the contract's list, answers from main. The page gets no channel name, no ipcRenderer and no way to add one.
import { contextBridge, ipcRenderer, webUtils, type IpcRendererEvent } from 'electron';
import type { WarrantBridge } from '../src-main/contract/api.ts';
import { channelOf, EVENTS_CHANNEL, PROCEDURES } from '../src-main/contract/channels.ts';
import type { EventEnvelope } from '../src-main/contract/events.ts';

type EventListener = (events: EventEnvelope[]) => void;

const procedures = Object.fromEntries(
  Object.entries(PROCEDURES).map(([area, names]) => [
    area,
    Object.fromEntries(
      names.map((name) => {
        const channel = channelOf(area, name);
        return [name, (input: unknown): Promise<unknown> => ipcRenderer.invoke(channel, input)];
      }),
    ),
  ]),
);

function onEvents(listener: EventListener): () => void {
  const relay = (_event: IpcRendererEvent, events: EventEnvelope[]): void => {
    listener(events);
  };
  ipcRenderer.on(EVENTS_CHANNEL, relay);
  return () => {
    ipcRenderer.off(EVENTS_CHANNEL, relay);
  };
}

/** Electron answers at once, the Chromium host by a promise: this takes both. */
function pathForFile(file: unknown): Promise<string> {
  return Promise.resolve(file instanceof File ? webUtils.getPathForFile(file) : '');
}

/** What is built from the list is what the contract's type says: a type test of the contract keeps the two equal. */
const bridge = { ...procedures, onEvents, pathForFile } as unknown as WarrantBridge;
contextBridge.exposeInMainWorld('warrant', bridge);

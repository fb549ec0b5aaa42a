// What the router needs of a way between windows and main; Electron's IPC, and an in-memory pair in tests.
import type { EventEnvelope } from '../contract/events.ts';
import type { WireResult } from '../contract/errors.ts';

/** Who sent a message. */
export interface Sender {
  readonly windowId: number;
  /** The top frame of a window of ours, showing our own origin. Anything else is refused. */
  readonly trusted: boolean;
}

export interface Transport {
  /** Answers every message of a channel with what `handle` gives; `handle` never rejects. */
  serve(channel: string, handle: (sender: Sender, input: unknown) => Promise<WireResult<unknown>>): void;
  /** Sends events to one window, in order. Does nothing when the window is gone. */
  push(windowId: number, events: readonly EventEnvelope[]): void;
  /** Calls `listener` when a window is gone or its page was loaded anew. */
  onWindowGone(listener: (windowId: number) => void): void;
}

// What every wire is built from. The key stays in memory only: it is never written to the environment, a log or a message.

import type { Usage } from '../contract/entries.ts';

/** The part of the standard `fetch` that the wires use. */
export type Fetch = typeof globalThis.fetch;

export interface ModelOptions {
  /** null = none; then no authentication header is sent. */
  readonly apiKey: string | null;
  /** Wins over the address in the reference; null or absent = that address, else the service's own. */
  readonly baseUrl?: string | null;
  /** Absent = Warrant's own over node:http, which has no time limit of its own (the engine watches the stream). */
  readonly fetch?: Fetch;
  /** Tokens; null or absent = unknown. */
  readonly contextWindow?: number | null;
  /** What an answer's usage costs in US dollars, null = not known; absent = never known. */
  readonly price?: (usage: Usage) => number | null;
  /** Sent as `user-agent`; absent = `warrant`. */
  readonly userAgent?: string;
  /** Waited for right before a request leaves; a rejection is the request's end. Absent = nothing is waited for. */
  readonly beforeSend?: () => Promise<void>;
  /** Told of noise that was skipped in a stream, one plain sentence each. Must not throw. */
  readonly onWarning?: (message: string) => void;
}

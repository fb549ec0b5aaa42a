// Responses and headers as plain objects. The standard classes would do the same, but Node loads all of its own fetch for
// the first of them, which costs a command's start more than the whole request does.

import type { LightReadableStream, StreamEvent } from './light-streams.ts';

/** Header names in lower case and their values. */
export type PlainHeaders = Record<string, string>;

/** Headers in any form that `fetch` takes, as plain ones. */
export function toPlainHeaders(headers: RequestInit['headers']): PlainHeaders {
  if (headers === undefined) return {};
  const pairs: [string, string | undefined][] =
    Symbol.iterator in headers ? [...(headers as Iterable<[string, string]>)] : Object.entries(headers);
  const plain: PlainHeaders = {};
  for (const [name, value] of pairs) plain[name.toLowerCase()] = value ?? '';
  return plain;
}

export interface ResponseParts {
  readonly status: number;
  readonly statusText: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: LightReadableStream<Uint8Array> | LightReadableStream<StreamEvent> | null;
}

/** What the SDK and this folder read of a Response: status, headers and the body as a stream. It has no other member. */
export function plainResponse(parts: ResponseParts): Response {
  const response = { ...parts, ok: parts.status >= 200 && parts.status < 300 };
  return response as unknown as Response;
}

// One web request: no redirects, no cookies, no proxy, no credentials; a bound on the decoded body and on the time.
import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, fetch } from 'undici';
import { AppError } from '../../base/app-error.ts';
import { addressObjection } from './address-rules.ts';

export interface FetchOptions {
  readonly userAgent: string;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface FetchedPage {
  readonly status: number;
  readonly contentType: string;
  /** Where a redirect leads, absolute; null for other answers. */
  readonly location: string | null;
  readonly body: Buffer;
  /** More came than `maxBytes`. */
  readonly cut: boolean;
}

/** Resolves a name and refuses it when any of its addresses may not be reached. */
function guardedLookup(host: string): LookupFunction {
  return (name, options, done) => {
    lookup(name, { ...options, all: true }, (error, addresses) => {
      if (error !== null) {
        done(error, '');
        return;
      }
      const why = addresses.flatMap(({ address }) => addressObjection(address, host) ?? [])[0];
      const first = addresses[0];
      if (why !== undefined) done(new AppError('tool.failed', why), '');
      else if (options.all === true) done(null, addresses);
      else done(null, first?.address ?? '', first?.family);
    });
  };
}

async function readBody(
  body: AsyncIterable<Uint8Array> | null,
  maxBytes: number,
): Promise<{ body: Buffer; cut: boolean }> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    total += chunk.length;
    if (total > maxBytes) break;
  }
  return { body: Buffer.concat(chunks).subarray(0, maxBytes), cut: total > maxBytes };
}

/** The AppError that lies at the bottom of a failed request, or one that says what failed. */
function requestError(error: unknown, url: URL, options: FetchOptions): AppError {
  if (options.signal.aborted) return new AppError('cancelled', 'It was stopped.', { cause: error });
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    if (each instanceof AppError) return each;
    if (each.name === 'TimeoutError') {
      return new AppError('tool.timed-out', `${url.host} did not answer in ${options.timeoutMs} ms.`, { cause: error });
    }
  }
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const why = inner instanceof Error ? inner.message : String(inner);
  return new AppError('tool.failed', `${url.host} could not be reached: ${why}`, { cause: error });
}

/** Gets a page. tool.failed, tool.timed-out, cancelled. */
export async function fetchPage(url: URL, options: FetchOptions): Promise<FetchedPage> {
  const agent = new Agent({ connect: { lookup: guardedLookup(url.hostname) }, pipelining: 0 });
  try {
    const response = await fetch(url, {
      dispatcher: agent,
      redirect: 'manual',
      signal: AbortSignal.any([options.signal, AbortSignal.timeout(options.timeoutMs)]),
      headers: { 'user-agent': options.userAgent, accept: 'text/html, text/plain, application/json, */*;q=0.5' },
    });
    const location = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null;
    return {
      status: response.status,
      contentType: response.headers.get('content-type') ?? '',
      location: location === null ? null : new URL(location, url).href,
      ...(await readBody(response.body, options.maxBytes)),
    };
  } catch (error) {
    throw requestError(error, url, options);
  } finally {
    await agent.destroy();
  }
}

// The `fetch` that the SDK is given: sends our own headers only, refuses bodies that are no stream with a plain reason,
// and puts the normaliser between the network and the SDK.
import { AppError } from '../../base/app-error.ts';
import type { Fetch, ModelOptions } from '../model-options.ts';
import type { WireTraits } from '../wire-traits.ts';
import { serviceFailure } from '../service-failure.ts';
import { nodeFetch } from './node-fetch.ts';
import { normaliseEvents } from './normalise-events.ts';
import { plainResponse, toPlainHeaders, type PlainHeaders } from './plain-response.ts';
import { readText } from './read-text.ts';

const KEY_HEADERS = ['authorization', 'x-api-key', 'x-goog-api-key'];

function ownHeaders(init: RequestInit, options: ModelOptions): PlainHeaders {
  const headers = toPlainHeaders(init.headers);
  headers['user-agent'] = options.userAgent ?? 'warrant';
  headers['accept'] = 'text/event-stream, application/json';
  if (options.apiKey !== null && options.apiKey !== '') return headers;
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !KEY_HEADERS.includes(name)));
}

/** A page or a JSON body where a stream belongs: an error that says so, or the error that the body tells. */
async function refuseBody(response: Response, type: string): Promise<AppError> {
  if (type.includes('html')) {
    await response.body?.cancel();
    return new AppError(
      'provider.bad-response',
      'A web page came back instead of an answer. A login page or a wrong address is the usual cause: check the network and the address in the settings.',
    );
  }
  return serviceFailure({ status: null, headers: {}, body: await readText(response, 256 * 1024) });
}

/**
 * A fetch for one model. Its responses carry normalised event streams.
 * @throws provider.bad-response for a web page or an empty body with status 200; what `options.fetch` throws.
 */
export function createWireFetch(traits: WireTraits, options: ModelOptions): Fetch {
  const { fetch: given } = options;
  const send =
    given === undefined
      ? nodeFetch
      : async (input: Parameters<Fetch>[0], init: RequestInit, before?: Promise<void>): Promise<Response> => {
          await before;
          return given(input, init);
        };
  const warn = options.onWarning ?? (() => undefined);
  return async (input, init = {}) => {
    const own = { ...init, headers: ownHeaders(init, options), redirect: 'manual' } as const;
    const response = await send(input, own, options.beforeSend?.());
    if (!response.ok) return response;
    const type = response.headers.get('content-type')?.toLowerCase() ?? '';
    if (type.includes('html') || type.startsWith('application/json')) throw await refuseBody(response, type);
    if (response.body === null) {
      throw new AppError('provider.bad-response', 'The model service answered with nothing. Try again.');
    }
    const { status, statusText, headers } = response;
    return plainResponse({
      status,
      statusText,
      headers: new Map(headers),
      body: normaliseEvents(response.body, traits, warn),
    });
  };
}

// `fetch` over node:http and node:https: keep-alive, no time limit of its own, no proxy, no cookies, no environment, no
// redirect followed. An aborted signal destroys the socket at once.
import type { IncomingMessage } from 'node:http';
import { urlToHttpOptions } from 'node:url';
import { AppError } from '../../base/app-error.ts';
import { LightReadableStream } from './light-streams.ts';
import { plainResponse, toPlainHeaders } from './plain-response.ts';

type Requester = typeof import('node:http').request;
type Transport = { request: Requester; agent: import('node:http').Agent };

const transports = new Map<string, Transport>();

/** Not by `import`: that reads every member of the module, one of which loads all of Node's own fetch. */
function transportFor(protocol: string): Transport {
  let transport = transports.get(protocol);
  if (transport === undefined) {
    const { request, Agent } = process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http');
    transport = { request, agent: new Agent({ keepAlive: true }) };
    transports.set(protocol, transport);
  }
  return transport;
}

/** From the pairs as they came: the message's own `headers` are made by another look at each. */
function toHeaders({ rawHeaders }: IncomingMessage): Map<string, string> {
  const headers = new Map<string, string>();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    const before = headers.get(name);
    const value = rawHeaders[at + 1] ?? '';
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return headers;
}

/** Pieces that may wait for a reader before the socket is not read any more. */
const PIECES_AHEAD = 16;

/** The body as a stream; what it reads ahead is bounded. Cancelling it destroys the socket. */
function toBody(message: IncomingMessage): LightReadableStream<Uint8Array> {
  let ahead = 0;
  let wake: (() => void) | null = null;
  return new LightReadableStream<Uint8Array>({
    // By events: the message's own iterator costs several promises a piece.
    start(controller) {
      const then = (): void => {
        wake?.();
        wake = null;
      };
      message.on('data', (piece: Uint8Array) => {
        ahead += 1;
        if (ahead > PIECES_AHEAD) message.pause();
        controller.enqueue(piece);
        then();
      });
      const end = (): void => {
        controller.close();
        then();
      };
      message.on('end', end);
      message.on('close', end);
      message.on('error', (error) => {
        controller.error(error);
        then();
      });
    },
    pull: () => {
      // Called only when nothing waits.
      ahead = 0;
      if (message.isPaused()) message.resume();
      return new Promise<void>((resolve) => {
        wake = resolve;
      });
    },
    cancel() {
      message.destroy();
    },
  });
}

function toResponse(message: IncomingMessage): Response {
  const status = message.statusCode ?? 502;
  const bodiless = status === 204 || status === 205 || status === 304;
  // Nobody reads it, and its error must not end the process.
  if (bodiless) message.on('error', () => undefined).resume();
  return plainResponse({
    status,
    statusText: message.statusMessage ?? '',
    headers: toHeaders(message),
    body: bodiless ? null : toBody(message),
  });
}

type Address = ReturnType<typeof urlToHttpOptions>;

let known: { text: string; address: Address } | null = null;

/** Where a request goes, as node:http takes it: a chat asks the same address again and again. */
function toAddress(input: string | URL | Request): Address {
  const text = typeof input === 'string' ? input : 'url' in input ? input.url : input.href;
  if (known?.text !== text) known = { text, address: urlToHttpOptions(new URL(text)) };
  return known.address;
}

/**
 * Sends one request whose body, if any, is text. It leaves once `before`, which must have begun, has resolved: all that can
 * be done for it is done meanwhile.
 * @throws what `before` rejects with; the signal's reason when it aborts; the system's error (with its code) when the service cannot be reached.
 */
export async function nodeFetch(
  input: string | URL | Request,
  init: RequestInit = {},
  before?: Promise<void>,
): Promise<Response> {
  const address = toAddress(input);
  const { request, agent } = transportFor(address.protocol ?? 'http:');
  const signal = init.signal ?? null;
  signal?.throwIfAborted();
  const body = typeof init.body === 'string' ? Buffer.from(init.body) : null;
  if (init.body != null && body === null) throw new AppError('internal', 'Only text can be sent to a model service.');
  const headers = toPlainHeaders(init.headers);
  if (body !== null) headers['content-length'] = String(body.byteLength);
  return await new Promise<Response>((resolve, reject) => {
    const outgoing = request({ ...address, method: init.method ?? 'GET', headers, agent });
    // Not the request's own `signal` option: that would stay on the pooled socket after the answer.
    const stop = (): void => void outgoing.destroy();
    signal?.addEventListener('abort', stop, { once: true });
    outgoing.on('close', () => signal?.removeEventListener('abort', stop));
    outgoing.on('response', (message) => {
      resolve(toResponse(message));
    });
    outgoing.on('error', (error) => {
      reject(signal?.aborted === true ? (signal.reason as Error) : error);
    });
    const send = (): void => void outgoing.end(body ?? undefined);
    if (before === undefined) send();
    else
      before.then(send, (reason: unknown) => {
        outgoing.destroy();
        // The reason is the caller's own.
        reject(reason);
      });
  });
}

// `fetch` over node:http and node:https: keep-alive, no time limit of its own, no proxy, no cookies, no environment, no
// redirect followed. An aborted signal destroys the socket at once.
import type { IncomingMessage } from 'node:http';
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

function toHeaders(message: IncomingMessage): Map<string, string> {
  const pairs = Object.entries(message.headers);
  return new Map(pairs.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]));
}

/** The body as a stream that reads on demand; cancelling it destroys the socket. */
function toBody(message: IncomingMessage): LightReadableStream<Uint8Array> {
  let wake = (): void => undefined;
  return new LightReadableStream<Uint8Array>({
    // By events: the message's own iterator costs several promises a piece.
    start(controller) {
      const then = (work: () => void): void => {
        work();
        wake();
      };
      message.on('data', (piece: Uint8Array) => {
        message.pause();
        then(() => controller.enqueue(piece));
      });
      message.on('end', () => then(() => controller.close()));
      message.on('error', (error) => then(() => controller.error(error)));
      message.on('close', () => then(() => controller.close()));
      message.pause();
    },
    pull: () =>
      new Promise<void>((resolve) => {
        wake = resolve;
        message.resume();
      }),
    cancel() {
      message.destroy();
    },
  });
}

function toResponse(message: IncomingMessage): Response {
  const status = message.statusCode ?? 502;
  const bodiless = status === 204 || status === 205 || status === 304;
  if (bodiless) message.resume();
  return plainResponse({
    status,
    statusText: message.statusMessage ?? '',
    headers: toHeaders(message),
    body: bodiless ? null : toBody(message),
  });
}

/** The address as text, whatever form `fetch` was given. */
function toUrl(input: string | URL | Request): URL {
  return new URL(typeof input === 'object' && 'url' in input ? input.url : input);
}

/**
 * Sends one request whose body, if any, is text.
 * @throws the signal's reason when it aborts; the system's error (with its code) when the service cannot be reached.
 */
export async function nodeFetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const url = toUrl(input);
  const { request, agent } = transportFor(url.protocol);
  const signal = init.signal ?? null;
  signal?.throwIfAborted();
  const body = typeof init.body === 'string' ? Buffer.from(init.body) : null;
  if (init.body != null && body === null) throw new AppError('internal', 'Only text can be sent to a model service.');
  const headers = toPlainHeaders(init.headers);
  if (body !== null) headers['content-length'] = String(body.byteLength);
  return await new Promise<Response>((resolve, reject) => {
    const outgoing = request(url, { method: init.method ?? 'GET', headers, agent });
    // Not the request's own `signal` option: that would stay on the pooled socket after the answer.
    const stop = (): void => void outgoing.destroy();
    signal?.addEventListener('abort', stop, { once: true });
    outgoing.on('close', () => signal?.removeEventListener('abort', stop));
    outgoing.on('response', (message) => {
      // Whoever reads the body hears of it; an error before the first read must not end the process.
      message.on('error', () => undefined);
      resolve(toResponse(message));
    });
    outgoing.on('error', (error) => {
      reject(signal?.aborted === true ? (signal.reason as Error) : error);
    });
    outgoing.end(body ?? undefined);
  });
}

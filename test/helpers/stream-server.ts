// A model service whose answers are given byte by byte: what was asked is kept, how it answers is up to the test.
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
  /** Resolves when the other side let go of the connection before the answer ended. */
  readonly abandoned: Promise<void>;
}

export type Answer = (response: http.ServerResponse, request: SeenRequest) => void | Promise<void>;

export interface StreamServer {
  readonly url: string;
  readonly seen: SeenRequest[];
  answer: Answer;
  stop(): Promise<void>;
}

/** Answers with an event stream made of these pieces, one write each, then ends. */
export function pieces(...parts: readonly (string | Uint8Array)[]): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const part of parts) response.write(part);
    response.end();
  };
}

/** Answers with a status, JSON and headers. */
export function refusal(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

/** Starts one on 127.0.0.1; it answers with an empty body until told otherwise. */
export async function startStreamServer(): Promise<StreamServer> {
  const server = http.createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (text: string) => (body += text));
    request.on('end', () => {
      const abandoned = new Promise<void>((resolve) => {
        response.on('close', () => {
          if (!response.writableFinished) resolve();
        });
      });
      const seen: SeenRequest = { path: request.url ?? '', headers: request.headers, body, abandoned };
      self.seen.push(seen);
      void self.answer(response, seen);
    });
  });
  // Longer than any test, so that no test meets a connection that is just being closed.
  server.keepAliveTimeout = 300_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const self: StreamServer = {
    url: `http://127.0.0.1:${port}/v1`,
    seen: [],
    answer: pieces(''),
    async stop() {
      server.closeAllConnections();
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
  return self;
}

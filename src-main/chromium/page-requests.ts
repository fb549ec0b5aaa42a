// Answers every request of a page from the application's protocol handlers and refuses all others, so that a page has no
// network. Bodies of requests are dropped: the application's handlers only give files. Decides navigations: what the application did not ask for itself goes through `allowNavigation` first.
import type { Protocol } from 'devtools-protocol';
import type { CdpSession } from './cdp.ts';
import { ignoreWhenGone } from './cdp.ts';
import { fromBrowserUrl, handlerFor } from './protocol.ts';

type PausedRequest = Protocol.Fetch.RequestPausedEvent;

/** How a page's requests are decided. */
export interface PageRequestOptions {
  session: CdpSession;
  /** False keeps the page (or the frame) where it is. Must not throw. */
  allowNavigation: (url: string, frameId: string) => boolean;
}

const REQUEST_LIMIT_BYTES = 64 * 1024 * 1024;

/** Starts to answer the requests of a page, until its session ends. */
export async function servePageRequests(options: PageRequestOptions): Promise<void> {
  options.session.onEvent('Fetch.requestPaused', (request) => {
    serve(options, request).catch(ignoreWhenGone);
  });
  await options.session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
}

async function serve({ session, allowNavigation }: PageRequestOptions, paused: PausedRequest): Promise<void> {
  const { requestId, request } = paused;
  const url = new URL(fromBrowserUrl(request.url));
  if (paused.resourceType === 'Document' && !allowNavigation(url.href, paused.frameId)) {
    // 204 leaves the page where it is; a failed request would put the browser's error page in its place.
    await session.send('Fetch.fulfillRequest', { requestId, responseCode: 204 });
    return;
  }
  const handler = handlerFor(url);
  if (!handler) {
    if (isDevelopmentServer(request.url)) await session.send('Fetch.continueRequest', { requestId });
    else await session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
    return;
  }
  const response = await answer(handler, url, request);
  const body = Buffer.from(await response.arrayBuffer());
  await session.send('Fetch.fulfillRequest', {
    requestId,
    responseCode: body.length > REQUEST_LIMIT_BYTES ? 413 : response.status,
    responseHeaders: [...response.headers].map(([name, value]) => ({ name, value })),
    body: body.length > REQUEST_LIMIT_BYTES ? '' : body.toString('base64'),
  });
}

async function answer(
  handler: NonNullable<ReturnType<typeof handlerFor>>,
  url: URL,
  request: Protocol.Network.Request,
): Promise<Response> {
  try {
    const headers = new Headers(Object.entries(request.headers).filter(([name]) => !name.startsWith(':')));
    return await handler(new Request(url, { method: request.method, headers }));
  } catch (error) {
    return new Response(String(error), { status: 500 });
  }
}

/** The development server of `npm run dev` is the only other origin, and only while it is named by the environment. */
function isDevelopmentServer(url: string): boolean {
  const server = process.env['ELECTRON_RENDERER_URL'];
  return server !== undefined && URL.canParse(server) && url.startsWith(`${new URL(server).origin}/`);
}

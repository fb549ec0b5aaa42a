// Serves the built page at app://main/: files below one folder, nothing else, each with the page's content policy.
// Paths are confined twice: by their parts before the file system is asked, and by the real path of what it found.
import { randomBytes } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { protocol } from 'electron';
import { APP_HOST, APP_SCHEME } from './page-address.ts';
import { TROUBLE_HOST } from './trouble-page.ts';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};

/** Features that the page has no use for; a screen picker, for one, is not a permission and would be shown. */
const PERMISSIONS_POLICY = [
  'camera',
  'display-capture',
  'geolocation',
  'hid',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
]
  .map((feature) => `${feature}=()`)
  .join(', ');

/** Where libraries of the page that make style elements find the nonce of this load. */
function withNonce(html: string, nonce: string): string {
  return html.replace('<head>', `<head><meta name="style-nonce" content="${nonce}">`);
}

/** The policy of one load. `nonce` is for the style elements of libraries; scripts have none. */
export function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob: data:",
    "font-src 'self'",
    "worker-src 'self'",
    "connect-src 'none'",
    "frame-src 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ');
}

/** Tells the browser of the scheme. Must be called before the application is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: APP_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ]);
}

/** Serves the page from now on. Must be called after the application is ready. */
export function serveApp({ folder, iconFile, troublePage }: ServedApp): void {
  protocol.handle(APP_SCHEME, async (request) => {
    const { host, pathname } = new URL(request.url);
    if (pathname === '/favicon.ico') return respondWithIcon(iconFile);
    return host === TROUBLE_HOST ? respondWithTrouble(await troublePage()) : respond(folder, request);
  });
}

/** What is served. */
export interface ServedApp {
  /** Absolute path of the built page, at app://main/. */
  folder: string;
  /** Absolute path of the icon (SVG), which a browser shows as the window's. */
  iconFile: string;
  /** The page at app://trouble/, or undefined for none. */
  troublePage: () => Promise<string | undefined>;
}

async function respondWithIcon(iconFile: string): Promise<Response> {
  const icon = await readFile(iconFile).catch(() => undefined);
  return icon ? new Response(new Uint8Array(icon), { headers: { 'content-type': 'image/svg+xml' } }) : refusal(404);
}

/** A page without a script: it may style itself, and nothing else. */
function respondWithTrouble(html: string | undefined): Response {
  if (html === undefined) return refusal(404);
  return new Response(html, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
    },
  });
}

/** The answer to one request: 200 with the file, 403 for a place outside, 404 for none, 405 for other methods. */
export async function respond(folder: string, request: Pick<Request, 'url' | 'method'>): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return refusal(405);
  const asked = placeInside(folder, request.url);
  if (asked === undefined) return refusal(403);
  const content = await readInside(folder, asked);
  if (content === undefined) return refusal(404);
  const extension = path.extname(asked);
  const nonce = randomBytes(16).toString('base64');
  const body = extension === '.html' ? withNonce(content.toString('utf8'), nonce) : new Uint8Array(content);
  return new Response(body, {
    headers: {
      'content-type': CONTENT_TYPES[extension] ?? 'application/octet-stream',
      'content-security-policy': contentSecurityPolicy(nonce),
      'permissions-policy': PERMISSIONS_POLICY,
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-store',
    },
  });
}

/** The absolute path that an address names below `folder`, or undefined when it names none there. */
export function placeInside(folder: string, address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.protocol !== `${APP_SCHEME}:` || url.host !== APP_HOST) return undefined;
  const name = decode(url.pathname);
  if (name === undefined || /[\0\\]/.test(name)) return undefined;
  const parts = name.split('/').slice(1);
  const isPlain = parts.every((part) => part !== '' && part !== '.' && part !== '..' && !part.includes(':'));
  return isPlain && parts.length > 0 ? path.join(folder, ...parts) : undefined;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The file's content; undefined when there is none, or when a link leads out of the folder. */
async function readInside(folder: string, file: string): Promise<Buffer | undefined> {
  try {
    const [realFolder, realFile] = await Promise.all([realpath(folder), realpath(file)]);
    return realFile.startsWith(realFolder + path.sep) ? await readFile(realFile) : undefined;
  } catch {
    return undefined;
  }
}

function refusal(status: number): Response {
  return new Response(null, { status, headers: { 'content-security-policy': "default-src 'none'" } });
}

// Stands in for Electron's `protocol`. app://main/x reaches the browser as https://main.app.invalid/x, a secure origin that
// is answered inside this process and resolves nowhere: custom schemes cannot be intercepted through the debugging pipe.
import type Electron from 'electron';

type ProtocolHandler = Parameters<Electron.Protocol['handle']>[1];

const handlers = new Map<string, ProtocolHandler>();

/** The address by which the browser knows an address of a handled scheme; any other address comes back as it is. */
export function toBrowserUrl(url: string): string {
  const [, scheme, host, rest] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/i.exec(url) ?? [];
  if (scheme === undefined || host === undefined || !handlers.has(scheme)) return url;
  return `https://${host}.${scheme}.invalid${rest === undefined || rest === '' ? '/' : rest}`;
}

/** The application's own address for one of the browser's; any other address comes back as it is. */
export function fromBrowserUrl(url: string): string {
  return url.replace(
    /^https:\/\/([^/?#]+)\.([a-z0-9+-]+)\.invalid(?=[/?#]|$)/,
    (whole, host: string, scheme: string) => (handlers.has(scheme) ? `${scheme}://${host}` : whole),
  );
}

/** The handler of an address's scheme, or undefined where the application handles none. */
export function handlerFor(url: URL): ProtocolHandler | undefined {
  return handlers.get(url.protocol.slice(0, -1));
}

/** Electron's `protocol`, as far as it is used. Every handled scheme counts as standard and secure. */
export const protocol = {
  registerSchemesAsPrivileged(_schemes: Electron.CustomScheme[]): void {
    // Standard and secure is what the https stand-in address already is.
  },
  handle(scheme: string, handler: ProtocolHandler): void {
    handlers.set(scheme, handler);
  },
  unhandle(scheme: string): void {
    handlers.delete(scheme);
  },
  isProtocolHandled(scheme: string): boolean {
    return handlers.has(scheme);
  },
} satisfies Pick<Electron.Protocol, 'registerSchemesAsPrivileged' | 'handle' | 'unhandle' | 'isProtocolHandled'>;

// The page's address: the only one that a window of Warrant ever shows.

/** Scheme and host of everything that the window loads. */
export const APP_SCHEME = 'app';
export const APP_HOST = 'main';
export const APP_ORIGIN = `${APP_SCHEME}://${APP_HOST}`;

/** The development server's address while `npm run dev` runs, else undefined. Never in a packaged application. */
export function developmentServer(isPackaged: boolean): string | undefined {
  const url = process.env['ELECTRON_RENDERER_URL'];
  return !isPackaged && url !== undefined && URL.canParse(url) ? url : undefined;
}

/** What a window loads: the built page, or the development server's. */
export function pageAddress(isPackaged: boolean): string {
  return developmentServer(isPackaged) ?? `${APP_ORIGIN}/index.html`;
}

/** True for an address of the page itself; parts after # or ? do not matter. */
export function isPageAddress(url: string, isPackaged: boolean): boolean {
  if (!URL.canParse(url)) return false;
  const asked = new URL(url);
  const page = new URL(pageAddress(isPackaged));
  return asked.protocol === page.protocol && asked.host === page.host && asked.pathname === page.pathname;
}

/** True for the origin of the page (`app://main`, or the development server's). */
export function isPageOrigin(url: string, isPackaged: boolean): boolean {
  if (!URL.canParse(url)) return false;
  const asked = new URL(url);
  const page = new URL(pageAddress(isPackaged));
  return asked.protocol === page.protocol && asked.host === page.host;
}

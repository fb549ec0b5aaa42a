// Finds the browser that the tests drive: the one named, one of the system, or the one unpacked from the npm registry.
// The tests' own matter: the product's launcher looks for a system browser and unpacks nothing.
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { unpackChromium } from './unpack-chromium.ts';

/** A browser for the tests: the environment to hand to them, and where it came from; or why there is none. */
export type BrowserSearch =
  { readonly env: Readonly<Record<string, string>>; readonly from: string } | { readonly missing: string };

const names = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
  'microsoft-edge-stable',
  'msedge',
];

function executable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The first browser in `searchPath` (a PATH), in the order of `names` above. */
export function browserInPath(searchPath: string): string | undefined {
  const folders = searchPath.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(executable);
}

/** Looks at WARRANT_CHROMIUM, then PATH, then unpacks @sparticuz/chromium into node_modules/.cache. */
export async function findBrowser(): Promise<BrowserSearch> {
  const named = process.env['WARRANT_CHROMIUM'];
  if (named !== undefined && named !== '') {
    if (!executable(named)) return { missing: `WARRANT_CHROMIUM names ${named}, which is not an executable file` };
    return { env: { WARRANT_CHROMIUM: named }, from: `${named} (WARRANT_CHROMIUM)` };
  }
  const found = browserInPath(process.env['PATH'] ?? '');
  if (found !== undefined) return { env: { WARRANT_CHROMIUM: found }, from: found };
  return unpackChromium();
}

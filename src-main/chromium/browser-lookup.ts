// Finds a Chromium, Chrome or Edge of this machine. Only looks for executables: it starts nothing.
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { HostError } from './host-error.ts';

/** Names looked for in PATH, best first. */
export const BROWSER_NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'msedge',
  'microsoft-edge',
] as const;

const MAC_APPLICATIONS = [
  'Chromium.app/Contents/MacOS/Chromium',
  'Google Chrome.app/Contents/MacOS/Google Chrome',
  'Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];
const WINDOWS_PROGRAMS = [
  'Google\\Chrome\\Application\\chrome.exe',
  'Chromium\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
];

/** Where the look-up looks: an environment and a platform, so that it can be tested. */
export interface LookupOptions {
  env?: NodeJS.ProcessEnv;
  platform?: NodeJS.Platform;
}

/** All places a browser may be at, best first. */
export function browserCandidates(options: LookupOptions = {}): string[] {
  const env = options.env ?? process.env;
  const platform = options.platform ?? process.platform;
  const wanted = env['WARRANT_CHROMIUM'];
  if (wanted) return [path.resolve(wanted)];
  const folders = (env['PATH'] ?? '').split(path.delimiter).filter(Boolean);
  const suffix = platform === 'win32' ? '.exe' : '';
  const inPath = BROWSER_NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name + suffix)));
  if (platform === 'darwin') {
    const roots = ['/Applications', path.join(env['HOME'] ?? '/', 'Applications')];
    return [...inPath, ...roots.flatMap((root) => MAC_APPLICATIONS.map((name) => path.join(root, name)))];
  }
  if (platform === 'win32') {
    const roots = [env['PROGRAMFILES'], env['PROGRAMFILES(X86)'], env['LOCALAPPDATA']].filter(
      (root) => root !== undefined,
    );
    return [...inPath, ...roots.flatMap((root) => WINDOWS_PROGRAMS.map((name) => path.join(root, name)))];
  }
  return inPath;
}

/**
 * The path of the browser to use. WARRANT_CHROMIUM, when set, is the only candidate.
 * Throws HostError `no-browser` that says what to do.
 */
export function findBrowser(options: LookupOptions = {}): string {
  const found = browserCandidates(options).find(isExecutableFile);
  if (found) return found;
  const wanted = (options.env ?? process.env)['WARRANT_CHROMIUM'];
  throw new HostError(
    'no-browser',
    wanted
      ? `WARRANT_CHROMIUM names ${wanted}, which is not an executable file: mend or unset it`
      : `No browser found in PATH (looked for ${BROWSER_NAMES.join(', ')}): install Chromium, or set WARRANT_CHROMIUM to one`,
  );
}

function isExecutableFile(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

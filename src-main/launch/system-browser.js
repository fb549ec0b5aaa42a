// Finds a Chromium, Chrome or Edge of this machine: the same places, in the same order, as the Chromium host looks at.
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

/** Names looked for in PATH, best first. */
export const BROWSER_NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'msedge',
  'microsoft-edge',
];
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

/**
 * Path of the browser to use, or undefined. WARRANT_CHROMIUM, when set, is the only candidate.
 * @param {NodeJS.ProcessEnv} [env]
 * @param {NodeJS.Platform} [platform]
 * @returns {string | undefined}
 */
export function findSystemBrowser(env = process.env, platform = process.platform) {
  return browserCandidates(env, platform).find(isExecutableFile);
}

/**
 * All places a browser may be at, best first.
 * @param {NodeJS.ProcessEnv} env
 * @param {NodeJS.Platform} platform
 * @returns {string[]}
 */
export function browserCandidates(env, platform) {
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
    const roots = [env['PROGRAMFILES'], env['PROGRAMFILES(X86)'], env['LOCALAPPDATA']];
    const known = /** @type {string[]} */ (roots.filter((root) => root !== undefined));
    return [...inPath, ...known.flatMap((root) => WINDOWS_PROGRAMS.map((name) => path.join(root, name)))];
  }
  return inPath;
}

/**
 * @param {string} file
 * @returns {boolean}
 */
function isExecutableFile(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

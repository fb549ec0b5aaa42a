// Decides what shows the window: Electron, else a Chromium of the system, else nothing (then the terminal). Says why.
import path from 'node:path';
import { canSandboxElectron, electronVersion, obtainElectron } from './electron-binary.js';
import { installFolder } from './install-folder.js';
import { findSystemBrowser } from './system-browser.js';

/**
 * @typedef {object} Runtime
 * @property {'electron' | 'chromium' | 'terminal'} kind
 * @property {string} command the executable; '' for the terminal
 * @property {string[]} args what comes before the application's own arguments
 * @property {NodeJS.ProcessEnv} env to be added to the environment
 * @property {string} line one sentence for the person: what and why
 */

/**
 * @param {{ node: string, fetchElectron: boolean }} options
 * @returns {Promise<Runtime>}
 */
export async function chooseRuntime({ node, fetchElectron }) {
  const { env } = process;
  const isHeadless = env['WARRANT_HEADLESS'] === '1';
  if (!isHeadless && !hasDisplay(env, process.platform)) {
    return terminal('There is no display (DISPLAY and WAYLAND_DISPLAY are unset)');
  }
  const { electron, reason } = await electronOrReason({ node, fetchElectron, isHeadless });
  if (electron) return electronRuntime(electron);
  const browser = findSystemBrowser();
  if (browser) return chromiumRuntime(node, browser, reason);
  const wanted = env['WARRANT_CHROMIUM'];
  return terminal(
    wanted
      ? `WARRANT_CHROMIUM names ${wanted}, which is not an executable file`
      : `No window can be shown: ${reason}, and no Chromium, Chrome or Edge was found (WARRANT_CHROMIUM can name one)`,
  );
}

/**
 * True when a window can be seen.
 * @param {NodeJS.ProcessEnv} env
 * @param {NodeJS.Platform} platform
 * @returns {boolean}
 */
export function hasDisplay(env, platform) {
  if (platform === 'win32' || platform === 'darwin') return true;
  return Boolean(env['DISPLAY']) || Boolean(env['WAYLAND_DISPLAY']);
}

/**
 * @param {{ node: string, fetchElectron: boolean, isHeadless: boolean }} options
 * @returns {Promise<{ electron?: string, reason: string }>}
 */
async function electronOrReason({ node, fetchElectron, isHeadless }) {
  if (isHeadless) return { reason: 'WARRANT_HEADLESS asks for no visible window' };
  if (process.env['WARRANT_CHROMIUM'] && !fetchElectron) return { reason: 'WARRANT_CHROMIUM names it' };
  const result = await obtainElectron({ node, retry: fetchElectron });
  if ('reason' in result) return result;
  if (isRoot() || canSandboxElectron(result.path)) return { electron: result.path, reason: '' };
  return { reason: 'this system keeps Electron from its sandbox' };
}

/**
 * @param {string} executable
 * @returns {Runtime}
 */
function electronRuntime(executable) {
  const sandbox = isRoot() ? ['--no-sandbox'] : [];
  return {
    kind: 'electron',
    command: executable,
    args: [...sandbox, installFolder],
    env: {},
    line: `Warrant runs on Electron ${electronVersion() ?? ''}${sandboxNote("Electron's")}.`,
  };
}

/**
 * @param {string} node
 * @param {string} browser
 * @param {string} reason
 * @returns {Runtime}
 */
function chromiumRuntime(node, browser, reason) {
  return {
    kind: 'chromium',
    command: node,
    args: [path.join(installFolder, 'src-main', 'chromium', 'cli.ts'), installFolder],
    env: { WARRANT_CHROMIUM: browser },
    line: `Warrant runs on ${browser}, because ${reason}${sandboxNote("the browser's")}.`,
  };
}

/**
 * @param {string} why
 * @returns {Runtime}
 */
function terminal(why) {
  return { kind: 'terminal', command: '', args: [], env: {}, line: `${why}: Warrant runs in this terminal.` };
}

/**
 * @param {string} whose
 * @returns {string}
 */
function sandboxNote(whose) {
  return isRoot() ? `; without ${whose} sandbox, because you are root` : '';
}

/** @returns {boolean} */
function isRoot() {
  return process.platform === 'linux' && process.getuid?.() === 0;
}

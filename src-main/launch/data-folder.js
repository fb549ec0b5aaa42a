// Where Warrant keeps its data. The launcher's own small copy of the rule, as it stands alone and runs on any Node.
import os from 'node:os';
import path from 'node:path';

/**
 * Absolute path of the data folder, which may not exist yet.
 * @param {NodeJS.ProcessEnv} [env]
 * @param {NodeJS.Platform} [platform]
 * @returns {string}
 */
export function dataFolder(env = process.env, platform = process.platform) {
  const given = env['WARRANT_DATA'];
  if (given) return path.resolve(given);
  const home = os.homedir();
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support', 'Warrant');
  if (platform === 'win32') return path.join(env['APPDATA'] || path.join(home, 'AppData', 'Roaming'), 'Warrant');
  const xdg = env['XDG_DATA_HOME'];
  return path.join(xdg && path.isAbsolute(xdg) ? xdg : path.join(home, '.local', 'share'), 'warrant');
}

/**
 * Folder for what may be deleted at any time.
 * @returns {string}
 */
export function cacheFolder() {
  return path.join(dataFolder(), 'cache');
}

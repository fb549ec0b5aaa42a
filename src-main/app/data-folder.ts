// Where Warrant keeps its data: the same place for the window and the command. The folder is the person's alone (0700).
import { accessSync, constants, mkdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { AppError } from '../base/app-error.ts';

/** Absolute path of the data folder: WARRANT_DATA, else the platform's place for application data. */
export function dataFolder(env: NodeJS.ProcessEnv = process.env, platform: NodeJS.Platform = process.platform): string {
  const given = env['WARRANT_DATA'];
  if (given) return path.resolve(given);
  const home = os.homedir();
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support', 'Warrant');
  if (platform === 'win32') return path.join(env['APPDATA'] ?? path.join(home, 'AppData', 'Roaming'), 'Warrant');
  const xdg = env['XDG_DATA_HOME'];
  return path.join(xdg && path.isAbsolute(xdg) ? xdg : path.join(home, '.local', 'share'), 'warrant');
}

/**
 * Makes the folder when it is missing, closed to others; one that is there keeps its mode, as it may be shared (the store
 * closes its own). Code config.invalid when it cannot be made or written to.
 */
export function ensureDataFolder(folder: string): string {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
    return folder;
  } catch (cause) {
    throw new AppError(
      'config.invalid',
      `Warrant cannot keep its data in ${folder}. Make that folder writable, or set WARRANT_DATA to another one.`,
      { details: { folder }, cause },
    );
  }
}

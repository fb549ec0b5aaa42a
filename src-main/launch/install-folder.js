// Where the program itself lies, and where the person who started it stands.
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that holds package.json, out/ and, in a checkout, the sources. */
export const installFolder = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/**
 * The folder the person is in: npm changes to the package's folder and leaves the person's in INIT_CWD.
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string}
 */
export function personFolder(env = process.env) {
  return env['npm_lifecycle_event'] && env['INIT_CWD'] ? env['INIT_CWD'] : process.cwd();
}

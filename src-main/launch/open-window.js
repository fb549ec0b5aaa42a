// Opens Warrant's window on a folder, or does the same job in the terminal where no window can be shown.
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { buildWhenStale } from './build-when-stale.js';
import { chooseRuntime } from './choose-runtime.js';
import { cacheFolder } from './data-folder.js';
import { installFolder, personFolder } from './install-folder.js';
import { requireNode } from './pinned-node.js';
import { runChild } from './run-child.js';
import { runHeadless } from './run-headless.js';

const USAGE_ERROR = 64;

/**
 * Resolves to the exit code.
 * @param {readonly string[]} args a folder and --fetch-electron, both optional
 * @returns {Promise<number>}
 */
export async function openWindow(args) {
  const fetchElectron = args.includes('--fetch-electron');
  const [given, ...more] = args.filter((arg) => arg !== '--fetch-electron');
  const folder = path.resolve(personFolder(), given ?? '.');
  const trouble =
    more.length > 0 ? `One folder at a time, please: ${more.join(' ')} is too much.` : folderTrouble(folder);
  if (trouble) {
    console.error(trouble);
    return USAGE_ERROR;
  }
  const node = requireNode();
  if (!buildWhenStale(node)) return 70;
  const runtime = await chooseRuntime({ node, fetchElectron });
  console.error(runtime.line);
  if (runtime.kind === 'terminal') return runHeadless(['run', '--interactive', '--project', folder]);
  const env = { ...process.env, ...runtime.env, WARRANT_COMPILE_CACHE: path.join(cacheFolder(), 'node') };
  return runChild(runtime.command, [...runtime.args, `--folder=${folder}`], { env, cwd: installFolder });
}

/**
 * What is wrong with a folder given, or undefined.
 * @param {string} folder
 * @returns {string | undefined}
 */
function folderTrouble(folder) {
  if (!existsSync(folder))
    return `There is no folder ${folder}. Give one that exists: \`npm start -- PATH\`, or \`warrant PATH\`.`;
  return statSync(folder).isDirectory() ? undefined : `${folder} is not a folder. Give the folder that holds it.`;
}

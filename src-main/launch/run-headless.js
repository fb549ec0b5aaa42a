// Runs the command-line form of the application: in this process where its Node is fit, else under the pinned one.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildWhenStale } from './build-when-stale.js';
import { installFolder, personFolder } from './install-folder.js';
import { isCurrentNodeFit, requireNode } from './pinned-node.js';
import { runChild } from './run-child.js';

/**
 * Resolves to the exit code; in this process the application sets `process.exitCode` itself and this one stays 0.
 * @param {readonly string[]} args the command's own arguments, `run` or `resume` first
 * @returns {Promise<number>}
 */
export async function runHeadless(args) {
  const cwd = personFolder();
  const node = requireNode();
  if (!isCurrentNodeFit())
    return runChild(node, [path.join(installFolder, 'src-main', 'launch', 'warrant.js'), ...args], { cwd });
  if (!buildWhenStale(node)) return 70;
  const entry = path.join(installFolder, 'out', 'main', 'headless.js');
  process.chdir(cwd);
  process.argv.splice(1, process.argv.length, entry, ...args);
  await import(pathToFileURL(entry).href);
  return Number(process.exitCode ?? 0);
}

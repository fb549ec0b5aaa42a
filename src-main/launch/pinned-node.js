// Finds the Node that Warrant is made for: never loads the application under another one.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { installFolder } from './install-folder.js';

/** The oldest major version of Node that runs the application. */
export const NEEDED_MAJOR = 24;

/**
 * True when this very process may load the application.
 * @param {string} [version] such as 24.21.0
 * @returns {boolean}
 */
export function isCurrentNodeFit(version = process.versions.node) {
  return Number.parseInt(version, 10) >= NEEDED_MAJOR;
}

/**
 * Path of the Node to use: the one that npm installed beside the application, else the current one when it is new enough.
 * Undefined when there is neither.
 * @param {string} [folder]
 * @returns {string | undefined}
 */
export function findNode(folder = installFolder) {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const places = [`node-${platform}-${process.arch}`, `node-bin-${platform}-${process.arch}`];
  const pinned = places
    .map((place) => path.join(folder, 'node_modules', place, 'bin', name))
    .find((file) => existsSync(file));
  return pinned ?? (isCurrentNodeFit() ? process.execPath : undefined);
}

/**
 * As findNode, but ends the process with a clear message when there is none.
 * @returns {string}
 */
export function requireNode() {
  const node = findNode();
  if (node) return node;
  console.error(
    `Warrant needs Node ${String(NEEDED_MAJOR)}. It is installed by \`npm ci\` on Linux and Windows; ` +
      `here is Node ${process.versions.node} and no other: install Node ${String(NEEDED_MAJOR)}, or run \`npm ci\` again.`,
  );
  process.exit(69);
}

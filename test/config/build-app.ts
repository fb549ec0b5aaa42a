// Builds out/ for the tests and tools. When that is needed is the launcher's knowledge; the build is electron-vite's.
import path from 'node:path';
import { isStale } from '../../src-main/launch/build-when-stale.js';
import { root, runNode } from './run-command.ts';
import type { CommandResult } from './run-command.ts';

/** Whether out/ is missing, not whole, or older than a source. */
export function buildIsStale(): boolean {
  return isStale(root);
}

/** Runs the build whether or not it is needed. */
export function buildApp(): Promise<CommandResult> {
  return runNode([path.join(root, 'node_modules/electron-vite/bin/electron-vite.js'), 'build']);
}

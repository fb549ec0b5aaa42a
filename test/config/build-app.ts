// Builds out/ when it is missing or older than what it is made of. Leaves the build itself to electron-vite.
import { globSync, statSync } from 'node:fs';
import path from 'node:path';
import { root, runNode } from './run-command.ts';
import type { CommandResult } from './run-command.ts';

const inputs = ['src-{main,preload,renderer}/**/*', 'resources/**/*', 'electron.vite.config.ts', 'package-lock.json'];
const outputs = ['out/main/main.js', 'out/main/headless.js', 'out/preload/preload.cjs', 'out/renderer/index.html'];

const modifiedMs = (file: string): number => statSync(path.join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Whether a file that out/ is made of is newer than the oldest of its outputs, or an output is missing. */
export function buildIsStale(): boolean {
  const built = Math.min(...outputs.map(modifiedMs));
  return (
    built === 0 || inputs.some((pattern) => globSync(pattern, { cwd: root }).some((file) => modifiedMs(file) > built))
  );
}

/** Runs the build whether or not it is needed. */
export function buildApp(): Promise<CommandResult> {
  return runNode([path.join(root, 'node_modules/electron-vite/bin/electron-vite.js'), 'build']);
}

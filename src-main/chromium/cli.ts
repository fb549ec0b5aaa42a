#!/usr/bin/env node
// Takes the place of the electron executable: `cli.ts FOLDER [arguments]` runs the unchanged main bundle of the application
// in FOLDER (the folder of its package.json) on a Chromium of this machine.
import { readFileSync } from 'node:fs';
import { enableCompileCache, registerHooks } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { HostIdentity } from './host-state.ts';

const NAMES = new Set(['electron', 'electron/main', 'electron/common']);
const standIn = new URL('./electron.ts', import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    return NAMES.has(specifier) ? { url: standIn, shortCircuit: true } : next(specifier, context);
  },
});

const cache = process.env['WARRANT_COMPILE_CACHE'];
if (cache !== undefined) enableCompileCache(cache);
const root = path.resolve(process.argv[2] ?? '.');
const { main, ...who } = readPackage(root);
const { app } = await import('./app.ts');
app.introduce(who);
await import(pathToFileURL(path.join(root, main)).href);
app.start();

/** Who the application is, and its main module. */
function readPackage(folder: string): HostIdentity & { main: string } {
  const text = readFileSync(path.join(folder, 'package.json'), 'utf8');
  const fields = new Map<string, unknown>(Object.entries(JSON.parse(text) as object));
  const field = (name: string): string | undefined => {
    const value = fields.get(name);
    return typeof value === 'string' ? value : undefined;
  };
  return {
    name: field('productName') ?? field('name') ?? 'Electron',
    version: field('version') ?? '0.0.0',
    path: folder,
    main: field('main') ?? 'index.js',
  };
}

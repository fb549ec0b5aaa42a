// `npm run package`: the Electron packages of this platform, into release/. `npm run package:check`: the same with a
// stand-in for Electron's own files, so that what would be shipped can be checked where its binary cannot be had.
// electron-builder is fetched at release (npm exec): it is large, and nothing else needs it.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { asarFiles } from './asar-files.ts';
import { buildApp } from './build-app.ts';
import { root, runCommand } from './run-command.ts';

const builder = 'electron-builder@26.17.0';
const config = path.join(root, 'resources/electron-builder.yml');
const platformArch = `${process.platform}-${process.arch}`;

/** What a package must hold (`true`: beside the archive, since the system loads or starts it), and what it must not. */
const required: readonly (readonly [RegExp, boolean])[] = [
  [/^package\.json$/, false],
  [/^out\/main\/main\.js$/, false],
  [/^out\/main\/headless\.js$/, false],
  [/^out\/main\/store-worker\.js$/, false],
  [/^out\/main\/reader-worker\.js$/, false],
  [/^out\/main\/files-worker\.js$/, false],
  [/^out\/preload\/preload\.cjs$/, false],
  [/^out\/renderer\/index\.html$/, false],
  [new RegExp(`^node_modules/better-sqlite3/prebuilds/${platformArch}\\.node$`), true],
  [new RegExp(`^node_modules/@koromix/koffi-${platformArch}/.*\\.node$`), true],
  [new RegExp(`^node_modules/@vscode/ripgrep-${platformArch}/bin/rg`), true],
];
const forbidden = /^(src-|test\/)|^node_modules\/(?!better-sqlite3\/|koffi\/|@koromix\/|@vscode\/)|\.map$|\.ts$/;

/** Makes a folder below `parent` that looks like Electron's distribution to electron-builder. */
function standInForElectron(parent: string): string {
  const folder = path.join(parent, 'electron');
  const manifest: unknown = JSON.parse(readFileSync(path.join(root, 'node_modules/electron/package.json'), 'utf8'));
  for (const name of ['locales', 'resources']) mkdirSync(path.join(folder, name), { recursive: true });
  writeFileSync(path.join(folder, 'electron'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  writeFileSync(path.join(folder, 'version'), z.object({ version: z.string() }).parse(manifest).version);
  for (const name of ['LICENSE', 'LICENSES.chromium.html']) writeFileSync(path.join(folder, name), '');
  return folder;
}

function faultsOf(archive: string): readonly string[] {
  const files = asarFiles(archive);
  const missing = required.flatMap(([pattern, unpacked]) => {
    const found = files.find((file) => pattern.test(file.path));
    if (found === undefined) return [`missing: ${pattern.source}`];
    return unpacked && !found.unpacked ? [`must lie beside the archive: ${found.path}`] : [];
  });
  const needless = files.filter((file) => forbidden.test(file.path)).map((file) => `must not be in it: ${file.path}`);
  console.log(`${String(files.length)} files in the archive`);
  return [...missing, ...needless];
}

async function makePackage(config: string, args: readonly string[]): Promise<number> {
  const built = await buildApp();
  if (built.code !== 0) {
    console.log(built.output);
    return built.code;
  }
  const builderArgs = ['--config', config, '--publish', 'never', ...args];
  const npmArgs = ['exec', '--yes', `--package=${builder}`, '--', 'electron-builder', ...builderArgs];
  return (await runCommand('npm', npmArgs, { show: true })).code;
}

async function checkPackage(): Promise<number> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'warrant-package-'));
  try {
    // Fuses are bits inside the real binary: there is nothing to flip in a stand-in.
    const changes = { extends: config, electronDist: standInForElectron(folder), electronFuses: null };
    writeFileSync(path.join(folder, 'config.json'), JSON.stringify(changes));
    const code = await makePackage(path.join(folder, 'config.json'), ['--dir']);
    if (code !== 0) return code;
    const faults = faultsOf(path.join(root, 'release', `${process.platform}-unpacked`, 'resources/app.asar'));
    for (const fault of faults) console.log(fault);
    return faults.length > 0 ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = process.argv.includes('--check')
  ? await checkPackage()
  : await makePackage(config, process.argv.slice(2));

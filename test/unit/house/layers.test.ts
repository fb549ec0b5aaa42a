// The layer table must bite: one breach a rule is planted in a copy of the sources, and each is reported.
import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkLayers, layerRules } from '../../config/check-layers.ts';
import { root } from '../../config/run-command.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

/** Rule -> the planted file that breaks it (and, for most, no other), and what it holds. */
const breaches: Readonly<Record<string, readonly [string, string]>> = {
  'no-circular': ['src-main/base/planted-a.ts', "import './planted-b.ts';"],
  'electron-in-desktop-and-preload-only': [
    'src-main/app/planted-electron.ts',
    "import { app } from 'electron';\napp.quit();",
  ],
  'contract-imports-zod-only': ['src-main/contract/planted.ts', "import '../base/planted-leaf.ts';"],
  'base-imports-contract-only': ['src-main/base/planted-up.ts', "import '../store/planted-leaf.ts';"],
  'engine-imports-contract-and-base': ['src-main/engine/planted.ts', "import '../tools/planted-leaf.ts';"],
  'engine-takes-only-ajv-from-npm': ['src-main/engine/planted-npm.ts', "import { execa } from 'execa';\nvoid execa;"],
  'adapters-see-ports-only': ['src-main/tools/planted.ts', "import '../store/planted-leaf.ts';"],
  'ports-are-type-only': ['src-main/store/planted-ports.ts', "import '../engine/ports.ts';"],
  'app-is-below-its-shells': ['src-main/app/planted.ts', "import '../ipc/planted-leaf.ts';"],
  'ipc-knows-app': ['src-main/ipc/planted.ts', "import '../store/planted-leaf.ts';"],
  'headless-is-outermost': ['src-main/headless/planted.ts', "import '../store/planted-leaf.ts';"],
  'headless-sees-engine-types-only': ['src-main/headless/planted-engine.ts', "import '../engine/ports.ts';"],
  'desktop-is-outermost': ['src-main/desktop/planted.ts', "import '../store/planted-leaf.ts';"],
  'nothing-imports-a-shell': ['src-main/ipc/planted-shell.ts', "import '../desktop/planted-leaf.ts';"],
  'chromium-stands-alone': ['src-main/chromium/planted.ts', "import '../base/planted-leaf.ts';"],
  'launch-stands-alone': ['src-main/launch/planted.js', "import '../base/planted-leaf.ts';"],
  'launch-takes-nothing-from-npm': ['src-main/launch/planted-npm.js', "import { z } from 'zod';\nvoid z;"],
  'nothing-imports-chromium-or-launch': ['src-main/desktop/planted-host.ts', "import '../chromium/planted-leaf.ts';"],
  'workers-are-started-not-imported': ['src-main/store/planted-start.ts', "import './planted-worker.ts';"],
  'main-never-imports-siblings': ['src-main/app/planted-sibling.ts', "import '../../src-renderer/planted-leaf.ts';"],
  'preload-sees-contract-only': ['src-preload/planted.ts', "import '../src-main/base/planted-leaf.ts';"],
  'renderer-sees-contract-only': ['src-renderer/planted.ts', "import '../src-main/base/planted-leaf.ts';"],
  'features-do-not-import-each-other': [
    'src-renderer/features/planted-a/use.ts',
    "import '../planted-b/planted-leaf.ts';",
  ],
  'ui-knows-no-feature': ['src-renderer/ui/planted.ts', "import '../features/planted-b/planted-leaf.ts';"],
  'no-node-core': ['src-main/engine/planted-node.ts', "import { sep } from 'node:path';\nvoid sep;"],
  'no-dev-deps-in-product': ['src-main/app/planted-dev.ts', "import { test } from 'vitest';\nvoid test;"],
  'no-unresolvable': ['src-main/app/planted-missing.ts', "import './there-is-no-such-file.ts';"],
};

/** What the breaches import: files without imports of their own. */
const leaves = [
  ...['base', 'store', 'tools', 'ipc', 'desktop', 'chromium'].map((room) => `src-main/${room}/planted-leaf.ts`),
  'src-main/store/planted-worker.ts',
  'src-renderer/planted-leaf.ts',
  'src-renderer/features/planted-b/planted-leaf.ts',
];

async function copyOfSources(): Promise<string> {
  const folder = await tempFolder();
  const names = (await readdir(root)).filter((name) => name.startsWith('src-') || name === 'package.json');
  for (const name of names) await cp(path.join(root, name), path.join(folder, name), { recursive: true });
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  return folder;
}

async function plant(folder: string, file: string, text: string): Promise<void> {
  await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
  await writeFile(path.join(folder, file), `${text}\n`);
}

describe('layers', () => {
  test('each rule of the layer table has a planted breach', () => {
    expect(Object.keys(breaches).sort()).toEqual([...layerRules].sort());
  });

  test('each planted breach is reported under its rule', async () => {
    const folder = await copyOfSources();
    for (const leaf of leaves) await plant(folder, leaf, 'export const leaf = 1;');
    await plant(folder, 'src-main/base/planted-b.ts', "import './planted-a.ts';");
    await plant(folder, 'src-main/engine/ports.ts', 'export interface Port {}');
    for (const [file, text] of Object.values(breaches)) await plant(folder, file, text);

    const report = await checkLayers(folder);

    const reported = Object.entries(breaches).map(([rule, [file]]) => ({
      rule,
      file,
      reported: report.breaches.some((breach) => breach.rule === rule && breach.from === file),
    }));
    expect(reported.filter((each) => !each.reported)).toEqual([]);
  });

  test('a type-only import of the ports is no breach', async () => {
    const folder = await tempFolder();
    await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
    await plant(folder, 'package.json', '{"type":"module"}');
    await plant(folder, 'src-main/engine/ports.ts', 'export interface Port {}');
    await plant(
      folder,
      'src-main/store/adapter.ts',
      "import type { Port } from '../engine/ports.ts';\nexport const port: Port = {};",
    );

    expect(await checkLayers(folder)).toEqual({ breaches: [], unseen: [], modules: 2 });
  });
});

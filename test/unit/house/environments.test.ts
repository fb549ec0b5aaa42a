// One tsconfig a folder: what a folder may not touch must be a compile error there.
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root, runNode } from '../../config/run-command.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

/** Compiles one file as if it lay in `folder` of the sources, with that folder's own tsconfig; gives the errors. */
async function compileIn(folder: string, text: string): Promise<string> {
  const copy = await tempFolder();
  for (const file of ['test/config/tsconfig.base.json', `${folder}/tsconfig.json`]) {
    await mkdir(path.dirname(path.join(copy, file)), { recursive: true });
    await cp(path.join(root, file), path.join(copy, file));
  }
  await symlink(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  await writeFile(path.join(copy, folder, 'planted.ts'), `${text}\nexport {};\n`);
  const compiler = path.join(root, 'node_modules/tsgo/bin/tsc');
  return (await runNode([compiler, '-p', path.join(copy, folder), '--pretty', 'false'])).output;
}

test.for([
  ['src-main/contract', 'process.exit()', 'process'],
  ['src-main/contract', 'window.close()', 'window'],
  ['src-main/contract', "fetch('x')", 'fetch'],
  ['src-main/base', 'process.exit()', 'process'],
  ['src-main/base', 'document.title', 'document'],
  ['src-main/engine', "Buffer.from('x')", 'Buffer'],
  ['src-main/engine', "import fs from 'node:fs'; fs.statSync('.')", 'node:fs'],
  ['src-main/policy', 'process.cwd()', 'process'],
  ['src-main/store', 'window.close()', 'window'],
  ['src-renderer', 'process.cwd()', 'process'],
  ['src-renderer', "Buffer.from('x')", 'Buffer'],
  ['src-preload', 'process.cwd()', 'process'],
  ['src-main/app', 'enum Mode { Plan }', 'erasableSyntaxOnly'],
] as const)('in %s `%s` is a compile error', async ([folder, text, word]) => {
  expect(await compileIn(folder, text)).toContain(word);
});

test.for([
  ['src-main/engine', "crypto.randomUUID(); new TextEncoder().encode(''); AbortSignal.timeout(1); structuredClone(1)"],
  ['src-main/store', 'process.cwd()'],
  ['src-renderer', 'document.title'],
] as const)('in %s `%s` compiles', async ([folder, text]) => {
  expect(await compileIn(folder, text)).toBe('');
});

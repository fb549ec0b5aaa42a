// The house's own lint rules must bite. The rules that typescript-eslint brings are trusted.
import path from 'node:path';
import { ESLint } from 'eslint';
import { expect, test } from 'vitest';
import { root } from '../../config/run-command.ts';

const eslint = new ESLint({
  cwd: root,
  overrideConfigFile: path.join(root, 'test/config/eslint.config.js'),
  // Only rules that need no types: the linted text is no file on the disk.
  ruleFilter: ({ ruleId }) => !ruleId.startsWith('@typescript-eslint/'),
  overrideConfig: { languageOptions: { parserOptions: { project: null } } },
});

async function rulesBroken(file: string, text: string): Promise<(string | null)[]> {
  const [result] = await eslint.lintText(text, { filePath: path.join(root, file) });
  return result?.messages.map((message) => message.ruleId) ?? [];
}

test.for([
  ['src-main/app/planted.ts', "throw new Error('x');", 'no-restricted-syntax'],
  ['src-main/app/planted.ts', 'export default 1;', 'no-restricted-syntax'],
  ['src-main/app/planted.ts', 'export enum Mode { Plan }', 'no-restricted-syntax'],
  ['src-main/app/planted.ts', 'try { run(); } catch {}', 'no-empty'],
  ['src-main/app/plantedFile.ts', 'export const x = 1;', 'house/file-name'],
  ['src-main/app/planted.ts', 'export const x = 1;\n'.repeat(401), 'max-lines'],
  ['src-main/engine/planted.ts', "void fetch('x');", 'no-restricted-globals'],
  ['src-renderer/planted.tsx', 'function View() { if (a) useState(1); return null; }', 'react-hooks/rules-of-hooks'],
] as const)('%s with `%s` breaks %s', async ([file, text, rule]) => {
  expect(await rulesBroken(file, text)).toContain(rule);
});

test('the launcher stands alone, so it may throw a plain Error', async () => {
  expect(await rulesBroken('src-main/launch/planted.js', "throw new Error('x');")).toEqual([]);
});

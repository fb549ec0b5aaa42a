// Ten thousand hostile spellings of paths against a real folder with links in it: what is outside is reached by none of them
// as something inside. The control, which joins and reads, is seen to be fooled.
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { isAppError } from '../../../src-main/base/app-error.ts';
import { openWorkspace } from '../../../src-main/tools/workspace/open-workspace.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

const PATHS = 10_000;

it('P1, P2: no spelling of a path names a file outside as one inside', { timeout: 120_000 }, async () => {
  const top = await tempFolder();
  const root = path.join(top, 'app');
  fs.mkdirSync(path.join(root, 'a/b'), { recursive: true });
  fs.mkdirSync(path.join(top, 'app-evil'));
  for (const file of ['app/f', 'app/a/f', 'app/a/b/f', 'app/..f']) fs.writeFileSync(path.join(top, file), 'INSIDE');
  for (const file of ['app-evil/f', 'f']) fs.writeFileSync(path.join(top, file), 'OUTSIDE');
  for (const [name, target] of [
    ['up', '..'],
    ['a/evil', '../../app-evil'],
    ['a/b/leaf', '/../../../etc/passwd'],
    ['leaf', '../f'],
    ['self', '.'],
  ] as const) {
    fs.symlinkSync(target, path.join(root, name));
  }
  const workspace = await openWorkspace(root);
  onTestFinished(() => workspace.close());
  const piece = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.constantFrom('a', 'b', 'f', '..', '.', '', 'up', 'evil', 'leaf', 'self', '..f', 'app', 'app-evil'),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom('...', '.. ', '%2e%2e', '..\\', '\0', '~', 'A', 'f\u0000', 'ﬀ', '․․', '-f', '*', '\n'),
    },
  );
  const start = fc.constantFrom(
    '',
    '',
    '/',
    root,
    `${root}/`,
    `${root}/../app`,
    top,
    `${root}-evil`,
    './',
    '//',
    '/proc/self/cwd',
  );
  const spelling = fc
    .tuple(start, fc.array(piece, { maxLength: 6 }))
    .map(([first, rest]) => (first === '' ? rest.join('/') : `${first}/${rest.join('/')}`));
  let inside = 0;
  let fooled = 0;
  for (const text of fc.sample(spelling, { numRuns: PATHS, seed: 20 })) {
    try {
      if (fs.readFileSync(path.resolve(root, text.replaceAll('\0', '')), 'utf8') === 'OUTSIDE') fooled += 1;
    } catch {
      // The control found nothing there.
    }
    try {
      const at = workspace.parse(text);
      // Outside is its own effect, which asks each time.
      if (at.base === 'filesystem') continue;
      const { bytes } = await workspace.read(at, 1000);
      expect([text, bytes.toString()]).toEqual([text, 'INSIDE']);
      inside += 1;
    } catch (error) {
      if (!isAppError(error)) throw error;
    }
  }
  expect(inside).toBeGreaterThan(100);
  expect(fooled).toBeGreaterThan(100);
});

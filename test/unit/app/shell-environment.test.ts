import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { environmentDigests, shellEnvironment } from '../../../src-main/app/shell-environment.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

test('EXEC-03: drift is about which folders PATH names and in which order, never about what is in them', async () => {
  const folder = await tempFolder();
  const [a, b] = [path.join(folder, 'a'), path.join(folder, 'b')];
  await mkdir(a);
  await mkdir(b);
  const digest = (PATH: string, HOME = folder): { path: string; home: string } =>
    environmentDigests(shellEnvironment({ PATH, HOME }, []));
  const before = digest(`${a}:${b}`);
  await writeFile(path.join(a, 'tool'), '#!/bin/sh\n', { mode: 0o755 });
  expect(digest(`${a}:${b}`)).toEqual(before);
  // Spellings of the same entries are the same; entries that mean nothing fixed are none.
  expect(digest(`${a}/:relative:${b}:${a}`)).toEqual(before);
  expect(digest(`${b}:${a}`).path).not.toBe(before.path);
  expect(digest(a).path).not.toBe(before.path);
  expect(digest(`${a}:${b}`, a).home).not.toBe(before.home);
  expect(digest(`${a}:${b}`, a).path).toBe(before.path);
});

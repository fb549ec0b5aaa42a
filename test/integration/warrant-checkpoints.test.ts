// `warrant checkpoints` and `warrant restore` as a person types them: listed, printed before anything is done, put back.
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runWarrant, type Ran } from '../helpers/run-warrant.ts';
import { tempFolder } from '../helpers/temp-folder.ts';

async function shop() {
  const data = await tempFolder();
  const project = path.join(await tempFolder(), 'shop');
  await mkdir(project);
  writeFileSync(path.join(project, 'prices.txt'), 'pears 2\n');
  writeFileSync(path.join(project, 'other.txt'), 'one\n');
  const warrant = (...words: string[]): Promise<Ran> => runWarrant(data, words);
  const options = ['--project', project, '--model', 'guide', '--mode', 'auto', '--name', 'shopping'];
  const ran = await warrant('run', ...options, 'replace "pears 2" by "pears 4" in prices.txt');
  expect([ran.code, ran.err.includes('unsettled')]).toEqual([0, false]);
  const { out } = await warrant('checkpoints', 'shopping', '--json');
  const parsed = JSON.parse(out) as { checkpoints: { id: string; changed: number }[] };
  return { project, warrant, checkpoints: parsed.checkpoints, id: parsed.checkpoints[0]?.id ?? '' };
}

describe('file checkpoints in the terminal', () => {
  it('TREE-14: a turn is listed, what would be put back is printed, and it is done only with --yes', async () => {
    const { project, warrant, checkpoints, id } = await shop();
    const prices = (): string => readFileSync(path.join(project, 'prices.txt'), 'utf8');
    writeFileSync(path.join(project, 'other.txt'), 'by hand\n');
    expect(checkpoints).toMatchObject([{ changed: 1 }]);
    const asked = await warrant('restore', 'shopping', id, '--since');
    expect([asked.code, asked.out, prices()]).toEqual([0, '~ prices.txt\n', 'pears 4\n']);
    expect(asked.err).toContain('Nothing was changed');
    const done = await warrant('restore', 'shopping', id, '--file', 'prices.txt', '--yes');
    expect([done.code, prices()]).toEqual([0, 'pears 2\n']);
    expect(readFileSync(path.join(project, 'other.txt'), 'utf8')).toBe('by hand\n');
    const back = /warrant (restore \S+ \S+ --yes)/.exec(done.err)?.[1]?.split(' ') ?? [];
    expect((await warrant(...back)).code).toBe(0);
    expect(prices()).toBe('pears 4\n');
    const unknown = await warrant('restore', 'shopping', 'nothing', '--yes');
    expect([unknown.code, unknown.err]).toEqual([1, 'This checkpoint is not there any more. Nothing was changed.\n']);
  });
});

// What was read of files before: when it stands for what is there, and when everything is read anew.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { StatCache } from '../../../../src-main/tools/checkpoint/stat-cache.ts';
import type { TreeEntry } from '../../../../src-main/tools/workspace/tree-door.ts';
import { tempFolder } from '../../../helpers/temp-folder.ts';

const entry = (stamp: string, changedMs: number): TreeEntry => ({
  ...{ name: 'a', type: 'file', size: 1, mode: 0o644, stamp, changedMs },
});
const read = (stamp: string, readAtMs: number) => new Map([['a', { stamp, id: 'id-a', readAtMs }]]);

describe('what was read of files before', () => {
  it('stands while a file looks the same, also for the next process', async () => {
    const file = path.join(await tempFolder(), 'seen.json');
    const cache = new StatCache(file, 'git');
    cache.replace(['a'], read('s1', 100_000));
    expect(cache.find('a', entry('s1', 50_000))).toBe('id-a');
    expect(cache.find('a', entry('s2', 50_000))).toBe(null);
    expect(cache.find('b', entry('s1', 50_000))).toBe(null);
    expect(new StatCache(file, 'git').find('a', entry('s1', 50_000))).toBe('id-a');
    expect(new StatCache(file, 'plain').find('a', entry('s1', 50_000))).toBe(null);
  });

  it('does not stand for a file that changed in the tick of the clock in which it was read', async () => {
    const cache = new StatCache(path.join(await tempFolder(), 'seen.json'), 'git');
    cache.replace(['a'], read('s1', 100_000));
    expect(cache.find('a', entry('s1', 99_500))).toBe(null);
  });

  it('is nothing where it is damaged, and forgets what is freed', async () => {
    const file = path.join(await tempFolder(), 'seen.json');
    fs.writeFileSync(file, '{"version":1,"store":"git","rows":[["a",1]]}');
    const cache = new StatCache(file, 'git');
    expect(cache.find('a', entry('s1', 0))).toBe(null);
    cache.replace(['a'], read('s1', 100_000));
    cache.keepOnly(new Set(['other']));
    expect(cache.find('a', entry('s1', 0))).toBe(null);
    expect(new StatCache(file, 'git').find('a', entry('s1', 0))).toBe(null);
  });
});

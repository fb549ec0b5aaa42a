// What a kept listing may be used for: only where nothing changed. Folders are made old, as younger ones are always listed.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DescriptorDoor } from '../../../../src-main/tools/workspace/descriptor-door.ts';
import { parseDoorPath } from '../../../../src-main/tools/workspace/door-path.ts';
import { FolderCache } from '../../../../src-main/tools/workspace/folder-cache.ts';
import { loadPosixCalls } from '../../../../src-main/tools/workspace/posix-calls.ts';
import { procCalls } from '../../../../src-main/tools/workspace/proc-calls.ts';
import { readNews, TreeNews } from '../../../../src-main/tools/workspace/tree-news.ts';
import type { NewsReport } from '../../../../src-main/tools/workspace/tree-news.ts';
import { tempFolder } from '../../../helpers/temp-folder.ts';

const posixCalls = await loadPosixCalls();

/** The clock stands still: an hour ahead, so that what is made right now counts as old, or now, so that it never does. */
async function opened(settled: boolean) {
  const root = await tempFolder();
  const descriptor = fs.openSync(root, fs.constants.O_RDONLY | fs.constants.O_DIRECTORY);
  const listed: string[] = [];
  const list = posixCalls.list;
  const door = new DescriptorDoor(descriptor, {
    ...posixCalls,
    list: (directory) => {
      listed.push(path.relative(root, fs.readlinkSync(`/proc/self/fd/${directory}`)));
      return list(directory);
    },
  });
  const { now } = Date;
  const atMs = now();
  Date.now = () => atMs + (settled ? 3_600_000 : 0);
  onTestFinished(() => {
    Date.now = now;
    door.close();
    fs.closeSync(descriptor);
  });
  const make = (file: string): void => {
    fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    fs.writeFileSync(path.join(root, file), '');
  };
  return { root, door, make, listed };
}

function look(news: TreeNews, since: number, mostNames = 1000): NewsReport & { told: Record<string, string[]> } {
  const told: Record<string, string[]> = {};
  const request = { since, skipFolders: ['node_modules'], mostNames };
  const report = news.look(
    request,
    (text) => {
      const { folder, names } = readNews(text);
      told[folder] = [...(told[folder] ?? []), ...names];
    },
    () => false,
  );
  return { ...report, told };
}

describe.skipIf(process.platform !== 'linux')('the news of a tree', () => {
  it('tells everything at first, then only folders whose names changed, and those that are gone', async () => {
    const { root, door, make, listed } = await opened(true);
    for (const file of ['a/x', 'a/b/y', 'c/.git/config', 'node_modules/z/file']) make(file);
    const news = new TreeNews(new FolderCache(door));
    const first = look(news, -1);
    expect(first.told).toEqual({ '': ['a/', 'c/', 'node_modules/'], a: ['b/', 'x'], 'a/b': ['y'], c: ['.git/'] });
    expect(first).toMatchObject({ whole: true, gone: [], stopped: false });
    listed.length = 0;
    expect(look(news, first.look)).toMatchObject({ told: {}, whole: false });
    expect(listed).toEqual([]);
    fs.writeFileSync(path.join(root, 'a/b/new'), '');
    fs.renameSync(path.join(root, 'c'), path.join(root, 'd'));
    const third = look(news, first.look + 1);
    expect(third.told).toEqual({ '': ['a/', 'd/', 'node_modules/'], 'a/b': ['new', 'y'], d: ['.git/'] });
    expect(third.gone).toEqual(['c']);
  });

  it('tells a folder that changed a moment ago each time, since its times may stand still', async () => {
    const { door, make } = await opened(false);
    make('a/x');
    const news = new TreeNews(new FolderCache(door));
    const first = look(news, -1);
    expect(look(news, first.look).told).toEqual(first.told);
  });

  it('tells everything again after a look that ended early, or that somebody else had', async () => {
    const { door, make } = await opened(true);
    for (let n = 0; n < 500; n++) make(`a/${n}`);
    const news = new TreeNews(new FolderCache(door));
    const first = look(news, -1);
    expect(first.told['a']).toHaveLength(500);
    expect(look(news, first.look, 10).stopped).toBe(true);
    expect(look(news, first.look).told['a']).toHaveLength(500);
    expect(look(news, 77)).toMatchObject({ whole: true });
  });

  it('lists the same by getdents as by /proc, odd names and all', async () => {
    const { root, make } = await opened(true);
    for (const name of ['plain', 'ü', 'line\nend', 'x'.repeat(255)]) make(name);
    fs.writeFileSync(Buffer.concat([Buffer.from(`${root}/caf`), Buffer.from([0xe9])]), '');
    fs.symlinkSync('plain', path.join(root, 'link'));
    for (let n = 0; n < 3000; n++) make(`many/${'name'.repeat(10)}${n}`);
    const sorted = (calls: typeof procCalls, folder: string) => {
      const directory = fs.openSync(path.join(root, folder), fs.constants.O_RDONLY | fs.constants.O_DIRECTORY);
      const entries = [calls.list(directory), calls.list(directory)];
      fs.closeSync(directory);
      return entries.map((each) => each.toSorted((a, b) => (a.name < b.name ? -1 : 1)));
    };
    for (const folder of ['.', 'many']) expect(sorted(posixCalls, folder)).toEqual(sorted(procCalls, folder));
    expect(sorted(posixCalls, 'many')[1]).toHaveLength(3000);
    expect(parseDoorPath('many', { roots: [], platform: 'linux' }).shown).toBe('many');
  });
});

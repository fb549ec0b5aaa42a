// A git index is read without git: every version that git writes, and nothing of what is not understood.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readGitIndex } from '../../../../src-main/tools/checkpoint/read-git-index.ts';
import { bytesOf, nameOf } from '../../../../src-main/tools/workspace/name-bytes.ts';
import { tempFolder } from '../../../helpers/temp-folder.ts';

const NAMES = ['a', 'a/b', 'dir/deep/file.txt', 'dir/deep/file2.txt', 'é', 'line\nend', `${'x'.repeat(200)}/y`];

async function indexOf(version: string): Promise<{ index: Buffer; listed: string[] }> {
  const folder = await tempFolder();
  const git = (...words: string[]): Buffer =>
    execFileSync('git', words, { cwd: folder, env: { PATH: process.env['PATH'], HOME: folder } });
  git('init', '-q');
  for (const name of NAMES.filter((one) => one !== 'a')) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), name);
  }
  git('-c', `index.version=${version}`, 'add', '-A');
  git('update-index', '--index-version', version);
  if (version === '3') git('add', '-N', '.');
  const listed = git('ls-files', '-z')
    .toString()
    .split('\0')
    .filter((one) => one !== '');
  return { index: fs.readFileSync(path.join(folder, '.git/index')), listed };
}

describe('a git index', () => {
  it.each(['2', '3', '4'])('of version %s gives the paths that git lists', async (version) => {
    const { index, listed } = await indexOf(version);
    expect(readGitIndex(index)).toEqual(listed);
    expect(listed).toHaveLength(NAMES.length - 1);
  });

  it('that is cut, or none at all, has no paths', async () => {
    const { index } = await indexOf('2');
    for (const bytes of [Buffer.alloc(0), Buffer.from('DIRC'), index.subarray(0, 100), Buffer.alloc(100)]) {
      expect(readGitIndex(bytes)).toEqual([]);
    }
  });
});

describe('names as text and as bytes', () => {
  it('go both ways for any bytes', () => {
    for (let n = 0; n < 5000; n++) {
      const bytes = Buffer.from(Array.from({ length: n % 9 }, (_, at) => (n * 31 + at * 97 + (n >> at)) % 256));
      expect(bytesOf(nameOf(bytes)).equals(bytes)).toBe(true);
    }
    expect(nameOf(Buffer.from('smile 😀'))).toBe('smile 😀');
    expect(bytesOf('a\udcffb')).toEqual(Buffer.from([0x61, 0xff, 0x62]));
  });
});

// A folder that may not be read, tried as a person who is not root: root may read everything.
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../helpers/temp-folder.ts';

const entry = path.resolve(import.meta.dirname, '../../src-main/headless/main.ts');
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const as = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

/** Why somebody else cannot run the program from this checkout, or ''. */
function reason(): string {
  if (process.platform === 'win32') return 'file modes are not what keeps a folder closed on Windows';
  const { status } = spawnSync(process.execPath, ['--check', entry], { ...as, encoding: 'utf8' });
  return status === 0 ? '' : 'another user may not read this checkout';
}

const why = reason();

test.skipIf(why !== '')(
  `a folder without permission is refused with what to do${why === '' ? '' : ` (skipped: ${why})`}`,
  async () => {
    const top = await tempFolder();
    const [home, locked] = [path.join(top, 'home'), path.join(top, 'locked')];
    mkdirSync(home);
    mkdirSync(locked);
    chmodSync(top, 0o755);
    if (isRoot) chownSync(home, NOBODY, NOBODY);
    chmodSync(locked, 0o000);
    const words = ['run', '--project', locked, '--model', 'guide', 'list the files'];
    const { status, stdout, stderr } = spawnSync(process.execPath, [entry, ...words], {
      ...as,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: home, WARRANT_DATA: path.join(home, 'data') },
    });
    expect(stderr).toContain(`You may not read ${locked}. Change its permissions, or pick another folder.`);
    expect(stdout).toBe('');
    expect(status).toBe(1);
    chmodSync(locked, 0o755);
  },
);

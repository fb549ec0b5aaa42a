import { describe, expect, it } from 'vitest';
import { isAppError } from '../../../../src-main/base/app-error.ts';
import { parseDoorPath } from '../../../../src-main/tools/workspace/door-path.ts';

const posix = { roots: ['/srv/app', '/tmp/link-to-app'], platform: 'linux' } as const;
const windows = { roots: ['C:\\work\\app'], platform: 'win32' } as const;

function refusal(text: string, rules: typeof posix | typeof windows = posix): string {
  try {
    return `accepted ${parseDoorPath(text, rules).shown}`;
  } catch (error) {
    return isAppError(error) ? error.code : String(error);
  }
}

describe('reading a path', () => {
  it('takes relative paths and absolute ones below the root as inside, component by component', () => {
    expect(parseDoorPath('./src//a.ts', posix)).toEqual({ base: 'root', parts: ['src', 'a.ts'], shown: 'src/a.ts' });
    expect(parseDoorPath('/srv/app/src/a.ts', posix)).toMatchObject({ base: 'root', shown: 'src/a.ts' });
    expect(parseDoorPath('/srv/app', posix)).toMatchObject({ base: 'root', parts: [], shown: '.' });
  });

  it('P2: a sibling that starts with the same letters is outside', () => {
    expect(parseDoorPath('/srv/app-evil/x', posix)).toMatchObject({ base: 'filesystem', shown: '/srv/app-evil/x' });
    expect(refusal('/srv/app/../x')).toBe('workspace.invalid-path');
  });

  it('P5: a root that was opened by a link is taken as the root in both spellings', () => {
    expect(parseDoorPath('/tmp/link-to-app/a', posix)).toMatchObject({ base: 'root', shown: 'a' });
  });

  it('FILE-03: a parent folder in a path is refused wherever it stands', () => {
    for (const text of ['..', '../x', 'a/../b', 'a/..', '/etc/../etc/passwd']) {
      expect(refusal(text), text).toBe('workspace.invalid-path');
    }
    expect(parseDoorPath('a..b/..c', posix).parts).toEqual(['a..b', '..c']);
  });

  it('refuses what would be cut or expanded on the way: NUL, half a character, a tilde, nothing', () => {
    for (const text of ['a\0b', '\ud800', '~', '~/x', '', 'x'.repeat(256)]) {
      expect(refusal(text)).toBe('workspace.invalid-path');
    }
  });

  it('P14: a stream of a file, and a drive without a full path, are refused on Windows', () => {
    for (const text of ['notes.md:hidden', 'notes.md::$DATA', 'a:b/c', 'C:x', 'C:notes.md:hidden', 'dir:s\\x']) {
      expect(refusal(text, windows), text).toBe('workspace.invalid-path');
    }
    expect(parseDoorPath('notes.md:shown', posix)).toMatchObject({ base: 'root', shown: 'notes.md:shown' });
  });

  it('P11, P13: short names, network shares and devices are refused on Windows', () => {
    const refused = ['C:\\LONGDI~1\\secret', '\\\\localhost\\C$\\Windows', '\\\\?\\C:\\x', 'a\\NUL'];
    for (const text of [...refused, 'con.txt', 'dir.\\x', 'a\\..\\b']) {
      expect(refusal(text, windows), text).toBe('workspace.invalid-path');
    }
    expect(parseDoorPath('c:\\work\\app\\src/a.ts', windows)).toMatchObject({ base: 'root', shown: 'src/a.ts' });
    expect(parseDoorPath('D:\\x', windows)).toMatchObject({ base: 'filesystem', shown: 'D:\\x' });
  });
});

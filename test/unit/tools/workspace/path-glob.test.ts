import { describe, expect, it } from 'vitest';
import { parseGlob } from '../../../../src-main/tools/workspace/path-glob.ts';

const matching = (pattern: string, paths: readonly string[]): string[] => paths.filter(parseGlob(pattern));
const tree = ['a.ts', 'src/a.ts', 'src/b.test.ts', 'src/deep/er/c.tsx', 'docs/[x].md', 'src/.hidden.ts', '👍.md'];

describe('a glob', () => {
  it('without a slash matches names at any depth', () => {
    expect(matching('*.ts', tree)).toEqual(['a.ts', 'src/a.ts', 'src/b.test.ts', 'src/.hidden.ts']);
  });

  it('with a slash matches from the folder that is searched', () => {
    expect(matching('src/*.ts', tree)).toEqual(['src/a.ts', 'src/b.test.ts', 'src/.hidden.ts']);
    expect(matching('src/**', tree)).toEqual(['src/a.ts', 'src/b.test.ts', 'src/deep/er/c.tsx', 'src/.hidden.ts']);
    expect(matching('**/*.tsx', tree)).toEqual(['src/deep/er/c.tsx']);
    expect(matching('src/**/a.ts', tree)).toEqual(['src/a.ts']);
  });

  it('knows alternatives, classes, one character and escapes', () => {
    expect(matching('*.{tsx,md}', tree)).toEqual(['src/deep/er/c.tsx', 'docs/[x].md', '👍.md']);
    expect(matching('[ab].ts', tree)).toEqual(['a.ts', 'src/a.ts']);
    expect(matching('?.md', tree)).toEqual(['👍.md']);
    expect(matching('\\[x\\].md', tree)).toEqual(['docs/[x].md']);
  });

  it('refuses what cannot match or takes for ever', () => {
    for (const pattern of ['', '/abs/*', '../*', '{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}']) {
      expect(() => parseGlob(pattern)).toThrow(/is refused/);
    }
    expect(parseGlob(`${'*a'.repeat(100)}b`)('a'.repeat(255))).toBe(false);
  });
});

import ignore from 'ignore';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ruleNames } from '../../../../src-main/tools/workspace/rule-names.ts';

describe('the quick look at the names of an ignore file', () => {
  it('says no to names that no rule can mean', () => {
    const may = ruleNames('# a comment\n\nnode_modules/\n*.log\n/build\n!keep.log\n*.py[co]\nsrc/gen/*.ts\n');
    expect(['main.rs', 'README', 'a.js', 'pylog'].filter(may)).toEqual([]);
    expect(['node_modules', 'x.LOG', 'build', 'keep.log', 'a.pyc', 'a.ts'].filter((name) => !may(name))).toEqual([]);
  });

  it('says yes to everything where it cannot tell', () => {
    for (const text of ['*', 'a/**', '\\#x', 'x \n', '[ab]', '??']) expect(ruleNames(text)('anything')).toBe(true);
  });

  it('never says no to what the full rules ignore or take back', () => {
    const piece = fc.constantFrom(
      'a',
      'b',
      '.log',
      '*',
      '?',
      '[ab]',
      '**',
      '/',
      '!',
      '#',
      'A',
      'é',
      '-',
      '.',
      '\\',
      ' ',
    );
    const rule = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(''));
    const name = fc.array(fc.constantFrom('a', 'b', 'A', '.log', 'é', '-', 'x'), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 4 }), name, fc.boolean(), (lines, letters, isFolder) => {
        const [text, file] = [lines.join('\n'), letters.join('')];
        const { ignored, unignored } = ignore()
          .add(text)
          .test(isFolder ? `${file}/` : file);
        if (ignored || unignored) expect(ruleNames(text)(file)).toBe(true);
      }),
      { numRuns: 3000, seed: 7 },
    );
  });
});

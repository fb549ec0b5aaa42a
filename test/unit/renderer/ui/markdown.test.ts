// Markdown that grows: blocks keep their identity, nothing of the text is lost, links are what they say.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { safeLink } from '../../../../src-renderer/ui/markdown/safe-link.ts';
import { EMPTY_SPLIT, splitBlocks } from '../../../../src-renderer/ui/markdown/split-blocks.ts';

const sample =
  '# Plan\n\nOne *two*\nthree\n\n- a\n- b\n\n  c\n\n```ts\nconst x = 1;\n\n# no heading\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nEnd';

describe('splitBlocks', () => {
  test('a text that grows letter by letter ends with the same blocks as the whole text', () => {
    let grown = EMPTY_SPLIT;
    for (let end = 1; end <= sample.length; end += 1) grown = splitBlocks(sample.slice(0, end), grown, false);
    expect(grown.blocks.map((block) => block.source)).toEqual(
      splitBlocks(sample, EMPTY_SPLIT, false).blocks.map((block) => block.source),
    );
  });

  test('closed blocks keep their identity while the text grows', () => {
    const first = splitBlocks('One\n\nTwo\n\nThr', EMPTY_SPLIT, false);
    const second = splitBlocks('One\n\nTwo\n\nThree\n\nFour', first, false);
    expect(second.blocks[0]).toBe(first.blocks[0]);
    expect(second.blocks[1]).toBe(first.blocks[1]);
    expect(second.blocks.map((block) => block.closed)).toEqual([true, true, true, false]);
  });

  test('a code block is closed by its own fence, and carries its code and language', () => {
    const open = splitBlocks('```ts title\nconst a = 1;\n', EMPTY_SPLIT, false);
    expect(open.blocks[0]).toMatchObject({ type: 'code', language: 'ts', closed: false });
    const closed = splitBlocks('```ts title\nconst a = 1;\n```\n', open, false);
    expect(closed.blocks[0]).toMatchObject({ code: 'const a = 1;', closed: true });
  });

  test('the sources of the blocks join to the text, however it grew', () => {
    const piece = fc.constantFrom(
      '# a',
      '\n',
      '\n\n',
      '```',
      '`',
      '- x',
      '1. y',
      '    code',
      '| a |',
      '---',
      '> q',
      'word ',
      '\t',
      '<b>',
      '[a](b)',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        let text = '';
        let split = EMPTY_SPLIT;
        for (const next of pieces) {
          text += next;
          split = splitBlocks(text, split, false);
        }
        expect(split.blocks.map((block) => block.source).join('')).toBe(text);
      }),
    );
  });
});

describe('safeLink', () => {
  test('U14: only https, http and mailto addresses are links; anything else is inert', () => {
    expect(safeLink('https://example.org/a?b=1')).toBe('https://example.org/a?b=1');
    expect(safeLink('mailto:a@example.org')).toBe('mailto:a@example.org');
    for (const href of [
      'javascript:alert(1)',
      ' JaVaScRiPt:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'src/a.ts',
      '#x',
      '',
      'vscode://x',
      'app://warrant/x',
      'https://bank.example@evil.example/',
    ]) {
      expect(safeLink(href), href).toBeNull();
    }
  });

  test('U14: quotes and brackets in an address cannot leave it', () => {
    expect(safeLink('https://example.org/a" onmouseover=alert(1)')).toBe(
      'https://example.org/a%22%20onmouseover=alert(1)',
    );
  });
});

// Diffs as a person judges them: every line of the text appears once, in order, whatever it looks like.
import { createTwoFilesPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { markWords } from '../../../../src-renderer/ui/diff/mark-words.ts';
import { parseDiff } from '../../../../src-renderer/ui/diff/parse-diff.ts';

const linesOf = (diff: string): string[] =>
  parseDiff(diff).pieces.flatMap((piece) =>
    piece.hunk.changes.map((change) => ({ insert: '+', delete: '-', normal: ' ' })[change.type] + change.content),
  );

describe('parseDiff', () => {
  test('gives each line its side and number, and keeps lines that look like headers', () => {
    const parsed = parseDiff('--- a/x\n+++ b/x\n@@ -3,2 +3,3 @@ fn\n a\n--- x\n+++ y\n+@@ -1 +1 @@\n');
    expect(parsed.rest).toBe('');
    expect(parsed.pieces[0]?.hunk.changes).toEqual([
      { type: 'normal', content: 'a', isNormal: true, oldLineNumber: 3, newLineNumber: 3 },
      { type: 'delete', content: '-- x', lineNumber: 4, isDelete: true },
      { type: 'insert', content: '++ y', lineNumber: 4, isInsert: true },
      { type: 'insert', content: '@@ -1 +1 @@', lineNumber: 5, isInsert: true },
    ]);
  });

  test('what is no diff is given back to be shown, never dropped', () => {
    expect(parseDiff('rm -rf /\n@@ -1 +1 @@\n-a\n+b\nand more').rest).toBe('rm -rf /\nand more');
    expect(parseDiff('').pieces).toEqual([]);
  });

  test('a missing last line feed and CRLF line ends are told in words', () => {
    expect(parseDiff('@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n').notes).toEqual([
      'The old file has no line feed at its end.',
    ]);
    const crlf = parseDiff('@@ -1 +1 @@\n-a\r\n+b\r\n');
    expect(crlf.notes).toEqual(['All lines end in CRLF.']);
    expect(crlf.pieces[0]?.hunk.changes.map((change) => change.content)).toEqual(['a', 'b']);
    expect(parseDiff('@@ -1 +1 @@\n-a\n+a\r\n').pieces[0]?.hunk.changes[1]?.content).toBe('a\r');
  });

  test('V2: a long hunk is split into pieces of at most 240 lines that keep all lines and their numbers', () => {
    const body = Array.from({ length: 5000 }, (_, index) => `+line ${index}`).join('\n');
    const parsed = parseDiff(`@@ -0,0 +1,5000 @@\n${body}\n`);
    expect(parsed.lines).toBe(5000);
    expect(Math.max(...parsed.pieces.map((piece) => piece.hunk.changes.length))).toBeLessThanOrEqual(240);
    expect(parsed.pieces.at(-1)?.hunk.changes.at(-1)).toMatchObject({ content: 'line 4999', lineNumber: 5000 });
    expect(parsed.pieces.filter((piece) => piece.header !== null)).toHaveLength(1);
  });

  test('the lines of any two files are all there and in order', () => {
    const file = fc.array(fc.constantFrom('a', 'b', '-- c', '@@ -1 +1 @@', '', '\\ x', '+++ d'), { maxLength: 40 });
    fc.assert(
      fc.property(file, file, (before, after) => {
        const text = (lines: string[]): string => lines.map((line) => `${line}\n`).join('');
        const patch = createTwoFilesPatch('x', 'x', text(before), text(after));
        const lines = linesOf(patch);
        const side = (sign: string): string[] =>
          lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(1));
        const expected = (sign: string): string[] =>
          patch
            .split('\n')
            .slice(4)
            .filter((line) => line.startsWith(sign))
            .map((line) => line.slice(1));
        expect([side('+'), side('-'), side(' ')]).toEqual([expected('+'), expected('-'), expected(' ')]);
        expect(parseDiff(patch).rest).toBe('');
      }),
    );
  });
});

describe('markWords', () => {
  test('marks the whole words that differ, and nothing where a line was rewritten', () => {
    const found = markWords('const count = 1;', 'const counter = 1;');
    expect(found).toEqual({ old: [6, 11], new: [6, 13] });
    expect(markWords('abc def', 'xyz 123')).toBeNull();
    expect(markWords('a'.repeat(5000), 'b'.repeat(5000))).toBeNull();
  });

  test('the text around the ranges is the same on both sides', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), fc.string(), (head, one, two, tail) => {
        const before = head + one + tail;
        const after = head + two + tail;
        const found = markWords(before, after);
        if (found === null) return;
        expect(before.slice(0, found.old[0])).toBe(after.slice(0, found.new[0]));
        expect(before.slice(found.old[1])).toBe(after.slice(found.new[1]));
        expect(found.old[0]).toBeLessThanOrEqual(found.old[1]);
        expect(found.new[0]).toBeLessThanOrEqual(found.new[1]);
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../../src-main/tools/workspace/apply-edits.ts';
import type { EditResult } from '../../../../src-main/tools/workspace/apply-edits.ts';

const edit = (text: string, oldString: string, newString: string, replaceAll = false): EditResult =>
  applyEdits(text, [{ oldString, newString, replaceAll }]);

const done = (result: EditResult): string => (result.ok ? result.text : `FAILED ${result.failure}`);
const failure = (result: EditResult): string => (result.ok ? `DONE ${result.text}` : result.failure);

describe('replacing text', () => {
  it('E1: finds text with LF in a file with CRLF, once and everywhere, and keeps the endings', () => {
    expect(done(edit('a\r\nb\r\nc\r\n', 'a\nb', 'x\ny'))).toBe('x\r\ny\r\nc\r\n');
    expect(done(edit('a\r\nb\r\na\r\nb\r\n', 'a\nb', 'x\ny', true))).toBe('x\r\ny\r\nx\r\ny\r\n');
  });

  it('E2: new text that ends with LF makes no mixed endings and no extra line in a file with CRLF', () => {
    expect(done(edit('one\r\ntwo\r\n', 'one\n', 'ONE\nmore\n'))).toBe('ONE\r\nmore\r\ntwo\r\n');
    expect(done(edit('one\r\ntwo\r\n', 'one\r\n', 'ONE\n'))).toBe('ONE\r\ntwo\r\n');
  });

  it('E4: finds text with CRLF in a file with CRLF', () => {
    expect(done(edit('a\r\nb\r\n', 'a\r\nb', 'c\r\nd'))).toBe('c\r\nd\r\n');
  });

  it('takes a whole line end even when the text starts with its second half', () => {
    expect(done(edit('a\r\nb\r\n', '\nb', '\nc'))).toBe('a\r\nc\r\n');
    expect(done(edit('a\r\nb\r\n', '\nb', ''))).toBe('a\r\n');
  });

  it('E8: a file without a final line end stays without one', () => {
    expect(done(edit('a\nb', 'b', 'c'))).toBe('a\nc');
  });

  it('E10: edits made for an earlier state of the file fail loudly, and none of them applies', () => {
    const result = applyEdits('const a = 1;\nconst b = 2;\n', [
      { oldString: 'const a = 1;', newString: 'const a = 3;', replaceAll: false },
      { oldString: 'const a = 1;', newString: 'const a = 4;', replaceAll: false },
    ]);
    expect(failure(result)).toMatch(/^Edit 2 of 2: old_string was not found.*Nothing was changed/s);
  });

  it('E11: text that is not there is never appended', () => {
    expect(failure(edit('fn main() {\r\n}\r\n', 'fn other() {\n}\n', 'fn other() { 1 }\n'))).toContain('not found');
  });

  it('E13: text that matches the whole file only without its spaces is refused', () => {
    expect(failure(edit('a  \nb\t\n', 'a\nb\n', 'gone\n'))).toContain('whole file');
  });

  it('says when only spaces at line ends differ, and leaves those outside the span alone', () => {
    const result = edit('top  \nfoo  \nbar\nend  \n', 'foo\nbar', 'FOO\nBAR');
    expect(result).toEqual({
      ok: true,
      text: 'top  \nFOO\nBAR\nend  \n',
      matches: ['trailing spaces differ'],
      replaced: 1,
    });
  });

  it('E14: patterns of a replacement are literal text', () => {
    expect(done(edit('cost', 'cost', "cost: $1 $& $$ $` $'"))).toBe("cost: $1 $& $$ $` $'");
    expect(done(edit('a a', 'a', '$&', true))).toBe('$& $&');
  });

  it('tells how often and where text was found that is not the only one', () => {
    expect(failure(edit('x\ny\nx\n', 'x', 'z'))).toBe(
      'old_string was found 2 times (lines 1, 3). Add lines around it until it is the only one, or set replace_all. Nothing was changed.',
    );
    expect(failure(edit('aaa', 'aa', 'b'))).toContain('found 2 times');
  });

  it('names the nearest line when text was not found', () => {
    expect(failure(edit('one\n  const total = sum(a);\n', 'const total = sum(b);', 'x'))).toContain(
      'The nearest line is 2: "  const total = sum(a);"',
    );
  });

  it('an edit that changes nothing, and one of empty text, are errors', () => {
    expect(failure(edit('a', 'a', 'a'))).toContain('changes nothing');
    expect(failure(edit('a', '', 'b'))).toContain('old_string is empty');
  });

  it('never changes a character outside the span, whatever the file holds', () => {
    const piece = fc.array(fc.constantFrom('a', 'b', ' ', '\t', '\r\n', '\n', 'é', '\u0301', '👍', '$&'), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(piece, piece, piece, (before, middle, after) => {
        const head = `${before.join('')}<<`;
        const tail = `>>${after.join('')}`;
        const result = edit(head + tail, '<<>>', `<<${middle.join('')}>>`);
        if (!result.ok) return middle.length === 0;
        return result.text.startsWith(head) && result.text.endsWith(tail);
      }),
    );
  });
});

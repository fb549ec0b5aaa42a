import { describe, expect, it } from 'vitest';
import { decodeOutput, isBinaryOutput, toReadableText } from '../../../../src-main/tools/process/output-text.ts';

describe('terminal output as text', () => {
  it('S13: carriage returns overwrite, CRLF is one line end, and terminal codes are gone', () => {
    expect(toReadableText('a\rb\r\n')).toBe('b\n');
    expect(toReadableText('10%\r20%\r100%\nnext\r\n')).toBe('100%\nnext\n');
    expect(toReadableText('abcdef\rxy')).toBe('xycdef');
    expect(toReadableText('\u001b[?25lhidden\u001b[?25h \u001b[1;31mred\u001b[0m')).toBe('hidden red');
    expect(toReadableText('\u001b]0;title\u0007text\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\')).toBe('textlink');
    expect(toReadableText('one\ttwo\u0007\u0000three')).toBe('one\ttwothree');
  });

  it('tells binary output from text', () => {
    expect(isBinaryOutput(Buffer.from([0x7f, 0x45, 0, 1]))).toBe(true);
    expect(isBinaryOutput(Buffer.from('größe ✓\n'))).toBe(false);
    expect(isBinaryOutput(Buffer.from([0xff, 0xfe, 0xfd, 0x41]))).toBe(true);
  });

  it('leaves out a character that was cut where output was cut', () => {
    const euro = Buffer.from('a€b');
    expect(decodeOutput(euro.subarray(0, 3), 'end')).toBe('a');
    expect(decodeOutput(euro.subarray(2), 'start')).toBe('b');
    expect(decodeOutput(euro, 'none')).toBe('a€b');
  });
});

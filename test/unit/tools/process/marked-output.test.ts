import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MarkedOutput } from '../../../../src-main/tools/process/marked-output.ts';

/** What comes of a stream in these pieces: output as text, and where a command ended. */
function read(pieces: readonly string[], look = false): string[] {
  const out: string[] = [];
  const reader = new MarkedOutput(
    'MARK',
    (bytes) => out.push(bytes.toString('latin1')),
    (code) => out.push(`<${code}>`),
  );
  for (const piece of pieces) {
    reader.push(Buffer.from(piece, 'latin1'));
    if (look) reader.look();
  }
  reader.end();
  return out;
}

describe('the output of a shell that stays', () => {
  it('is the same wherever it is cut, and a mark is no part of it', () => {
    const text = 'one\n\nMARK 0\ntwo\nMAR\nMARK\nno end\nMARK 127\nMARK 3\nrest MA';
    expect(read([text]).join('')).toBe('one\n<0>two\nMAR\nMARK\nno end<127><3>rest MA');
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 12 }), (cuts) => {
        const at = [0, ...cuts.toSorted((a, b) => a - b), text.length];
        const pieces = at.slice(1).map((end, index) => text.slice(at[index], end));
        expect(read(pieces).join('')).toBe(read([text]).join(''));
      }),
    );
  });

  it('holds nothing back but what could begin a mark, and gives up a line end to who looks', () => {
    expect(read(['one\n', 'two\nMA'], true)).toEqual(['one', '\n', 'two', '\nMA']);
    expect(read(['one\n', '\nMARK 5\n'], true).join('')).toBe('one\n<5>');
    expect(read(['one\n', 'MARK 5\n'], true).join('')).toBe('one\n<5>');
  });

  it('goes on after a mark without a number', () => {
    expect(read([`MARK ${'x'.repeat(40)}\nMARK 1\n`]).join('')).toContain('<1>');
  });
});

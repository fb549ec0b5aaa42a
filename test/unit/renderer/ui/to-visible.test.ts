// What a person judges by eye must be what is run: hidden and reordering characters are shown as escapes.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasHidden, toVisible } from '../../../../src-renderer/ui/verbatim/to-visible.ts';

const shown = (text: string, oneLine = false): string =>
  toVisible(text, oneLine)
    .map((part) => (part.type === 'escape' ? part.shown : part.source))
    .join('');

/** Any text, with the dangerous characters far more often than chance would give them. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '\u200b',
        '\u202e',
        '\u2066',
        '\u2069',
        '\u2028',
        '\u{e0041}',
        '\u061c',
        '\r',
        '\0',
        '\ud800',
        'א',
        'שלום עולם',
        ' ',
        '\n',
      ),
    ),
  )
  .map((pieces) => pieces.join(''));

describe('toVisible', () => {
  test('U1: zero-width characters in a command are shown as escapes and the rest stays as it is', () => {
    expect(shown('rm\u200b -rf')).toBe('rm⟨U+200B⟩ -rf');
    expect(shown('a\u{e0041}b\ufeffc\u00add')).toBe('a⟨U+E0041⟩b⟨U+FEFF⟩c⟨U+00AD⟩d');
  });

  test('U2: bidi controls are escaped while ordinary right-to-left words stay readable and isolated', () => {
    expect(shown('src/\u202egnp.exe')).toBe('src/⟨U+202E⟩gnp.exe');
    expect(toVisible('cat שלום עולם/a.txt')).toEqual([
      { type: 'text', source: 'cat ' },
      { type: 'rtl', source: 'שלום עולם' },
      { type: 'text', source: '/a.txt' },
    ]);
    expect(shown('א\u061cב')).toBe('א⟨U+061C⟩ב');
  });

  test('U4: characters that forge line breaks are escaped; a real line feed is a line in a command, never in a path', () => {
    expect(shown('ls\u2028rm\u2029x\ry\u0085z\vq')).toBe('ls⟨U+2028⟩rm⟨U+2029⟩x⟨U+000D⟩y⟨U+0085⟩z⟨U+000B⟩q');
    expect(shown('a\nb\tc')).toBe('a\nb\tc');
    expect(shown('a\nb\tc', true)).toBe('a⟨U+000A⟩b⟨U+0009⟩c');
  });

  test('U1: fillers, joiners, selectors, private, unassigned and broken characters are escaped, each by its own', () => {
    const hidden = [
      '\u3164',
      '\u115f',
      '\u034f',
      '\ufe0f',
      '\u2800',
      '\ue000',
      '\ud800',
      '\ufffe',
      '\ufff9',
      '\u180e',
      '\u0378',
    ];
    for (const one of hidden) {
      const code = one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
      expect(shown(`a${one}b`)).toBe(`a⟨U+${code}⟩b`);
    }
  });

  test('spaces that only look like one are escaped, and a run of one character is counted', () => {
    expect(shown('rm\u00a0x\u3000y')).toBe('rm⟨U+00A0⟩x⟨U+3000⟩y');
    expect(toVisible('\u200b'.repeat(70_000))).toHaveLength(1);
    expect(shown('a\u200b\u200b\u200b')).toBe('a⟨U+200B ×3⟩');
  });

  test('U4: the sources of the parts join to the input, whatever the input is', () => {
    fc.assert(
      fc.property(hostile, fc.boolean(), (text, oneLine) => {
        expect(
          toVisible(text, oneLine)
            .map((part) => part.source)
            .join(''),
        ).toBe(text);
      }),
    );
  });

  test('U1: nothing hidden is left outside an escape, whatever the input is', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        for (const part of toVisible(text)) if (part.type !== 'escape') expect(hasHidden(part.source)).toBe(false);
      }),
    );
  });
});

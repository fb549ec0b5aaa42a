import { describe, expect, it } from 'vitest';
import { terminalText, visibleText } from '../../../src-main/headless/visible-text.ts';

describe('text on a terminal', () => {
  it('U1: a zero-width space in a command is written out', () => {
    expect(visibleText('rm\u200b -rf')).toBe('rm\\u{200B} -rf');
  });
  it('U2: a direction override is written out, ordinary right-to-left text is not', () => {
    expect(visibleText('a\u202eb שלום')).toBe('a\\u{202E}b שלום');
  });
  it('U4: a line separator is written out, and so is an escape sequence', () => {
    expect(visibleText('a\u2028b\u001b[2K')).toBe('a\\u{2028}b\\u{1B}[2K');
  });
  it('an answer can neither steer the terminal nor turn its text round; emoji and other scripts stay as they are', () => {
    const hostile = 'ok\u001b]52;c;cm0gLXJm\u0007 \u009b2J a\rb \u202egnp.exe';
    const shown = 'ok\\u{1B}]52;c;cm0gLXJm\\u{7} \\u{9B}2J a\\u{D}b \\u{202E}gnp.exe';
    expect(terminalText(hostile)).toBe(shown);
    const plain = 'one\r\n\ttwo 👩\u200d💻 שלום 漢字';
    expect(terminalText(plain)).toBe(plain.replace('\r', ''));
  });
});

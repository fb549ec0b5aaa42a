// The composer's reading of what is written, its attachments and its meter.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextName, toPieces } from '../../../../src-renderer/features/composer/attach-text.ts';
import { describeMeter, showTokens } from '../../../../src-renderer/features/composer/describe-meter.ts';
import { toKeyAction } from '../../../../src-renderer/features/composer/key-action.ts';
import { runCommand, type CommandContext } from '../../../../src-renderer/features/composer/run-command.ts';
import { readTextFile } from '../../../../src-renderer/features/composer/read-text-file.ts';
import { applyCompletion, completionAt, parseCommand } from '../../../../src-renderer/features/composer/parse-input.ts';

describe('parseCommand', () => {
  test('knows its commands with their arguments, and takes everything else for a message', () => {
    expect(parseCommand('/mode plan')).toEqual({ name: 'mode', argument: 'plan' });
    expect(parseCommand('/rename  Fix the test ')).toEqual({ name: 'rename', argument: 'Fix the test' });
    expect(parseCommand(' /new ')).toEqual({ name: 'new', argument: '' });
    for (const text of ['/usr/bin is not in PATH', '/modes', 'see /mode plan', '/mode plan\nand more', '', '/']) {
      expect(parseCommand(text), text).toBeNull();
    }
  });
});

describe('completionAt', () => {
  test('completes commands only at the very beginning, files after an @ that begins a word', () => {
    expect(completionAt('/mo', 3)).toMatchObject({ kind: 'command', query: 'mo', from: 1 });
    expect(completionAt('/mode a', 7)).toMatchObject({ kind: 'argument', command: 'mode', query: 'a', from: 6 });
    expect(completionAt('look at @src/ch', 15)).toMatchObject({ kind: 'file', query: 'src/ch', from: 9 });
    expect(completionAt('(@a', 3)).toMatchObject({ kind: 'file', query: 'a' });
    expect(completionAt('sam@example.org', 15)).toBeNull();
    expect(completionAt('a /mo', 5)).toBeNull();
    expect(completionAt('@a b', 4)).toBeNull();
  });

  test('what is taken replaces the query at the caret and leaves the rest of the text as it was', () => {
    expect(applyCompletion('see @ch now', 7, { from: 5, insert: 'src/checkout.ts' })).toEqual({
      text: 'see @src/checkout.ts now',
      caret: 21,
    });
    expect(applyCompletion('/mo', 3, { from: 1, insert: 'mode' })).toEqual({ text: '/mode ', caret: 6 });
  });
});

describe('attachments', () => {
  test('a large paste is cut into pieces that are small enough, join to the text and split no character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.integer({ min: 2, max: 20 }), (text, size) => {
        const pieces = toPieces(text, size);
        expect(pieces.join('')).toBe(text);
        for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(size);
        // A pair is never split, so well-formed text gives well-formed pieces.
        if (text.isWellFormed()) for (const piece of pieces) expect(piece.isWellFormed()).toBe(true);
      }),
    );
  });

  test('2 MB become sixteen pieces, and names do not repeat', () => {
    expect(toPieces('x'.repeat(2_097_152))).toHaveLength(16);
    expect(nextName('Pasted text', [])).toBe('Pasted text');
    expect(nextName('Pasted text', ['Pasted text', 'Pasted text 3'])).toBe('Pasted text 2');
  });
});

describe('describeMeter', () => {
  test('says the share of a known window, and tokens alone where the window is not known', () => {
    const total = { input: 48_210, output: 2_020, cachedInput: 0, reasoning: 0, costUsd: 0.06 };
    expect(describeMeter({ contextTokens: 10_158, contextWindow: 32_768, total })).toEqual({
      share: 10_158 / 32_768,
      short: '31 %',
      full: 'Context: 10,158 of 32,768 tokens. So far: 48.2k in, 2.0k out, $0.06.',
    });
    expect(
      describeMeter({ contextTokens: 840, contextWindow: null, total: { ...total, costUsd: null } }),
    ).toMatchObject({
      share: null,
      short: '840',
    });
    expect([999, 1000, 99_950, 1_200_000].map(showTokens)).toEqual(['999', '1.0k', '100.0k', '1.2M']);
  });
});

describe('toKeyAction', () => {
  const facts = { shift: false, other: false, choosing: false, open: false, running: false, cyclesModes: true };

  test('Enter sends, takes a choice that is not written yet, and does nothing else; Esc closes the list before it stops', () => {
    expect(toKeyAction({ ...facts, key: 'Enter' })).toBe('send');
    expect(toKeyAction({ ...facts, key: 'Enter', open: true, choosing: true })).toBe('take');
    expect(toKeyAction({ ...facts, key: 'Enter', open: true })).toBe('send');
    expect(toKeyAction({ ...facts, key: 'Enter', shift: true })).toBeNull();
    expect(toKeyAction({ ...facts, key: 'Escape', open: true, running: true })).toBe('dismiss');
    expect(toKeyAction({ ...facts, key: 'Escape', running: true })).toBe('stop');
    expect(toKeyAction({ ...facts, key: 'Escape' })).toBeNull();
  });

  test('Shift+Tab cycles modes only where the setting says so, and Shift+F6 always leaves backwards', () => {
    expect(toKeyAction({ ...facts, key: 'Tab', shift: true })).toBe('cycle-mode');
    expect(toKeyAction({ ...facts, key: 'Tab', shift: true, cyclesModes: false })).toBeNull();
    expect(toKeyAction({ ...facts, key: 'F6', shift: true })).toBe('leave-backwards');
    expect(toKeyAction({ ...facts, key: 'Enter', other: true })).toBeNull();
  });
});

test('MODE-12: Shift+Tab cycles modes, /plan plans, and /confine switches the confinement', async () => {
  const facts = { shift: true, other: false, choosing: false, open: false, running: false, cyclesModes: true };
  expect(toKeyAction({ ...facts, key: 'Tab' })).toBe('cycle-mode');
  const asked: unknown[] = [];
  const note = (name: string) => (input: unknown) => Promise.resolve(void asked.push([name, input]));
  const sessions = { setMode: note('setMode'), setConfinement: note('setConfinement') };
  const run = async (text: string): Promise<void> => {
    const command = parseCommand(text);
    if (command === null) throw new TypeError(`${text} is no command`);
    await runCommand(command, {
      client: { sessions },
      sessionId: 's',
      models: [],
      actions: {},
    } as unknown as CommandContext);
  };
  for (const text of ['/plan', '/mode auto', '/confine off', '/confine on']) await run(text);
  expect(asked).toEqual([
    ['setMode', { sessionId: 's', mode: 'plan' }],
    ['setMode', { sessionId: 's', mode: 'auto' }],
    ['setConfinement', { sessionId: 's', on: false }],
    ['setConfinement', { sessionId: 's', on: true }],
  ]);
  await expect(run('/confine maybe')).rejects.toThrow('/confine on or /confine off');
});

describe('readTextFile', () => {
  const file = (name: string, content: Uint8Array<ArrayBuffer> | string, type = ''): File =>
    new File([content], name, { type });

  test('gives the text of UTF-8 and UTF-16, also of a file whose kind the system does not know', async () => {
    expect(await readTextFile(file('a.ts', 'Grüße\n', 'video/mp2t'), 100)).toEqual({ name: 'a.ts', text: 'Grüße\n' });
    const wide = new Uint8Array([0xff, 0xfe, 0x61, 0x00]);
    expect(await readTextFile(file('wide.csv', wide), 100)).toEqual({ name: 'wide.csv', text: 'a' });
  });

  test('refuses images, other bytes, empty files and what does not fit, each in words that name the file', async () => {
    const cases: [File, RegExp][] = [
      [file('pear.png', 'x', 'image/png'), /^pear\.png is an image/],
      [file('all.zip', new Uint8Array([80, 75, 0, 4])), /^all\.zip is not text/],
      [file('latin.txt', new Uint8Array([0x47, 0xfc, 0x20])), /^latin\.txt is not text/],
      [file('nothing', ''), /^nothing is empty/],
      [file('long.txt', 'x'.repeat(101)), /^long\.txt has 101 characters; 100 characters fit/],
    ];
    for (const [given, words] of cases) {
      const read = await readTextFile(given, 100);
      expect('refused' in read ? read.refused : '').toMatch(words);
    }
  });

  test('keeps the end of a name that is too long for the contract', async () => {
    const read = await readTextFile(file(`${'a'.repeat(300)}.csv`, 'x'), 100);
    expect(read).toEqual({ name: `…${'a'.repeat(195)}.csv`, text: 'x' });
  });
});

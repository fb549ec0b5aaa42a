import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../src-main/contract/entries.ts';
import type { SessionId, TurnId } from '../../../src-main/contract/ids.ts';
import { textPrinter } from '../../../src-main/headless/print-events.ts';

/** What is printed of an answer and a failure that hold an escape sequence. */
function printed(isTTY: boolean): { out: string; err: string } {
  const out = Object.assign(new PassThrough(), { isTTY });
  const err = new PassThrough();
  const printer = textPrinter({ out, err });
  printer.event({ type: 'text-delta', turnId: 't' as TurnId, step: 1, text: 'a\u001b[2Jb\n' });
  const error = { code: 'provider.rejected', message: 'It says: \u001b[2J', retryable: false } as const;
  printer.end('s' as SessionId, { type: 'failed', error });
  return { out: String(out.read()), err: String(err.read()) };
}

describe('what a run prints for people', () => {
  it('on a terminal no answer and no failure can write an escape sequence', () => {
    const { out, err } = printed(true);
    expect(out).toBe('a\\u{1B}[2Jb\n');
    expect(err).not.toContain('\u001b');
  });
  it('what was said stands before the question that follows it', () => {
    const out = new PassThrough();
    const printer = textPrinter({ out, err: new PassThrough() });
    printer.event({ type: 'text-delta', turnId: 't' as TurnId, step: 1, text: 'I change it.' });
    const request = { kind: 'approval-request' } as Entry;
    printer.event({ type: 'entries-append', entries: [request] });
    expect(String(out.read())).toBe('I change it.');
  });
  it('a program that reads the answer gets its bytes as they are', () => {
    expect(printed(false).out).toBe('a\u001b[2Jb\n');
  });
});

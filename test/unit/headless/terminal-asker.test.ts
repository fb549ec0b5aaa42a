// A model's question in the terminal.
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { newId } from '../../../src-main/base/new-id.ts';
import type { CallId } from '../../../src-main/contract/ids.ts';
import { terminalAsker } from '../../../src-main/headless/terminal-asker.ts';

const question = (words: string, options: string[] = []) => ({ callId: newId<CallId>(), question: words, options });

function terminal(): { input: PassThrough; output: PassThrough; shown: () => string } {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let shown = '';
  output.on('data', (chunk: Buffer) => (shown += chunk.toString()));
  return { input, output, shown: () => shown };
}

describe('a question in the terminal', () => {
  it('APPR-23: takes a number as one of the answers that were offered, and other words as they are', async () => {
    const { input, output, shown } = terminal();
    const asker = terminalAsker({ input, output });
    const { signal } = new AbortController();
    const [first, second] = [
      asker.askUser(question('Which?', ['red', 'blue']), signal),
      asker.askUser(question('Why?'), signal),
    ];
    await expect.poll(shown).toContain('own words');
    expect(shown()).not.toContain('Why?');
    input.write('2\n');
    expect(await first).toBe('blue');
    await expect.poll(shown).toContain('Your answer');
    input.write('2 because\n');
    expect(await second).toBe('2 because');
  });

  it('an empty line, the end of the input and a stop are no answer', async () => {
    const { input, output, shown } = terminal();
    const asker = terminalAsker({ input, output });
    const stop = new AbortController();
    const stopped = asker.askUser(question('One?'), stop.signal);
    await expect.poll(shown).toContain('Your answer');
    stop.abort();
    expect(await stopped).toBeNull();
    const empty = asker.askUser(question('Two?'), new AbortController().signal);
    await expect.poll(shown).toContain('Two?');
    await expect.poll(() => shown().split('Your answer').length).toBe(3);
    input.write('\n');
    expect(await empty).toBeNull();
    const over = asker.askUser(question('Three?'), new AbortController().signal);
    await expect.poll(() => shown().split('Your answer').length).toBe(4);
    input.end();
    expect(await over).toBeNull();
  });

  it('what the model wrote can neither steer the terminal nor hide', async () => {
    const { input, output, shown } = terminal();
    const asked = terminalAsker({ input, output }).askUser(
      question('a\u001b[2Jb', ['\u202egnp']),
      AbortSignal.timeout(60_000),
    );
    await expect.poll(shown).toContain('own words');
    expect(shown()).not.toContain('\u001b[2J');
    expect(shown()).not.toContain('\u202e');
    input.write('\n');
    expect(await asked).toBeNull();
  });
});

// A conversation in the terminal: the main job where there is no display. An empty line or the end of input ends it.
import { createInterface } from 'node:readline/promises';
import type { LiveSession } from '../app/live-session.ts';
import { EXIT } from './exit-codes.ts';

/** Asks for messages until the person ends it; gives the exit code of the last turn. */
export async function converse(
  live: LiveSession,
  options: { first: string; finish(): Promise<number> },
): Promise<number> {
  let code: number = EXIT.completed;
  let message = options.first.trim();
  process.stderr.write('Warrant, in the terminal. Write what to do; an empty line ends.\n');
  const ahead: string[] = [];
  for (;;) {
    if (message === '') message = await readMessage(ahead);
    if (message === '') return code;
    await live.submit(message, []);
    code = await options.finish();
    message = '';
  }
}

/** The next message; lines that came together with it (pasted, or from a pipe) are put into `ahead`, which is taken first. */
async function readMessage(ahead: string[]): Promise<string> {
  const kept = ahead.shift();
  if (kept !== undefined) {
    process.stderr.write(`\n> ${kept}\n`);
    return kept.trim();
  }
  // A fresh reader for each message: while a turn runs, approvals read from the same terminal.
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  lines.on('line', (line) => ahead.push(line));
  // The end of the input closes the reader, and a question that waits then would wait for ever.
  const ended = new AbortController();
  lines.once('close', () => {
    ended.abort();
  });
  try {
    return (await lines.question('\n> ', { signal: ended.signal })).trim();
  } catch {
    return '';
  } finally {
    lines.close();
  }
}

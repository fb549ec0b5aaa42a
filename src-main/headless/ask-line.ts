// One line from the terminal. The end of the input is an answer too: a reader that waits on after it would wait for ever.

export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** The line that is typed after `prompt`; null when the input ended or `signal` aborted. */
export async function askLine(terminal: Terminal, prompt: string, signal: AbortSignal): Promise<string | null> {
  // At the first question: most runs ask none, and their start would pay for it.
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: terminal.input, output: terminal.output });
  const ended = new AbortController();
  lines.once('close', () => {
    ended.abort();
  });
  try {
    return await lines.question(prompt, { signal: AbortSignal.any([signal, ended.signal]) });
  } catch {
    return null;
  } finally {
    lines.close();
  }
}

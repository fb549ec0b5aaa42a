// Puts a model's question to the person in the terminal. A number chooses one of the answers that were offered, anything
// else is the answer itself, and an empty line gives none.
import type { Asker, UserQuestion } from '../engine/ports.ts';
import { askLine, type Terminal } from './ask-line.ts';
import { visibleText } from './visible-text.ts';

/** An asker over a terminal; questions come one after the other. */
export function terminalAsker(terminal: Terminal): Asker {
  let last: Promise<unknown> = Promise.resolve();
  return {
    askUser(question, signal) {
      const asked = last.then(() => askOne(terminal, question, signal));
      last = asked.catch(() => undefined);
      return asked;
    },
  };
}

async function askOne(terminal: Terminal, asked: UserQuestion, signal: AbortSignal): Promise<string | null> {
  const { question, options } = asked;
  const choices = options.map((option, at) => `  ${String(at + 1)}  ${visibleText(option)}\n`).join('');
  terminal.output.write(`\nThe model asks: ${visibleText(question)}\n${choices}`);
  const how = options.length > 0 ? 'A number, or your own words' : 'Your answer';
  const words = (await askLine(terminal, `${how}, nothing = no answer: `, signal))?.trim() ?? '';
  return words === '' ? null : (chosen(words, options) ?? words);
}

function chosen(words: string, options: readonly string[]): string | undefined {
  return /^[1-9][0-9]*$/.test(words) ? options[Number(words) - 1] : undefined;
}

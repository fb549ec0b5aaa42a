// A title for a chat, asked of its model on the side: one small request, no tools, nothing of it becomes part of the chat.
// Whatever goes wrong gives no title, and nothing is waited for longer than the titler takes.
import type { Entry } from '../contract/entries.ts';
import type { Model } from '../engine/ports.ts';

/** Gives a title for how a chat began, or null. Never throws; ends by itself, and at once when `signal` aborts. */
export type Titler = (
  begun: { readonly question: string; readonly answer: string },
  signal: AbortSignal,
) => Promise<string | null>;

const WAIT_MS = 20_000;
const MOST_READ = 4_000;
const MOST_WORDS = 80;

const SYSTEM =
  'You give a title to a conversation: at most six words, in its language, saying what is to be done. ' +
  'Answer with the title alone, without quotation marks and without a full stop.';

/** A title in one line: what a model put around it is taken away. null = it is none. */
export function cleanTitle(text: string): string | null {
  const [line = ''] = text.trim().split('\n');
  const title = line
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
    .replaceAll(/^[#*\s"'“”„«»]+|[*\s"'“”„«».]+$/gu, '')
    .replace(/^title:\s*/i, '');
  return title === '' || title.length > MOST_WORDS ? null : title;
}

/** The titler of a model; null for one that is no language model. */
export function titlerOf(model: Model): Titler | null {
  if (model.ref === 'guide') return null;
  return async ({ question, answer }, signal) => {
    const text = `${question.slice(0, MOST_READ)}\n\n---\n\n${answer.slice(0, MOST_READ)}`;
    const request = { system: SYSTEM, messages: [{ role: 'user', text }], tools: [] } as const;
    try {
      let title = '';
      for await (const event of model.stream(request, AbortSignal.any([signal, AbortSignal.timeout(WAIT_MS)]))) {
        if (event.type === 'text') title += event.text;
        else if (event.type === 'error') return null;
        if (title.length > MOST_READ) return null;
        if (event.type === 'finish') return cleanTitle(title);
      }
      // A stream without an end was cut: half a title is none.
      return null;
    } catch {
      return null;
    }
  };
}

/** What a chat began with: its first message and the last answer to it; null where it has none of them. */
export function beginningOf(entries: readonly Entry[]): { question: string; answer: string } | null {
  const first = entries.find((entry) => entry.kind === 'user-message');
  const last = entries.findLast((entry) => entry.kind === 'assistant-message');
  const answer = last?.data.parts.map((part) => (part.type === 'text' ? part.text : '')).join('') ?? '';
  return first && answer !== '' ? { question: first.data.text, answer } : null;
}

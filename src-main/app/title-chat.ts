// A title for a chat, asked of its model on the side: one small request, no tools, nothing of it becomes part of the chat.
// Whatever goes wrong gives no title, and nothing is waited for longer than the titler takes.
import type { Entry } from '../contract/entries.ts';
import type { Model } from '../engine/ports.ts';

/** Gives a title for how a chat began, or null. Never throws; ends by itself, and at once when `signal` aborts. */
export type Titler = (begun: Beginning, signal: AbortSignal) => Promise<string | null>;

/** What a chat began with: the first message, and the answer to it. */
export interface Beginning {
  readonly question: string;
  readonly answer: string;
}

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
  return async (begun, signal) => {
    const within = AbortSignal.any([signal, AbortSignal.timeout(WAIT_MS)]);
    const ended = new Promise<null>((resolve) => {
      if (within.aborted) resolve(null);
      else within.addEventListener('abort', () => resolve(null), { once: true });
    });
    return Promise.race([askFor(model, begun, within).catch(() => null), ended]);
  };
}

async function askFor(model: Model, begun: Beginning, signal: AbortSignal): Promise<string | null> {
  const text = `${begun.question.slice(0, MOST_READ)}\n\n---\n\n${begun.answer.slice(0, MOST_READ)}`;
  const request = { system: SYSTEM, messages: [{ role: 'user', text }], tools: [] } as const;
  let title = '';
  for await (const event of model.stream(request, signal)) {
    if (event.type === 'text') title += event.text;
    if (event.type === 'finish') return cleanTitle(title);
    if (event.type === 'error' || title.length > MOST_READ) return null;
  }
  // A stream without an end was cut: half a title is none.
  return null;
}

/** What a chat began with: its first message and the last answer to it; null where it has none of them. */
export function beginningOf(entries: readonly Entry[]): Beginning | null {
  const first = entries.find((entry) => entry.kind === 'user-message');
  const last = entries.findLast((entry) => entry.kind === 'assistant-message');
  const answer = last?.data.parts.map((part) => (part.type === 'text' ? part.text : '')).join('') ?? '';
  return first && answer !== '' ? { question: first.data.text, answer } : null;
}

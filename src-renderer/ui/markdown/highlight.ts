// The window's side of the highlighting worker: started at the first code block, one for the whole window. Keeps the
// newest results, so that scrolling back to a block does not colour it again.
import { toLanguage } from './highlight-languages.ts';
import type { HighlightAnswer, HighlightRequest, TokenLine } from './highlight-protocol.ts';

/** Longer code stays plain: colour would cost more than it tells. */
const LONGEST = 60_000;
const KEPT = 200;

const waiting = new Map<number, (lines: readonly TokenLine[] | null) => void>();
const kept = new Map<string, readonly TokenLine[]>();
let worker: Worker | null = null;
let nextId = 1;

function startWorker(): Worker {
  const started = new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module' });
  started.addEventListener('message', (event: MessageEvent<HighlightAnswer>) => {
    waiting.get(event.data.id)?.(event.data.lines);
    waiting.delete(event.data.id);
  });
  started.addEventListener('error', () => {
    for (const settle of waiting.values()) settle(null);
    waiting.clear();
  });
  return started;
}

const keyOf = (code: string, language: string): string => `${language}\n${code}`;

/** Lines that are known already, for drawing without a flash of plain text. */
export function highlighted(code: string, written: string): readonly TokenLine[] | null {
  const language = toLanguage(written);
  return language === null ? null : (kept.get(keyOf(code, language)) ?? null);
}

/** Colours code; null when its language is not known, it is too long, or colouring failed. Never rejects. */
export function highlight(code: string, written: string): Promise<readonly TokenLine[] | null> {
  const language = toLanguage(written);
  if (language === null || code.length > LONGEST) return Promise.resolve(null);
  const known = kept.get(keyOf(code, language));
  if (known !== undefined) return Promise.resolve(known);
  worker ??= startWorker();
  const request: HighlightRequest = { id: nextId++, code, language };
  const { promise, resolve } = Promise.withResolvers<readonly TokenLine[] | null>();
  waiting.set(request.id, (lines) => {
    if (lines !== null) keep(keyOf(code, language), lines);
    resolve(lines);
  });
  worker.postMessage(request);
  return promise;
}

function keep(key: string, lines: readonly TokenLine[]): void {
  kept.set(key, lines);
  if (kept.size <= KEPT) return;
  const oldest = kept.keys().next();
  if (oldest.done !== true) kept.delete(oldest.value);
}

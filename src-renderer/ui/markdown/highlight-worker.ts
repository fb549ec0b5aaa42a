// Colours code off the thread that draws. Answers each request in order, one message each; a failure answers null, and
// the code then stays plain.
import { createCssVariablesTheme, createHighlighterCore } from 'shiki/core';
import type { HighlighterCore } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import { loadLanguage } from './highlight-languages.ts';
import type { HighlightAnswer, HighlightRequest, TokenLine } from './highlight-protocol.ts';

const theme = createCssVariablesTheme({ name: 'warrant', variablePrefix: '--code-', fontStyle: false });
let highlighter: Promise<HighlighterCore> | null = null;
const loaded = new Map<string, Promise<void>>();

async function load(core: HighlighterCore, language: string): Promise<void> {
  const input = await loadLanguage(language);
  if (input !== null) await core.loadLanguage(input);
}

async function highlight({ code, language }: HighlightRequest): Promise<TokenLine[]> {
  highlighter ??= createHighlighterCore({
    themes: [theme],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  const core = await highlighter;
  const loading = loaded.get(language) ?? load(core, language);
  loaded.set(language, loading);
  await loading;
  const { tokens } = core.codeToTokens(code, {
    lang: language,
    theme: 'warrant',
    tokenizeMaxLineLength: 2000,
    // Counts for one line, and the first line of a language pays for making its patterns: a small limit colours wrongly.
    tokenizeTimeLimit: 5000,
  });
  return tokens.map((line) => line.map((token) => [token.content, token.color ?? '']));
}

let queue: Promise<void> = Promise.resolve();
self.addEventListener('message', (event: MessageEvent<HighlightRequest>) => {
  const request = event.data;
  queue = queue.then(async () => {
    const lines = await highlight(request).catch(() => null);
    const answer: HighlightAnswer = { id: request.id, lines };
    self.postMessage(answer);
  });
});

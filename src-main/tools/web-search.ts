// web_search: titles, addresses and snippets from the service that the person named. There is no such tool without one. Each
// call asks once, with the request in full.
import { z } from 'zod';
import { AppError } from '../base/app-error.ts';
import type { Tool, ToolContext, ToolOutcome } from '../engine/ports.ts';
import { BUILTIN_DECLARATIONS } from './declarations.ts';
import { defineTool, succeeded } from './define-tool.ts';
import type { BuiltinToolSettings } from './tool-settings.ts';
import { checkedRecords, SEARCH_BOUNDS, type SearchProvider, type SearchRecord } from './web/search-provider.ts';

const argumentsSchema = z.strictObject({
  query: z.string(),
  count: z.int().min(1).max(SEARCH_BOUNDS.maxCount).optional(),
});

interface State {
  readonly query: string;
  readonly count: number;
}

const line = (text: string): string => text.replace(/\s+/g, ' ').trim();

function describe(records: readonly SearchRecord[], room: number): ToolOutcome {
  if (records.length === 0) return succeeded('[Nothing was found.]');
  const shown = records.map(({ title, url, snippet }, index) =>
    [`${String(index + 1)}. ${line(title)}`, `   ${url}`, ...(snippet === '' ? [] : [`   ${line(snippet)}`])].join(
      '\n',
    ),
  );
  const content = shown.join('\n');
  const truncated = content.length > room;
  return succeeded(truncated ? `${content.slice(0, room)}\n[The rest is left out.]` : content, { truncated });
}

/** Stops waiting when the call is stopped, whatever the service does. */
function orStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      reject(new AppError('cancelled', 'It was stopped.'));
    };
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', stop);
    });
  });
}

async function runSearch(
  provider: SearchProvider,
  { query, count }: State,
  { limits, signal, userAgent }: Pick<ToolContext, 'limits' | 'signal'> & { readonly userAgent: string },
): Promise<ToolOutcome> {
  const bounds = { timeoutMs: limits.webTimeoutMs, maxBytes: limits.webResponseBytes };
  const found = await orStopped(provider.search({ query, count, ...bounds, userAgent, signal }), signal);
  return describe(checkedRecords(found, count), limits.resultCharacters - 1000);
}

/** The tool over a service; see its declaration. */
export function createWebSearch(settings: BuiltinToolSettings, provider: SearchProvider): Tool {
  return defineTool<z.infer<typeof argumentsSchema>, State>({
    declaration: BUILTIN_DECLARATIONS.web_search,
    arguments: argumentsSchema,
    prepare({ query, count = SEARCH_BOUNDS.count }) {
      if (query.trim() === '' || query.length > 1000) {
        throw new AppError('tool.invalid-arguments', 'Give a query of 1 to 1,000 characters.');
      }
      const url = provider.urlOf(query);
      return {
        summary: `Search the web for ${query}`,
        effects: [{ kind: 'network', target: url.href }],
        preview: { type: 'url', url: url.href, host: url.host },
        effect: { url: url.href, count },
        grant: null,
        confined: false,
        state: { query, count },
      };
    },
    run: (state, { limits, signal }) =>
      runSearch(provider, state, { limits, signal, userAgent: `Warrant/${settings.version}` }),
  });
}

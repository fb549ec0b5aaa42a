// web_fetch: the text of one URL. Each call asks once; the effect names the URL with its host and port.
import { z } from 'zod';
import { AppError } from '../base/app-error.ts';
import type { Tool, ToolOutcome } from '../engine/ports.ts';
import { BUILTIN_DECLARATIONS } from './declarations.ts';
import { defineTool } from './define-tool.ts';
import type { BuiltinToolSettings } from './tool-settings.ts';
import type { FetchedPage } from './web/fetch-page.ts';

const argumentsSchema = z.strictObject({ url: z.string() });

const invalid = (why: string): AppError => new AppError('tool.invalid-arguments', why);

/** Reads a URL. tool.invalid-arguments says what is wrong with it. */
function parseUrl(text: string): URL {
  if (!URL.canParse(text)) throw invalid(`${JSON.stringify(text)} is no URL. Give it in full, with https://.`);
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw invalid('Only http and https URLs can be fetched.');
  if (url.username !== '' || url.password !== '') throw invalid('A URL with a name or password in it is not fetched.');
  url.hash = '';
  return url;
}

const isText = (contentType: string): boolean =>
  contentType === '' || /^(text\/|application\/([a-z0-9.+-]*(json|xml|javascript|yaml)))/i.test(contentType);

function bodyText({ body, contentType }: FetchedPage): string {
  if (!isText(contentType) || body.includes(0))
    return `[${body.length} bytes of ${contentType || 'binary data'} are not shown.]`;
  const charset = /charset="?([\w-]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(body);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return new TextDecoder().decode(body);
  }
}

function toOutcome(page: FetchedPage, room: number): ToolOutcome {
  const head = `HTTP ${page.status} ${page.contentType}`.trim();
  if (page.location !== null) {
    const content = `${head}\nIt has moved to ${page.location}. Fetch that if it is what you want.`;
    return { status: 'ok', content, facts: { exitCode: page.status }, changes: [] };
  }
  const text = bodyText(page);
  const truncated = page.cut || text.length > room;
  const note = truncated ? '\n[The rest is left out.]' : '';
  return {
    status: page.status < 400 ? 'ok' : 'error',
    content: `${head}\n\n${text.slice(0, room)}${note}`,
    facts: { truncated, outputBytes: page.body.length },
    changes: [],
  };
}

/** The tool; see its declaration. */
export function createWebFetch(settings: BuiltinToolSettings): Tool {
  return defineTool<z.infer<typeof argumentsSchema>, { readonly url: URL }>({
    declaration: BUILTIN_DECLARATIONS.web_fetch,
    arguments: argumentsSchema,
    async prepare(args) {
      const url = parseUrl(args.url);
      const { hostObjection } = await import('./web/address-rules.ts');
      const objection = hostObjection(url.hostname);
      if (objection !== null) throw invalid(objection);
      return {
        summary: `Fetch ${url.href}`,
        effects: [{ kind: 'network', target: url.href }],
        preview: { type: 'url', url: url.href, host: url.host },
        effect: { url: url.href },
        grant: null,
        confined: false,
        state: { url },
      };
    },
    async run({ url }, { limits, signal }) {
      const { fetchPage } = await import('./web/fetch-page.ts');
      const page = await fetchPage(url, {
        userAgent: `Warrant/${settings.version}`,
        maxBytes: limits.webResponseBytes,
        timeoutMs: limits.webTimeoutMs,
        signal,
      });
      return toOutcome(page, limits.resultCharacters - 1000);
    },
  });
}

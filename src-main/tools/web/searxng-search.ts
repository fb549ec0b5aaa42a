// A search service that the person names by its address: a SearXNG instance, asked for JSON. Entries that are malformed are
// dropped one by one, fields that are too long are cut.
import { z } from 'zod';
import { AppError } from '../../base/app-error.ts';
import { fetchPage } from './fetch-page.ts';
import { isWebUrl, SEARCH_BOUNDS, type SearchProvider, type SearchRecord } from './search-provider.ts';

const answerSchema = z.looseObject({ results: z.array(z.unknown()) });
const entrySchema = z.looseObject({
  url: z.string().max(SEARCH_BOUNDS.url).refine(isWebUrl),
  title: z.string().default(''),
  content: z.string().nullish(),
});

function toRecord(entry: unknown): SearchRecord[] {
  const parsed = entrySchema.safeParse(entry);
  if (!parsed.success) return [];
  const { url, title, content } = parsed.data;
  return [
    { url, title: title.slice(0, SEARCH_BOUNDS.title), snippet: (content ?? '').slice(0, SEARCH_BOUNDS.snippet) },
  ];
}

function parseAnswer(host: string, text: string): readonly unknown[] {
  try {
    return answerSchema.parse(JSON.parse(text)).results;
  } catch (cause) {
    throw new AppError('tool.failed', `${host} did not answer with search results as JSON. Is its JSON format on?`, {
      cause,
    });
  }
}

/** The service at this address, such as `https://search.example.org`. tool.invalid-arguments for one that is no URL. */
export function searxngSearch(address: string): SearchProvider {
  if (!isWebUrl(address))
    throw new AppError('tool.invalid-arguments', 'The search service needs an http or https address.');
  const urlOf = (query: string): URL => {
    const url = new URL(address);
    if (!/\/search\/?$/.test(url.pathname)) url.pathname = `${url.pathname.replace(/\/$/, '')}/search`;
    url.searchParams.set('q', query);
    url.searchParams.set('format', 'json');
    return url;
  };
  return {
    urlOf,
    async search({ query, count, ...how }) {
      const url = urlOf(query);
      const page = await fetchPage(url, how);
      if (page.status !== 200) throw new AppError('tool.failed', `${url.host} answered ${String(page.status)}.`);
      if (page.cut) throw new AppError('tool.failed', `${url.host} answered with more than fits.`);
      return parseAnswer(url.host, page.body.toString('utf8')).flatMap(toRecord).slice(0, count);
    },
  };
}

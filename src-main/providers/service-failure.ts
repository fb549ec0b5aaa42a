// What a model service tells about a failure (a status, headers, a body in one of many shapes), as one of our errors.
// The services' own words are read here and nowhere else.
import { AppError } from '../base/app-error.ts';
import type { ErrorCode } from '../contract/errors.ts';
import { isObject } from './wire-traits.ts';

/** A failure as it came; `status` null = told inside a body that began well. Header names are in lower case. */
export interface ServiceReport {
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  /** The body's text; need not be JSON. */
  readonly body: string;
}

/** What the services call things, joined: their message, type, code, status. */
interface Told {
  readonly message: string;
  readonly labels: string;
  readonly status: number | null;
}

function firstObject(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : value;
}

/** The innermost object that tells the error: `{error: {...}}`, `{response: {error}}`, `[{error}]`, `{detail}`. */
function errorObject(value: unknown): unknown {
  let current = firstObject(value);
  for (let depth = 0; depth < 4 && isObject(current); depth++) {
    const response = current['response'];
    const inner = current['error'] ?? (isObject(response) ? response : null);
    if (inner === null) break;
    current = inner;
  }
  return current;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

function asText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function readTold(body: string): Told {
  const told = errorObject(parseJson(body));
  if (typeof told === 'string') return { message: told, labels: '', status: null };
  if (!isObject(told)) return { message: /<[a-z!]/i.test(body) ? '' : body, labels: '', status: null };
  const message = asText(told['message']) || asText(told['detail']) || asText(told['msg']);
  const labels = ['type', 'code', 'status', 'reason', 'param'].map((key) => asText(told[key])).join(' ');
  const code = Number(told['code'] ?? told['status'] ?? told['statusCode'] ?? Number.NaN);
  return { message, labels, status: Number.isInteger(code) && code >= 400 && code < 600 ? code : null };
}

const OVERFLOW =
  /context.?(length|window|size)|maximum context|prompt is too long|too many (input )?tokens|input.{0,20}too (long|large)|exceeds? the (maximum|available).{0,30}tokens?|token count.{0,40}exceeds|request_too_large/i;
const NO_TOOLS =
  /not support (the use of )?(tools|tool use|tool call|function)|tools? (use|calling)? ?(is|are) not supported|(tool|function).{0,20}(unsupported|is not enabled|not available)|support tool use|--enable-auto-tool-choice|requires --jinja/i;
const NO_MODEL =
  /model.{0,60}(not found|does not exist|not exist|not available|unknown|not loaded)|no such model|unknown model|invalid model|model_not_found|not a valid model/i;
const NO_CREDIT =
  /insufficient_quota|insufficient (credit|balance|funds)|billing|exceeded your current quota|credit balance/i;
const BAD_KEY =
  /invalid.{0,10}api.?key|incorrect api.?key|api.?key (not valid|is invalid)|authentication|unauthori[sz]ed|UNAUTHENTICATED/i;
const RATE = /rate.?limit|too many requests|RESOURCE_EXHAUSTED/i;
const BUSY =
  /overloaded|server.?error|internal.?error|api_error|unavailable|timeout|timed out|try again|INTERNAL|bad gateway|capacity/i;
const REFUSED = /content.?(filter|policy|management)|safety|flagged|refus|PROHIBITED_CONTENT/i;

type Test = (status: number, words: string) => boolean;

/** What a status means, first fit first. The words decide among 4xx, where services use the same status for much. */
const BY_STATUS: readonly (readonly [Test, ErrorCode])[] = [
  [(status, words) => status === 402 || (status < 500 && NO_CREDIT.test(words)), 'provider.rejected'],
  [(status) => status === 429, 'provider.rate-limited'],
  [(status, words) => status === 413 || (status < 500 && OVERFLOW.test(words)), 'provider.context-too-long'],
  [(status, words) => status < 500 && NO_TOOLS.test(words), 'provider.no-tool-support'],
  [(status, words) => status === 401 || status === 403 || (status === 400 && BAD_KEY.test(words)), 'provider.auth'],
  [(status, words) => status === 404 || (status < 500 && NO_MODEL.test(words)), 'provider.model-not-found'],
  [(status) => [408, 409, 425].includes(status) || status >= 500, 'provider.unavailable'],
  [(status, words) => status >= 400 && REFUSED.test(words), 'provider.refused'],
];

/** What the words mean where there is no status: inside a stream that began well. */
const BY_WORDS: readonly (readonly [RegExp, ErrorCode])[] = [
  [NO_CREDIT, 'provider.rejected'],
  [OVERFLOW, 'provider.context-too-long'],
  [NO_TOOLS, 'provider.no-tool-support'],
  [NO_MODEL, 'provider.model-not-found'],
  [RATE, 'provider.rate-limited'],
  [BAD_KEY, 'provider.auth'],
  [BUSY, 'provider.unavailable'],
  [REFUSED, 'provider.refused'],
];

function codeOf(status: number | null, words: string): ErrorCode {
  if (status === null) return BY_WORDS.find(([pattern]) => pattern.test(words))?.[1] ?? 'provider.bad-response';
  return BY_STATUS.find(([test]) => test(status, words))?.[1] ?? 'provider.rejected';
}

/** One plain sentence or two for each: what happened and what to do next. */
const WORDS: Partial<Record<ErrorCode, string>> = {
  'provider.rate-limited': 'The model service says that it got too many requests. Wait a moment and try again.',
  'provider.context-too-long':
    'The conversation is longer than the model can take. Clear the context or start a new chat, or pick a model with a larger context window.',
  'provider.no-tool-support':
    'This model cannot use tools, so it cannot read or change anything. Pick another model, or switch all tools off to only talk.',
  'provider.auth': 'The model service did not accept the key. Check the key of this service in the settings.',
  'provider.model-not-found':
    'The model service does not know this model at this address. Check the name of the model and the address in the settings.',
  'provider.unavailable': 'The model service has trouble of its own right now. Try again in a moment.',
  'provider.refused': 'The model service refused this request because of its content rules. Put it in other words.',
  'provider.bad-response': 'The model service sent an answer that cannot be understood. Try again.',
};

function sentenceOf(code: ErrorCode, status: number | null, words: string): string {
  if (code !== 'provider.rejected') return WORDS[code] ?? 'The model service failed.';
  if (status === 402 || NO_CREDIT.test(words)) {
    return 'The account at the model service has no credit left. Add credit there, or pick another model.';
  }
  if (status !== null && status >= 300 && status < 400) {
    return 'The model service wants to send Warrant to another address. Put the final address into the settings.';
  }
  return 'The model service did not accept the request. Its words are below; another model may work.';
}

/**
 * The error for a failure that a service reported. `details` has `status` and `service`, its words (300 characters at
 * most), where there are any.
 */
export function serviceFailure(report: ServiceReport): AppError {
  const told = readTold(report.body);
  const status = report.status ?? told.status;
  const words = `${told.labels} ${told.message}`;
  const code = codeOf(status, words);
  const service = told.message.replace(/\s+/g, ' ').trim().slice(0, 300);
  const details = { ...(status === null ? {} : { status }), ...(service === '' ? {} : { service }) };
  const said = service === '' ? '' : ` The service says: ${service}`;
  return new AppError(code, sentenceOf(code, status, words) + said, { details });
}

/** Milliseconds until a service wants to be asked again, null when it does not say. `nowMs` is Unix milliseconds. */
export function retryAfterMs(report: ServiceReport, nowMs: number): number | null {
  const exact = Number(report.headers['retry-after-ms'] ?? Number.NaN);
  if (exact >= 0) return Math.round(exact);
  const header = report.headers['retry-after'];
  if (header !== undefined) {
    const seconds = Number(header);
    if (seconds >= 0) return Math.round(seconds * 1000);
    const date = Date.parse(header);
    if (!Number.isNaN(date)) return Math.max(0, date - nowMs);
  }
  const delay = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(report.body)?.[1];
  return delay === undefined ? null : Math.round(Number(delay) * 1000);
}

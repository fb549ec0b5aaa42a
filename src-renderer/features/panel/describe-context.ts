// Words for what the model is sent. Pure.
import type { ContextPart, ContextReduction, ContextView } from '../../../src-main/contract/context.ts';

/** A count of tokens for people. */
export function tokens(count: number): string {
  return count.toLocaleString('en');
}

const many = (count: number, one: string, more: string): string =>
  count === 1 ? `1 ${one}` : `${tokens(count)} ${more}`;

/** A part of the request. */
export function partWords({ name, count }: ContextPart): string {
  switch (name) {
    case 'system':
      return 'System prompt';
    case 'tools':
      return many(count, 'tool', 'tools');
    case 'notes':
      return many(count, 'note of what was set aside', 'notes of what was set aside');
    case 'person':
      return many(count, 'message of yours', 'messages of yours');
    case 'answers':
      return many(count, 'answer', 'answers');
    case 'results':
      return many(count, 'result of a call', 'results of calls');
  }
}

/** How full the model's window is. */
export function fillWords({ tokens: used, window, limit, issued }: ContextView): string {
  const sent =
    issued === 0
      ? 'Nothing was sent since this chat was opened.'
      : `${many(issued, 'request', 'requests')} sent since this chat was opened.`;
  if (window === null)
    return `The next request holds about ${tokens(used)} tokens. The model's window is not known. ${sent}`;
  const share = Math.round((used / window) * 100);
  const guard = limit === null ? '' : ' A request that does not fit is not sent.';
  return `The next request holds about ${tokens(used)} of ${tokens(window)} tokens (${share} %).${guard} ${sent}`;
}

const CAUSES: Record<ContextReduction['cause'], string> = {
  full: 'Window filling',
  'too-long': 'Too long for the service',
  person: 'Compacted',
  'new-context': 'Fresh objective',
  'left-out': 'Left out',
};

/** What was set aside, and why. */
export function reductionWords({ cause, messages, results, focus }: ContextReduction): string {
  const what = [
    ...(messages > 0 ? [many(messages, 'message', 'messages')] : []),
    ...(results > 0 ? [many(results, 'result', 'results')] : []),
  ].join(', ');
  return `${CAUSES[cause]}: ${what}${focus === '' ? '' : ` (${focus})`}`;
}

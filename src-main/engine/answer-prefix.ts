// The contract between what was streamed and the answer as the provider states it at the end: the first begins the second
// (EVT-03 to EVT-06).
import type { WireError } from '../contract/errors.ts';

/** What of the terminal answer was not streamed; '' = nothing, or none was told; null = it is another answer. */
export function missingSuffix(streamed: string, terminal: string | undefined): string | null {
  if (terminal === undefined) return '';
  return terminal.startsWith(streamed) ? terminal.slice(streamed.length) : null;
}

export const OTHER_ANSWER: WireError = {
  code: 'provider.protocol',
  message: 'The answer at the end is not the one that was shown while it came, so it was not taken. Try again.',
  retryable: false,
};

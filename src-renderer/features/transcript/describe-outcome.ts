// What to say at the end of a turn that did not simply complete: what happened, what is safe, what to do next. Pure.
import type { Outcome } from '../../../src-main/contract/entries.ts';
import type { ErrorCode } from '../../../src-main/contract/errors.ts';

export interface OutcomeWords {
  readonly level: 'info' | 'warning' | 'error';
  readonly message: string;
  /** Label of the button that goes on with the turn; null = there is nothing to go on with. */
  readonly goOn: string | null;
  readonly openSettings: boolean;
}

const BUDGETS: Readonly<Record<Extract<Outcome, { type: 'budget-reached' }>['budget'], (limit: number) => string>> = {
  'tool-rounds': (limit) => `${limit} rounds of tool calls`,
  'model-rounds': (limit) => `${limit} rounds with the model`,
  'tool-calls': (limit) => `${limit} tool calls in one turn`,
  'session-tool-calls': (limit) => `${limit} tool calls in this chat`,
  tokens: (limit) => `${limit.toLocaleString('en')} tokens in one turn`,
  cost: (limit) => `$${limit.toFixed(2)} in one turn`,
  deadline: (limit) => `${Math.round(limit / 1000)} seconds in one turn`,
};

const SETTINGS_HELP: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'provider.no-key',
  'provider.auth',
  'provider.model-not-found',
  'provider.no-tool-support',
  'secret.unreadable',
  'authority.model-unfit',
]);

/** null for outcomes that need no word: completed, and waiting for the person (the card says it). */
export function describeOutcome(outcome: Outcome): OutcomeWords | null {
  switch (outcome.type) {
    case 'completed':
    case 'awaiting-approval':
      return null;
    case 'cancelled':
      return {
        level: 'info',
        message: 'You stopped it here. What was done until then stays.',
        goOn: 'Continue',
        openSettings: false,
      };
    case 'interrupted':
      return {
        level: 'warning',
        message:
          'Interrupted: Warrant closed during this turn. Nothing was repeated; look at what was done, then go on.',
        goOn: 'Continue',
        openSettings: false,
      };
    case 'budget-reached':
      return {
        level: 'warning',
        message: `Paused: it reached your limit of ${BUDGETS[outcome.budget](outcome.limit)}. What was done stays.`,
        goOn: outcome.budget === 'session-tool-calls' ? null : 'Continue',
        openSettings: true,
      };
    case 'loop-detected':
      return {
        level: 'warning',
        message: `Paused: it made the same call ${outcome.times} times (${outcome.call}). Say what to do differently, or let it go on.`,
        goOn: 'Continue',
        openSettings: false,
      };
    case 'failed':
      return {
        level: 'error',
        message: outcome.error.message,
        goOn: outcome.error.code === 'provider.answer-cut' ? 'Continue' : 'Try again',
        openSettings: SETTINGS_HELP.has(outcome.error.code),
      };
  }
}

// How `warrant run` ends, as a program reads it.
import type { Outcome } from '../contract/entries.ts';

export const EXIT = {
  completed: 0,
  failed: 1,
  usage: 2,
  awaitingApproval: 3,
  budgetReached: 4,
  loopDetected: 5,
  cancelled: 130,
} as const;

/** The exit code of an outcome. */
export function exitCodeOf(outcome: Outcome): number {
  switch (outcome.type) {
    case 'completed':
      return EXIT.completed;
    case 'awaiting-approval':
      return EXIT.awaitingApproval;
    case 'budget-reached':
      return EXIT.budgetReached;
    case 'loop-detected':
      return EXIT.loopDetected;
    case 'cancelled':
    case 'interrupted':
      return EXIT.cancelled;
    case 'failed':
      return EXIT.failed;
  }
}

// What a turn has used of its budgets, and the first budget that is reached (CONF-13: each limit has its own name).
import type { Outcome, Usage } from '../contract/entries.ts';
import type { Limits } from '../contract/limits.ts';

export interface TurnUse {
  toolRounds: number;
  modelRounds: number;
  toolCalls: number;
  tokens: number;
  costUsd: number;
}

export type BudgetOutcome = Extract<Outcome, { type: 'budget-reached' }>;

/** A turn that has used nothing. */
export function newTurnUse(): TurnUse {
  return { toolRounds: 0, modelRounds: 0, toolCalls: 0, tokens: 0, costUsd: 0 };
}

/** Adds what a model round cost; without figures of the provider, characters / 4 stand in for tokens. */
export function addUsage(use: TurnUse, usage: Usage | null, estimate: number): void {
  use.tokens += usage ? usage.input + usage.output : estimate;
  use.costUsd += usage?.costUsd ?? 0;
}

const reached = (budget: BudgetOutcome['budget'], limit: number): BudgetOutcome => ({
  type: 'budget-reached',
  budget,
  limit,
});

/** The budget that forbids another model round, or null. */
export function budgetBeforeRound(use: TurnUse, limits: Limits): BudgetOutcome | null {
  if (use.modelRounds >= limits.modelRounds) return reached('model-rounds', limits.modelRounds);
  if (limits.turnTokens > 0 && use.tokens >= limits.turnTokens) return reached('tokens', limits.turnTokens);
  if (limits.turnCostUsd > 0 && use.costUsd >= limits.turnCostUsd) return reached('cost', limits.turnCostUsd);
  return null;
}

/** The budget that forbids running `calls` more tool calls, or null. `lifetime` counts the session's executed calls. */
export function budgetBeforeCalls(
  use: TurnUse,
  limits: Limits,
  input: { calls: number; lifetime: number },
): BudgetOutcome | null {
  if (use.toolRounds >= limits.toolRounds) return reached('tool-rounds', limits.toolRounds);
  if (use.toolCalls + input.calls > limits.toolCalls) return reached('tool-calls', limits.toolCalls);
  const life = limits.sessionToolCalls;
  if (life > 0 && input.lifetime + input.calls > life) return reached('session-tool-calls', life);
  return null;
}

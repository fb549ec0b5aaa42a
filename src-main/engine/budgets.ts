// What a turn has used of its budgets, and the first budget that is reached (CONF-13: each limit has its own name). The
// use is folded from entries, so a turn that was suspended goes on with what it had used.
import type { AssistantPart, Outcome, Usage } from '../contract/entries.ts';
import type { Limits } from '../contract/limits.ts';

export interface TurnUse {
  toolRounds: number;
  modelRounds: number;
  toolCalls: number;
  tokens: number;
  costUsd: number;
  /** As the provider billed it; null while it told nothing. */
  usage: Usage | null;
}

export type BudgetOutcome = Extract<Outcome, { type: 'budget-reached' }>;

/** A turn that has used nothing. */
export function newTurnUse(): TurnUse {
  return { toolRounds: 0, modelRounds: 0, toolCalls: 0, tokens: 0, costUsd: 0, usage: null };
}

/** Adds a settled model round; without figures of the provider, characters / 4 stand in for tokens. */
export function addRound(use: TurnUse, round: { parts: readonly AssistantPart[]; usage: Usage | null }): void {
  const { parts, usage } = round;
  use.modelRounds += 1;
  if (parts.some((part) => part.type === 'tool-call')) use.toolRounds += 1;
  use.tokens += usage ? usage.input + usage.output : Math.ceil(charactersOf(parts) / 4);
  use.costUsd += usage?.costUsd ?? 0;
  use.usage = addUsage(use.usage, usage);
}

/** The sum of what was told; a cost that is not known makes the sum's unknown. */
export function addUsage(sum: Usage | null, usage: Usage | null): Usage | null {
  if (!sum || !usage) return usage ?? sum;
  return {
    input: sum.input + usage.input,
    output: sum.output + usage.output,
    cachedInput: sum.cachedInput + usage.cachedInput,
    reasoning: sum.reasoning + usage.reasoning,
    costUsd: sum.costUsd === null || usage.costUsd === null ? null : sum.costUsd + usage.costUsd,
  };
}

/** Characters of an assistant message, as a stand-in for its size. */
export function charactersOf(parts: readonly AssistantPart[]): number {
  let characters = 0;
  for (const part of parts) characters += part.type === 'tool-call' ? part.argumentsText.length : part.text.length;
  return characters;
}

const reached = (budget: BudgetOutcome['budget'], limit: number): BudgetOutcome => ({
  type: 'budget-reached',
  budget,
  limit,
});

/** The budget that forbids another model round, or null. */
export function budgetBeforeRound(use: Readonly<TurnUse>, limits: Limits): BudgetOutcome | null {
  if (use.modelRounds >= limits.modelRounds) return reached('model-rounds', limits.modelRounds);
  if (limits.turnTokens > 0 && use.tokens >= limits.turnTokens) return reached('tokens', limits.turnTokens);
  if (limits.turnCostUsd > 0 && use.costUsd >= limits.turnCostUsd) return reached('cost', limits.turnCostUsd);
  return null;
}

/**
 * The budget that forbids running `calls` more tool calls, or null. `lifetime` counts the session's executed calls;
 * `admitted` = the round of these calls was counted before (a resume).
 */
export function budgetBeforeCalls(
  use: Readonly<TurnUse>,
  limits: Limits,
  input: { calls: number; lifetime: number; admitted: boolean },
): BudgetOutcome | null {
  if (!input.admitted && use.toolRounds >= limits.toolRounds) return reached('tool-rounds', limits.toolRounds);
  if (use.toolCalls + input.calls > limits.toolCalls) return reached('tool-calls', limits.toolCalls);
  const life = limits.sessionToolCalls;
  if (life > 0 && input.lifetime + input.calls > life) return reached('session-tool-calls', life);
  return null;
}

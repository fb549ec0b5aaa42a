// The context and cost meter in words. Pure.
import type { Meter } from '../../../src-main/contract/session.ts';

export interface MeterWords {
  /** Share of the window that is used, 0 to 1; null = the window's size is not known. */
  readonly share: number | null;
  readonly short: string;
  readonly full: string;
}

/** `840`, `12.4k`, `1.2M`. */
export function showTokens(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  if (tokens < 100_000) return `${(tokens / 1000).toFixed(1)}k`;
  if (tokens < 1_000_000) return `${Math.round(tokens / 1000)}k`;
  return `${(tokens / 1_000_000).toFixed(1)}M`;
}

function showCost(costUsd: number | null): string {
  if (costUsd === null) return 'cost not known';
  if (costUsd === 0) return 'no cost';
  return costUsd < 0.01 ? 'less than $0.01' : `$${costUsd.toFixed(2)}`;
}

/** See the file's header. */
export function describeMeter({ contextTokens, contextWindow, total }: Meter): MeterWords {
  const share = contextWindow === null || contextWindow === 0 ? null : Math.min(1, contextTokens / contextWindow);
  const context =
    contextWindow === null
      ? `Context: ${contextTokens.toLocaleString('en')} tokens.`
      : `Context: ${contextTokens.toLocaleString('en')} of ${contextWindow.toLocaleString('en')} tokens.`;
  const spent = `So far: ${showTokens(total.input)} in, ${showTokens(total.output)} out, ${showCost(total.costUsd)}.`;
  return {
    share,
    short: share === null ? showTokens(contextTokens) : `${Math.round(share * 100)} %`,
    full: `${context} ${spent}`,
  };
}

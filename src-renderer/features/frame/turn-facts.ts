// Facts of a turn in figures for people. Pure.
import type { WindowEntry } from '../../../src-main/contract/entries.ts';

export interface TurnFacts {
  readonly startedAtMs: number;
  readonly steps: number;
  /** null while the turn goes on. */
  readonly durationMs: number | null;
}

/** Facts of the newest turn; null when its first message is not among these entries. */
export function lastTurn(entries: readonly WindowEntry[]): TurnFacts | null {
  let steps = 0;
  let durationMs: number | null = null;
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const entry = entries[index];
    if (entry?.kind === 'assistant-message') steps = Math.max(steps, entry.data.step);
    if (entry?.kind === 'turn-end') {
      durationMs ??= entry.data.durationMs;
      steps = Math.max(steps, entry.data.steps);
    }
    if (entry?.kind === 'user-message') return { startedAtMs: entry.atMs, steps, durationMs };
  }
  return null;
}

/** `0:38`, `12:05`, `1:02:05`. */
export function shownDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const two = (value: number): string => String(value).padStart(2, '0');
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, two(seconds % 60)];
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** Dollars: `free`, `< $0.01`, `$0.06`, `$12.40`. */
export function shownCost(usd: number): string {
  if (usd === 0) return 'free';
  return usd < 0.005 ? '< $0.01' : `$${usd.toFixed(2)}`;
}

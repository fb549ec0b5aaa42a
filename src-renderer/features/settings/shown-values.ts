// Figures of the settings as people read and type them. Pure.
import { LIMITS, type LimitName } from '../../../src-main/contract/limits.ts';

/** `812 B`, `64 KiB`, `46 MiB`. */
export function shownBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value >= 100 || Number.isInteger(value) ? Math.round(value) : value.toFixed(1)} ${units[unit] ?? ''}`;
}

interface Scale {
  readonly unit: string;
  readonly factor: number;
}

/** The unit in which a limit is shown and typed. */
export function scaleOf(name: LimitName): Scale {
  const { unit, ceiling } = LIMITS[name];
  if (unit === 'ms') return { unit: 's', factor: 1000 };
  if (unit === 'bytes')
    return ceiling >= 4 * 1024 * 1024 ? { unit: 'MiB', factor: 1024 * 1024 } : { unit: 'KiB', factor: 1024 };
  if (unit === 'usd') return { unit: 'USD', factor: 1 };
  return { unit: unit === 'count' ? '' : unit, factor: 1 };
}

/** A limit as typed: `120` for 120,000 ms. */
export function shownLimit(name: LimitName, value: number): string {
  return String(Number((value / scaleOf(name).factor).toFixed(3)));
}

/** What was typed as a limit's value, or why it cannot be one. */
export function parseLimit(name: LimitName, typed: string): { readonly value: number } | { readonly problem: string } {
  const { ceiling, unit, ...rest } = LIMITS[name];
  const { factor, unit: shown } = scaleOf(name);
  const number = Number(typed.trim());
  if (typed.trim() === '' || !Number.isFinite(number) || number < 0) return { problem: 'Type a number.' };
  const value = unit === 'usd' ? number : Math.round(number * factor);
  if (value === 0 && !('noneAllowed' in rest)) return { problem: 'This limit cannot be switched off.' };
  if (value > ceiling) return { problem: `At most ${shownLimit(name, ceiling)} ${shown}`.trim() + '.' };
  return { value };
}

/** Limits that a person may meet, in groups, with their names. */
export const LIMIT_GROUPS: readonly {
  readonly title: string;
  readonly limits: readonly (readonly [LimitName, string])[];
}[] = [
  {
    title: 'Commands',
    limits: [
      ['shellTimeoutMs', 'A command stops after'],
      ['shellOutputHeadBytes', 'Kept from the start of its output'],
      ['shellOutputTailBytes', 'Kept from the end of its output'],
      ['shellSpillBytes', 'Whole output kept on disk, at most'],
    ],
  },
  {
    title: 'Reading and searching',
    limits: [
      ['readLines', 'Lines of one read'],
      ['readCharacters', 'Characters of one read'],
      ['searchResults', 'Results of one search'],
      ['resultCharacters', 'Characters of any result'],
    ],
  },
  {
    title: 'One turn',
    limits: [
      ['toolRounds', 'Rounds with tools'],
      ['toolCalls', 'Tool calls'],
      ['turnTokens', 'Tokens'],
      ['turnCostUsd', 'Cost'],
      ['turnDeadlineMs', 'Time'],
      ['loopSameCallInRow', 'The same call in a row'],
    ],
  },
  {
    title: 'Web and model service',
    limits: [
      ['webResponseBytes', 'Size of a web page'],
      ['webTimeoutMs', 'A web page must come within'],
      ['idleStreamMs', 'Silence of a model before it is given up'],
      ['providerRetries', 'Tries again after a failure'],
    ],
  },
];

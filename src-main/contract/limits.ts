// Every ceiling of what an agent may do: its default and its hard ceiling, in one table (AUTH-12). The effective values
// are part of the authority snapshot. A session can only lower them.

export interface LimitRange {
  /** The value that holds when nobody lowered or raised it. 0 stands for "none" where `noneAllowed` is true. */
  readonly default: number;
  /** No setting goes above this. */
  readonly ceiling: number;
  readonly unit: 'ms' | 'bytes' | 'characters' | 'lines' | 'count' | 'usd' | 'tokens';
  readonly noneAllowed?: true;
}

const Ki = 1024;
const Mi = 1024 * 1024;

export const LIMITS = {
  shellTimeoutMs: { default: 120_000, ceiling: 1_200_000, unit: 'ms' },
  shellOutputHeadBytes: { default: 32 * Ki, ceiling: 512 * Ki, unit: 'bytes' },
  shellOutputTailBytes: { default: 32 * Ki, ceiling: 512 * Ki, unit: 'bytes' },
  shellSpillBytes: { default: 256 * Mi, ceiling: 256 * Mi, unit: 'bytes' },
  readLines: { default: 2000, ceiling: Mi, unit: 'lines' },
  readLineCharacters: { default: 2000, ceiling: Mi, unit: 'characters' },
  readCharacters: { default: 60 * Ki, ceiling: Mi, unit: 'characters' },
  searchResults: { default: 200, ceiling: 5000, unit: 'count' },
  resultCharacters: { default: 64 * Ki, ceiling: Mi, unit: 'characters' },
  webResponseBytes: { default: 256 * Ki, ceiling: 4 * Mi, unit: 'bytes' },
  webTimeoutMs: { default: 30_000, ceiling: 120_000, unit: 'ms' },
  toolDeclarations: { default: 128, ceiling: 512, unit: 'count' },
  schemaBytes: { default: 64 * Ki, ceiling: 256 * Ki, unit: 'bytes' },
  argumentBytes: { default: Mi, ceiling: 8 * Mi, unit: 'bytes' },
  messageBytes: { default: 16 * Mi, ceiling: 64 * Mi, unit: 'bytes' },
  requestBytes: { default: 64 * Mi, ceiling: 256 * Mi, unit: 'bytes' },
  toolRounds: { default: 200, ceiling: 10_000, unit: 'count' },
  modelRounds: { default: 250, ceiling: 10_000, unit: 'count' },
  toolCalls: { default: 500, ceiling: 10_000, unit: 'count' },
  sessionToolCalls: { default: 0, ceiling: 10_000, unit: 'count', noneAllowed: true },
  turnTokens: { default: 0, ceiling: 1_000_000_000, unit: 'tokens', noneAllowed: true },
  turnCostUsd: { default: 0, ceiling: 10_000, unit: 'usd', noneAllowed: true },
  turnDeadlineMs: { default: 0, ceiling: 86_400_000, unit: 'ms', noneAllowed: true },
  loopSameCallInRow: { default: 3, ceiling: 1000, unit: 'count', noneAllowed: true },
  loopSameCallInWindow: { default: 5, ceiling: 1000, unit: 'count', noneAllowed: true },
  loopWindowCalls: { default: 12, ceiling: 1000, unit: 'count' },
  idleStreamMs: { default: 90_000, ceiling: 1_200_000, unit: 'ms' },
  parallelReads: { default: 8, ceiling: 32, unit: 'count' },
  providerRetries: { default: 3, ceiling: 10, unit: 'count', noneAllowed: true },
} as const satisfies Record<string, LimitRange>;

export type LimitName = keyof typeof LIMITS;
/** Effective values, one a limit. */
export type Limits = Readonly<Record<LimitName, number>>;

/** When a chat is made to fit its model's window, and what stays as it is. */
export const COMPACTION = {
  /** Share of the window at which old parts are set aside. */
  atShare: 0.8,
  /** Share that the request should come to then: room for many steps before it happens again. */
  targetShare: 0.55,
  /** Tokens of the newest messages that stay as they are, and the share of a small window that they may take. */
  keepTokens: 20_000,
  keepShare: 0.35,
} as const;

export const LIMIT_NAMES = Object.keys(LIMITS) as LimitName[];

/** The limits with every value at its default. */
export function defaultLimits(): Limits {
  return Object.fromEntries(LIMIT_NAMES.map((name) => [name, LIMITS[name].default])) as Limits;
}

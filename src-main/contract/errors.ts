// The wire form of an error: the only one that crosses a process. Messages are for people and are never parsed.
// The codes are in error-codes.ts.
import { z } from 'zod';
import { ERROR_CODES, type ErrorCode } from './error-codes.ts';

export { ERROR_CODES, type ErrorCode } from './error-codes.ts';

export const errorCodeSchema = z.custom<ErrorCode>((value) => typeof value === 'string' && value in ERROR_CODES);

/**
 * An error as it crosses a process or is stored. `message` is one or two plain sentences: what happened, what is safe,
 * what to do next. `details` holds facts for the interface (a status code, a path, milliseconds to wait).
 */
export const wireErrorSchema = z.object({
  code: errorCodeSchema,
  message: z.string(),
  retryable: z.boolean(),
  details: z.record(z.string(), z.unknown()).optional(),
});
export type WireError = z.infer<typeof wireErrorSchema>;

/** What every procedure answers: nothing is ever thrown across a process. */
export type WireResult<T> = { ok: true; value: T } | { ok: false; error: WireError };

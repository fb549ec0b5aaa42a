// The product's one error class and its wire form. Recognised by a symbol brand, so it survives two copies of a module.
import { ERROR_CODES, type ErrorCode } from '../contract/error-codes.ts';
import type { WireError } from '../contract/errors.ts';

const BRAND = Symbol.for('warrant.app-error');

/** Facts that travel with an error: JSON values only. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

/**
 * An expected failure. `message` is for people: what happened, what is safe, what to do next.
 * `details` are facts for the interface; `cause` stays in this process.
 */
export class AppError extends Error {
  readonly [BRAND] = true;
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, options: { details?: ErrorDetails; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.details = options.details ?? {};
  }
}

/** Tells whether a thrown value is an AppError, also of another copy of this module. */
export function isAppError(value: unknown): value is AppError {
  return typeof value === 'object' && value !== null && BRAND in value;
}

/** The wire form of any thrown value; what is not an AppError becomes `internal` with its message kept in details. */
export function toWireError(value: unknown): WireError {
  if (isAppError(value)) {
    const details = Object.keys(value.details).length > 0 ? { details: { ...value.details } } : {};
    return { code: value.code, message: value.message, retryable: ERROR_CODES[value.code], ...details };
  }
  const cause = value instanceof Error ? value.message : String(value);
  return {
    code: 'internal',
    message: 'Something went wrong inside Warrant. Nothing was lost; try again, and restart Warrant if it stays.',
    retryable: false,
    details: { cause },
  };
}

/** The AppError for a wire error, to throw on this side of a process. */
export function fromWireError(error: WireError): AppError {
  return new AppError(error.code, error.message, error.details ? { details: error.details } : {});
}

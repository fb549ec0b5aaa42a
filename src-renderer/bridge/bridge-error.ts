// An error that main answered with, as something that can be thrown and caught in the window. Its message is for people.
import type { ErrorCode, WireError } from '../../src-main/contract/errors.ts';

export class BridgeError extends Error {
  readonly wire: WireError;

  constructor(wire: WireError) {
    super(wire.message);
    this.name = 'BridgeError';
    this.wire = wire;
  }

  get code(): ErrorCode {
    return this.wire.code;
  }
}

/** The wire form of anything caught: what is not a BridgeError is a fault of the window itself. */
export function wireErrorOf(caught: unknown): WireError {
  if (caught instanceof BridgeError) return caught.wire;
  return {
    code: 'internal',
    message: 'Something went wrong in the window. Nothing was lost; try again, and reload the window if it stays.',
    retryable: true,
    details: { cause: caught instanceof Error ? caught.message : String(caught) },
  };
}

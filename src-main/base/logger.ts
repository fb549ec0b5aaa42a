// Where faults are noted for whoever looks into them: never keys, never file contents, bounded by whoever implements it.

export interface Logger {
  info(message: string): void;
  /** `error` may be any thrown value. Cancellation is not an error and is not logged. */
  error(message: string, error: unknown): void;
}

/** A logger that says nothing. */
export const silentLogger: Logger = { info: () => {}, error: () => {} };

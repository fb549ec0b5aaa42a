// The one error class of the Chromium host. It stands in for nothing of Electron's: Electron rejects with plain errors too.

/**
 * What went wrong in the host:
 * `no-browser` none found; `browser-failed` it did not start or ended; `page-failed` a page could not be loaded;
 * `protocol` a debugging command was refused; `unavailable` this machine has no such feature; `misuse` a wrong call.
 */
export type HostErrorCode = 'no-browser' | 'browser-failed' | 'page-failed' | 'protocol' | 'unavailable' | 'misuse';

/** An error with a code that callers may branch on; the message is for people only. */
export class HostError extends Error {
  override readonly name = 'HostError';
  readonly code: HostErrorCode;

  constructor(code: HostErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

// Every error code of the product in one table, with whether trying the same again may help. Codes are `area.reason`.
// The wire form of an error is the only one that crosses a process; messages are for people and are never parsed.
import { z } from 'zod';

/** Code -> whether the same call may succeed when it is simply tried again. */
export const ERROR_CODES = {
  internal: false,
  cancelled: false,
  'ipc.invalid-input': false,
  'ipc.forbidden-sender': false,
  'ipc.unknown-procedure': false,
  'config.invalid': false,
  'settings.damaged': false,
  'settings.rule-refused': false,
  'project.not-found': false,
  'project.not-a-folder': false,
  'project.no-permission': false,
  'project.gone': false,
  'session.not-found': false,
  'session.busy': true,
  'session.input-pending': false,
  'session.not-at-boundary': true,
  'session.closed': false,
  'session.history-invalid': false,
  'authority.invalid': false,
  'authority.drift': false,
  'authority.tool-unavailable': false,
  'authority.model-unfit': false,
  'approval.not-waiting': false,
  'approval.changed': true,
  'approval.not-grantable': false,
  'provider.no-key': false,
  'provider.auth': false,
  'provider.rate-limited': true,
  'provider.unavailable': true,
  'provider.bad-response': true,
  'provider.stream-cut': true,
  'provider.stalled': true,
  'provider.protocol': false,
  'provider.context-too-long': false,
  'provider.refused': false,
  'provider.answer-cut': false,
  'provider.model-not-found': false,
  'provider.no-tool-support': false,
  'provider.rejected': false,
  'workspace.invalid-path': false,
  'workspace.outside-root': false,
  'workspace.is-link': false,
  'workspace.not-found': false,
  'workspace.exists': false,
  'workspace.not-a-file': false,
  'workspace.not-a-folder': false,
  'workspace.not-text': false,
  'workspace.too-large': false,
  'workspace.conflict': false,
  'workspace.no-permission': false,
  'workspace.disk-full': true,
  'workspace.io': true,
  'process.spawn-failed': false,
  'process.confinement-failed': false,
  'tool.invalid-arguments': false,
  'tool.failed': false,
  'tool.timed-out': true,
  'store.locked': true,
  'store.damaged': false,
  'store.newer-version': false,
  'store.disk-full': true,
  'store.read-only': false,
  'store.io': true,
  'secret.unreadable': false,
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

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

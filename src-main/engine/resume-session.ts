// A session from the value that to-snapshot.ts made of one. A resume takes the conversation alone from it: authority is resolved anew and compared,
// and everything live (model, tools, approver, confiner, journal, limits) is given again (HIST-11, HIST-12).
import { AppError } from '../base/app-error.ts';
import type { AuthorityChange } from '../contract/authority.ts';
import { entrySchema, type Entry } from '../contract/entries.ts';
import { sessionSnapshotSchema, type SessionSnapshot } from '../contract/session-snapshot.ts';
import { compareAuthority } from './authority.ts';
import { createSession } from './build-session.ts';
import type { SessionPorts } from './ports.ts';
import type { SessionConfig } from './session-config.ts';
import type { Session } from './session.ts';

export interface ResumeConfig extends Omit<SessionConfig, 'sessionId' | 'history'> {
  /** Whoever resumes has seen what differs and wants to go on: without it a difference refuses the resume. */
  readonly acceptDrift?: boolean;
}

/**
 * The session that a snapshot was taken of, over other ports. Codes as createSession; session.history-invalid for a value
 * that is no snapshot or of another version; authority.drift, with `details.changes`, when the authority is another one
 * now and `acceptDrift` was not given. Nothing was stored or sent then.
 */
export async function resumeSession(snapshot: unknown, config: ResumeConfig, ports: SessionPorts): Promise<Session> {
  const { acceptDrift = false, ...live } = config;
  const known = parseSnapshot(snapshot);
  const session = await createSession({ ...live, sessionId: known.sessionId, history: known.entries }, ports);
  const changes = compareAuthority(known.authority, session.authority);
  if (changes.length > 0 && !acceptDrift) throw drifted(changes);
  return session;
}

function parseSnapshot(value: unknown): SessionSnapshot & { entries: Entry[] } {
  const snapshot = sessionSnapshotSchema.safeParse(value);
  if (!snapshot.success) {
    throw new AppError('session.history-invalid', 'This is no snapshot of a session that this version can read.');
  }
  const { state } = snapshot.data;
  const listed = typeof state === 'object' && state !== null && 'entries' in state ? state.entries : null;
  const entries = entrySchema.array().safeParse(listed);
  if (!entries.success) {
    throw new AppError('session.history-invalid', 'This snapshot has entries that are damaged. It was left as it is.');
  }
  return { ...snapshot.data, entries: structuredClone(entries.data) };
}

function drifted(changes: readonly AuthorityChange[]): AppError {
  const parts = changes.map((change) => change.part).join(', ');
  return new AppError(
    'authority.drift',
    `What this session may do has changed since it was saved: ${parts}. Look at it, and accept it to go on.`,
    { details: { changes } },
  );
}

// A session as one value, which resume-session.ts goes on from.
import type { AuthoritySnapshot } from '../contract/authority.ts';
import type { Entry } from '../contract/entries.ts';
import type { SessionId } from '../contract/ids.ts';
import type { SessionSnapshot } from '../contract/session-snapshot.ts';

/** What of a session goes into its value. */
interface Taken {
  readonly id: SessionId;
  readonly authority: AuthoritySnapshot;
  readonly authorityDigest: string;
}

/** The value of a session's path; a copy, so that nothing done later to either changes the other. */
export function toSnapshot(session: Taken, input: { entries: readonly Entry[]; nowMs: number }): SessionSnapshot {
  return structuredClone({
    format: 'warrant-session',
    version: 1,
    sessionId: session.id,
    takenAtMs: input.nowMs,
    authority: session.authority,
    authorityDigest: session.authorityDigest,
    state: { entries: input.entries },
  });
}

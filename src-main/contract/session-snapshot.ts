// A session as one value that can be copied, stored and resumed elsewhere. The envelope and its version are here; what
// is in `state` is the engine's own (HIST-10).
import { z } from 'zod';
import { authoritySnapshotSchema } from './authority.ts';
import { sessionIdSchema } from './ids.ts';

export const sessionSnapshotSchema = z.object({
  format: z.literal('warrant-session'),
  version: z.literal(1),
  sessionId: sessionIdSchema,
  takenAtMs: z.number(),
  /** What the session could do at most; a resume compares it with what it resolves now (AUTH-07). */
  authority: authoritySnapshotSchema,
  /** sha256 of the canonical JSON of `authority`. */
  authorityDigest: z.string(),
  /** Opaque; JSON values alone. */
  state: z.unknown(),
});
export type SessionSnapshot = z.infer<typeof sessionSnapshotSchema>;

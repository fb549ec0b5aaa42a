// File checkpoints as a window shows them: what a turn changed in the project's files, and what would be put back. Places in
// a conversation are something else: see session-tree.ts.
import { z } from 'zod';
import { checkpointIdSchema, entryIdSchema, turnIdSchema } from './ids.ts';

/** A path in the project; bytes of a name that are no UTF-8 are lone surrogates. */
const path = z.string().min(1).max(8192);

/** One file between two moments. */
export const checkpointFileSchema = z.object({
  path,
  /** What happened to it, or would: `mode` = its permission bits alone. */
  change: z.enum(['added', 'changed', 'removed', 'mode']),
  kind: z.enum(['file', 'link', 'folder']),
  /** Lines; null = it is no text, or too large to count. */
  added: z.number().nullable(),
  removed: z.number().nullable(),
  /** `turn` = a turn that is taken back changed it; `other` = something else did, since then. */
  by: z.enum(['turn', 'other']),
  /** It was changed again after that turn had ended. */
  again: z.boolean(),
  /** Why it cannot be put back, in words; null = it can. */
  blocked: z.string().nullable(),
});
export type CheckpointFile = z.infer<typeof checkpointFileSchema>;

/** One turn of a chat that may have changed files, or one time at which files were put back. */
export const checkpointSchema = z.object({
  /** null = the files were not kept. */
  id: checkpointIdSchema.nullable(),
  /** null = it was made before files were put back. */
  turnId: turnIdSchema.nullable(),
  atMs: z.number(),
  /** The beginning of the turn's message. */
  text: z.string(),
  /** Files that it changed; null = not known yet, or not at all. */
  changed: z.number().nullable(),
  /** Files that are too large, or could not be read: they cannot be put back. */
  skipped: z.number(),
  /** Why the files were not kept, in words; null = they were. */
  problem: z.string().nullable(),
  /** Its turn still runs or waits. */
  open: z.boolean(),
});
export type Checkpoint = z.infer<typeof checkpointSchema>;

export const checkpointListSchema = z.object({
  /** Why this chat keeps no checkpoints, in words; null = it does. */
  off: z.string().nullable(),
  /** Newest first. */
  checkpoints: z.array(checkpointSchema),
});
export type CheckpointList = z.infer<typeof checkpointListSchema>;

/** What is put back: one file, all that one turn changed, all since then, or all that a rewind to before an entry takes. */
export const restoreScopeSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('file'), checkpointId: checkpointIdSchema, path }),
  z.strictObject({ type: z.literal('turn'), checkpointId: checkpointIdSchema }),
  z.strictObject({ type: z.literal('since'), checkpointId: checkpointIdSchema }),
  z.strictObject({ type: z.literal('before'), entryId: entryIdSchema }),
]);
export type RestoreScope = z.infer<typeof restoreScopeSchema>;

/** What would be put back. */
export const restorePlanSchema = z.object({
  /** Why nothing can be, in words; null = it can. */
  problem: z.string().nullable(),
  /** What cannot be taken back although the rest can, in words. */
  notes: z.array(z.string()),
  /** Names the files as they were when this was made: what changes after it is left alone. */
  shown: z.string(),
  files: z.array(checkpointFileSchema),
});
export type RestorePlan = z.infer<typeof restorePlanSchema>;

export const restoreResultSchema = z.object({
  restored: z.array(z.string()),
  /** What was left as it is, and why. */
  kept: z.array(z.object({ path: z.string(), why: z.string() })),
  /** The checkpoint that was made before. */
  checkpointId: checkpointIdSchema.nullable(),
});
export type RestoreResult = z.infer<typeof restoreResultSchema>;

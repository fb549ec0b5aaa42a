// The tree of a chat as a window shows it: branches and turns, and where the chat is.
import { z } from 'zod';
import { outcomeSchema } from './entries.ts';
import { entryIdSchema, turnIdSchema } from './ids.ts';

export const treeTurnSchema = z.object({
  turnId: turnIdSchema,
  /** Names the turn in `sessions.jump` and `sessions.fork`. */
  seq: z.number(),
  endSeq: z.number(),
  entryId: entryIdSchema,
  branch: z.number(),
  atMs: z.number(),
  /** The beginning of its message; '' where it went on without one. */
  text: z.string(),
  /** null = it has not ended. */
  outcome: z.enum(outcomeSchema.options.map((option) => option.shape.type.value)).nullable(),
  /** The model is sent it, or would be. */
  onPath: z.boolean(),
  /** The chat is at its end. */
  current: z.boolean(),
});
export type TreeTurnView = z.infer<typeof treeTurnSchema>;

export const treeBranchSchema = z.object({
  /** 0 = the root's. */
  number: z.number(),
  parentBranch: z.number().nullable(),
  parentSeq: z.number(),
  firstSeq: z.number(),
  name: z.string(),
  current: z.boolean(),
});

export const treeViewSchema = z.object({
  /** Branches are switched on; otherwise `turns` is the path alone. */
  on: z.boolean(),
  branches: z.array(treeBranchSchema),
  /** In the order in which they happened. */
  turns: z.array(treeTurnSchema),
  /** Moves that can be taken back. */
  undoable: z.number(),
  /** Branches with turns that are kept and not shown, because branches are switched off. */
  hidden: z.number(),
});
export type TreeView = z.infer<typeof treeViewSchema>;

// Instructions that a project's own files give to agents (AGENTS.md, CLAUDE.md): used only once the person has seen them.
import { z } from 'zod';

const digest = z.string().regex(/^[0-9a-f]{64}$/);

/** What the person decided on these very instructions; others, or changed ones, are asked about anew. */
export const instructionChoiceSchema = z.strictObject({ digest, use: z.boolean() });
export type InstructionChoice = z.infer<typeof instructionChoiceSchema>;

export const instructionFileSchema = z.object({
  /** Its name, at the top of the project's folder. */
  name: z.string(),
  /** At most 32,768 characters. */
  text: z.string(),
  /** There is more of it, which is not used. */
  cut: z.boolean(),
});

export const projectInstructionsSchema = z.object({
  files: z.array(instructionFileSchema),
  /** sha256 over names and texts. */
  digest,
  /** new = nobody decided on them yet; changed = they are not what was decided on; used, declined = as was decided. */
  state: z.enum(['new', 'changed', 'used', 'declined']),
});
export type ProjectInstructions = z.infer<typeof projectInstructionsSchema>;

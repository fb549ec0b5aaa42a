// A project: a folder that the person opened, known by its opened directory (device, inode), not by its spelling.
import { z } from 'zod';
import { projectIdSchema } from './ids.ts';

export const projectSchema = z.object({
  id: projectIdSchema,
  /** Canonical absolute path at the last opening. */
  path: z.string(),
  /** Last component of the path. */
  name: z.string(),
  /** The path with the home folder as ~. */
  shownPath: z.string(),
  lastOpenedAtMs: z.number(),
  /** false when the folder is not there now, or cannot be read. */
  present: z.boolean(),
});
export type Project = z.infer<typeof projectSchema>;

// The shape of a project's `.warrant.json`. Loose about members that it does not know: they are reported, and do nothing.
import { z } from 'zod';
import { LIMIT_NAMES, LIMITS, type LimitName } from '../contract/limits.ts';

const rulesSchema = z.array(z.string().min(1).max(8192)).max(200).default([]);

export const projectFileSchema = z.looseObject({
  /** Rules that deny, as in the settings: a tool, `shell:`, `read:`, `write:` or `host:`. */
  deny: rulesSchema,
  /** Rules that ask. */
  ask: rulesSchema,
  /** Limits; one above what holds anyway changes nothing. */
  limits: z
    .strictObject(
      Object.fromEntries(
        LIMIT_NAMES.map((name) => [name, z.number().nonnegative().max(LIMITS[name].ceiling).optional()]),
      ) as Record<LimitName, z.ZodOptional<z.ZodNumber>>,
    )
    .prefault({}),
});

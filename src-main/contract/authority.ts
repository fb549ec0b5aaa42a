// The vocabulary of authority: modes, what a call would do (effects), the frozen snapshot of what a session may do at
// most, and who gave a verdict. The approval policy is deliberately no part of the snapshot (AUTH-05).
import { z } from 'zod';
import { LIMIT_NAMES, type Limits } from './limits.ts';

/** plan = research only; ask = asks before effects; auto = confined effects run, the rest asks. */
export const modeSchema = z.enum(['plan', 'ask', 'auto']);
export type Mode = z.infer<typeof modeSchema>;

/**
 * What a call would do, found by the tool's `prepare` without doing it. One call may have several; the strictest cell
 * of the decision table wins. `command` = a command that can be confined; `command-unconfinable` = the machine cannot
 * confine it; `command-network`, `command-unconfined` = asked for by the call's own arguments.
 */
export const effectKindSchema = z.enum([
  'clock',
  'read-inside',
  'read-secret',
  'read-outside',
  'write-inside',
  'write-protected',
  'write-outside',
  'command',
  'command-unconfinable',
  'command-network',
  'command-unconfined',
  'network',
]);
export type EffectKind = z.infer<typeof effectKindSchema>;

/** One effect and its object: a path (relative to the workspace, or absolute outside), a command or a URL, verbatim. */
export const effectSchema = z.object({ kind: effectKindSchema, target: z.string() });
export type Effect = z.infer<typeof effectSchema>;

/** finish = a started call is waited for (CANC-03); interrupt = it may be abandoned without leaving effects behind. */
export const cancellationSchema = z.enum(['finish', 'interrupt']);

/** The coarse class of a tool, which decides whether plan mode offers it and how it is drawn. */
export const toolClassSchema = z.enum(['read', 'write', 'command', 'network', 'clock']);
export type ToolClass = z.infer<typeof toolClassSchema>;

export const toolDeclarationSchema = z.object({
  name: z.string().regex(/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/),
  description: z.string(),
  /** JSON Schema (draft 2020-12) of the arguments; always an object schema. */
  parameters: z.record(z.string(), z.unknown()),
  class: toolClassSchema,
  cancellation: cancellationSchema,
  builtin: z.boolean(),
});
export type ToolDeclaration = z.infer<typeof toolDeclarationSchema>;

const limitsSchema = z
  .record(z.string(), z.number().nonnegative())
  .refine((value): value is Limits => LIMIT_NAMES.every((name) => typeof value[name] === 'number'));

/** What a session may do at most. Canonical JSON of this value has the digest that names it. */
export const authoritySnapshotSchema = z.object({
  version: z.literal(1),
  workspace: z.object({
    /** Canonical absolute path. */
    path: z.string(),
    /** Device and inode of the opened folder, as decimal text (they may exceed 2^53). */
    dev: z.string(),
    ino: z.string(),
    /** How strongly the filesystem door holds on this platform. */
    guarantee: z.enum(['descriptor', 'proc', 'checked']),
  }),
  /** Sorted by name. */
  tools: z.array(toolDeclarationSchema),
  builtins: z.object({
    files: z.boolean(),
    shell: z.boolean(),
    webFetch: z.boolean(),
    webSearch: z.boolean(),
    clock: z.boolean(),
  }),
  limits: limitsSchema,
  /** Domain-separated digests of PATH and HOME as the shell tool will see them; empty when the shell is off (AUTH-09). */
  environment: z.object({ path: z.string(), home: z.string() }),
});
export type AuthoritySnapshot = z.infer<typeof authoritySnapshotSchema>;

/** One difference between two snapshots; `path` names the part in words such as `tool shell` or `limit shellTimeoutMs`. */
export const authorityChangeSchema = z.object({
  change: z.enum(['added', 'removed', 'altered']),
  part: z.string(),
  before: z.string().optional(),
  after: z.string().optional(),
  /** true when the new value allows more than the old one. */
  widens: z.boolean(),
});
export type AuthorityChange = z.infer<typeof authorityChangeSchema>;

/** Who gave a verdict. */
export const decidedBySchema = z.discriminatedUnion('who', [
  z.object({ who: z.literal('mode'), mode: modeSchema }),
  z.object({ who: z.literal('rule'), ruleId: z.string(), rule: z.string() }),
  z.object({ who: z.literal('grant'), grantedBy: z.string() }),
  z.object({ who: z.literal('person') }),
  z.object({ who: z.literal('policy'), policy: z.string() }),
  z.object({ who: z.literal('gate'), check: z.enum(['registered', 'enabled', 'arguments', 'prepare', 'changed']) }),
]);
export type DecidedBy = z.infer<typeof decidedBySchema>;

/** What a session grant covers: the same tool and the same thing. */
export const grantSchema = z.object({ tool: z.string(), covers: z.string(), describes: z.string() });
export type Grant = z.infer<typeof grantSchema>;

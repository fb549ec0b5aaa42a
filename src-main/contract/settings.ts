// The person's settings: one JSON file in the data folder, strict on the way in. Unknown or damaged content is never
// overwritten: the file is kept aside and defaults are used until the person decides.
import { z } from 'zod';
import { modeSchema } from './authority.ts';
import { instructionChoiceSchema } from './instructions.ts';
import { LIMIT_NAMES, LIMITS, type LimitName } from './limits.ts';
import { providerSettingSchema } from './models.ts';

/** off = not part of new authority; ask = the mode's table decides; allow = runs where the table says asks. */
export const toolPermissionSchema = z.enum(['off', 'ask', 'allow']);
export type ToolPermission = z.infer<typeof toolPermissionSchema>;

/**
 * A stored rule. `match` is a tool name, `shell:` and the words of a command (a last `*` = any arguments), `read:` or `write:`
 * and a path glob in the folder, or `host:` and a host. Without `project` and `session` it holds everywhere.
 */
export const ruleSchema = z.strictObject({
  id: z.string().min(1).max(64),
  effect: z.enum(['allow', 'ask', 'deny']),
  match: z.string().min(1).max(8192),
  /** Holds in this project alone. */
  project: z.string().min(1).max(64).optional(),
  /** Holds in this chat alone. */
  session: z.string().min(1).max(64).optional(),
  /** Unix milliseconds at which it ends. */
  expiresAtMs: z.number().nonnegative().optional(),
  /** Left by an answer on a card: means its very text, and is taken back together with all others like it. */
  remembered: z.literal(true).optional(),
});
export type Rule = z.infer<typeof ruleSchema>;

const limitOverridesSchema = z.strictObject(
  Object.fromEntries(
    LIMIT_NAMES.map((name) => [name, z.number().nonnegative().max(LIMITS[name].ceiling).optional()]),
  ) as Record<LimitName, z.ZodOptional<z.ZodNumber>>,
);

/** Every setting without its default: a part of the settings must never bring along the defaults of the rest. */
const fields = {
  theme: z.enum(['system', 'light', 'dark']),
  /** Reading size of the transcript, in px. */
  textSize: z.number().min(12).max(22),
  defaultModel: z.string().max(2400),
  defaultMode: modeSchema,
  /** Confinement of commands, on by default (MODE-07). */
  confinement: z.boolean(),
  /** What becomes of a command that cannot be confined on this machine: asked for each time, or denied (MODE-13). */
  unconfinable: z.enum(['ask', 'deny']),
  /** Tool name -> permission; a tool that is not named has its own default (network and clock: off, others: ask). */
  tools: z.record(z.string().max(64), toolPermissionSchema),
  rules: z.array(ruleSchema).max(1000),
  /** Rules are looked at; otherwise modes and answers alone decide, and remembered answers. */
  useRules: z.boolean(),
  /** Cards offer to remember an answer in the project; what was remembered holds while this is on. */
  rememberApprovals: z.boolean(),
  limits: limitOverridesSchema,
  providers: z.array(providerSettingSchema).max(50),
  /** Further names of environment variables that commands get. */
  shellVariables: z.array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/)).max(100),
  /** Started from a desktop, commands get the PATH of the person's login shell. */
  loginShellPath: z.boolean(),
  /** Further patterns of likely secrets, as path globs. */
  secretPatterns: z.array(z.string().min(1).max(200)).max(200),
  /** Address of the search service (SearXNG) that web_search asks; '' = there is no web_search. */
  searchUrl: z
    .string()
    .max(2048)
    .refine((text) => text === '' || /^https?:\/\/[^\s/]/i.test(text), 'Give an address with http:// or https://.'),
  /** Local servers are looked for at start. */
  findLocalModels: z.boolean(),
  notifications: z.boolean(),
  /** New chats are saved; otherwise they are kept in memory alone and gone when Warrant closes (STORE-14). */
  saveChats: z.boolean(),
  /** After its first answer a chat is given a title by its model (STORE-16). */
  automaticTitles: z.boolean(),
  /** Chats branch; otherwise they are shown and gone on with as one line, and other branches are kept. */
  branches: z.boolean(),
  /** A project's files are kept before a turn's first write, so that what it does to them can be taken back. */
  checkpoints: z.boolean(),
  /** What was decided on the instructions of a project (its id): they are used only as they were then. */
  instructions: z.record(z.string().max(64), instructionChoiceSchema),
  /** Old parts of a chat are set aside for the model as its window fills. */
  automaticCompaction: z.boolean(),
  /** A model writes the note of what is set aside by itself: one request more each time. */
  modelSummaries: z.boolean(),
  /** A request that would not fit the model's window is not sent (CONF-24). */
  contextGuard: z.boolean(),
  /** Shift+Tab in the composer cycles modes (CONF-29). */
  shiftTabCyclesModes: z.boolean(),
};

export const settingsSchema = z.strictObject({
  version: z.literal(1).default(1),
  theme: fields.theme.default('system'),
  textSize: fields.textSize.default(15),
  defaultModel: fields.defaultModel.default(''),
  defaultMode: fields.defaultMode.default('ask'),
  confinement: fields.confinement.default(true),
  unconfinable: fields.unconfinable.default('ask'),
  tools: fields.tools.default({}),
  rules: fields.rules.default([]),
  useRules: fields.useRules.default(false),
  rememberApprovals: fields.rememberApprovals.default(false),
  limits: fields.limits.default({}),
  providers: fields.providers.default([]),
  shellVariables: fields.shellVariables.default([]),
  loginShellPath: fields.loginShellPath.default(true),
  secretPatterns: fields.secretPatterns.default([]),
  searchUrl: fields.searchUrl.default(''),
  findLocalModels: fields.findLocalModels.default(true),
  notifications: fields.notifications.default(true),
  saveChats: fields.saveChats.default(true),
  automaticTitles: fields.automaticTitles.default(false),
  branches: fields.branches.default(true),
  checkpoints: fields.checkpoints.default(true),
  instructions: fields.instructions.default({}),
  automaticCompaction: fields.automaticCompaction.default(true),
  modelSummaries: fields.modelSummaries.default(false),
  contextGuard: fields.contextGuard.default(true),
  shiftTabCyclesModes: fields.shiftTabCyclesModes.default(true),
});
export type Settings = z.infer<typeof settingsSchema>;

/** Any part of the settings; what is left out stays as it is. */
export const settingsPatchSchema = z.strictObject(fields).partial();
export type SettingsPatch = z.infer<typeof settingsPatchSchema>;

/**
 * What a window may change at once: services are saved one by one, because of their keys, and instructions are accepted as
 * they were shown.
 */
export const windowPatchSchema = settingsPatchSchema.omit({ providers: true, instructions: true });
export type WindowPatch = z.infer<typeof windowPatchSchema>;

/** Settings with every value at its default. */
export function defaultSettings(): Settings {
  return settingsSchema.parse({});
}

// Models as the person picks them. A model reference is `wire:name` or `wire:name@baseURL`; `guide` is the built-in planner.
import { z } from 'zod';

export const wireSchema = z.enum(['guide', 'openai-compatible', 'openai-responses', 'anthropic', 'gemini']);
export type Wire = z.infer<typeof wireSchema>;

/** One line of the model picker. */
export const modelInfoSchema = z.object({
  /** The reference, e.g. `openai-compatible:qwen3-coder@http://127.0.0.1:11434/v1`. */
  ref: z.string(),
  wire: wireSchema,
  name: z.string(),
  /** Whose service it is, for people: `Ollama on this machine`, `OpenRouter`, `built in`. */
  origin: z.string(),
  local: z.boolean(),
  contextWindow: z.number().nullable(),
  /** null = unknown. */
  tools: z.boolean().nullable(),
});
export type ModelInfo = z.infer<typeof modelInfoSchema>;

/** A model service that the person set up. Keys are never part of it. */
export const providerSettingSchema = z.strictObject({
  id: z.string().min(1).max(64),
  wire: wireSchema.exclude(['guide']),
  label: z.string().min(1).max(80),
  baseUrl: z.url({ protocol: /^https?$/ }).max(2048),
  /** Model names offered in the picker. */
  models: z.array(z.string().min(1).max(200)).max(200),
  /** A command whose standard output is the key; run when no key is stored. */
  keyCommand: z.string().max(2000).default(''),
  /** Name of an environment variable with the key; read when there is neither key nor command. */
  keyVariable: z.string().max(200).default(''),
});
export type ProviderSetting = z.infer<typeof providerSettingSchema>;

/** Whether a provider has a key and where it comes from; the key itself never leaves main. */
export const keyStateSchema = z.object({
  providerId: z.string(),
  source: z.enum(['stored', 'command', 'environment', 'none']),
  /** How a stored key is protected. */
  protection: z.enum(['keychain', 'file', 'none']),
});
export type KeyState = z.infer<typeof keyStateSchema>;

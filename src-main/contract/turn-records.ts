// Records of what each model round took and gave, for diagnosis: what was sent, what it cost, how it ended, and what came
// between. Telemetry: nothing is decided by them.
import { z } from 'zod';
import { finishReasonSchema, outcomeSchema, usageSchema } from './entries.ts';
import { turnIdSchema } from './ids.ts';

const at = { turnId: turnIdSchema, atMs: z.number() };

export const turnRecordSchema = z.discriminatedUnion('type', [
  /** A request is sent: messages, characters of them, and tools. */
  z.object({
    type: z.literal('context'),
    ...at,
    step: z.number(),
    model: z.string(),
    messages: z.number(),
    characters: z.number(),
    tools: z.number(),
  }),
  z.object({ type: z.literal('usage'), ...at, step: z.number(), usage: usageSchema.nullable() }),
  z.object({ type: z.literal('finish'), ...at, step: z.number(), finish: finishReasonSchema, durationMs: z.number() }),
  z.object({ type: z.literal('retry'), ...at, attempt: z.number(), waitMs: z.number(), code: z.string() }),
  z.object({ type: z.literal('abort'), ...at, source: z.string() }),
  z.object({ type: z.literal('end'), ...at, outcome: outcomeSchema }),
]);
export type TurnRecord = z.infer<typeof turnRecordSchema>;

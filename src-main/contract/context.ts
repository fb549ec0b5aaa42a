// What the next request of a chat holds, part by part, as the window shows it. Tokens are estimates, corrected by what the
// provider billed last.
import { z } from 'zod';
import { callIdSchema, entryIdSchema } from './ids.ts';

/** A kind of content of a request: `notes` stand for what was set aside. */
export const contextPartSchema = z.object({
  name: z.enum(['system', 'tools', 'person', 'answers', 'results', 'notes']),
  tokens: z.number(),
  /** Messages, or tools. */
  count: z.number(),
});
export type ContextPart = z.infer<typeof contextPartSchema>;

/** One message of the request that is large, newest first; `callId` where it is the result of a call. */
export const contextItemSchema = z.object({
  callId: callIdSchema.nullable(),
  words: z.string(),
  tokens: z.number(),
});
export type ContextItem = z.infer<typeof contextItemSchema>;

/** What was set aside and is still. */
export const contextReductionSchema = z.object({
  entryId: entryIdSchema,
  atMs: z.number(),
  cause: z.enum(['full', 'too-long', 'person', 'new-context', 'left-out']),
  /** Messages that a note stands for; 0 = none. */
  messages: z.number(),
  /** Results that a line stands for. */
  results: z.number(),
  focus: z.string(),
});
export type ContextReduction = z.infer<typeof contextReductionSchema>;

export const contextViewSchema = z.object({
  tokens: z.number(),
  /** The model's window; null = not known. */
  window: z.number().nullable(),
  /** A request above this is refused before it is sent; null = none is. */
  limit: z.number().nullable(),
  parts: z.array(contextPartSchema),
  /** The largest results, largest first. */
  items: z.array(contextItemSchema),
  /** Newest first. */
  reductions: z.array(contextReductionSchema),
  /** Results that are never set aside by themselves. */
  pinned: z.array(contextItemSchema),
  /** Requests that left since the chat was opened (CTX-28). */
  issued: z.number(),
});
export type ContextView = z.infer<typeof contextViewSchema>;

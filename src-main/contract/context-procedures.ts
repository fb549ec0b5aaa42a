// Procedures about what the model is sent of a chat: set parts aside, take that back, look at the next request.
import { z } from 'zod';
import { contextViewSchema } from './context.ts';
import { callIdSchema, entryIdSchema, sessionIdSchema } from './ids.ts';

const session = { sessionId: sessionIdSchema };
const reduced = z.object({ skipped: z.boolean(), messages: z.number() });

export const contextProcedures = {
  /**
   * Sets the older part of the conversation aside for the model, with a summary that keeps `focus` above all; the chat
   * stays. `skipped` = there is nothing to fold. Codes session.input-pending, provider.*, with nothing changed then.
   */
  compact: { input: z.strictObject({ ...session, focus: z.string().max(2000).default('') }), output: reduced },
  /** Goes on with a fresh objective: all before is set aside for the model. Code session.input-pending. */
  startAfresh: { input: z.strictObject({ ...session, objective: z.string().min(1).max(10_000) }), output: reduced },
  /** Takes back what was set aside. Code session.input-pending. */
  undo: { input: z.strictObject({ ...session, entryId: entryIdSchema }), output: z.object({ undone: z.boolean() }) },
  /** Leaves the result of a call out of what the model is sent; `undo` takes that back. Code session.input-pending. */
  leaveOut: { input: z.strictObject({ ...session, callId: callIdSchema }), output: z.object({ left: z.boolean() }) },
  /** Keeps the result of a call from being set aside by itself, or lets it again. Code session.input-pending. */
  pin: { input: z.strictObject({ ...session, callId: callIdSchema, on: z.boolean() }), output: z.void() },
  /** What the next request holds, part by part. */
  read: { input: z.strictObject(session), output: contextViewSchema },
  /** The next request as JSON, as a message with `text` would make it; 128 Ki characters from `offset` on. Sends nothing. */
  readRequest: {
    input: z.strictObject({
      ...session,
      text: z.string().max(131_072).default(''),
      offset: z.number().int().min(0).default(0),
    }),
    output: z.object({ json: z.string(), total: z.number() }),
  },
} as const;

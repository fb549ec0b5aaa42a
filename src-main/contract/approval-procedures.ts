// Procedures by which the person answers what waits for them: approvals of the gate, and questions of the model.
import { z } from 'zod';
import { callIdSchema, sessionIdSchema } from './ids.ts';

const call = { sessionId: sessionIdSchema, callId: callIdSchema };

export const approvalProcedures = {
  /**
   * Answers one pending approval. `digest` is that of the card which was shown; with `changedArguments` the call
   * passes the gate again from "arguments valid". Codes: approval.not-waiting, approval.changed, approval.not-grantable.
   */
  answer: {
    input: z.strictObject({
      ...call,
      digest: z.string().max(128),
      /** always = for this session, and remembered in the project where the settings allow that. */
      answer: z.enum(['allow-once', 'allow-session', 'allow-always', 'deny']),
      reason: z.string().max(10_000).default(''),
      changedArguments: z.string().max(1_048_576).optional(),
    }),
    output: z.void(),
  },
  /** Answers what the model asks; null = the person does not answer. Code: approval.not-waiting. */
  answerQuestion: {
    input: z.strictObject({ ...call, answer: z.string().max(100_000).nullable() }),
    output: z.void(),
  },
} as const;

// What main publishes to windows. Events announce what is already committed or is telemetry (deltas); they never steer.
// Numbered (epoch, n): epoch is random per start of main, n rises by one a session; `app` events have session null.
import { z } from 'zod';
import { outcomeSchema, windowEntrySchema } from './entries.ts';
import { wireErrorSchema } from './errors.ts';
import { callIdSchema, sessionIdSchema, turnIdSchema } from './ids.ts';
import { modelInfoSchema } from './models.ts';
import { projectSchema } from './project.ts';
import {
  approvalSchema,
  authorityViewSchema,
  meterSchema,
  personQuestionSchema,
  queueItemSchema,
  seenShellSchema,
  sessionSummarySchema,
} from './session.ts';
import { settingsSchema } from './settings.ts';

/** Events of one session. The event tree of a turn is in the README. */
export const sessionEventSchema = z.discriminatedUnion('type', [
  /** Entries were committed; oldest first. */
  z.object({ type: z.literal('entries-append'), entries: z.array(windowEntrySchema) }),
  z.object({ type: z.literal('step-start'), turnId: turnIdSchema, step: z.number() }),
  z.object({ type: z.literal('text-delta'), turnId: turnIdSchema, step: z.number(), text: z.string() }),
  z.object({ type: z.literal('reasoning-delta'), turnId: turnIdSchema, step: z.number(), text: z.string() }),
  /** The step's text is taken back (a retry starts over): running text becomes empty. */
  z.object({ type: z.literal('step-discard'), turnId: turnIdSchema, step: z.number() }),
  /** The model is writing a call: its name is known, its arguments grow. */
  z.object({
    type: z.literal('call-draft'),
    turnId: turnIdSchema,
    step: z.number(),
    name: z.string(),
    bytes: z.number(),
  }),
  z.object({
    type: z.literal('call-start'),
    turnId: turnIdSchema,
    callId: callIdSchema,
    tool: z.string(),
    summary: z.string(),
  }),
  z.object({ type: z.literal('call-output'), callId: callIdSchema, text: z.string() }),
  z.object({ type: z.literal('call-end'), callId: callIdSchema }),
  z.object({ type: z.literal('approval-request'), approval: approvalSchema }),
  z.object({ type: z.literal('approval-settle'), callId: callIdSchema }),
  /** The model asks the person something; the question ends with its answer or its turn. */
  z.object({ type: z.literal('question-ask'), question: personQuestionSchema }),
  z.object({ type: z.literal('question-settle'), callId: callIdSchema }),
  /** The shell that stays between calls: begun, at work, with new output, or gone (null). */
  z.object({ type: z.literal('shell-update'), shell: seenShellSchema.nullable() }),
  z.object({ type: z.literal('queue-update'), queue: z.array(queueItemSchema) }),
  z.object({ type: z.literal('authority-update'), authority: authorityViewSchema }),
  z.object({ type: z.literal('meter-update'), meter: meterSchema }),
  z.object({ type: z.literal('turn-end'), turnId: turnIdSchema, outcome: outcomeSchema }),
  /** The model service is tried again after `waitMs`. */
  z.object({
    type: z.literal('retry'),
    turnId: turnIdSchema,
    step: z.number(),
    attempt: z.number(),
    waitMs: z.number(),
    error: wireErrorSchema,
  }),
  /** The chat goes on from another path: what the window shows is to be fetched anew. */
  z.object({ type: z.literal('path-change') }),
  z.object({ type: z.literal('notice'), level: z.enum(['info', 'warning', 'error']), message: z.string() }),
]);
export type SessionEvent = z.infer<typeof sessionEventSchema>;

/** Events that concern the whole app. */
export const appEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('session-update'), session: sessionSummarySchema }),
  z.object({ type: z.literal('session-remove'), sessionId: sessionIdSchema }),
  z.object({ type: z.literal('projects-update'), projects: z.array(projectSchema) }),
  z.object({ type: z.literal('settings-update'), settings: settingsSchema }),
  /** A file is being imported: how much of it was read or stored, of how much in all. */
  z.object({ type: z.literal('import-progress'), importId: z.string(), part: z.number().min(0).max(1) }),
  z.object({ type: z.literal('models-update'), models: z.array(modelInfoSchema) }),
  /** A folder was handed over (second start, file manager): the window shows it. */
  z.object({ type: z.literal('open-project'), projectId: projectSchema.shape.id }),
  /** The menu or a shortcut of the system asks the window for something. */
  z.object({ type: z.literal('command'), command: z.string() }),
  z.object({ type: z.literal('notice'), level: z.enum(['info', 'warning', 'error']), message: z.string() }),
]);
export type AppEvent = z.infer<typeof appEventSchema>;

/** As it crosses to a window, in arrays, once a frame. */
export type EventEnvelope =
  | { epoch: string; n: number; sessionId: z.infer<typeof sessionIdSchema>; event: SessionEvent }
  | { epoch: string; n: number; sessionId: null; event: AppEvent };

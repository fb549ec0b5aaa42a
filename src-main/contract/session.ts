// What the interface knows of a session: its line in the list, its snapshot when opened, approvals, queue, ledger rows.
import { z } from 'zod';
import {
  authorityChangeSchema,
  authoritySnapshotSchema,
  effectSchema,
  grantSchema,
  modeSchema,
  decidedBySchema,
} from './authority.ts';
import {
  attachmentSchema,
  fileChangeSchema,
  outcomeSchema,
  previewSchema,
  resultStatusSchema,
  usageSchema,
  windowEntrySchema,
} from './entries.ts';
import { callIdSchema, entryIdSchema, projectIdSchema, sessionIdSchema, turnIdSchema } from './ids.ts';

/** running = a turn goes on; waiting = it waits for the person; interrupted = cut by a crash or close. */
export const sessionStatusSchema = z.enum(['idle', 'running', 'waiting', 'interrupted', 'failed']);
export type SessionStatus = z.infer<typeof sessionStatusSchema>;

/** One line of the chat list. */
export const sessionSummarySchema = z.object({
  id: sessionIdSchema,
  projectId: projectIdSchema,
  title: z.string(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  status: sessionStatusSchema,
  /** What programs call it by; '' where a former version made it. */
  name: z.string(),
  /** false = it is kept in memory alone, and gone when Warrant closes. */
  saved: z.boolean(),
  /** It stands at the top of its project's chats. */
  pinned: z.boolean(),
  unread: z.boolean(),
  archived: z.boolean(),
  /** When it was put into the trash; null = it is not there. */
  trashedAtMs: z.number().nullable(),
  waitingApprovals: z.number(),
  queued: z.number(),
  mode: modeSchema,
  model: z.string(),
  /** Number of user messages. */
  turns: z.number(),
});
export type SessionSummary = z.infer<typeof sessionSummarySchema>;

/** A pending approval as the card shows it. */
export const approvalSchema = z.object({
  sessionId: sessionIdSchema,
  turnId: turnIdSchema,
  callId: callIdSchema,
  tool: z.string(),
  summary: z.string(),
  argumentsText: z.string(),
  effects: z.array(effectSchema),
  preview: previewSchema,
  digest: z.string(),
  why: z.string(),
  grant: grantSchema.nullable(),
  /** Folder that it happens in, as shown (home shortened to ~). */
  folder: z.string(),
  askedAtMs: z.number(),
});
export type Approval = z.infer<typeof approvalSchema>;

/** A question of the model to the person, as its card shows it; `options` may be empty. */
export const personQuestionSchema = z.object({
  sessionId: sessionIdSchema,
  callId: callIdSchema,
  question: z.string(),
  options: z.array(z.string()),
  askedAtMs: z.number(),
});
export type PersonQuestion = z.infer<typeof personQuestionSchema>;

export const queueItemSchema = z.object({
  queueId: z.string(),
  text: z.string(),
  attachments: z.array(attachmentSchema),
});
export type QueueItem = z.infer<typeof queueItemSchema>;

/** A tool as the authority panel shows it. */
export const toolStateSchema = z.object({
  name: z.string(),
  title: z.string(),
  class: z.enum(['read', 'write', 'command', 'network', 'clock']),
  enabled: z.boolean(),
  /** What would happen to a plain call in the present mode. */
  behaviour: z.enum(['runs', 'asks', 'asks-once', 'not-offered', 'off']),
  limits: z.array(z.string()),
});
export type ToolState = z.infer<typeof toolStateSchema>;

export const authorityViewSchema = z.object({
  snapshot: authoritySnapshotSchema,
  digest: z.string(),
  /** Number of snapshots this chat has had. */
  generation: z.number(),
  tools: z.array(toolStateSchema),
  confinement: z.object({ on: z.boolean(), available: z.boolean(), reason: z.string() }),
  /** What changed when the chat was last resumed; empty = unchanged. */
  drift: z.array(authorityChangeSchema),
  /** Settings now allow more than this chat's snapshot; offered as "Update this chat's authority". */
  offer: z.array(authorityChangeSchema),
  grants: z.array(grantSchema),
  lapsedGrants: z.array(grantSchema),
  /** What the project's own file narrows, line by line, and what of it was not taken; null or absent = there is none. */
  projectFile: z.object({ lines: z.array(z.string()), problem: z.string().nullable() }).nullish(),
});
export type AuthorityView = z.infer<typeof authorityViewSchema>;

/** Text and reasoning of the running step that are not yet an entry. */
export const runningTextSchema = z.object({
  turnId: turnIdSchema,
  step: z.number(),
  text: z.string(),
  reasoning: z.string(),
  /** Live output of running calls: the last 16 KiB of each. */
  outputs: z.record(z.string(), z.string()),
});
export type RunningText = z.infer<typeof runningTextSchema>;

/** Tokens and money so far; contextWindow null = unknown. */
export const meterSchema = z.object({
  contextTokens: z.number(),
  contextWindow: z.number().nullable(),
  total: usageSchema,
});
export type Meter = z.infer<typeof meterSchema>;

/** The shell that a chat holds open between calls, as a person sees it. */
export const seenShellSchema = z.object({
  /** The command that was begun last, as it was written. */
  command: z.string(),
  /** The command goes on; otherwise the shell waits for another one. */
  running: z.boolean(),
  confined: z.boolean(),
  network: z.boolean(),
  /** The end of what it has put out: readable text, at most 8 Ki characters. */
  recent: z.string(),
});
export type SeenShell = z.infer<typeof seenShellSchema>;

/** All that the window needs to draw an opened chat; events go on from `epoch`, `n`. */
export const sessionViewSchema = z.object({
  summary: sessionSummarySchema,
  projectPath: z.string(),
  epoch: z.string(),
  n: z.number(),
  /** The newest entries, oldest first. */
  entries: z.array(windowEntrySchema),
  hasEarlier: z.boolean(),
  running: runningTextSchema.nullable(),
  approvals: z.array(approvalSchema),
  questions: z.array(personQuestionSchema),
  /** null = it holds none. */
  shell: seenShellSchema.nullable(),
  queue: z.array(queueItemSchema),
  draft: z.object({ text: z.string(), attachments: z.array(attachmentSchema) }),
  authority: authorityViewSchema,
  meter: meterSchema,
  lastOutcome: outcomeSchema.nullable(),
  /** Who else holds the chat (another process); the window is then read-only. Null = it is ours. */
  heldBy: z.string().nullable(),
  /** What is wrong with the folder, in words; the window is then read-only. Null = it is there. */
  folderProblem: z.string().nullable(),
});
export type SessionView = z.infer<typeof sessionViewSchema>;

/** One row of the ledger: a call, who allowed it, on which bytes, and how it ended. */
export const ledgerRowSchema = z.object({
  callId: callIdSchema,
  turnId: turnIdSchema,
  seq: z.number(),
  atMs: z.number(),
  tool: z.string(),
  summary: z.string(),
  effects: z.array(effectSchema),
  decision: z.enum(['run', 'deny', 'waiting']),
  by: decidedBySchema.nullable(),
  reason: z.string(),
  lasting: z.enum(['once', 'session']),
  digest: z.string(),
  confined: z.boolean(),
  changedByPerson: z.boolean(),
  startedAtMs: z.number().nullable(),
  status: resultStatusSchema.nullable(),
  durationMs: z.number().nullable(),
});
export type LedgerRow = z.infer<typeof ledgerRowSchema>;

/** One changed file of a chat, with each change in order. */
export const changedFileSchema = z.object({
  path: z.string(),
  added: z.number(),
  removed: z.number(),
  changes: z.array(z.object({ callId: callIdSchema, atMs: z.number(), change: fileChangeSchema })),
});
export type ChangedFile = z.infer<typeof changedFileSchema>;

/** A part of a chat that was found by its words: the piece around the first of them, in three parts. */
export const searchHitSchema = z.object({
  sessionId: sessionIdSchema,
  projectId: projectIdSchema,
  title: z.string(),
  archived: z.boolean(),
  entryId: entryIdSchema,
  seq: z.number(),
  kind: z.string(),
  atMs: z.number(),
  before: z.string(),
  match: z.string(),
  after: z.string(),
});
export type SearchHit = z.infer<typeof searchHitSchema>;

/** A page of what was found, newest first; `behind` = entries that are still to be taken into the index. */
export const searchPageSchema = z.object({
  hits: z.array(searchHitSchema),
  cursor: z.string().nullable(),
  behind: z.number(),
});
export type SearchPage = z.infer<typeof searchPageSchema>;

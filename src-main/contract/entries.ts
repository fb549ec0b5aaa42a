// Entries: the facts of a session's append-only tree. All that happened is one of these; the state of a session is a
// fold over the path from root to head. Streaming deltas are never entries. Unknown kinds of later versions are kept.
import { z } from 'zod';
import {
  authorityChangeSchema,
  authoritySnapshotSchema,
  decidedBySchema,
  effectSchema,
  grantSchema,
  modeSchema,
} from './authority.ts';
import { wireErrorSchema } from './errors.ts';
import {
  attachmentIdSchema,
  callIdSchema,
  checkpointIdSchema,
  entryIdSchema,
  sessionIdSchema,
  turnIdSchema,
} from './ids.ts';

/** Text attached to a message. `text` is empty in what the window gets; `bytes` and `tokens` are always there. */
export const attachmentSchema = z.object({
  id: attachmentIdSchema,
  name: z.string(),
  bytes: z.number(),
  /** An estimate: characters / 4. */
  tokens: z.number(),
  text: z.string(),
});
export type Attachment = z.infer<typeof attachmentSchema>;

/** Tokens as the provider billed them; `cachedInput` is a part of `input`. costUsd null = unknown, 0 = free. */
export const usageSchema = z.object({
  input: z.number(),
  output: z.number(),
  cachedInput: z.number(),
  reasoning: z.number(),
  costUsd: z.number().nullable(),
});
export type Usage = z.infer<typeof usageSchema>;

/** A part of the assistant's message, in the order in which it came. */
export const assistantPartSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  /** `metadata` is the provider's own (signatures), replayed verbatim to the same wire. */
  z.object({
    type: z.literal('reasoning'),
    text: z.string(),
    metadata: z.record(z.string(), z.unknown()).optional(),
  }),
  /** `argumentsText` is what the model wrote, verbatim. */
  z.object({
    type: z.literal('tool-call'),
    callId: callIdSchema,
    name: z.string(),
    argumentsText: z.string(),
    metadata: z.record(z.string(), z.unknown()).optional(),
  }),
]);
export type AssistantPart = z.infer<typeof assistantPartSchema>;

/** Why the model stopped. `length` = cut by the token limit: never shown as a whole answer. */
export const finishReasonSchema = z.enum(['stop', 'tool-calls', 'length', 'refusal', 'other']);
export type FinishReason = z.infer<typeof finishReasonSchema>;

/** What a person sees before allowing, and what the transcript shows of a call. */
export const previewSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('none') }),
  /** Verbatim bytes to be run, in which folder, for how long at most. */
  z.object({
    type: z.literal('command'),
    command: z.string(),
    cwd: z.string(),
    confined: z.boolean(),
    network: z.boolean(),
    timeoutMs: z.number(),
  }),
  /** Unified diff of one file. */
  z.object({
    type: z.literal('diff'),
    path: z.string(),
    diff: z.string(),
    added: z.number(),
    removed: z.number(),
    created: z.boolean(),
  }),
  z.object({ type: z.literal('url'), url: z.string(), host: z.string() }),
  z.object({ type: z.literal('path'), path: z.string() }),
]);
export type Preview = z.infer<typeof previewSchema>;

/** A file that a call changed; digests are sha256 in hex, null = the file was not there. */
export const fileChangeSchema = z.object({
  path: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  diff: z.string(),
  added: z.number(),
  removed: z.number(),
});
export type FileChange = z.infer<typeof fileChangeSchema>;

/** How a call ended; only `ok` means that it did what was asked. */
export const resultStatusSchema = z.enum([
  'ok',
  'error',
  'denied',
  'unavailable',
  'invalid',
  'cancelled',
  'interrupted',
  'unknown',
]);
export type ResultStatus = z.infer<typeof resultStatusSchema>;

/** Facts of a result for the interface and for programs; `content` alone is what the model reads. */
export const resultFactsSchema = z.object({
  exitCode: z.number().nullable().optional(),
  signal: z.string().nullable().optional(),
  timedOut: z.boolean().optional(),
  truncated: z.boolean().optional(),
  outputBytes: z.number().optional(),
  outputId: z.string().optional(),
  survivors: z.number().optional(),
  confined: z.boolean().optional(),
  matches: z.number().optional(),
  version: z.string().optional(),
  code: z.string().optional(),
});
export type ResultFacts = z.infer<typeof resultFactsSchema>;

/** How a turn ended (outcomes are values, not errors). */
export const outcomeSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('completed') }),
  z.object({ type: z.literal('awaiting-approval'), callIds: z.array(callIdSchema) }),
  z.object({
    type: z.literal('budget-reached'),
    budget: z.enum(['tool-rounds', 'model-rounds', 'tool-calls', 'session-tool-calls', 'tokens', 'cost', 'deadline']),
    limit: z.number(),
  }),
  z.object({ type: z.literal('loop-detected'), call: z.string(), times: z.number() }),
  z.object({ type: z.literal('cancelled'), source: z.string() }),
  z.object({ type: z.literal('interrupted') }),
  z.object({ type: z.literal('failed'), error: wireErrorSchema }),
]);
export type Outcome = z.infer<typeof outcomeSchema>;

/** Schemas of the data, by kind: what may be stored. The store trusts rows whose hash verifies; tests hold writers to these. */
export const entryDataSchemas = {
  /** The first entry of every session. */
  'session-start': z.object({
    model: z.string(),
    mode: modeSchema,
    confinement: z.boolean(),
    /** What programs call the session by: as it was asked for, or `tag-adjective-noun` (STORE-15). */
    name: z.string().optional(),
  }),
  'user-message': z.object({
    turnId: turnIdSchema,
    text: z.string(),
    attachments: z.array(attachmentSchema),
  }),
  'assistant-message': z.object({
    turnId: turnIdSchema,
    step: z.number(),
    model: z.string(),
    parts: z.array(assistantPartSchema),
    finish: finishReasonSchema,
    usage: usageSchema.nullable(),
    durationMs: z.number(),
  }),
  /** The gate asked: `digest` names the exact effect that an answer is bound to. */
  'approval-request': z.object({
    turnId: turnIdSchema,
    callId: callIdSchema,
    tool: z.string(),
    summary: z.string(),
    argumentsText: z.string(),
    effects: z.array(effectSchema),
    preview: previewSchema,
    digest: z.string(),
    /** One sentence: which rule or default asks. */
    why: z.string(),
    /** The session grant that the person may give; null where only one-shot answers are allowed (CONF-02). */
    grant: grantSchema.nullable(),
  }),
  /** The gate's answer to one call: the ledger. */
  verdict: z.object({
    turnId: turnIdSchema,
    callId: callIdSchema,
    tool: z.string(),
    summary: z.string(),
    effects: z.array(effectSchema),
    decision: z.enum(['run', 'deny']),
    by: decidedBySchema,
    reason: z.string(),
    lasting: z.enum(['once', 'session']),
    /** sha256 of the prepared effect; empty when the call never got that far. */
    digest: z.string(),
    confined: z.boolean(),
    /** Arguments as the model wrote them, when a person changed them before allowing. */
    original: z.string().optional(),
    /** Arguments that are run, when a person changed them. */
    changed: z.string().optional(),
  }),
  /**
   * The project's files were kept as they were before the turn's first write. `checkpointId` null = they could not be,
   * and why. `skipped` = files that are too large, or could not be read.
   */
  checkpoint: z.object({
    turnId: turnIdSchema,
    checkpointId: checkpointIdSchema.nullable(),
    problem: z.string().nullable(),
    skipped: z.number(),
  }),
  /** A person put files back to what they were; `checkpointId` = the checkpoint that was made before. */
  'files-restore': z.object({
    checkpointId: checkpointIdSchema.nullable(),
    restored: z.number(),
    kept: z.number(),
    by: z.string(),
  }),
  /** Durable before the effect begins (invariant 3). */
  'tool-start': z.object({
    turnId: turnIdSchema,
    callId: callIdSchema,
    tool: z.string(),
    summary: z.string(),
    digest: z.string(),
    preview: previewSchema,
  }),
  'tool-result': z.object({
    turnId: turnIdSchema,
    callId: callIdSchema,
    tool: z.string(),
    summary: z.string(),
    status: resultStatusSchema,
    content: z.string(),
    facts: resultFactsSchema,
    changes: z.array(fileChangeSchema),
    durationMs: z.number(),
  }),
  'step-end': z.object({ turnId: turnIdSchema, step: z.number() }),
  /** `partial` is what had arrived of an answer that was cut: shown as cut, never part of a request (CANC-07). */
  'turn-end': z.object({
    turnId: turnIdSchema,
    outcome: outcomeSchema,
    steps: z.number(),
    durationMs: z.number(),
    /** What the whole turn used, as the provider billed it; null = it told nothing (STORE-10). */
    usage: usageSchema.nullable().optional(),
    partial: z.object({ text: z.string(), reasoning: z.string() }).optional(),
  }),
  /** A turn that goes on from `of`, which was cut, failed or cancelled: it opens a turn without a new message. */
  'turn-continue': z.object({ turnId: turnIdSchema, of: turnIdSchema.nullable() }),
  abort: z.object({ turnId: turnIdSchema, source: z.string() }),
  /** The conversation goes back to where that turn began; `remains` = what its calls did all the same. */
  'turn-discard': z.object({ turnId: turnIdSchema, by: z.string(), remains: z.array(z.string()) }),
  /** Takes a `turn-discard` back. */
  'turn-restore': z.object({ turnId: turnIdSchema, by: z.string() }),
  /**
   * The path goes on from entry `to`, which is this one's parent, as the beginning of a new branch; `from`, where the chat
   * was before, and all after `to` stay in the tree. `undo` takes the last move back. `removed` = messages that the model
   * is not sent any more; `used` = what the session had used of its life by then.
   */
  rewind: z.object({
    to: entryIdSchema,
    from: entryIdSchema,
    how: z.enum(['rewind', 'undo', 'jump']),
    removed: z.number(),
    used: z.object({ steps: z.number(), calls: z.number() }),
    by: z.string(),
  }),
  /** A branch gets a name; '' takes it away. `branch` is its number in this session. */
  'branch-name': z.object({ branch: z.number().int().min(0), name: z.string(), by: z.string() }),
  /** This session began as a copy of another one's path up to `entryId`. */
  fork: z.object({ sessionId: sessionIdSchema, entryId: entryIdSchema, title: z.string() }),
  /**
   * What follows came from a file: `records` of its lines are kept verbatim, `messages` of the model's come of them;
   * `understood` and `kept` count its records by kind, those that became part of the chat and those that did not.
   */
  import: z.object({
    format: z.enum(['claude-code', 'codex', 'messages', 'warrant']),
    file: z.string(),
    records: z.number(),
    understood: z.record(z.string(), z.number()),
    kept: z.record(z.string(), z.number()),
    broken: z.number(),
    messages: z.number(),
    /** Entries that follow this one and came of the file. */
    entries: z.number(),
  }),
  authority: z.object({
    snapshot: authoritySnapshotSchema,
    digest: z.string(),
    cause: z.enum(['created', 'resumed', 'updated']),
    changes: z.array(authorityChangeSchema),
  }),
  mode: z.object({ mode: modeSchema, by: z.string() }),
  confinement: z.object({ on: z.boolean(), by: z.string() }),
  'enabled-tools': z.object({ tools: z.array(z.string()), by: z.string() }),
  model: z.object({ model: z.string(), previous: z.string(), by: z.string() }),
  title: z.object({ title: z.string(), by: z.enum(['person', 'first-message', 'model']) }),
  'queue-add': z.object({ queueId: z.string(), text: z.string(), attachments: z.array(attachmentSchema) }),
  'queue-remove': z.object({ queueId: z.string(), why: z.enum(['sent', 'person']) }),
  'context-clear': z.object({ by: z.string() }),
  /**
   * The model is sent less from here on; the chat keeps everything, and `reduction-undo` takes it back exactly. Messages
   * `from` to `to` (exclusive; counted as the model is sent them, without the system prompt) are told by `text` alone,
   * results of `calls` by a line each. `before`, `after` = tokens of the request, as estimated.
   */
  reduction: z.object({
    cause: z.enum(['full', 'too-long', 'person', 'new-context', 'left-out']),
    fold: z.object({ from: z.number().int(), to: z.number().int(), text: z.string() }).nullable(),
    calls: z.array(callIdSchema),
    focus: z.string(),
    /** Who wrote the note: the program from the messages, or a model. */
    note: z.enum(['program', 'model', 'none']),
    before: z.number(),
    after: z.number(),
    /** What the summary took; null = no model was asked, or it said nothing of it. */
    usage: usageSchema.nullable(),
    by: z.string(),
  }),
  'reduction-undo': z.object({ of: entryIdSchema, by: z.string() }),
  /** The result of this call is never set aside by itself, or may be again. */
  'context-pin': z.object({ callId: callIdSchema, on: z.boolean(), by: z.string() }),
  'grant-lapse': z.object({ grants: z.array(grantSchema) }),
} as const;

export type EntryKind = keyof typeof entryDataSchemas;
export type EntryData<K extends EntryKind> = z.infer<(typeof entryDataSchemas)[K]>;

/** An entry before it is stored: whoever appends it makes its id and time. */
export type NewEntry = { [K in EntryKind]: { id: EntryId; atMs: number; kind: K; data: EntryData<K> } }[EntryKind];
type EntryId = z.infer<typeof entryIdSchema>;

/** An entry as stored: `seq` rises by one a session, `parentId` is null for the root. */
export type Entry = NewEntry & {
  sessionId: z.infer<typeof sessionIdSchema>;
  parentId: EntryId | null;
  seq: number;
};
/** An entry of one kind. */
export type EntryOf<K extends EntryKind> = Extract<Entry, { kind: K }>;

const envelope = {
  id: entryIdSchema,
  atMs: z.number(),
  sessionId: sessionIdSchema,
  parentId: entryIdSchema.nullable(),
  seq: z.number(),
};

/** An entry as it was stored, checked; of a kind that is not known (a later version's) the envelope alone is. */
export const entrySchema = z.custom<Entry>((value) => {
  const outer = z.object({ ...envelope, kind: z.string(), data: z.unknown() }).safeParse(value);
  if (!outer.success) return false;
  const { kind, data } = outer.data;
  return !Object.hasOwn(entryDataSchemas, kind) || entryDataSchemas[kind as EntryKind].safeParse(data).success;
});

/** An entry on its way to the window. `trimmed` = long texts were cut and `sessions.readEntry` has more; `hidden` = characters that even that left out. */
export const windowEntrySchema = z.custom<WindowEntry>(
  (value) =>
    z
      .object({ ...envelope, kind: z.string(), data: z.unknown() })
      .loose()
      .safeParse(value).success,
);
export type WindowEntry = Entry & { trimmed?: boolean; hidden?: number };

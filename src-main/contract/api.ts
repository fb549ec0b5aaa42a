// The one contract of windows and main: each procedure as a zod-typed input and output. Main validates inputs and the
// sender; every procedure answers a WireResult. The preload exposes one function a procedure (see channels.ts).
import { z } from 'zod';
import { approvalProcedures } from './approval-procedures.ts';
import { contextProcedures } from './context-procedures.ts';
import { authorityChangeSchema, modeSchema } from './authority.ts';
import {
  checkpointFileSchema,
  checkpointListSchema,
  restorePlanSchema,
  restoreResultSchema,
  restoreScopeSchema,
} from './checkpoints.ts';
import { attachmentSchema, entryDataSchemas, windowEntrySchema } from './entries.ts';
import type { WireResult } from './errors.ts';
import type { EventEnvelope } from './events.ts';
import { attachmentIdSchema, checkpointIdSchema, entryIdSchema, projectIdSchema, sessionIdSchema } from './ids.ts';
import { keyStateSchema, modelInfoSchema, providerSettingSchema } from './models.ts';
import { projectSchema } from './project.ts';
import {
  authorityViewSchema,
  changedFileSchema,
  ledgerRowSchema,
  searchPageSchema,
  sessionSummarySchema,
  sessionViewSchema,
} from './session.ts';
import { treeViewSchema } from './session-tree.ts';
import { instructionChoiceSchema, projectInstructionsSchema } from './instructions.ts';
import { settingsSchema, windowPatchSchema } from './settings.ts';

/** One procedure: what it takes and what it gives. */
export interface Procedure<I extends z.ZodType, O extends z.ZodType> {
  readonly input: I;
  readonly output: O;
}
function procedure<I extends z.ZodType, O extends z.ZodType>(input: I, output: O): Procedure<I, O> {
  return { input, output };
}

const nothing = z.void();
const none = z.strictObject({});
const session = z.strictObject({ sessionId: sessionIdSchema });
const path = z.string().min(1).max(4096);
const text = z.string().max(200_000);
const importId = z.string().min(1).max(64);

export const appStateSchema = z.object({
  version: z.string(),
  /** `Electron 45` or `Chromium 156`, for people. */
  runtime: z.string(),
  platform: z.string(),
  home: z.string(),
  epoch: z.string(),
  dataFolder: z.string(),
  projects: z.array(projectSchema),
  /** The project to show at start: the folder given, else the last one. */
  currentProjectId: projectIdSchema.nullable(),
  settings: settingsSchema,
  models: z.array(modelInfoSchema),
  toolNames: z.array(
    z.object({ name: z.string(), title: z.string(), default: z.enum(['off', 'ask']), class: z.string() }),
  ),
  confinement: z.object({ available: z.boolean(), reason: z.string() }),
  /** true until the person opened a folder or sent a message. */
  firstRun: z.boolean(),
  /** The system has a folder dialog; otherwise the window shows its own chooser. */
  nativeFolderDialog: z.boolean(),
  /** The system can ask about a command for a key; otherwise the window cannot set one. */
  keyCommands: z.boolean(),
  /** Things to tell at start: a damaged settings file kept aside, weaker key protection, a store opened read-only. */
  notices: z.array(z.object({ level: z.enum(['info', 'warning', 'error']), message: z.string() })),
});
export type AppState = z.infer<typeof appStateSchema>;

export const folderListingSchema = z.object({
  path: z.string(),
  parent: z.string().nullable(),
  folders: z.array(z.object({ name: z.string(), path: z.string(), project: z.boolean() })),
  truncated: z.boolean(),
});
export type FolderListing = z.infer<typeof folderListingSchema>;

export const dataStatsSchema = z.object({
  folder: z.string(),
  /** rollback = the data folder is on a file system that machines share, so a slower, safer journal is used. */
  journal: z.enum(['log', 'rollback']),
  databaseBytes: z.number(),
  outputBytes: z.number(),
  /** Kept files of file checkpoints. */
  checkpointBytes: z.number(),
  sessions: z.number(),
  entries: z.number(),
  /** Unused bytes of the database; given back little by little. */
  freeBytes: z.number(),
  trashed: z.number(),
  backups: z.object({ count: z.number(), bytes: z.number(), newestAtMs: z.number().nullable() }),
  /** When the database was last found whole. */
  checkedAtMs: z.number().nullable(),
});
export type DataStats = z.infer<typeof dataStatsSchema>;

export const chatSizeSchema = z.object({
  id: sessionIdSchema,
  title: z.string(),
  place: z.enum(['list', 'archive', 'trash']),
  bytes: z.number(),
});
export type ChatSize = z.infer<typeof chatSizeSchema>;

export const api = {
  app: {
    getState: procedure(none, appStateSchema),
    /** Shows the system's folder dialog. null = cancelled. */
    pickFolder: procedure(none, z.string().nullable()),
    /** Folders below a path (default: home), for the window's own chooser. */
    listFolders: procedure(z.strictObject({ path: path.optional() }), folderListingSchema),
    /** Opens an https or mailto address outside; the window has shown it in full and asked. */
    openExternal: procedure(z.strictObject({ url: z.string().max(8192) }), nothing),
    copyText: procedure(z.strictObject({ text }), nothing),
    openDataFolder: procedure(none, nothing),
    getDataStats: procedure(none, dataStatsSchema),
    /** The largest chats, largest first. */
    listChatSizes: procedure(z.strictObject({ limit: z.number().int().min(1).max(200) }), z.array(chatSizeSchema)),
    /** Title of the window, e.g. `(2) Fix the test - Warrant`. */
    setTitle: procedure(z.strictObject({ title: z.string().max(300) }), nothing),
    /** The first frame with a working composer is drawn; used for start figures. */
    reportReady: procedure(z.strictObject({ sinceStartMs: z.number() }), nothing),
  },
  projects: {
    list: procedure(none, z.array(projectSchema)),
    /** Opens a folder by its path. Codes: project.not-found, project.not-a-folder, project.no-permission. */
    open: procedure(z.strictObject({ path }), projectSchema),
    /**
     * Says where a project's folder is now. Chats of a project that was made of that folder come to it. Codes as `open`.
     */
    relink: procedure(z.strictObject({ projectId: projectIdSchema, path }), projectSchema),
    /** Takes a project out of the list; its chats stay. */
    forget: procedure(z.strictObject({ projectId: projectIdSchema }), nothing),
    /** What AGENTS.md and CLAUDE.md tell agents; null = nothing. Codes workspace.*. */
    readInstructions: procedure(z.strictObject({ projectId: projectIdSchema }), projectInstructionsSchema.nullable()),
    /** Uses them in this project's chats, or not. Codes approval.changed when they are not those that were shown. */
    decideInstructions: procedure(
      z.strictObject({ projectId: projectIdSchema, choice: instructionChoiceSchema }),
      nothing,
    ),
    /** Files whose path matches what follows an `@`, best first, at most 50. */
    completeFiles: procedure(
      z.strictObject({ projectId: projectIdSchema, query: z.string().max(500) }),
      z.array(z.string()),
    ),
  },
  sessions: {
    /** A page of chats, newest first; `cursor` goes on where the last page ended. projectId null = all projects. */
    list: procedure(
      z.strictObject({
        projectId: projectIdSchema.nullable(),
        filter: z.string().max(500).default(''),
        archived: z.boolean().default(false),
        /** The chats in the trash, and none else. */
        trashed: z.boolean().default(false),
        cursor: z.string().max(200).nullable().default(null),
        limit: z.number().int().min(1).max(200).default(50),
      }),
      z.object({ sessions: z.array(sessionSummarySchema), cursor: z.string().nullable() }),
    ),
    /** Parts of chats that have all these words (their beginnings; "in quotes" = in this order), newest first. */
    search: procedure(
      z.strictObject({
        text: z.string().max(500),
        projectId: projectIdSchema.nullable().default(null),
        cursor: z.string().max(200).nullable().default(null),
        limit: z.number().int().min(1).max(200).default(50),
      }),
      searchPageSchema,
    ),
    create: procedure(
      z.strictObject({
        projectId: projectIdSchema,
        model: z.string().max(2400).optional(),
        mode: modeSchema.optional(),
        /** false = it is kept in memory alone; absent = as the settings say. */
        saved: z.boolean().optional(),
      }),
      sessionSummarySchema,
    ),
    /** Opens a chat and subscribes this window to its events. Codes: session.not-found, project.gone. */
    open: procedure(session, sessionViewSchema),
    close: procedure(session, nothing),
    /** Entries older than `beforeSeq`, oldest first. */
    readEarlier: procedure(
      z.strictObject({
        sessionId: sessionIdSchema,
        beforeSeq: z.number().int(),
        limit: z.number().int().min(1).max(500),
      }),
      z.object({ entries: z.array(windowEntrySchema), hasEarlier: z.boolean() }),
    ),
    /** One entry with 240,000 characters of each text; `hidden` says how many more there are. */
    readEntry: procedure(z.strictObject({ sessionId: sessionIdSchema, entryId: entryIdSchema }), windowEntrySchema),
    /** A message: starts a turn, or is queued while one runs. Codes: session.busy, project.gone, provider.no-key. */
    submit: procedure(
      z.strictObject({
        sessionId: sessionIdSchema,
        text,
        attachmentIds: z.array(attachmentIdSchema).max(50).default([]),
      }),
      z.object({ queued: z.boolean() }),
    ),
    /** Goes on with a turn that was cut or failed: no new message. */
    continueTurn: procedure(session, nothing),
    stop: procedure(session, nothing),
    removeQueued: procedure(z.strictObject({ sessionId: sessionIdSchema, queueId: z.string().max(64) }), nothing),
    rename: procedure(z.strictObject({ sessionId: sessionIdSchema, title: z.string().min(1).max(300) }), nothing),
    setArchived: procedure(z.strictObject({ sessionId: sessionIdSchema, archived: z.boolean() }), nothing),
    /** Puts a chat at the top of its project's chats, or back to where its time puts it. */
    setPinned: procedure(z.strictObject({ sessionId: sessionIdSchema, pinned: z.boolean() }), nothing),
    /** Puts a chat into the trash, for 30 days. Codes session.not-at-boundary, session.busy. */
    trash: procedure(session, nothing),
    restore: procedure(session, nothing),
    /** Deletes a chat of the trash for good. */
    purge: procedure(session, nothing),
    markRead: procedure(session, nothing),
    clearContext: procedure(session, nothing),
    /**
     * Goes back: keeps so many messages (the system message counted), or all before a message. Nothing is deleted, and
     * `undoRewind` takes it back. Code session.not-at-boundary while a turn is open.
     */
    rewind: procedure(
      z.strictObject({
        sessionId: sessionIdSchema,
        to: z.discriminatedUnion('type', [
          z.strictObject({ type: z.literal('keep'), messages: z.number().int().min(1) }),
          z.strictObject({ type: z.literal('before'), entryId: entryIdSchema }),
        ]),
      }),
      z.object({ removed: z.number() }),
    ),
    /** Takes the last move back, also one of an earlier start; `undone` false = there was none. */
    undoRewind: procedure(session, z.object({ undone: z.boolean() })),
    /** Goes to the end of any turn of the tree, named by its seq. Code session.not-at-boundary. */
    jump: procedure(z.strictObject({ sessionId: sessionIdSchema, turnSeq: z.number().int() }), nothing),
    nameBranch: procedure(
      z.strictObject({ sessionId: sessionIdSchema, branch: z.number().int().min(0), name: z.string().max(100) }),
      nothing,
    ),
    /** Copies the path to the end of a turn (null = all of it) into a chat of its own. */
    fork: procedure(
      z.strictObject({ sessionId: sessionIdSchema, turnSeq: z.number().int().nullable() }),
      sessionSummarySchema,
    ),
    /** Writes a chat into the data folder's `exports`: all of it, the model's messages, or Markdown. */
    exportChat: procedure(
      z.strictObject({ sessionId: sessionIdSchema, format: z.enum(['jsonl', 'messages', 'markdown']) }),
      z.object({ path: z.string() }),
    ),
    /**
     * A session file of Claude Code or Codex, or an export, as a new chat. `importId` names it in `import-progress` events
     * and for `stopImport`. Codes config.invalid, cancelled.
     */
    importChat: procedure(
      z.strictObject({ projectId: projectIdSchema, path, importId: importId.optional() }),
      z.object({ session: sessionSummarySchema, report: entryDataSchemas.import }),
    ),
    /** Stops the import that was begun with that id; nothing is left of it. */
    stopImport: procedure(z.strictObject({ importId }), nothing),
    /** A file's conversation in the place of the present one. Codes config.invalid, session.not-at-boundary. */
    loadMessages: procedure(z.strictObject({ sessionId: sessionIdSchema, path }), entryDataSchemas.import),
    readTree: procedure(session, treeViewSchema),
    setMode: procedure(z.strictObject({ sessionId: sessionIdSchema, mode: modeSchema }), nothing),
    setModel: procedure(z.strictObject({ sessionId: sessionIdSchema, model: z.string().max(2400) }), nothing),
    /** Replaces the enabled subset, whole or not at all. Code: authority.tool-unavailable. */
    setEnabledTools: procedure(
      z.strictObject({ sessionId: sessionIdSchema, tools: z.array(z.string().max(64)).max(512) }),
      nothing,
    ),
    setConfinement: procedure(z.strictObject({ sessionId: sessionIdSchema, on: z.boolean() }), nothing),
    saveDraft: procedure(
      z.strictObject({
        sessionId: sessionIdSchema,
        text,
        attachmentIds: z.array(attachmentIdSchema).max(50).default([]),
      }),
      nothing,
    ),
    /** Adds a piece of a large paste or dropped text file; `done` closes it. Pieces come in order, 128 Ki characters at most. */
    putAttachment: procedure(
      z.strictObject({
        sessionId: sessionIdSchema,
        attachmentId: attachmentIdSchema.nullable(),
        name: z.string().min(1).max(200),
        piece: z.string().max(131_072),
        done: z.boolean(),
      }),
      attachmentSchema,
    ),
    getAuthority: procedure(session, authorityViewSchema),
    /** Resolves authority again from the present settings; at a boundary. Gives the difference that was applied. */
    updateAuthority: procedure(session, z.array(authorityChangeSchema)),
    listLedger: procedure(session, z.array(ledgerRowSchema)),
    listChanges: procedure(session, z.array(changedFileSchema)),
  },
  /** File checkpoints; places in the conversation are `sessions.rewind`'s and `sessions.jump`'s. */
  checkpoints: {
    list: procedure(session, checkpointListSchema),
    /** What one turn changed in files, by tools or by commands. Codes session.not-found, store.*. */
    readChanges: procedure(
      z.strictObject({ sessionId: sessionIdSchema, checkpointId: checkpointIdSchema }),
      z.array(checkpointFileSchema),
    ),
    /** What it changed in one file; diff null = there is none to show, and `note` says why. */
    readDiff: procedure(
      z.strictObject({ sessionId: sessionIdSchema, checkpointId: checkpointIdSchema, path: path.max(8192) }),
      z.object({ diff: z.string().nullable(), note: z.string() }),
    ),
    /** What would be put back; nothing is changed. */
    plan: procedure(z.strictObject({ sessionId: sessionIdSchema, scope: restoreScopeSchema }), restorePlanSchema),
    /**
     * Puts the chosen files of a plan back, after a checkpoint of how they are. Codes session.not-at-boundary,
     * session.busy, workspace.conflict (the plan is too old), store.*; nothing was changed then.
     */
    restore: procedure(
      z.strictObject({
        sessionId: sessionIdSchema,
        scope: restoreScopeSchema,
        shown: z.string().max(128),
        paths: z.array(z.string().min(1).max(8192)).max(200_000),
      }),
      restoreResultSchema,
    ),
  },
  /** Answers of the person. */
  approvals: approvalProcedures,
  /** The shell that a chat holds open between calls: its person may use it, whatever the agent does. */
  shells: {
    /** Gives a line to what runs in it. Code: process.not-running. */
    send: procedure(z.strictObject({ sessionId: sessionIdSchema, line: z.string().max(10_000) }), nothing),
    /** Ends it with everything that runs in it; nothing when there is none. */
    stop: procedure(session, nothing),
  },
  /** What the model is sent of a chat. */
  context: contextProcedures,
  settings: {
    get: procedure(none, settingsSchema),
    /** Changes a part; services are the models' to save. Codes: settings.rule-refused, ipc.invalid-input. */
    update: procedure(z.strictObject({ patch: windowPatchSchema }), settingsSchema),
  },
  models: {
    list: procedure(none, z.array(modelInfoSchema)),
    /** Looks for local servers again. */
    discover: procedure(none, z.array(modelInfoSchema)),
    /** Code settings.command-refused: the person did not allow the command for its key. */
    saveProvider: procedure(z.strictObject({ provider: providerSettingSchema }), settingsSchema),
    removeProvider: procedure(z.strictObject({ providerId: z.string().max(64) }), settingsSchema),
    setKey: procedure(z.strictObject({ providerId: z.string().max(64), key: z.string().max(10_000) }), keyStateSchema),
    removeKey: procedure(z.strictObject({ providerId: z.string().max(64) }), keyStateSchema),
    listKeys: procedure(none, z.array(keyStateSchema)),
    /** Sends one tiny request. Gives what came back, or the error that a chat would meet. */
    test: procedure(
      z.strictObject({ model: z.string().max(2400) }),
      z.object({ text: z.string(), durationMs: z.number() }),
    ),
  },
} as const;

export type Api = typeof api;
export type Area = keyof Api;

type Values<T> = { [K in keyof T]: T[K] };
/** Input as the window gives it. */
export type InputOf<P> = P extends Procedure<infer I, z.ZodType> ? z.input<I> : never;
/** Input after validation. */
export type ParsedInputOf<P> = P extends Procedure<infer I, z.ZodType> ? z.output<I> : never;
export type OutputOf<P> = P extends Procedure<z.ZodType, infer O> ? z.output<O> : never;

/** What the preload exposes as `window.warrant`. */
export type WarrantBridge = {
  [A in Area]: Values<{ [P in keyof Api[A]]: (input: InputOf<Api[A][P]>) => Promise<WireResult<OutputOf<Api[A][P]>>> }>;
} & {
  /** Batches of events, once a frame; gives the undo. */
  onEvents(listener: (events: EventEnvelope[]) => void): () => void;
  /** Absolute path of a file or folder dropped on the window; '' when there is none. */
  pathForFile(file: unknown): Promise<string>;
};

// Branded ids of the product's nouns. Every id is a UUIDv7 in text form, so ids sort by the time they were made.
import { z } from 'zod';

/** Identifies a project: a folder the person opened. */
export const projectIdSchema = z.string().min(1).max(64).brand('ProjectId');
/** Identifies a session (a chat). */
export const sessionIdSchema = z.string().min(1).max(64).brand('SessionId');
/** Identifies a turn: from one user message to the final answer. */
export const turnIdSchema = z.string().min(1).max(64).brand('TurnId');
/** Identifies an entry of a session's tree. */
export const entryIdSchema = z.string().min(1).max(64).brand('EntryId');
/** Identifies a tool call; made here, never the provider's own (TOOL-09). */
export const callIdSchema = z.string().min(1).max(64).brand('CallId');
/** Identifies a file checkpoint: a project's files as they were at one moment. */
export const checkpointIdSchema = z.string().min(1).max(64).brand('CheckpointId');
/** Identifies an attachment of a message. */
export const attachmentIdSchema = z.string().min(1).max(64).brand('AttachmentId');

export type ProjectId = z.infer<typeof projectIdSchema>;
export type SessionId = z.infer<typeof sessionIdSchema>;
export type TurnId = z.infer<typeof turnIdSchema>;
export type EntryId = z.infer<typeof entryIdSchema>;
export type CallId = z.infer<typeof callIdSchema>;
export type AttachmentId = z.infer<typeof attachmentIdSchema>;
export type CheckpointId = z.infer<typeof checkpointIdSchema>;

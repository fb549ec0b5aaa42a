// A file of another program, or of an export, as the entries of a chat, with its records verbatim and a report of what was
// understood. Nothing in it is trusted, and nothing in it is dropped.
import path from 'node:path';
import { setImmediate as rest } from 'node:timers/promises';
import { z } from 'zod';
import { AppError } from '../../base/app-error.ts';
import { entrySchema, type EntryData, type NewEntry } from '../../contract/entries.ts';
import { ForeignChat, RecordCount } from './foreign-chat.ts';
import { isClaudeCode, readClaudeCode } from './read-claude-code.ts';
import { isCodex, readCodex } from './read-codex.ts';

export interface ParsedFile {
  readonly title: string;
  /** Lines of the other program's file, as they were. */
  readonly records: string[];
  readonly entries: NewEntry[];
  readonly report: EntryData<'import'>;
}

const LINES_AT_ONCE = 200;

/** The header of an export; what follows are `records` lines of another program, then entries. */
export const exportHeaderSchema = z.looseObject({
  format: z.literal('warrant-chat'),
  version: z.literal(2),
  title: z.string(),
  imported: z.looseObject({ format: z.string(), records: z.number().int().min(0) }).nullable(),
});

/** Entries of a chat that say nothing in another one: where it began, what it was allowed, how its tree grew. */
const own: ReadonlySet<string> = new Set([
  ...['session-start', 'authority', 'grant-lapse', 'import', 'fork', 'rewind', 'branch-name'],
  ...['queue-add', 'queue-remove', 'mode', 'confinement', 'enabled-tools', 'model'],
]);

/** Entries that are a message of the model's. */
const said: ReadonlySet<string> = new Set(['user-message', 'assistant-message', 'tool-result']);

const messageSchema = z.discriminatedUnion('role', [
  z.object({ role: z.literal('system'), text: z.string() }),
  z.object({ role: z.literal('user'), text: z.string() }),
  z.object({
    role: z.literal('assistant'),
    model: z.string(),
    parts: z.array(
      z.union([
        z.object({ type: z.enum(['text', 'reasoning']), text: z.string() }),
        z.object({ type: z.literal('tool-call'), callId: z.string(), name: z.string(), argumentsText: z.string() }),
      ]),
    ),
  }),
  z.object({ role: z.literal('tool'), callId: z.string(), content: z.string(), failed: z.boolean() }),
]);

async function parseLines(lines: readonly string[], count: RecordCount): Promise<unknown[]> {
  const values: unknown[] = [];
  for (const [index, line] of lines.entries()) {
    if (index % LINES_AT_ONCE === LINES_AT_ONCE - 1) await rest();
    try {
      values.push(JSON.parse(line));
    } catch {
      count.broken += 1;
    }
  }
  return values;
}

function readMessages(values: readonly unknown[], chat: ForeignChat, count: RecordCount): void {
  for (const [index, value] of values.entries()) {
    const message = messageSchema.safeParse(value).data;
    if (!message) count.note('unknown', false);
    else if (message.role === 'system') chat.context('system message', message.text);
    else if (message.role === 'user') chat.user(message.text);
    else if (message.role === 'tool') count.note('tool', chat.result({ ...message, id: message.callId }));
    else {
      const about = { group: String(index), model: message.model };
      for (const part of message.parts)
        chat.part(part.type === 'tool-call' ? { ...part, type: 'call', id: part.callId } : part, about);
    }
    if (message && message.role !== 'tool') count.note(message.role, true);
  }
}

type Format = EntryData<'import'>['format'];

function formatOf(values: readonly unknown[]): Format | null {
  const first = values.slice(0, 50);
  if (exportHeaderSchema.safeParse(first[0]).success) return 'warrant';
  if (isCodex(first)) return 'codex';
  if (messageSchema.safeParse(first[0]).success) return 'messages';
  return isClaudeCode(first) ? 'claude-code' : null;
}

const readers = { codex: readCodex, 'claude-code': readClaudeCode, messages: readMessages } as const;

/** The chat of a file's lines. Code config.invalid when it is none that is known; nothing was changed then. */
export async function parseFile(lines: readonly string[], given: { file: string; nowMs: number }): Promise<ParsedFile> {
  const about = { ...given, file: path.basename(given.file) };
  const count = new RecordCount();
  const values = await parseLines(lines, count);
  const format = formatOf(values);
  if (format === null) {
    throw new AppError(
      'config.invalid',
      'This is no session file of Claude Code or Codex, and no exported chat. Nothing was imported.',
      { details: { file: about.file } },
    );
  }
  if (format === 'warrant') return parseExport(lines, about);
  const chat = new ForeignChat(about.nowMs);
  readers[format](values, chat, count);
  const entries = chat.end();
  const { understood, kept, broken } = count;
  const report = {
    format,
    file: about.file,
    records: lines.length,
    understood,
    kept,
    broken,
    messages: chat.messages,
    entries: entries.length,
  };
  return { title: chat.title, records: [...lines], entries, report };
}

/** An entry of an export as one of the new chat; none where it says nothing there, or is no entry. */
function toOwnEntry(value: unknown, count: RecordCount): NewEntry[] {
  const entry = entrySchema.safeParse(value).data;
  const isTaken = entry !== undefined && !own.has(entry.kind);
  count.note(entry?.kind ?? 'unknown', isTaken);
  if (!isTaken) return [];
  const { id, atMs, kind, data } = entry;
  return [{ id, atMs, kind, data } as NewEntry];
}

function parsedOrNull(line: string | undefined): unknown {
  try {
    return JSON.parse(line ?? 'null');
  } catch {
    return null;
  }
}

async function parseExport(lines: readonly string[], about: { file: string; nowMs: number }): Promise<ParsedFile> {
  const header = exportHeaderSchema.parse(JSON.parse(lines[0] ?? ''));
  const taken = header.imported?.records ?? 0;
  const records = lines.slice(1, 1 + taken);
  // An export holds what another program wrote, never an export: one inside of another has no end that could be known.
  if (exportHeaderSchema.safeParse(parsedOrNull(records[0])).success) {
    throw new AppError('config.invalid', 'This export holds another export. Import that one by itself.', {
      details: { file: about.file },
    });
  }
  const before = taken === 0 ? null : await parseFile(records, about);
  const count = new RecordCount();
  const later = (await parseLines(lines.slice(1 + taken), count)).flatMap((value) => toOwnEntry(value, count));
  const entries = [...(before?.entries ?? []), ...later];
  const messages = (before?.report.messages ?? 0) + later.filter(({ kind }) => said.has(kind)).length;
  const { understood, kept, broken } = count;
  const format = before?.report.format ?? 'warrant';
  const report = {
    format,
    file: about.file,
    records: records.length,
    understood,
    kept,
    broken,
    messages,
    entries: entries.length,
  };
  return { title: header.title, records, entries, report };
}

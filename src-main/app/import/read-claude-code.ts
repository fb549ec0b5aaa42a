// Reads the session files of Claude Code: one JSON record a line, messages linked by uuid and parentUuid. What was
// abandoned (another branch, a side chain) is kept and no part of the chat.
import { z } from 'zod';
import type { ForeignChat, RecordCount } from './foreign-chat.ts';

const blockSchema = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  thinking: z.string().optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  input: z.unknown().optional(),
  tool_use_id: z.string().optional(),
  content: z.unknown().optional(),
  is_error: z.boolean().optional(),
});
type Block = z.infer<typeof blockSchema>;

const recordSchema = z.looseObject({
  type: z.string(),
  uuid: z.string().optional(),
  parentUuid: z.string().nullish(),
  isSidechain: z.boolean().optional(),
  isMeta: z.boolean().optional(),
  timestamp: z.string().optional(),
  rendered: z.array(z.looseObject({ content: z.string() })).optional(),
  attachment: z.looseObject({ type: z.string() }).optional(),
  message: z
    .looseObject({
      id: z.string().optional(),
      model: z.string().optional(),
      content: z.union([z.string(), z.array(blockSchema)]),
    })
    .optional(),
});
type ClaudeRecord = z.infer<typeof recordSchema>;

/** Whether the first records look like Claude Code's. */
export function isClaudeCode(records: readonly unknown[]): boolean {
  return records.some((record) => z.looseObject({ sessionId: z.string(), type: z.string() }).safeParse(record).success);
}

const blocksOf = (record: ClaudeRecord): Block[] =>
  Array.isArray(record.message?.content) ? record.message.content : [];

const isSaid = (record: ClaudeRecord | null): boolean => record?.type === 'user' || record?.type === 'assistant';

/** The records of the path that the chat was on last, with all parts of its answers and all results of its calls. */
function currentPath(records: readonly (ClaudeRecord | null)[]): Set<ClaudeRecord> {
  const byId = new Map(
    records.flatMap((record) => (record?.uuid === undefined ? [] : [[record.uuid, record] as const])),
  );
  const path = new Set<ClaudeRecord>();
  let at = records.findLast((record) => isSaid(record) && record?.isSidechain !== true) ?? undefined;
  while (at !== undefined && !path.has(at)) {
    path.add(at);
    at = typeof at.parentUuid === 'string' ? byId.get(at.parentUuid) : undefined;
  }
  const answers = new Set([...path].flatMap((record) => record.message?.id ?? []));
  for (const record of records) if (record && isSaid(record) && answers.has(record.message?.id ?? '')) path.add(record);
  const calls = new Set([...path].flatMap((record) => blocksOf(record).flatMap((block) => block.id ?? [])));
  for (const record of records) {
    if (record && isSaid(record) && blocksOf(record).some((block) => calls.has(block.tool_use_id ?? '')))
      path.add(record);
  }
  return path;
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const blocks = z.array(blockSchema).safeParse(content);
  if (!blocks.success) return content === undefined ? '' : JSON.stringify(content);
  return blocks.data.map((block) => block.text ?? `[${block.type}]`).join('\n');
}

function takeAnswer(record: ClaudeRecord, chat: ForeignChat): boolean {
  const { message, uuid = '' } = record;
  const about = { group: message?.id ?? uuid, model: message?.model ?? '' };
  const blocks = typeof message?.content === 'string' ? [{ type: 'text', text: message.content }] : blocksOf(record);
  const taken = blocks.map((block: Block) => {
    if (block.type === 'text') return chat.part({ type: 'text', text: block.text ?? '' }, about);
    if (block.type === 'thinking') return chat.part({ type: 'reasoning', text: block.thinking ?? '' }, about);
    if (block.type !== 'tool_use' || block.id === undefined || block.name === undefined) return false;
    const argumentsText = JSON.stringify(block.input ?? {});
    return chat.part({ type: 'call', id: block.id, name: block.name, argumentsText }, about);
  });
  return taken.length > 0 && taken.every(Boolean);
}

function takeUser(record: ClaudeRecord, chat: ForeignChat): boolean {
  const { message } = record;
  const results = blocksOf(record).filter((block) => block.type === 'tool_result');
  const taken = results.map((block) =>
    chat.result({ id: block.tool_use_id ?? '', content: textOf(block.content), failed: block.is_error === true }),
  );
  const rest = blocksOf(record).filter((block) => block.type !== 'tool_result');
  const text = typeof message?.content === 'string' ? message.content : textOf(rest);
  if (text === '') return taken.length > 0 && taken.every(Boolean);
  if (record.isMeta === true) chat.context('note of the imported chat', text);
  else chat.user(text);
  return taken.every(Boolean);
}

/** Hands the chat of a file over, record by record in its order. */
export function readClaudeCode(values: readonly unknown[], chat: ForeignChat, count: RecordCount): void {
  const records = values.map((value) => recordSchema.safeParse(value).data ?? null);
  const path = currentPath(records);
  for (const record of records) {
    if (record === null) {
      count.note('unknown', false);
      continue;
    }
    const kind = record.attachment ? `attachment ${record.attachment.type}` : record.type;
    chat.at(record.timestamp);
    if (!path.has(record)) count.note(record.message ? `${kind}, left` : kind, false);
    else if (record.type === 'assistant') count.note(kind, takeAnswer(record, chat));
    else if (record.type === 'user') count.note(kind, takeUser(record, chat));
    else {
      const text = (record.rendered ?? []).map(({ content }) => content).join('\n');
      chat.context(record.attachment?.type ?? record.type, text);
      count.note(kind, text !== '');
    }
  }
}

// Reads the session files of Codex: one JSON record a line; what the model was sent and answered are the response items,
// the rest are events about them.
import { z } from 'zod';
import type { ForeignChat, RecordCount } from './foreign-chat.ts';

const itemSchema = z.looseObject({
  type: z.string(),
  role: z.string().optional(),
  name: z.string().optional(),
  call_id: z.string().optional(),
  arguments: z.string().optional(),
  input: z.string().optional(),
  action: z.unknown().optional(),
  output: z.unknown().optional(),
  content: z.unknown().optional(),
  summary: z.unknown().optional(),
  internal_chat_message_metadata_passthrough: z
    .looseObject({ content_item_kinds: z.array(z.string()).optional() })
    .optional(),
});
type Item = z.infer<typeof itemSchema>;

const recordSchema = z.looseObject({ type: z.string(), timestamp: z.string().optional(), payload: z.unknown() });
const modelSchema = z.looseObject({ model: z.string() });
const textsSchema = z.array(z.looseObject({ text: z.string() }));

/** Whether the first records look like Codex's. */
export function isCodex(records: readonly unknown[]): boolean {
  return records.some((record) => recordSchema.safeParse(record).data?.type === 'session_meta');
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const texts = textsSchema.safeParse(value);
  if (texts.success) return texts.data.map(({ text }) => text).join('\n');
  return value === undefined ? '' : JSON.stringify(value);
}

/** What a person wrote, and not what the program put beside it. */
function isPersons(item: Item, text: string): boolean {
  const kinds = item.internal_chat_message_metadata_passthrough?.content_item_kinds;
  if (kinds !== undefined && kinds.some((kind) => kind !== 'unknown')) return kinds.includes('user.text');
  return !/^<[a-z_]+>|^# AGENTS\.md/.test(text);
}

function takeMessage(item: Item, chat: ForeignChat, about: { group: string; model: string }): boolean {
  const text = textOf(item.content);
  if (item.role === 'assistant') return chat.part({ type: 'text', text }, about);
  if (item.role === 'user' && isPersons(item, text)) chat.user(text);
  else chat.context(item.role ?? 'context', text);
  return true;
}

function takeItem(item: Item, chat: ForeignChat, about: { group: string; model: string }): boolean {
  const { call_id: id, name } = item;
  switch (item.type) {
    case 'message':
      return takeMessage(item, chat, about);
    case 'reasoning':
      return chat.part({ type: 'reasoning', text: textOf(item.summary) }, about);
    case 'function_call':
    case 'custom_tool_call':
    case 'local_shell_call': {
      if (id === undefined) return false;
      const argumentsText = item.arguments ?? JSON.stringify({ input: item.input ?? item.action });
      return chat.part({ type: 'call', id, name: name ?? item.type, argumentsText }, about);
    }
    case 'function_call_output':
    case 'custom_tool_call_output': {
      if (id === undefined) return false;
      const content = textOf(item.output);
      return chat.result({ id, content, failed: /^Process exited with code (?!0$)/m.test(content) });
    }
    default:
      return false;
  }
}

/** Hands the chat of a file over, record by record in its order. */
export function readCodex(values: readonly unknown[], chat: ForeignChat, count: RecordCount): void {
  let model = '';
  for (const value of values) {
    const record = recordSchema.safeParse(value).data;
    if (!record) {
      count.note('unknown', false);
      continue;
    }
    chat.at(record.timestamp);
    const item = itemSchema.safeParse(record.payload).data;
    if (record.type === 'turn_context') model = modelSchema.safeParse(record.payload).data?.model ?? model;
    const kind = item ? `${record.type} ${item.type}` : record.type;
    const understood = record.type === 'response_item' && item !== undefined;
    // An answer has no id of its own here: it goes on until a result or a message comes.
    count.note(kind, understood && takeItem(item, chat, { group: 'answer', model }));
  }
}

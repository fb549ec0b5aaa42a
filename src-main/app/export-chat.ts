// A chat as text: JSONL with every entry (after the imported file's own lines, verbatim), JSONL of the messages that the
// model is sent, or Markdown to read. Pure.
import type { Entry } from '../contract/entries.ts';
import type { ModelMessage } from '../engine/ports.ts';

export type ExportFormat = 'jsonl' | 'messages' | 'markdown';

export interface ExportedChat {
  readonly sessionId: string;
  readonly title: string;
  readonly entries: readonly Entry[];
  /** Lines of the file that it was imported from. */
  readonly records: readonly string[];
  readonly messages: readonly ModelMessage[];
  readonly nowMs: number;
}

function isWhole({ entries, records }: ExportedChat, at: number): boolean {
  const imported = entries[at];
  if (imported?.kind !== 'import' || records.length === 0) return false;
  const own = entries.slice(at + 1, at + 1 + imported.data.entries);
  return own.length === imported.data.entries && own.every(({ kind }) => kind !== 'rewind');
}

/** The header, the imported lines as they were, and every later entry, one a line. */
export function toJsonl(chat: ExportedChat): string {
  const at = chat.entries.findIndex((entry) => entry.kind === 'import');
  const imported = chat.entries[at];
  // Where the path leaves some of the imported beginning out, the records would say more than it.
  const about = imported?.kind === 'import' && isWhole(chat, at) ? imported.data : null;
  const header = {
    format: 'warrant-chat',
    version: 2,
    sessionId: chat.sessionId,
    title: chat.title,
    exportedAtMs: chat.nowMs,
    imported: about && { format: about.format, records: chat.records.length },
  };
  const own = about ? chat.entries.slice(at + 1 + about.entries) : chat.entries;
  return [JSON.stringify(header), ...chat.records, ...own.map((entry) => JSON.stringify(entry)), ''].join('\n');
}

/** The conversation as the model is sent it, one message a line. */
export function toMessages(chat: ExportedChat): string {
  return [...chat.messages.map((message) => JSON.stringify(message)), ''].join('\n');
}

function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`;
}

function blockOf(entry: Entry): string[] {
  switch (entry.kind) {
    case 'user-message':
      return ['## You', entry.data.text, ...entry.data.attachments.map(({ name }) => `*Attached: ${name}*`)];
    case 'assistant-message': {
      const texts = entry.data.parts.flatMap((part) => (part.type === 'text' && part.text !== '' ? [part.text] : []));
      return texts.length === 0 ? [] : [`## ${entry.data.model === '' ? 'Answer' : entry.data.model}`, ...texts];
    }
    case 'tool-result': {
      const { summary, status, content, changes } = entry.data;
      const shown = changes.length > 0 ? changes.map((change) => fenced(change.diff, 'diff')) : [fenced(content)];
      return [`**${summary}** (${status})`, ...(content === '' && changes.length === 0 ? [] : shown)];
    }
    case 'turn-end':
      return entry.data.outcome.type === 'completed' ? [] : [`*This turn ended as ${entry.data.outcome.type}.*`];
    default:
      return [];
  }
}

/** The conversation to read: messages, answers, calls with what came of them. */
export function toMarkdown(chat: ExportedChat): string {
  return [`# ${chat.title}`, ...chat.entries.flatMap(blockOf), ''].join('\n\n');
}

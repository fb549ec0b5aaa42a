// The tools by which a model reads and searches what was set aside (TOOL-20). They look at this chat's own entries alone,
// pass the gate like any other tool, and are advertised once something was set aside.
import { sha256Hex } from '../base/digest.ts';
import type { ToolDeclaration } from '../contract/authority.ts';
import type { Entry } from '../contract/entries.ts';
import type { PreparedCall, Tool, ToolOutcome } from './ports.ts';

export const EXPAND_REDUCTION = 'expand_reduction';
export const SIDECAR_SEARCH = 'sidecar_search';

/** How each is declared. */
export const CONTEXT_TOOL_DECLARATIONS: readonly ToolDeclaration[] = [
  {
    name: EXPAND_REDUCTION,
    description: 'Reads a part of this chat that was set aside to make room, by the id in its note or in a search hit.',
    parameters: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        offset: { type: 'integer', minimum: 0, description: 'Characters to skip' },
      },
      required: ['id'],
      additionalProperties: false,
    },
    class: 'read',
    cancellation: 'interrupt',
    builtin: true,
  },
  {
    name: SIDECAR_SEARCH,
    description: 'Finds words in all of this chat, also in what was set aside; gives pieces of text with their ids.',
    parameters: {
      type: 'object',
      properties: { query: { type: 'string' } },
      required: ['query'],
      additionalProperties: false,
    },
    class: 'read',
    cancellation: 'interrupt',
    builtin: true,
  },
];

const MOST_HITS = 12;
const AROUND = 160;

/** Both tools, over all entries of the chat's path. */
export function contextTools(entries: () => readonly Entry[]): Tool[] {
  return CONTEXT_TOOL_DECLARATIONS.map((declaration) => ({
    declaration,
    prepare: async (args): Promise<PreparedCall> => {
      const { id, query, offset } = argumentsOf(args);
      const about = declaration.name === EXPAND_REDUCTION ? id : query;
      return {
        summary:
          declaration.name === EXPAND_REDUCTION ? `Read what was set aside: ${id}` : `Look in this chat for: ${query}`,
        effects: [{ kind: 'read-inside', target: 'this chat' }],
        preview: { type: 'none' },
        digest: await sha256Hex(`${declaration.name}\n${about}\n${offset}`),
        grant: null,
        confined: true,
        state: { id, query, offset },
      };
    },
    run: async ({ state }, { limits }): Promise<ToolOutcome> => {
      const { id, query, offset } = argumentsOf(state);
      const found = declaration.name === EXPAND_REDUCTION ? expand(entries(), id) : search(entries(), query);
      if (found === null) return { ...told(`There is nothing with the id ${id} in this chat.`), status: 'error' };
      return told(page(found, offset, limits.resultCharacters));
    },
  }));
}

const told = (content: string): ToolOutcome => ({ status: 'ok', content, facts: {}, changes: [] });

/** The arguments, which satisfy the schema by now. */
function argumentsOf(args: unknown): { id: string; query: string; offset: number } {
  const given: Record<string, unknown> = typeof args === 'object' && args !== null ? { ...args } : {};
  const { id = '', query = '', offset = 0 } = given;
  return { id: String(id), query: String(query), offset: Number(offset) };
}

function page(text: string, offset: number, most: number): string {
  // Room for the line that says how to go on.
  const piece = text.slice(offset, offset + Math.max(1, most - 200));
  const next = offset + piece.length;
  return next >= text.length ? piece : `${piece}\n[${text.length - next} more characters: go on with offset ${next}]`;
}

/** The text of an entry, as the model once had it; '' = it has none. */
function textOf(entry: Entry): string {
  switch (entry.kind) {
    case 'user-message':
      return [entry.data.text, ...entry.data.attachments.map(({ name, text }) => `${name}\n${text}`)].join('\n\n');
    case 'assistant-message':
      return entry.data.parts
        .map((part) =>
          part.type === 'tool-call'
            ? `(calls ${part.name} ${part.argumentsText})`
            : part.type === 'text'
              ? part.text
              : '',
        )
        .join('\n');
    case 'tool-result':
      return entry.data.content;
    default:
      return '';
  }
}

function expand(entries: readonly Entry[], id: string): string | null {
  const entry = entries.find((one) => one.id === id || (one.kind === 'tool-result' && one.data.callId === id));
  return entry ? textOf(entry) : null;
}

const SPEAKERS: Partial<Record<Entry['kind'], string>> = { 'user-message': 'the person', 'assistant-message': 'you' };

/** Where the words are, the newest first: pieces around the first of them. */
function search(entries: readonly Entry[], query: string): string {
  const words = query.toLowerCase().match(/\S+/g) ?? [];
  const hits: string[] = [];
  for (const entry of entries.toReversed()) {
    if (hits.length === MOST_HITS) break;
    const text = textOf(entry);
    const lower = text.toLowerCase();
    const [first] = words;
    if (first === undefined || text === '' || !words.every((word) => lower.includes(word))) continue;
    const at = lower.indexOf(first);
    const piece = text.slice(Math.max(0, at - AROUND), at + AROUND).replace(/\s+/g, ' ');
    const who = entry.kind === 'tool-result' ? `result of ${entry.data.tool}` : (SPEAKERS[entry.kind] ?? entry.kind);
    hits.push(`${who}, id ${entry.id}, ${text.length} characters: …${piece}…`);
  }
  return hits.length > 0 ? hits.join('\n\n') : 'Nothing in this chat has all of these words. Try fewer of them.';
}

// What the next request holds, part by part, in tokens: counted on the very request that would be sent.
import type { ContextItem, ContextPart, ContextView } from '../contract/context.ts';
import type { Entry } from '../contract/entries.ts';
import type { CallId, EntryId } from '../contract/ids.ts';
import { charactersOfMessage } from './message-size.ts';
import type { ModelMessage, ModelRequest } from './ports.ts';
import { toolCharacters } from './tool-menu.ts';

const MOST_ITEMS = 40;
/** A smaller result is not worth a line. */
const LEAST_CHARACTERS = 600;

export interface ContextInput {
  readonly request: ModelRequest;
  readonly entries: readonly Entry[];
  readonly tokens: (characters: number) => number;
  readonly window: number | null;
  readonly limit: number | null;
  readonly pinned: ReadonlySet<CallId>;
  readonly issued: number;
}

/** The view of it. */
export function describeContext(input: ContextInput): ContextView {
  const { request, entries, tokens, window, limit, issued } = input;
  const { system, tools, messages } = request;
  const sizes = { person: [0, 0], answers: [0, 0], results: [0, 0], notes: [0, 0] };
  const notes = new Set(
    entries.flatMap((entry) => (entry.kind === 'reduction' && entry.data.fold ? [entry.data.fold.text] : [])),
  );
  for (const message of messages) {
    const size = sizes[kindOf(message, notes)];
    size[0] = (size[0] ?? 0) + charactersOfMessage(message);
    size[1] = (size[1] ?? 0) + 1;
  }
  const part = (name: ContextPart['name'], characters = 0, count = 0): ContextPart => ({
    name,
    tokens: tokens(characters),
    count,
  });
  const parts = [
    part('system', system.length, 1),
    part('tools', toolCharacters(tools), tools.length),
    ...(['notes', 'person', 'answers', 'results'] as const).map((name) => part(name, ...sizes[name])),
  ];
  const items = itemsOf(input);
  return {
    tokens: parts.reduce((sum, one) => sum + one.tokens, 0),
    ...{ window, limit, parts, issued },
    items: items.filter(({ callId }) => callId === null || !input.pinned.has(callId)).slice(0, MOST_ITEMS),
    reductions: reductionsOf(entries),
    pinned: items.filter(({ callId }) => callId !== null && input.pinned.has(callId)),
  };
}

function kindOf(message: ModelMessage, notes: ReadonlySet<string>): 'person' | 'answers' | 'results' | 'notes' {
  if (message.role === 'assistant') return 'answers';
  if (message.role === 'tool') return 'results';
  return notes.has(message.text) ? 'notes' : 'person';
}

/** Results by size, the largest first. */
function itemsOf({ request, entries, tokens, pinned }: ContextInput): ContextItem[] {
  const words = new Map<CallId, string>();
  for (const entry of entries) if (entry.kind === 'tool-result') words.set(entry.data.callId, entry.data.summary);
  return request.messages
    .flatMap((message): ContextItem[] =>
      message.role === 'tool' && (message.content.length >= LEAST_CHARACTERS || pinned.has(message.callId))
        ? [
            {
              callId: message.callId,
              words: words.get(message.callId) ?? message.name,
              tokens: tokens(message.content.length),
            },
          ]
        : [],
    )
    .sort((a, b) => b.tokens - a.tokens);
}

function reductionsOf(entries: readonly Entry[]): ContextView['reductions'] {
  const undone = new Set<EntryId>();
  let cleared = 0;
  for (const [at, entry] of entries.entries()) {
    if (entry.kind === 'reduction-undo') undone.add(entry.data.of);
    if (entry.kind === 'context-clear') cleared = at;
  }
  return entries
    .slice(cleared)
    .flatMap((entry) => {
      if (entry.kind !== 'reduction' || undone.has(entry.id)) return [];
      const { cause, fold, calls, focus } = entry.data;
      const messages = fold === null ? 0 : fold.to - fold.from;
      return [{ entryId: entry.id, atMs: entry.atMs, cause, messages, results: calls.length, focus }];
    })
    .reverse();
}

// The one projection: entries of a path -> the messages of the next request. Pure and incremental: a settled entry is
// projected once and keeps its object identity. Every call has exactly one result after it, whatever the entries hold.
import type { Entry, EntryOf } from '../contract/entries.ts';
import type { CallId, TurnId } from '../contract/ids.ts';
import { charactersOf } from './budgets.ts';
import type { ModelMessage } from './ports.ts';

type AssistantEntry = EntryOf<'assistant-message'>;
type ToolMessage = Extract<ModelMessage, { role: 'tool' }>;

const NOT_FINISHED =
  'Interrupted: this call has no result. It may or may not have taken effect; check before repeating it.';
const GO_ON = 'Go on from where you stopped.';

/** Projects entries one after the other; `messages()` is the valid conversation so far. */
export class Projection {
  #done: ModelMessage[] = [];
  #open: { entry: AssistantEntry; results: Map<CallId, ToolMessage> } | null = null;
  /** The messages of the open answer, until another result comes: who asks twice, and the settled ones, get the same. */
  #openMessages: ModelMessage[] | null = null;
  readonly #referenced = new Set<string>();
  /** Characters of the settled messages. */
  #settled = 0;
  /** Where the newest turn begins among the settled messages. */
  #turn: { turnId: TurnId; from: number } | null = null;
  #discarded: { turnId: TurnId; messages: ModelMessage[] } | null = null;

  append(entry: Entry): void {
    switch (entry.kind) {
      case 'user-message':
        this.#settle();
        this.#beginTurn(entry.data.turnId);
        this.#push({ role: 'user', text: userText(entry) });
        break;
      case 'assistant-message':
        this.#settle();
        this.#begin(entry);
        break;
      case 'tool-result':
        this.#openMessages = null;
        this.#open?.results.set(entry.data.callId, {
          role: 'tool',
          callId: entry.data.callId,
          name: entry.data.tool,
          content: entry.data.content,
          failed: entry.data.status !== 'ok',
        });
        break;
      case 'turn-continue':
        this.#settle();
        this.#beginTurn(entry.data.turnId);
        if (this.#done.at(-1)?.role === 'assistant') this.#push({ role: 'user', text: GO_ON });
        break;
      case 'context-clear':
        this.#open = null;
        this.#openMessages = null;
        this.#done = [];
        this.#settled = 0;
        this.#referenced.clear();
        this.#turn = null;
        this.#discarded = null;
        break;
      case 'turn-discard':
        this.#discard(entry.data.turnId);
        break;
      case 'turn-restore':
        this.#restore(entry.data.turnId);
        break;
      default:
        break;
    }
  }

  /** The conversation, with every open call answered. The array is fresh, its settled members are not. */
  messages(): ModelMessage[] {
    return [...this.#done, ...this.#closed()];
  }

  /** Characters of all messages, without reading the settled ones again. */
  get characters(): number {
    return this.#closed().reduce((sum, message) => sum + charactersOfMessage(message), this.#settled);
  }

  /** Names of tools that the conversation refers to. */
  get referencedTools(): ReadonlySet<string> {
    return this.#referenced;
  }

  #beginTurn(turnId: TurnId): void {
    this.#turn = { turnId, from: this.#done.length };
    this.#discarded = null;
  }

  #discard(turnId: TurnId): void {
    if (this.#turn?.turnId !== turnId) return;
    this.#settle();
    const messages = this.#done.splice(this.#turn.from);
    for (const message of messages) this.#settled -= charactersOfMessage(message);
    this.#discarded = { turnId, messages };
  }

  #restore(turnId: TurnId): void {
    if (this.#discarded?.turnId !== turnId) return;
    for (const message of this.#discarded.messages) this.#push(message);
    this.#discarded = null;
  }

  #begin(entry: AssistantEntry): void {
    for (const part of entry.data.parts) if (part.type === 'tool-call') this.#referenced.add(part.name);
    this.#open = { entry, results: new Map() };
    this.#openMessages = null;
  }

  #closed(): readonly ModelMessage[] {
    if (!this.#open) return [];
    return (this.#openMessages ??= closed(this.#open.entry, this.#open.results));
  }

  #settle(): void {
    for (const message of this.#closed()) this.#push(message);
    this.#open = null;
    this.#openMessages = null;
  }

  #push(message: ModelMessage): void {
    this.#done.push(message);
    this.#settled += charactersOfMessage(message);
  }
}

/** The messages of a whole path. */
export function projectMessages(entries: readonly Entry[]): ModelMessage[] {
  const projection = new Projection();
  for (const entry of entries) projection.append(entry);
  return projection.messages();
}

function closed(entry: AssistantEntry, results: ReadonlyMap<CallId, ToolMessage>): ModelMessage[] {
  // An empty message is refused by every provider; a reasoning that leads nowhere is no message either.
  const meaningful = entry.data.parts.some(
    (part) => part.type === 'tool-call' || (part.type === 'text' && part.text !== ''),
  );
  if (!meaningful) return [];
  const messages: ModelMessage[] = [{ role: 'assistant', parts: entry.data.parts, model: entry.data.model }];
  for (const part of entry.data.parts) {
    if (part.type !== 'tool-call') continue;
    messages.push(
      results.get(part.callId) ?? {
        role: 'tool',
        callId: part.callId,
        name: part.name,
        content: NOT_FINISHED,
        failed: true,
      },
    );
  }
  return messages;
}

function charactersOfMessage(message: ModelMessage): number {
  if (message.role === 'user') return message.text.length;
  if (message.role === 'tool') return message.content.length;
  let metadata = 0;
  // The provider's own data goes out with every request as well.
  for (const part of message.parts)
    if (part.type !== 'text' && part.metadata) metadata += JSON.stringify(part.metadata).length;
  return charactersOf(message.parts) + metadata;
}

function userText(entry: EntryOf<'user-message'>): string {
  const attached = entry.data.attachments.map(
    (attachment) => `\n\n<attachment name=${JSON.stringify(attachment.name)}>\n${attachment.text}\n</attachment>`,
  );
  return entry.data.text + attached.join('');
}

// The one projection: entries of a path -> the messages of the next request. Pure and incremental: a settled entry is
// projected once and keeps its object identity. Every call has exactly one result after it, whatever the entries hold.
import type { Entry, EntryOf } from '../contract/entries.ts';
import type { CallId, TurnId } from '../contract/ids.ts';
import { charactersOfMessage } from './message-size.ts';
import type { ModelMessage } from './ports.ts';
import { ReducedView } from './reduced-view.ts';

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
  /** What is sent in the place of the settled messages; null while nothing is set aside. */
  #view: ReducedView | null = null;
  readonly #pinned = new Set<CallId>();

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
        this.#view = null;
        this.#pinned.clear();
        break;
      case 'turn-discard':
        this.#discard(entry.data.turnId);
        break;
      case 'turn-restore':
        this.#restore(entry.data.turnId);
        break;
      case 'reduction':
        (this.#view ??= new ReducedView()).add(entry.id, entry.data, this.#done);
        break;
      case 'reduction-undo':
        this.#view?.undo(entry.data.of, this.#done);
        if (this.#view?.isEmpty === true) this.#view = null;
        break;
      case 'context-pin':
        if (entry.data.on) this.#pinned.add(entry.data.callId);
        else this.#pinned.delete(entry.data.callId);
        break;
      default:
        break;
    }
  }

  /** The whole conversation, with every open call answered. The array is fresh, its settled members are not. */
  messages(): ModelMessage[] {
    return [...this.#done, ...this.#closed()];
  }

  /** The conversation as it is sent: the same, but for what was set aside. */
  sent(): ModelMessage[] {
    const view = this.#view;
    if (view === null) return this.messages();
    return [...view.messages, ...this.#closed().map((message) => view.shown(message))];
  }

  /** Characters of what is sent, without reading the settled messages again. */
  get characters(): number {
    const view = this.#view;
    const open = this.#closed();
    if (view === null) return open.reduce((sum, message) => sum + charactersOfMessage(message), this.#settled);
    return open.reduce((sum, message) => sum + charactersOfMessage(view.shown(message)), view.characters);
  }

  /** Results that are never set aside by themselves. */
  get pinned(): ReadonlySet<CallId> {
    return this.#pinned;
  }

  /** What a reduction is planned on. */
  get settled(): { done: readonly ModelMessage[]; open: readonly ModelMessage[]; view: ReducedView | null } {
    return { done: this.#done, open: this.#closed(), view: this.#view };
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
    this.#view?.rebuild(this.#done);
    this.#discarded = { turnId, messages };
  }

  #restore(turnId: TurnId): void {
    if (this.#discarded?.turnId !== turnId) return;
    for (const message of this.#discarded.messages) this.#push(message);
    // What was folded within that turn is folded again.
    this.#view?.rebuild(this.#done);
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
    this.#view?.push(message);
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

function userText(entry: EntryOf<'user-message'>): string {
  const attached = entry.data.attachments.map(
    (attachment) => `\n\n<attachment name=${JSON.stringify(attachment.name)}>\n${attachment.text}\n</attachment>`,
  );
  return entry.data.text + attached.join('');
}

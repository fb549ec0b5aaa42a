// A transcript of plain messages as the entries of a session that goes on from it. Strict, as nothing is repaired in what
// somebody hands in: every call has exactly one result and a declared tool, and there is one system prompt at most.
import { AppError } from '../base/app-error.ts';
import { newId } from '../base/new-id.ts';
import type { EntryData, EntryKind, NewEntry } from '../contract/entries.ts';
import type { CallId, EntryId, TurnId } from '../contract/ids.ts';
import type { ModelMessage } from './ports.ts';

/** A message of a transcript; a system message may come first. */
export type TranscriptMessage = ModelMessage | { readonly role: 'system'; readonly text: string };

export interface TranscriptInput {
  readonly messages: readonly TranscriptMessage[];
  /** The agent's own; '' where the transcript's is to be used. */
  readonly systemPrompt: string;
  /** Names of the tools that there are. */
  readonly tools: ReadonlySet<string>;
  readonly nowMs: number;
}

/**
 * The system prompt to use and the entries to begin with, to be stored by the journal first. A transcript that ends in a
 * question or in results leaves its turn open, to be gone on with. Codes session.history-invalid (a call without a result,
 * twice, or of no tool; a result without a call; a late system message) and authority.invalid (two system prompts).
 */
export function importTranscript(input: TranscriptInput): { systemPrompt: string; entries: NewEntry[] } {
  const [first, ...rest] = input.messages;
  const own = first?.role === 'system' ? first.text : null;
  if (own !== null && input.systemPrompt !== '') {
    throw new AppError(
      'authority.invalid',
      'The transcript has a system prompt and the agent has its own. Give one of them; they are not merged.',
    );
  }
  const writer = new EntryWriter(input);
  for (const message of own === null ? input.messages : rest) writer.take(message);
  return { systemPrompt: own ?? input.systemPrompt, entries: writer.end() };
}

const refuse = (what: string): never => {
  throw new AppError('session.history-invalid', `This transcript cannot be gone on from: ${what}.`);
};

class EntryWriter {
  readonly #input: TranscriptInput;
  readonly #entries: NewEntry[] = [];
  readonly #seen = new Set<CallId>();
  /** Calls that have no result yet, with their tools. */
  readonly #open = new Map<CallId, string>();
  #turnId: TurnId | null = null;
  #steps = 0;
  #answered = false;

  constructor(input: TranscriptInput) {
    this.#input = input;
  }

  take(message: TranscriptMessage): void {
    if (message.role === 'tool') {
      this.#takeResult(message);
      return;
    }
    if (this.#open.size > 0) refuse('a call has no result');
    if (message.role === 'system') refuse('a system message stands after the first message');
    else if (message.role === 'user') this.#takeUser(message.text);
    else this.#takeAssistant(message);
  }

  end(): NewEntry[] {
    if (this.#open.size > 0) refuse('a call has no result');
    if (this.#answered) this.#endTurn();
    return this.#entries;
  }

  #takeUser(text: string): void {
    if (this.#answered) this.#endTurn();
    this.#turnId ??= newId<TurnId>(this.#input.nowMs);
    this.#add('user-message', { turnId: this.#turnId, text, attachments: [] });
  }

  #takeAssistant({ parts, model }: Extract<ModelMessage, { role: 'assistant' }>): void {
    const turnId = this.#turnId ?? refuse('it begins with an answer');
    const calls = parts.filter((part) => part.type === 'tool-call');
    for (const call of calls) {
      if (this.#seen.has(call.callId)) refuse('the same call stands there twice');
      if (!this.#input.tools.has(call.name)) refuse(`there is no tool ${call.name}`);
      this.#seen.add(call.callId);
      this.#open.set(call.callId, call.name);
    }
    this.#steps += 1;
    const finish = calls.length > 0 ? 'tool-calls' : 'stop';
    const about = { turnId, step: this.#steps, model, finish, usage: null, durationMs: 0 } as const;
    this.#add('assistant-message', { ...about, parts: [...parts] });
    this.#answered = calls.length === 0;
  }

  #takeResult({ callId, name, content, failed }: Extract<ModelMessage, { role: 'tool' }>): void {
    const turnId = this.#turnId ?? refuse('it begins with a result');
    if (this.#open.get(callId) !== name) refuse('a result belongs to no call');
    this.#open.delete(callId);
    const status = failed ? 'error' : 'ok';
    const about = { turnId, callId, tool: name, summary: name, status, content } as const;
    this.#add('tool-result', { ...about, facts: {}, changes: [], durationMs: 0 });
  }

  #endTurn(): void {
    if (this.#turnId === null) return;
    const about = { turnId: this.#turnId, steps: this.#steps, durationMs: 0 };
    this.#add('turn-end', { ...about, outcome: { type: 'completed' } });
    this.#turnId = null;
    this.#steps = 0;
    this.#answered = false;
  }

  #add<K extends EntryKind>(kind: K, data: EntryData<K>): void {
    const atMs = this.#input.nowMs;
    this.#entries.push({ id: newId<EntryId>(atMs), atMs, kind, data } as NewEntry);
  }
}

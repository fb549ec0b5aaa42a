// Turns what another program recorded into entries of a chat that can be gone on with: turns are closed, every call has
// one result, and what was cut is told as cut. What a reader cannot place it does not hand in; the records stay verbatim.
import { newId } from '../../base/new-id.ts';
import type { AssistantPart, Attachment, EntryData, EntryKind, NewEntry } from '../../contract/entries.ts';
import type { AttachmentId, CallId, EntryId, TurnId } from '../../contract/ids.ts';

/** A part of an answer; calls carry the id that their results name. */
export type ForeignPart =
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  | { readonly type: 'call'; readonly id: string; readonly name: string; readonly argumentsText: string };

export interface ForeignResult {
  readonly id: string;
  readonly content: string;
  readonly failed: boolean;
}

const CUT = 'Interrupted: the recording ends before this call has a result. It may or may not have taken effect.';

export class ForeignChat {
  readonly #entries: NewEntry[] = [];
  readonly #calls = new Map<string, { callId: CallId; name: string }>();
  readonly #pending = new Set<string>();
  #context: Attachment[] = [];
  #turnId: TurnId | null = null;
  #steps = 0;
  #answer: { group: string; model: string; parts: AssistantPart[] } | null = null;
  #answered = false;
  #atMs: number;
  /** Messages that the model is sent of it. */
  messages = 0;
  /** The first line of the first message. */
  title = '';

  constructor(nowMs: number) {
    this.#atMs = nowMs;
  }

  /** The time of what is handed in next; anything that is no time is ignored. */
  at(time: string | undefined): void {
    const atMs = Date.parse(time ?? '');
    if (Number.isFinite(atMs)) this.#atMs = atMs;
  }

  /** A system or developer message: context of the message just before or else of the next one, behind the agent's own system prompt (HIST-14). */
  context(name: string, text: string): void {
    if (text === '') return;
    const { length: bytes } = Buffer.from(text);
    const last = this.#answer === null ? this.#entries.at(-1) : undefined;
    const context = last?.kind === 'user-message' ? last.data.attachments : this.#context;
    context.push({ id: newId<AttachmentId>(), name, bytes, tokens: Math.ceil(text.length / 4), text });
  }

  user(text: string): void {
    this.#endTurn();
    this.#turnId = newId<TurnId>(this.#atMs);
    this.title ||= text.trim().split('\n')[0]?.slice(0, 80) ?? '';
    this.#add('user-message', { turnId: this.#turnId, text, attachments: this.#context });
    this.#context = [];
    this.messages += 1;
  }

  /** A part of an answer; parts of one `group` are one answer until a result comes. False = it stands before any message. */
  part(part: ForeignPart, about: { group: string; model: string }): boolean {
    if (this.#turnId === null || (part.type === 'call' && this.#calls.has(part.id))) return false;
    if (this.#answer?.group !== about.group) this.#flush();
    this.#answer ??= { ...about, parts: [] };
    if (part.type !== 'call') this.#answer.parts.push({ type: part.type, text: part.text });
    else {
      const callId = newId<CallId>(this.#atMs);
      this.#calls.set(part.id, { callId, name: part.name });
      this.#pending.add(part.id);
      this.#answer.parts.push({ type: 'tool-call', callId, name: part.name, argumentsText: part.argumentsText });
    }
    return true;
  }

  /** The result of a call; false = of none that waits. */
  result({ id, content, failed }: ForeignResult): boolean {
    const call = this.#calls.get(id);
    if (!call || !this.#pending.delete(id)) return false;
    this.#flush();
    this.#result(call, { content, status: failed ? 'error' : 'ok' });
    return true;
  }

  /** All entries, with the last turn closed. Hand nothing in afterwards. */
  end(): NewEntry[] {
    this.#endTurn();
    return this.#entries;
  }

  #result(
    call: { callId: CallId; name: string },
    { content, status }: { content: string; status: 'ok' | 'error' | 'interrupted' },
  ): void {
    if (this.#turnId === null) return;
    const { callId, name: tool } = call;
    this.#add('tool-result', {
      ...{ turnId: this.#turnId, callId, tool, summary: tool, status, content },
      ...{ facts: {}, changes: [], durationMs: 0 },
    });
    this.messages += 1;
  }

  #flush(): void {
    const answer = this.#answer;
    this.#answer = null;
    if (!answer || this.#turnId === null) return;
    const hasCalls = answer.parts.some((part) => part.type === 'tool-call');
    this.#steps += 1;
    this.#answered = !hasCalls && answer.parts.some((part) => part.type === 'text');
    this.#add('assistant-message', {
      ...{ turnId: this.#turnId, step: this.#steps, model: answer.model, parts: answer.parts },
      ...{ finish: hasCalls ? 'tool-calls' : 'stop', usage: null, durationMs: 0 },
    });
    this.messages += 1;
  }

  #endTurn(): void {
    this.#flush();
    for (const id of this.#pending) {
      const call = this.#calls.get(id);
      if (call) this.#result(call, { content: CUT, status: 'interrupted' });
    }
    this.#pending.clear();
    if (this.#turnId === null) return;
    const type = this.#answered ? 'completed' : 'interrupted';
    this.#add('turn-end', { turnId: this.#turnId, outcome: { type }, steps: this.#steps, durationMs: 0 });
    this.#turnId = null;
    this.#steps = 0;
    this.#answered = false;
  }

  #add<K extends EntryKind>(kind: K, data: EntryData<K>): void {
    this.#entries.push({ id: newId<EntryId>(this.#atMs), atMs: this.#atMs, kind, data } as NewEntry);
  }
}

/** What became of the records of a file: how many of each kind, those that became part of the chat and those only kept. */
export class RecordCount {
  readonly understood: Record<string, number> = {};
  readonly kept: Record<string, number> = {};
  broken = 0;

  note(kind: string, understood: boolean): void {
    const counts = understood ? this.understood : this.kept;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
}

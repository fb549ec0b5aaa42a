// Which part of a conversation is set aside when it becomes too large. Pure. First old results, then the whole beginning;
// never in the middle of a call and its results, never a protected beginning, never what is newest.
import type { CallId } from '../contract/ids.ts';
import { charactersOfMessage } from './message-size.ts';
import type { ModelMessage } from './ports.ts';
import { LEAST_CHARACTERS, stubOf } from './reduced-view.ts';

export interface ReductionInput {
  /** All settled messages, as they were. */
  readonly done: readonly ModelMessage[];
  /** The messages after them, which belong to one answer: they are never folded. */
  readonly open: readonly ModelMessage[];
  /** How many of `done` are folded already; 0 = none. */
  readonly folded: number;
  readonly isAside: (callId: CallId) => boolean;
  /** Results that stay: what holds one is not folded either. */
  readonly isPinned: (callId: CallId) => boolean;
  /** Messages at the beginning that stay as they are, whatever happens. */
  readonly protectedMessages: number;
  /** Characters of the newest messages that are kept as they are. */
  readonly keepCharacters: number;
  /** Characters of the request now, and those that it should come to. */
  readonly characters: number;
  readonly targetCharacters: number;
  /** true = the beginning is folded although old results would do (the person asked). */
  readonly fold: boolean;
}

export interface PlannedReduction {
  /** Messages that are told by one note. */
  readonly fold: { readonly from: number; readonly to: number } | null;
  /** Results that are told by a line. */
  readonly calls: readonly CallId[];
}

/** What to set aside; null = there is nothing. */
export function planReduction(input: ReductionInput): PlannedReduction | null {
  const { done, folded, protectedMessages } = input;
  const from = pastResults(done, Math.min(protectedMessages, done.length));
  const to = tailStart(input, from);
  const old = setAside(done.slice(Math.max(from, folded), to), input);
  if (!input.fold && input.characters - old.saved <= input.targetCharacters && old.calls.length > 0) {
    return { fold: null, calls: old.calls };
  }
  // One message alone would be no shorter as a note.
  const fold = to > Math.max(from, folded) + 1 ? { from, to } : null;
  if (input.fold) return fold && { fold, calls: [] };
  const after = input.characters - (fold === null ? 0 : sizeOf(done.slice(Math.max(from, folded), to)));
  // The newest results are set aside only where the request would not fit otherwise.
  const newest =
    after > input.targetCharacters
      ? setAside([...done, ...input.open].slice(Math.max(to, protectedMessages)), input)
      : NOTHING;
  const calls = [...(fold === null ? old.calls : []), ...newest.calls];
  return fold === null && calls.length === 0 ? null : { fold, calls };
}

const NOTHING = { calls: [] as CallId[], saved: 0 };

/** Where what is kept begins: never at a result, whose call would be missing. */
function tailStart({ done, open, keepCharacters, isPinned }: ReductionInput, from: number): number {
  let kept = sizeOf(open);
  let at = done.length;
  while (at > from) {
    const message = done[at - 1];
    if (!message) break;
    kept += charactersOfMessage(message);
    if (kept > keepCharacters) break;
    at -= 1;
  }
  const pinned = done.findIndex((message, n) => n >= from && message.role === 'tool' && isPinned(message.callId));
  if (pinned >= 0 && pinned < at) at = callOf(done, pinned);
  return pastResults(done, at);
}

/** The message with the call that a result is of. */
function callOf(done: readonly ModelMessage[], result: number): number {
  let place = result;
  while (place > 0 && done[place]?.role === 'tool') place -= 1;
  return place;
}

/** The next place that is not between a call and one of its results. */
function pastResults(done: readonly ModelMessage[], at: number): number {
  let place = at;
  while (place < done.length && done[place]?.role === 'tool') place += 1;
  return place;
}

function setAside(
  messages: readonly ModelMessage[],
  { isAside, isPinned }: ReductionInput,
): { calls: CallId[]; saved: number } {
  const calls: CallId[] = [];
  let saved = 0;
  for (const message of messages) {
    if (message.role !== 'tool' || message.content.length < LEAST_CHARACTERS) continue;
    if (isAside(message.callId) || isPinned(message.callId)) continue;
    calls.push(message.callId);
    saved += message.content.length - stubOf(message).content.length;
  }
  return { calls, saved };
}

function sizeOf(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, message) => sum + charactersOfMessage(message), 0);
}

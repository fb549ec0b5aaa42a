// What a turn came to, read from its entries: the answer, and exactly the messages that it committed (HIST-06).
import type { AssistantPart, Entry, Outcome, Usage } from '../contract/entries.ts';
import type { TurnId } from '../contract/ids.ts';
import { addUsage } from './budgets.ts';
import type { ModelMessage } from './ports.ts';
import { projectMessages } from './project-request.ts';

/** A turn as a value. */
export interface Turn {
  readonly turnId: TurnId;
  /** null = it goes on, or waits. */
  readonly outcome: Outcome | null;
  /** The last answer's words; '' when there is none. A cut answer is no answer. */
  readonly text: string;
  /** The last answer's reasoning, also where the model cannot be sent it again (EVT-09). */
  readonly reasoning: string;
  /** The batch that the turn committed, from its message on; empty when the turn was discarded. */
  readonly messages: readonly ModelMessage[];
  readonly steps: number;
  /** Of the whole turn, as the provider billed it; null when it told nothing. */
  readonly usage: Usage | null;
}

/** The turn of that id in a path, or null. */
export function reportTurn(entries: readonly Entry[], turnId: TurnId): Turn | null {
  const own = entriesOfTurn(entries, turnId);
  if (own.length === 0) return null;
  const answers = own.filter((entry) => entry.kind === 'assistant-message');
  const parts = answers.at(-1)?.data.parts ?? [];
  const end = own.findLast((entry) => entry.kind === 'turn-end');
  return {
    turnId,
    outcome: end?.data.outcome ?? null,
    text: textOf(parts, 'text'),
    reasoning: textOf(parts, 'reasoning'),
    messages: projectMessages(own),
    steps: answers.length,
    usage: answers.reduce<Usage | null>((sum, { data }) => addUsage(sum, data.usage), null),
  };
}

/** What calls of a turn did that a roll back of the conversation does not undo: their summaries, in order. */
export function effectsOfTurn(
  entries: readonly Entry[],
  input: { turnId: TurnId; isEffectful: (tool: string) => boolean },
): string[] {
  return entriesOfTurn(entries, input.turnId).flatMap((entry) =>
    entry.kind === 'tool-start' && input.isEffectful(entry.data.tool) ? [entry.data.summary] : [],
  );
}

/** From the entry that opened the turn to the one that opened the next. */
function entriesOfTurn(entries: readonly Entry[], turnId: TurnId): Entry[] {
  const opens = (entry: Entry): boolean => entry.kind === 'user-message' || entry.kind === 'turn-continue';
  const from = entries.findLastIndex(
    (entry) => (entry.kind === 'user-message' || entry.kind === 'turn-continue') && entry.data.turnId === turnId,
  );
  if (from < 0) return [];
  const length = entries.slice(from + 1).findIndex(opens);
  return entries.slice(from, length < 0 ? undefined : from + 1 + length);
}

function textOf(parts: readonly AssistantPart[], type: 'text' | 'reasoning'): string {
  return parts.map((part) => (part.type === type ? part.text : '')).join('');
}

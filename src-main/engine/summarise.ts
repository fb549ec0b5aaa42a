// Asks a model for a summary of messages, on the side: no tools, one request, nothing stored here.
import type { Usage } from '../contract/entries.ts';
import type { WireError } from '../contract/errors.ts';
import type { TurnId } from '../contract/ids.ts';
import type { Limits } from '../contract/limits.ts';
import type { Clock, Model, ModelMessage } from './ports.ts';
import { streamRound } from './stream-round.ts';

export interface SummaryInput {
  readonly model: Model;
  readonly messages: readonly ModelMessage[];
  /** What the summary should keep above all; '' = nothing in particular. */
  readonly focus: string;
  /** The request is kept below so many characters; the oldest is left out first. */
  readonly characters: number;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export type SummaryResult = { text: string; usage: Usage | null } | { error: WireError };

const SYSTEM =
  'You summarise a conversation between a person and a coding agent, for the agent that goes on with it. Write plain text: what the person wants and decided, what was done and found with exact file paths, names and commands, what failed, and what is left to do. Invent nothing. Write at most 600 words.';
const RESULT_CHARACTERS = 2000;

/** The summary, or why there is none. Never rejects. */
export async function summarise(input: SummaryInput): Promise<SummaryResult> {
  const { focus, messages, characters } = input;
  const ask = focus === '' ? 'Summarise it.' : `Summarise it. Keep above all: ${focus}`;
  const text = `${transcript(messages).slice(-characters)}\n\n${ask}`;
  const round = await streamRound({
    model: input.model,
    request: { system: SYSTEM, messages: [{ role: 'user', text }], tools: [] },
    turnId: '' as TurnId,
    step: 0,
    limits: input.limits,
    clock: input.clock,
    signal: input.signal,
    emit: () => {},
    progress: () => {},
  });
  if (round.type === 'failed') return { error: round.error };
  if (round.type === 'cancelled') return { error: { code: 'cancelled', message: 'Stopped.', retryable: false } };
  const { parts, finish, usage } = round.answer;
  const said = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  if (finish !== 'stop' || said.trim() === '') {
    return { error: { code: 'provider.bad-response', message: 'The model gave no whole summary.', retryable: true } };
  }
  return { text: said.trim(), usage };
}

/** Messages as one text, for a model that is to read and not to go on with them. */
export function transcript(messages: readonly ModelMessage[]): string {
  return messages
    .map((message) => {
      if (message.role === 'user') return `The person: ${message.text}`;
      if (message.role === 'tool') return `Result of ${message.name}: ${message.content.slice(0, RESULT_CHARACTERS)}`;
      const parts = message.parts.map((part) =>
        part.type === 'tool-call'
          ? `(calls ${part.name} ${part.argumentsText})`
          : part.type === 'text'
            ? part.text
            : '',
      );
      return `The agent: ${parts.join(' ')}`;
    })
    .join('\n\n');
}

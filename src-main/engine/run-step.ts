// One step: exactly one model round and its tool calls, ending at a quiescent boundary (no stream, no running call, all
// state stored). Called by the session alone.
import { newId } from '../base/new-id.ts';
import type { EntryData, EntryKind, NewEntry, Outcome } from '../contract/entries.ts';
import type { WireError } from '../contract/errors.ts';
import type { CallId, EntryId, TurnId } from '../contract/ids.ts';
import { budgetBeforeCalls, budgetBeforeRound, type TurnUse } from './budgets.ts';
import { notRun } from './close-calls.ts';
import type { EngineEvent } from './engine-events.ts';
import type { GateEnvironment, ProposedCall } from './gate-types.ts';
import type { LoopGuard } from './loop-guard.ts';
import type { Model, ModelRequest } from './ports.ts';
import { toolCharacters } from './tool-menu.ts';
import { runToolCalls } from './run-tool-calls.ts';
import { streamRound, type RoundAnswer, type RoundResult } from './stream-round.ts';

export interface StepInput {
  readonly turnId: TurnId;
  readonly step: number;
  readonly env: GateEnvironment;
  readonly guard: LoopGuard;
  /** What the turn had used when the step began. */
  readonly use: Readonly<TurnUse>;
  readonly model: Model;
  /** Tool calls executed in the session's life so far. */
  readonly lifetimeCalls: number;
  /** Calls that wait since an earlier step or process: they are gated first, instead of a model round. */
  readonly pending: readonly ProposedCall[];
  readonly request: () => ModelRequest;
  /** Characters of that request, without its tools. */
  readonly requestCharacters: () => number;
  readonly add: (entry: NewEntry) => void;
  readonly flush: () => Promise<void>;
  readonly emit: (event: EngineEvent) => void;
  /** Called right before a call begins to run. */
  readonly begun: (callId: CallId) => void;
  readonly progress: (text: string, reasoning: string) => void;
  /** Keeps the request within the model's window. */
  readonly room: Room;
}

/** What a step asks of whoever keeps requests within the window; sizes in characters. */
export interface Room {
  isFull(characters: number): boolean;
  /** Sets old parts aside, durably; gives whether something was. Rejects with the journal's error. */
  make(cause: 'full' | 'too-long', characters: number): Promise<boolean>;
  /** Why the request is not sent; null = it is. */
  refusal(characters: number): WireError | null;
  /** The request leaves now. */
  issued(): void;
  note(characters: number, usage: RoundAnswer['usage']): void;
}

/** `continue` = another step follows. An ended step says how the turn ends, and what had arrived of a cut answer. */
export type StepResult =
  { type: 'continue' } | { type: 'ended'; outcome: Outcome; partial?: { text: string; reasoning: string } };

const CANCELLED: Extract<StepResult, { type: 'ended' }> = { type: 'ended', outcome: { type: 'cancelled', source: '' } };

/** Runs the step. Rejects only when the journal fails. */
export async function runStep(input: StepInput): Promise<StepResult> {
  const { env, turnId, step, emit } = input;
  if (input.pending.length > 0) return runCalls(input, input.pending);
  if (env.signal.aborted) return CANCELLED;
  const budget = budgetBeforeRound(input.use, env.limits);
  if (budget) return { type: 'ended', outcome: budget };
  emit({ type: 'step-start', turnId, step });
  const startedMs = env.clock.nowMs();
  let sent = toSend(input);
  if (input.room.isFull(sent.size) && (await input.room.make('full', sent.size))) sent = toSend(input);
  let round = await sendRound(input, sent);
  // Nothing came of it yet: less is sent once, and then it is the person's turn.
  const isTooLong = round.type === 'failed' && round.error.code === 'provider.context-too-long';
  if (isTooLong && (await input.room.make('too-long', sent.size))) {
    sent = toSend(input);
    round = await sendRound(input, sent);
  }
  if (round.type === 'cancelled') return { ...CANCELLED, partial: round.partial };
  if (round.type === 'failed') {
    return { type: 'ended', outcome: { type: 'failed', error: round.error }, partial: round.partial };
  }
  input.room.note(sent.size, round.answer.usage);
  return takeAnswer(input, round.answer, env.clock.nowMs() - startedMs);
}

interface Sent {
  readonly request: ModelRequest;
  /** Characters, with its tools. */
  readonly size: number;
}

function toSend(input: StepInput): Sent {
  const request = input.request();
  return { request, size: input.requestCharacters() + toolCharacters(request.tools) };
}

async function sendRound(input: StepInput, { request, size }: Sent): Promise<RoundResult> {
  const { env, turnId, step, emit, model, progress } = input;
  const { limits, clock, signal } = env;
  const error = size > limits.requestBytes ? tooLarge(size, limits.requestBytes) : input.room.refusal(size);
  if (error) return { type: 'failed', error, partial: { text: '', reasoning: '' } };
  input.room.issued();
  return streamRound({ model, request, turnId, step, limits, clock, signal, emit, progress });
}

async function takeAnswer(input: StepInput, answer: RoundAnswer, durationMs: number): Promise<StepResult> {
  const { turnId, step } = input;
  const { parts, finish, usage } = answer;
  addEntry(input, 'assistant-message', { turnId, step, model: input.model.ref, parts, finish, usage, durationMs });
  const calls = parts.filter((part) => part.type === 'tool-call');
  if (calls.length > 0) return runCalls(input, calls);
  addEntry(input, 'step-end', { turnId, step });
  if (finish === 'length') return { type: 'ended', outcome: { type: 'failed', error: ANSWER_CUT } };
  if (finish === 'refusal') return { type: 'ended', outcome: { type: 'failed', error: REFUSED } };
  return { type: 'ended', outcome: { type: 'completed' } };
}

async function runCalls(input: StepInput, calls: readonly ProposedCall[]): Promise<StepResult> {
  const { env, turnId, step, lifetimeCalls } = input;
  const budget = budgetBeforeCalls(input.use, env.limits, {
    calls: calls.length,
    lifetime: lifetimeCalls,
    admitted: calls === input.pending,
  });
  if (budget) {
    for (const call of calls) {
      addEntry(input, 'tool-result', notRun(turnId, call, 'Not run: the budget of this turn is used up.'));
    }
    addEntry(input, 'step-end', { turnId, step });
    return { type: 'ended', outcome: budget };
  }
  const result = await runToolCalls({ ...input, calls });
  if (result.type === 'suspended') {
    return { type: 'ended', outcome: { type: 'awaiting-approval', callIds: result.callIds } };
  }
  addEntry(input, 'step-end', { turnId, step });
  if (result.type === 'stopped') return { type: 'ended', outcome: result.outcome };
  if (env.signal.aborted) return CANCELLED;
  await input.flush();
  return { type: 'continue' };
}

function addEntry<K extends EntryKind>(input: StepInput, kind: K, data: EntryData<K>): void {
  const atMs = input.env.clock.nowMs();
  input.add({ id: newId<EntryId>(atMs), atMs, kind, data } as NewEntry);
}

function tooLarge(characters: number, maxBytes: number): WireError {
  return {
    code: 'provider.context-too-long',
    message: 'This chat has become too large to send. Clear its context with /clear, or go on in a new chat.',
    retryable: false,
    details: { characters, maxBytes },
  };
}

const ANSWER_CUT: WireError = {
  code: 'provider.answer-cut',
  message: "The answer was cut by the model's token limit. What you see is not all of it; continue to get the rest.",
  retryable: false,
};

const REFUSED: WireError = {
  code: 'provider.refused',
  message: 'The model service refused to answer. Put it another way, or pick another model.',
  retryable: false,
};

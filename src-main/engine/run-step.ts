// One step: exactly one model round and its tool calls, ending at a quiescent boundary (no stream, no running call, all
// state stored). Called by the session alone.
import { newId } from '../base/new-id.ts';
import type { EntryData, EntryKind, NewEntry, Outcome } from '../contract/entries.ts';
import type { WireError } from '../contract/errors.ts';
import type { CallId, EntryId, TurnId } from '../contract/ids.ts';
import { addUsage, budgetBeforeCalls, budgetBeforeRound, type TurnUse } from './budgets.ts';
import type { GateEnvironment, ProposedCall } from './gate-call.ts';
import type { LoopGuard } from './loop-guard.ts';
import type { Model, ModelRequest } from './ports.ts';
import { runToolCalls, type CallsInput } from './run-tool-calls.ts';
import { streamRound, type RoundAnswer } from './stream-round.ts';

export interface StepInput {
  readonly turnId: TurnId;
  readonly step: number;
  readonly env: GateEnvironment;
  readonly guard: LoopGuard;
  readonly use: TurnUse;
  readonly model: Model;
  /** Tool calls executed in the session's life so far. */
  readonly lifetimeCalls: number;
  /** Calls that a former process left waiting: they are gated first, instead of a model round. */
  readonly pending: readonly ProposedCall[];
  request(): ModelRequest;
  add(entry: NewEntry): void;
  flush(): Promise<void>;
  readonly emit: CallsInput['emit'];
  counted(): void;
  progress(text: string, reasoning: string): void;
}

/** `continue` = another step follows. An ended step says how the turn ends, and what had arrived of a cut answer. */
export type StepResult =
  { type: 'continue' } | { type: 'ended'; outcome: Outcome; partial?: { text: string; reasoning: string } };

/** Runs the step. Rejects only when the journal fails. */
export async function runStep(input: StepInput): Promise<StepResult> {
  if (input.pending.length > 0) return runCalls(input, input.pending);
  const budget = budgetBeforeRound(input.use, input.env.limits);
  if (budget) return { type: 'ended', outcome: budget };
  input.emit({ type: 'step-start', turnId: input.turnId, step: input.step });
  const request = input.request();
  const tooLarge = requestTooLarge(request, input.env.limits.requestBytes);
  if (tooLarge) return { type: 'ended', outcome: { type: 'failed', error: tooLarge } };
  input.use.modelRounds += 1;
  const startedMs = input.env.clock.nowMs();
  const round = await streamRound({
    model: input.model,
    request,
    turnId: input.turnId,
    step: input.step,
    limits: input.env.limits,
    clock: input.env.clock,
    signal: input.env.signal,
    emit: input.emit,
    progress: input.progress,
  });
  if (round.type === 'cancelled')
    return { type: 'ended', outcome: { type: 'cancelled', source: '' }, partial: round.partial };
  if (round.type === 'failed')
    return { type: 'ended', outcome: { type: 'failed', error: round.error }, partial: round.partial };
  return takeAnswer(input, round.answer, input.env.clock.nowMs() - startedMs);
}

async function takeAnswer(input: StepInput, answer: RoundAnswer, durationMs: number): Promise<StepResult> {
  const { turnId, step } = input;
  const { parts, finish, usage } = answer;
  addEntry(input, 'assistant-message', { turnId, step, model: input.model.ref, parts, finish, usage, durationMs });
  addUsage(input.use, usage, Math.ceil(JSON.stringify(parts).length / 4));
  const calls = parts.filter((part) => part.type === 'tool-call');
  if (calls.length > 0) return runCalls(input, calls);
  addEntry(input, 'step-end', { turnId, step });
  if (finish === 'length') return { type: 'ended', outcome: { type: 'failed', error: ANSWER_CUT } };
  if (finish === 'refusal') return { type: 'ended', outcome: { type: 'failed', error: REFUSED } };
  return { type: 'ended', outcome: { type: 'completed' } };
}

async function runCalls(input: StepInput, calls: readonly ProposedCall[]): Promise<StepResult> {
  const { env, turnId, step } = input;
  const budget = budgetBeforeCalls(input.use, env.limits, { calls: calls.length, lifetime: input.lifetimeCalls });
  if (budget) {
    for (const call of calls)
      addEntry(input, 'tool-result', notRun(turnId, call, 'Not run: the budget of this turn is used up.'));
    addEntry(input, 'step-end', { turnId, step });
    return { type: 'ended', outcome: budget };
  }
  input.use.toolRounds += 1;
  const result = await runToolCalls({
    calls,
    env,
    guard: input.guard,
    add: input.add,
    flush: input.flush,
    emit: input.emit,
    counted: () => {
      input.use.toolCalls += 1;
      input.counted();
    },
  });
  if (result.type === 'suspended') {
    await input.flush();
    return { type: 'ended', outcome: { type: 'awaiting-approval', callIds: calls.map((call): CallId => call.callId) } };
  }
  addEntry(input, 'step-end', { turnId, step });
  if (result.type === 'stopped') return { type: 'ended', outcome: result.outcome };
  if (env.signal.aborted) return { type: 'ended', outcome: { type: 'cancelled', source: '' } };
  await input.flush();
  return { type: 'continue' };
}

/** The result of a call that was never started. */
export function notRun(turnId: TurnId, call: ProposedCall, content: string): EntryData<'tool-result'> {
  return {
    turnId,
    callId: call.callId,
    tool: call.name,
    summary: call.name,
    status: 'cancelled',
    content,
    facts: {},
    changes: [],
    durationMs: 0,
  };
}

function addEntry<K extends EntryKind>(input: StepInput, kind: K, data: EntryData<K>): void {
  const atMs = input.env.clock.nowMs();
  input.add({ id: newId<EntryId>(atMs), atMs, kind, data } as NewEntry);
}

function requestTooLarge(request: ModelRequest, maxBytes: number): WireError | null {
  let characters = request.system.length;
  for (const message of request.messages) {
    if (message.role === 'user') characters += message.text.length;
    else if (message.role === 'tool') characters += message.content.length;
    else
      for (const part of message.parts)
        characters += part.type === 'tool-call' ? part.argumentsText.length : part.text.length;
  }
  if (characters <= maxBytes) return null;
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

// Runs the calls of one step: pure reads that nobody was asked about side by side, everything else one by one in order
// (CONF-09). Every call gets exactly one result, whatever happens. A start is durable before its effect begins; that of
// a pure read rides with its result.
import { newId } from '../base/new-id.ts';
import type { EntryData, NewEntry, Outcome, ResultStatus } from '../contract/entries.ts';
import type { CallId, EntryId } from '../contract/ids.ts';
import { AskAhead } from './ask-ahead.ts';
import { GIVEN_UP, settleWithin } from './await-signal.ts';
import { notRun } from './close-calls.ts';
import { isPureRead, mayWrite } from './decision-table.ts';
import type { EngineEvent } from './engine-events.ts';
import type { GateEnvironment, GateResult, ProposedCall, RunGate, VerdictData } from './gate-types.ts';
import { keepFiles } from './keep-files.ts';
import { isOffered } from './modes.ts';
import type { LoopGuard, LoopOutcome } from './loop-guard.ts';
import type { ToolContext } from './ports.ts';
import { runSealed, type CallOutcome } from './sealed-tool.ts';

export interface CallsInput {
  readonly calls: readonly ProposedCall[];
  readonly env: GateEnvironment;
  readonly guard: LoopGuard;
  /** Puts an entry into the step's next commit. */
  readonly add: (entry: NewEntry) => void;
  /** Commits what was added; resolves when it is durable. A rejection has aborted the step's signal. */
  readonly flush: () => Promise<void>;
  readonly emit: (event: EngineEvent) => void;
  /** Called right before a call begins to run. */
  readonly begun: (callId: CallId) => void;
}

/** `suspended` = questions that cannot be answered now; calls from the first of them on have no result yet. */
export type CallsResult =
  { type: 'done' } | { type: 'suspended'; callIds: CallId[] } | { type: 'stopped'; outcome: Outcome };

const STOPPED_BEFORE = 'Not started: the turn was stopped.';

/** How long a foreign tool that finishes once started is waited for after a cancel (CONF-30). */
const FINISH_WAIT_MS = 10_000;

/** Runs all calls. Rejects only when the journal fails; nothing of this step runs any more then. */
export async function runToolCalls(input: CallsInput): Promise<CallsResult> {
  const batch = new CallBatch(input);
  try {
    return await batch.run();
  } finally {
    await batch.settle();
  }
}

class CallBatch {
  readonly #input: CallsInput;
  readonly #reads = new Set<Promise<void>>();
  /** The first fault of a call that ran beside others: it ends the batch once they have settled. */
  #fault: { readonly cause: unknown } | null = null;
  /** The calls before one that the loop guard stops. */
  readonly #admitted: readonly ProposedCall[];
  readonly #loop: LoopOutcome | null = null;
  readonly #questions: AskAhead;

  constructor(input: CallsInput) {
    const { calls, env, guard, flush } = input;
    this.#input = input;
    let admitted = 0;
    for (const call of calls) {
      this.#loop = guard.note(call.name, call.argumentsText);
      if (this.#loop) break;
      admitted += 1;
    }
    this.#admitted = calls.slice(0, admitted);
    const record = async (verdict: VerdictData): Promise<void> => {
      this.#add('verdict', verdict);
      await flush();
    };
    this.#questions = new AskAhead({ calls: this.#admitted, env, record });
  }

  async run(): Promise<CallsResult> {
    const { calls, env } = this.#input;
    for (const [index, call] of this.#admitted.entries()) {
      if (env.signal.aborted && !this.#questions.has(call.callId)) {
        this.#answerRest([call], STOPPED_BEFORE);
        continue;
      }
      const gated = await this.#gate(index);
      if (gated.type === 'suspend' || gated.type === 'not-now') {
        return { type: 'suspended', callIds: [call.callId, ...(await this.#questions.letGo())] };
      }
      if (!this.#questions.isRecorded(gated.verdict)) this.#add('verdict', gated.verdict);
      if (gated.type === 'run') await this.#start(call, gated);
      else
        this.#result(call, toOutcome(gated.status, gated.content), { summary: gated.verdict.summary, durationMs: 0 });
    }
    if (!this.#loop) return { type: 'done' };
    const rest = calls.slice(this.#admitted.length);
    this.#answerRest(rest, env.signal.aborted ? STOPPED_BEFORE : 'Not run: the same call was repeated too often.');
    return env.signal.aborted ? { type: 'done' } : { type: 'stopped', outcome: this.#loop };
  }

  /** Nothing of the batch runs or waits any more. Rejects when the journal failed meanwhile. */
  async settle(): Promise<void> {
    await this.#settleReads();
    await this.#questions.letGo();
  }

  async #settleReads(): Promise<void> {
    await Promise.all(this.#reads);
    if (this.#fault) throw this.#fault.cause;
  }

  /** Whether a call may run while others do: it only looks, may be abandoned, and nobody was asked about it. */
  #runsBeside(gated: RunGate): boolean {
    const { parallel } = this.#input.env;
    if (parallel !== 'reads') return parallel === 'all';
    const interruptible = gated.tool.declaration.cancellation === 'interrupt';
    return interruptible && isPureRead(gated.prepared.effects) && gated.verdict.by.who !== 'person';
  }

  /** The gate's answer; what may run was looked at once more after the last wait before its start. */
  async #gate(index: number): Promise<GateResult> {
    let gated = await this.#questions.gate(index);
    while (gated.type === 'run') {
      if (!this.#runsBeside(gated)) await this.#settleReads();
      if (mayWrite(gated.prepared.effects)) await this.#keepFiles(gated);
      const again = gated.lastLook();
      if (again === null) return gated;
      gated = await again;
    }
    return gated;
  }

  /** What was kept is stored together with the start that it was kept for. */
  async #keepFiles({ prepared }: RunGate): Promise<void> {
    const kept = await keepFiles(this.#input.env, prepared.effects);
    if (kept) this.#add('checkpoint', kept);
  }

  async #start(call: ProposedCall, gated: RunGate): Promise<void> {
    const { env, flush, begun } = this.#input;
    const { callId } = call;
    const { summary, digest, preview } = gated.prepared;
    this.#add('tool-start', { turnId: env.turnId, callId, tool: call.name, summary, digest, preview });
    if (!isPureRead(gated.prepared.effects)) {
      await flush();
      if (env.signal.aborted) {
        this.#result(call, STOPPED_AT_START, { summary, durationMs: 0 });
        return;
      }
      if (this.#isNarrowed(gated)) {
        this.#result(call, NARROWED_AT_START, { summary, durationMs: 0 });
        return;
      }
      this.#questions.tookEffect();
    }
    begun(callId);
    const work = this.#execute(call, gated);
    if (!this.#runsBeside(gated)) {
      await work;
      if (!isPureRead(gated.prepared.effects)) this.#questions.tookEffect();
      return;
    }
    const tracked: Promise<void> = work
      .catch((cause: unknown) => {
        this.#fault ??= { cause };
      })
      .finally(() => this.#reads.delete(tracked));
    this.#reads.add(tracked);
    if (this.#reads.size >= env.limits.parallelReads) await Promise.race(this.#reads);
  }

  /** Whether the call may not run any more as it was judged: its start took its time to be stored. */
  #isNarrowed({ tool, context }: RunGate): boolean {
    const { env } = this.#input;
    const { name, class: toolClass } = tool.declaration;
    return !env.isEnabled(name) || !isOffered(env.mode(), toolClass) || env.confinement() !== context.confinement;
  }

  async #execute(call: ProposedCall, gated: RunGate): Promise<void> {
    const { env, emit } = this.#input;
    const { callId } = call;
    const { summary } = gated.prepared;
    const startedMs = env.clock.nowMs();
    emit({ type: 'call-start', turnId: env.turnId, callId, tool: call.name, summary });
    let live = true;
    // A call that was given up may still write; its output belongs to nothing then.
    const output = (text: string): void => {
      if (live) gated.context.output(text);
    };
    // Whoever hears of the start may stop it.
    const outcome = env.signal.aborted ? STOPPED_AT_START : await this.#outcome(gated, { ...gated.context, output });
    live = false;
    this.#result(call, outcome, { summary, durationMs: env.clock.nowMs() - startedMs });
    emit({ type: 'call-end', callId });
  }

  async #outcome(gated: RunGate, context: ToolContext): Promise<CallOutcome> {
    const { signal, clock } = this.#input.env;
    const interruptible = gated.tool.declaration.cancellation === 'interrupt';
    const run = runSealed(gated.tool, gated.prepared, context);
    const outcome = await settleWithin(run, { signal, clock, graceMs: interruptible ? 0 : FINISH_WAIT_MS });
    if (outcome !== GIVEN_UP) return outcome;
    if (interruptible) return toOutcome('cancelled', 'Cancelled.');
    return toOutcome(
      'unknown',
      'Cancelled, but it did not stop in time: its outcome is unknown, and it may still run.',
    );
  }

  #answerRest(calls: readonly ProposedCall[], content: string): void {
    for (const call of calls) this.#add('tool-result', notRun(this.#input.env.turnId, call, content));
  }

  #result(call: ProposedCall, outcome: CallOutcome, how: { summary: string; durationMs: number }): void {
    this.#add('tool-result', {
      turnId: this.#input.env.turnId,
      callId: call.callId,
      tool: call.name,
      summary: how.summary,
      status: outcome.status,
      content: clamp(outcome.content, this.#input.env.limits.resultCharacters),
      facts: outcome.facts,
      changes: [...outcome.changes],
      durationMs: how.durationMs,
    });
  }

  #add<K extends 'verdict' | 'tool-start' | 'tool-result' | 'checkpoint'>(kind: K, data: EntryData<K>): void {
    const atMs = this.#input.env.clock.nowMs();
    this.#input.add({ id: newId<EntryId>(atMs), atMs, kind, data } as NewEntry);
  }
}

const toOutcome = (status: ResultStatus, content: string): CallOutcome => ({ status, content, facts: {}, changes: [] });

const NARROWED_AT_START = toOutcome(
  'cancelled',
  'Not started: what this chat may do was changed right before it began.',
);
const STOPPED_AT_START = toOutcome('cancelled', 'Not started: the turn was stopped right before it began.');

function clamp(content: string, max: number): string {
  if (content.length <= max) return content;
  const notice = `\n[cut here: ${content.length - max} more characters]`;
  let end = Math.max(0, max - notice.length);
  // A pair of surrogates is one character: half of it is no text.
  if (end > 0 && /[\uD800-\uDBFF]/.test(content.charAt(end - 1))) end -= 1;
  return content.slice(0, end) + notice;
}

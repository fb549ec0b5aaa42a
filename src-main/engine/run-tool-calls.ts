// Runs the calls of one step: pure reads side by side, everything else one by one in order. Every call gets exactly one
// result, whatever happens. A start is durable before its effect begins; that of a pure read rides with its result.
import { canonicalJson } from '../base/canonical-json.ts';
import { newId } from '../base/new-id.ts';
import type { EntryData, NewEntry, Outcome, ResultStatus } from '../contract/entries.ts';
import type { EntryId } from '../contract/ids.ts';
import { isPureRead } from './decision-table.ts';
import type { EngineEvent } from './engine-events.ts';
import { gateCall, type GateEnvironment, type GateResult, type ProposedCall } from './gate-call.ts';
import type { LoopGuard } from './loop-guard.ts';
import type { PreparedCall, Tool, ToolOutcome } from './ports.ts';

export interface CallsInput {
  readonly calls: readonly ProposedCall[];
  readonly env: GateEnvironment;
  readonly guard: LoopGuard;
  /** Puts an entry into the step's next commit. */
  add(entry: NewEntry): void;
  /** Commits what was added; resolves when it is durable. */
  flush(): Promise<void>;
  emit(event: EngineEvent): void;
  /** Called once for each call that is run. */
  counted(): void;
}

/** `suspended` = a question cannot be answered now; calls from that one on have no result yet. */
export type CallsResult = { type: 'done' } | { type: 'suspended' } | { type: 'stopped'; outcome: Outcome };

type Running = Extract<GateResult, { type: 'run' }>;

/** How long a foreign tool that finishes once started is waited for after a cancel (CONF-30). */
const FINISH_WAIT_MS = 10_000;

/** Runs all calls. Rejects only when the journal fails. */
export async function runToolCalls(input: CallsInput): Promise<CallsResult> {
  return new CallBatch(input).run();
}

class CallBatch {
  readonly #input: CallsInput;
  readonly #reads = new Set<Promise<void>>();

  constructor(input: CallsInput) {
    this.#input = input;
  }

  async run(): Promise<CallsResult> {
    const { calls, env, guard } = this.#input;
    let stopped: Outcome | null = null;
    for (const [index, call] of calls.entries()) {
      if (env.signal.aborted) {
        this.#answerRest(calls.slice(index), 'cancelled', 'Not started: the turn was stopped.');
        break;
      }
      stopped = guard.note(call.name, canonicalArguments(call.argumentsText));
      if (stopped) {
        this.#answerRest(calls.slice(index), 'cancelled', 'Not run: the same call was repeated too often.');
        break;
      }
      const gated = await gateCall(call, env);
      if (gated.type === 'suspend') {
        await this.#settleReads();
        return { type: 'suspended' };
      }
      await this.#go(call, gated);
    }
    await this.#settleReads();
    return stopped ? { type: 'stopped', outcome: stopped } : { type: 'done' };
  }

  async #go(call: ProposedCall, gated: Exclude<GateResult, { type: 'suspend' }>): Promise<void> {
    this.#add('verdict', gated.verdict);
    if (gated.type === 'answer') {
      this.#result(
        call,
        { status: gated.status, content: gated.content, facts: {}, changes: [] },
        gated.verdict.summary,
        0,
      );
      return;
    }
    const pure = isPureRead(gated.prepared.effects);
    if (!pure || gated.tool.declaration.cancellation !== 'interrupt') await this.#settleReads();
    this.#add('tool-start', {
      turnId: this.#input.env.turnId,
      callId: call.callId,
      tool: call.name,
      summary: gated.prepared.summary,
      digest: gated.prepared.digest,
      preview: gated.prepared.preview,
    });
    if (!pure) await this.#input.flush();
    this.#input.counted();
    const work = this.#execute(call, gated);
    if (!pure || gated.tool.declaration.cancellation !== 'interrupt') {
      await work;
      return;
    }
    const tracked = work.finally(() => this.#reads.delete(tracked));
    this.#reads.add(tracked);
    if (this.#reads.size >= this.#input.env.limits.parallelReads) await Promise.race(this.#reads);
  }

  async #execute(call: ProposedCall, gated: Running): Promise<void> {
    const { env, emit } = this.#input;
    const { callId } = call;
    const startedMs = env.clock.nowMs();
    const summary = gated.prepared.summary;
    emit({ type: 'call-start', turnId: env.turnId, callId, tool: call.name, summary });
    const outcome = await this.#outcome(call, gated);
    this.#result(call, outcome, summary, env.clock.nowMs() - startedMs);
    emit({ type: 'call-end', callId });
  }

  async #outcome(call: ProposedCall, gated: Running): Promise<Result> {
    const { env } = this.#input;
    const run = runSafely(gated.tool, gated.prepared, env.context(call.callId));
    const interruptible = gated.tool.declaration.cancellation === 'interrupt';
    const result = await settleAfterAbort(run, env, interruptible ? 0 : FINISH_WAIT_MS);
    if (result !== null) return result;
    const content = interruptible
      ? 'Cancelled.'
      : 'Cancelled, but it did not stop in time: its outcome is unknown, and it may still run.';
    return { status: interruptible ? 'cancelled' : 'unknown', content, facts: {}, changes: [] };
  }

  #answerRest(calls: readonly ProposedCall[], status: ResultStatus, content: string): void {
    for (const call of calls) this.#result(call, { status, content, facts: {}, changes: [] }, call.name, 0);
  }

  #result(call: ProposedCall, outcome: Result, summary: string, durationMs: number): void {
    this.#add('tool-result', {
      turnId: this.#input.env.turnId,
      callId: call.callId,
      tool: call.name,
      summary,
      status: outcome.status,
      content: clamp(outcome.content, this.#input.env.limits.resultCharacters),
      facts: outcome.facts,
      changes: [...outcome.changes],
      durationMs,
    });
  }

  async #settleReads(): Promise<void> {
    await Promise.all(this.#reads);
  }

  #add<K extends 'verdict' | 'tool-start' | 'tool-result'>(kind: K, data: EntryData<K>): void {
    const atMs = this.#input.env.clock.nowMs();
    this.#input.add({ id: newId<EntryId>(atMs), atMs, kind, data } as NewEntry);
  }
}

type Result = Omit<ToolOutcome, 'status'> & { status: ResultStatus };

async function runSafely(tool: Tool, prepared: PreparedCall, context: Parameters<Tool['run']>[1]): Promise<Result> {
  try {
    return await tool.run(prepared, context);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    return {
      status: 'error',
      content: `${tool.declaration.name} failed: ${message}`,
      facts: { code: 'tool.failed' },
      changes: [],
    };
  }
}

/** The result, or null when it has not come `graceMs` after the signal aborted. Leaves no listener and no timer. */
async function settleAfterAbort(run: Promise<Result>, env: GateEnvironment, graceMs: number): Promise<Result | null> {
  let stop: () => void = () => {};
  const givenUp = new Promise<null>((resolve) => {
    let cancelTimer: () => void = () => {};
    const onAbort = (): void => {
      cancelTimer = env.clock.after(graceMs, () => {
        resolve(null);
      });
    };
    env.signal.addEventListener('abort', onAbort, { once: true });
    if (env.signal.aborted) onAbort();
    stop = () => {
      env.signal.removeEventListener('abort', onAbort);
      cancelTimer();
    };
  });
  try {
    return await Promise.race([run, givenUp]);
  } finally {
    stop();
  }
}

function canonicalArguments(text: string): string {
  try {
    return canonicalJson(JSON.parse(text));
  } catch {
    return text;
  }
}

function clamp(content: string, max: number): string {
  if (content.length <= max) return content;
  const notice = `\n[cut here: ${String(content.length - max)} more characters]`;
  return content.slice(0, Math.max(0, max - notice.length)) + notice;
}

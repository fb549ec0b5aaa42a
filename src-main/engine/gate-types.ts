// What the gate is given and what it answers: one proposed call, what the gate reads while it judges, and the result.
// Types alone; the pipeline is gate-call.ts.
import type { Grant, Mode } from '../contract/authority.ts';
import type { EntryData, NewEntry, ResultStatus } from '../contract/entries.ts';
import type { CallId, EntryId, TurnId } from '../contract/ids.ts';
import type { Limits } from '../contract/limits.ts';
import type { Approver, Checkpointer, Clock, Policy, PreparedCall, Tool, ToolContext } from './ports.ts';
import type { ArgumentValidator } from './validate-arguments.ts';

/** A person's answer to a call that was stored before the call could run. */
export type StoredAnswer = Pick<VerdictData, 'decision' | 'reason' | 'digest' | 'changed'>;

/** One call as the model proposed it. */
export interface ProposedCall {
  readonly callId: CallId;
  readonly name: string;
  readonly argumentsText: string;
  /** The question on it that is stored and waits for an answer. */
  readonly question?: { readonly entryId: EntryId; readonly digest: string } | null;
  /** Given where a person answered it in an earlier step or process, and it did not run yet. */
  readonly answered?: StoredAnswer | null;
}

/**
 * Which calls of one step run side by side: `reads` = those that only look, may be abandoned and nobody was asked about;
 * `none` = one after the other; `all` = every call, each once its own start is stored.
 */
export type ParallelCalls = 'reads' | 'none' | 'all';

/** What the gate reads, live: mode, enabled tools and confinement may change while a call waits. */
export interface GateEnvironment {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly limits: Limits;
  readonly validator: ArgumentValidator;
  readonly approver: Approver | null;
  readonly policy: Policy | null;
  /** null = files are not kept. */
  readonly checkpointer: Checkpointer | null;
  readonly clock: Clock;
  readonly turnId: TurnId;
  readonly parallel: ParallelCalls;
  readonly signal: AbortSignal;
  readonly mode: () => Mode;
  readonly confinement: () => boolean;
  readonly isEnabled: (tool: string) => boolean;
  /** The session grant that covers this thing, or null. */
  readonly findGrant: (grant: Grant) => { grantedBy: string } | null;
  readonly addGrant: (grant: Grant) => void;
  readonly context: (callId: CallId) => ToolContext;
  /** Stores the question durably before it is asked, so that it is shown again after a crash. */
  readonly recordQuestion: (entry: NewEntry) => Promise<void>;
}

/** How a question is put, for whoever runs several calls of one step. */
export interface Asking {
  /** Ends the wait for the answer. */
  readonly signal: AbortSignal;
  /** Whether this may be asked now; otherwise the call comes back as `not-now`, with nothing done. */
  readonly mayAsk: (prepared: PreparedCall, grant: Grant | null) => boolean;
  /** The question is stored and is being asked. */
  readonly asked: () => void;
}

export type VerdictData = EntryData<'verdict'>;

export type RunGate = {
  type: 'run';
  tool: Tool;
  prepared: PreparedCall;
  context: ToolContext;
  verdict: VerdictData;
  /** Null when the verdict still stands, and otherwise a new answer (synchronously null: no wait lies before the start). */
  lastLook: () => Promise<GateResult> | null;
  /** Prepares the call anew, as other calls took effect since: the answer stands for the very same effect alone. */
  again: () => Promise<GateResult>;
};

/**
 * `run`: go on with exactly this, in exactly this context, after `lastLook`. `answer`: the call ends here. `suspend`:
 * nobody can answer now. `not-now`: it would be asked, and may not be yet.
 */
export type GateResult =
  | RunGate
  | { type: 'answer'; status: ResultStatus; content: string; verdict: VerdictData }
  | { type: 'suspend' }
  | { type: 'not-now'; prepared: PreparedCall };

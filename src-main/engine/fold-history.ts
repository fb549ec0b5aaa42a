// The state of a session is a fold over its path. Also finds what a cut turn left open, so that a resume can close it.
import { AppError } from '../base/app-error.ts';
import type { Mode } from '../contract/authority.ts';
import type { Entry, EntryOf, NewEntry, Outcome } from '../contract/entries.ts';
import type { CallId, TurnId } from '../contract/ids.ts';
import { addRound, newTurnUse, type TurnUse } from './budgets.ts';
import type { ProposedCall, StoredAnswer } from './gate-types.ts';

/** A turn that has begun and not ended. */
export interface OpenTurn {
  turnId: TurnId;
  startedAtMs: number;
  /** Steps that were begun. */
  steps: number;
  /** What it has used of its budgets. */
  use: TurnUse;
  /** Calls of the newest assistant message that have no result, in order. */
  pending: PendingCall[];
}

export interface PendingCall extends ProposedCall {
  readonly summary: string;
  readonly started: boolean;
  /** A question was asked and not answered. */
  readonly asked: boolean;
  readonly question: NonNullable<ProposedCall['question']> | null;
  readonly answered: StoredAnswer | null;
}

export interface SessionState {
  mode: Mode;
  confinement: boolean;
  /** null = all of the ceiling. */
  enabled: string[] | null;
  model: string;
  open: OpenTurn | null;
  lastOutcome: Outcome | null;
  lastTurnId: TurnId | null;
  /** The turn that was discarded last, while nothing came after it. */
  discarded: { turnId: TurnId; outcome: Outcome | null } | null;
  /** Steps over the session's life; never reset by clear or compaction (LOOP-25). */
  stepCount: number;
  /** Tool calls executed over the session's life (LOOP-21). */
  executedCalls: number;
  grantCount: number;
}

/** The state that a path has; `defaults` hold where the path says nothing. */
export function foldHistory(
  entries: readonly Entry[],
  defaults: { mode: Mode; confinement: boolean; model: string },
): SessionState {
  const state: SessionState = {
    ...defaults,
    enabled: null,
    open: null,
    lastOutcome: null,
    lastTurnId: null,
    discarded: null,
    stepCount: 0,
    executedCalls: 0,
    grantCount: 0,
  };
  for (const entry of entries) foldEntry(state, entry);
  return state;
}

/** Takes one more entry into the state, in place. */
export function foldEntry(state: SessionState, entry: Entry): void {
  switch (entry.kind) {
    case 'session-start':
      state.mode = entry.data.mode;
      state.confinement = entry.data.confinement;
      state.model = entry.data.model;
      return;
    case 'mode':
      state.mode = entry.data.mode;
      return;
    case 'confinement':
      state.confinement = entry.data.on;
      return;
    case 'enabled-tools':
      state.enabled = [...entry.data.tools];
      return;
    case 'model':
      state.model = entry.data.model;
      return;
    case 'rewind':
      // What was used of the session's life stays used, whatever path it goes on from.
      state.stepCount = Math.max(state.stepCount, entry.data.used.steps);
      state.executedCalls = Math.max(state.executedCalls, entry.data.used.calls);
      return;
    default:
      foldTurn(state, entry);
  }
}

function foldTurn(state: SessionState, entry: Entry): void {
  const { open } = state;
  switch (entry.kind) {
    case 'user-message':
    case 'turn-continue':
      state.open = { turnId: entry.data.turnId, startedAtMs: entry.atMs, steps: 0, use: newTurnUse(), pending: [] };
      state.lastTurnId = entry.data.turnId;
      state.discarded = null;
      return;
    case 'assistant-message':
      state.stepCount += 1;
      if (open) {
        open.steps += 1;
        addRound(open.use, entry.data);
        open.pending = callsOf(entry);
      }
      return;
    case 'approval-request':
      updatePending(open, entry.data.callId, {
        asked: true,
        question: { entryId: entry.id, digest: entry.data.digest },
        answered: null,
        summary: entry.data.summary,
      });
      return;
    case 'verdict':
      updatePending(open, entry.data.callId, { asked: false, question: null, answered: answerOf(entry) });
      return;
    case 'tool-start':
      state.executedCalls += 1;
      if (open) open.use.toolCalls += 1;
      updatePending(open, entry.data.callId, { started: true, summary: entry.data.summary });
      return;
    case 'tool-result':
      if (open) open.pending = open.pending.filter((call) => call.callId !== entry.data.callId);
      return;
    case 'turn-end':
      state.open = null;
      state.lastOutcome = entry.data.outcome;
      return;
    case 'turn-discard':
      state.open = null;
      state.discarded = { turnId: entry.data.turnId, outcome: state.lastOutcome };
      state.lastOutcome = null;
      return;
    case 'turn-restore':
      state.lastOutcome = state.discarded?.outcome ?? null;
      state.discarded = null;
      return;
    case 'context-clear':
      state.discarded = null;
      return;
    default:
      return;
  }
}

function callsOf(entry: EntryOf<'assistant-message'>): PendingCall[] {
  return entry.data.parts.flatMap((part) =>
    part.type === 'tool-call'
      ? [
          {
            callId: part.callId,
            name: part.name,
            argumentsText: part.argumentsText,
            summary: part.name,
            started: false,
            asked: false,
            question: null,
            answered: null,
          },
        ]
      : [],
  );
}

/** What a person said; what anybody else decided is found anew. */
function answerOf({ data }: EntryOf<'verdict'>): StoredAnswer | null {
  if (data.by.who !== 'person') return null;
  const { decision, reason, digest, changed } = data;
  return { decision, reason, digest, ...(changed === undefined ? {} : { changed }) };
}

function updatePending(open: OpenTurn | null, callId: CallId, change: Partial<PendingCall>): void {
  if (!open) return;
  open.pending = open.pending.map((call) => (call.callId === callId ? { ...call, ...change } : call));
}

/** Whether the open turn rests at a question: it can go on as it is once that is answered (APPR-08). */
export function waitsForApproval(open: OpenTurn): boolean {
  return open.pending.some((call) => call.asked) && open.pending.every((call) => !call.started);
}

/**
 * Refuses a history that no request can be made of: two calls or two results with one id, a result without its call or
 * of another tool than its call (HIST-05). A call without a result is no fault: it is answered when the turn is closed,
 * and by the projection. Code session.history-invalid.
 */
export function assertValidHistory(entries: readonly NewEntry[]): void {
  const calls = new Map<CallId, string>();
  const results = new Set<CallId>();
  const refuse = (what: string, callId: CallId): never => {
    throw new AppError('session.history-invalid', `This chat's history has ${what}. It was left as it is.`, {
      details: { callId },
    });
  };
  for (const entry of entries) {
    if (entry.kind === 'assistant-message') {
      for (const part of entry.data.parts) {
        if (part.type !== 'tool-call') continue;
        if (calls.has(part.callId)) refuse('the same call twice', part.callId);
        calls.set(part.callId, part.name);
      }
    } else if (entry.kind === 'tool-result') {
      const called = calls.get(entry.data.callId);
      if (called === undefined) refuse('a result without its call', entry.data.callId);
      if (called !== entry.data.tool) refuse("a result of another tool than its call's", entry.data.callId);
      if (results.has(entry.data.callId)) refuse('two results of one call', entry.data.callId);
      results.add(entry.data.callId);
    }
  }
}

// The state of one open chat and how events change it: pure, so that a replay of the same events gives the same state.
// Invariant: `entries` rise by `seq` without doubles; text that became an entry is never shown twice.
import type {
  Approval,
  AuthorityView,
  Meter,
  PersonQuestion,
  QueueItem,
  SeenShell,
  SessionSummary,
  SessionView,
} from '../../src-main/contract/session.ts';
import type { Attachment, Outcome, WindowEntry } from '../../src-main/contract/entries.ts';
import type { WireError } from '../../src-main/contract/errors.ts';
import type { EventEnvelope, SessionEvent } from '../../src-main/contract/events.ts';
import type { SessionId, TurnId } from '../../src-main/contract/ids.ts';

/** What the running step has produced that is not yet an entry. */
export interface RunningStep {
  readonly turnId: TurnId;
  readonly step: number;
  readonly text: string;
  readonly reasoning: string;
  /** Calls that the model is writing, in order. */
  readonly drafts: readonly { readonly name: string; readonly bytes: number }[];
}

/** The model service is tried again; `atMs` is when the wait began, by this window's clock. */
export interface RetryNote {
  readonly attempt: number;
  readonly waitMs: number;
  readonly atMs: number;
  readonly error: WireError;
}

export interface ChatNotice {
  readonly id: number;
  readonly level: 'info' | 'warning' | 'error';
  readonly message: string;
}

export interface ChatState {
  readonly sessionId: SessionId;
  readonly summary: SessionSummary;
  readonly projectPath: string;
  readonly epoch: string;
  readonly n: number;
  /** `stale` = events were missed and a fresh snapshot is being fetched; what is shown stays shown. */
  readonly connection: 'live' | 'stale';
  readonly entries: readonly WindowEntry[];
  readonly hasEarlier: boolean;
  readonly running: RunningStep | null;
  /** Calls that run now, by call id: the last 64 Ki characters of their output. */
  readonly outputs: Readonly<Record<string, string>>;
  /** Oldest first; the first one is the card, the others wait behind it. */
  readonly approvals: readonly Approval[];
  /** What the model asks the person, oldest first. */
  readonly questions: readonly PersonQuestion[];
  /** The shell that stays between calls; null = there is none. */
  readonly shell: SeenShell | null;
  readonly queue: readonly QueueItem[];
  /** As saved in main; the composer keeps its own text while it is open. */
  readonly draft: { readonly text: string; readonly attachments: readonly Attachment[] };
  readonly authority: AuthorityView;
  readonly meter: Meter;
  readonly lastOutcome: Outcome | null;
  readonly retry: RetryNote | null;
  readonly notices: readonly ChatNotice[];
  readonly heldBy: string | null;
  readonly folderProblem: string | null;
}

const OUTPUT_CHARACTERS = 65_536;
const NOTICES = 20;

/** The state of a chat that was just opened, or opened again after a gap. */
export function toChatState(view: SessionView): ChatState {
  const { running } = view;
  return {
    sessionId: view.summary.id,
    summary: view.summary,
    projectPath: view.projectPath,
    epoch: view.epoch,
    n: view.n,
    connection: 'live',
    entries: view.entries,
    hasEarlier: view.hasEarlier,
    running: running && {
      turnId: running.turnId,
      step: running.step,
      text: running.text,
      reasoning: running.reasoning,
      drafts: [],
    },
    outputs: running?.outputs ?? {},
    approvals: view.approvals,
    questions: view.questions,
    shell: view.shell,
    queue: view.queue,
    draft: view.draft,
    authority: view.authority,
    meter: view.meter,
    lastOutcome: view.lastOutcome,
    retry: null,
    notices: [],
    heldBy: view.heldBy,
    folderProblem: view.folderProblem,
  };
}

/**
 * A fresh snapshot over a chat that was already open: earlier pages that were read stay where they join the snapshot.
 * The connection is live again.
 */
export function refreshChat(previous: ChatState, view: SessionView): ChatState {
  const fresh = toChatState(view);
  const first = fresh.entries[0]?.seq;
  const older = first === undefined ? [] : previous.entries.filter((entry) => entry.seq < first);
  // After the chat went to another path, what is older here may not be on it.
  const joins = first !== undefined && older.length > 0 && older.at(-1)?.id === fresh.entries[0]?.parentId;
  const { notices } = previous;
  if (!joins) return { ...fresh, notices };
  return { ...fresh, entries: [...older, ...fresh.entries], hasEarlier: previous.hasEarlier, notices };
}

/** Adds entries wherever their `seq` puts them; an entry that is there already is replaced only by a fuller one. */
export function mergeEntries(entries: readonly WindowEntry[], added: readonly WindowEntry[]): readonly WindowEntry[] {
  const last = entries.at(-1)?.seq ?? -Infinity;
  const rises = added.every((entry, index) => entry.seq > (added[index - 1]?.seq ?? last));
  if (rises) return added.length === 0 ? entries : [...entries, ...added];
  const bySeq = new Map(entries.map((entry) => [entry.seq, entry]));
  for (const entry of added) {
    const known = bySeq.get(entry.seq);
    if (!known || (known.trimmed === true && entry.trimmed !== true)) bySeq.set(entry.seq, entry);
  }
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq);
}

/** An older page in front of what is there. */
export function withEarlier(
  state: ChatState,
  page: { entries: readonly WindowEntry[]; hasEarlier: boolean },
): ChatState {
  return { ...state, entries: mergeEntries(page.entries, state.entries), hasEarlier: page.hasEarlier };
}

/**
 * Applies one envelope. An event of another epoch, or one whose number leaves a gap, makes the chat `stale` and changes
 * nothing else: whoever owns the chat fetches a fresh snapshot. An event that the snapshot already has is dropped.
 */
export function applyEnvelope(state: ChatState, envelope: EventEnvelope, atMs: number): ChatState {
  if (envelope.sessionId !== state.sessionId) return state;
  if (envelope.epoch !== state.epoch) return { ...state, connection: 'stale' };
  if (envelope.n <= state.n) return state;
  if (envelope.n !== state.n + 1 || state.connection === 'stale') return { ...state, connection: 'stale' };
  return { ...reduceChat(state, envelope.event, atMs), n: envelope.n };
}

/** The next state after one event; `atMs` is now, by this window's clock. */
export function reduceChat(state: ChatState, event: SessionEvent, atMs: number): ChatState {
  switch (event.type) {
    case 'path-change':
      return { ...state, connection: 'stale' };
    case 'entries-append':
      return appendEntries(state, event.entries);
    case 'step-start':
    case 'step-discard':
    case 'text-delta':
    case 'reasoning-delta':
      return reduceStep(state, event);
    case 'call-draft':
    case 'call-start':
    case 'call-output':
    case 'call-end':
      return reduceCall(state, event);
    case 'approval-request':
      return { ...state, approvals: withApproval(state.approvals, event.approval) };
    case 'approval-settle':
      return { ...state, approvals: state.approvals.filter((approval) => approval.callId !== event.callId) };
    case 'question-ask':
    case 'question-settle':
      return { ...state, questions: nextQuestions(state.questions, event) };
    case 'shell-update':
      return { ...state, shell: event.shell };
    case 'queue-update':
      return { ...state, queue: event.queue };
    case 'authority-update':
      return { ...state, authority: event.authority };
    case 'meter-update':
      return { ...state, meter: event.meter };
    case 'turn-end':
      return endTurn(state, event.outcome);
    case 'retry': {
      const { attempt, waitMs, error } = event;
      return { ...state, retry: { attempt, waitMs, atMs, error } };
    }
    case 'notice': {
      const id = (state.notices.at(-1)?.id ?? 0) + 1;
      const notice: ChatNotice = { id, level: event.level, message: event.message };
      return { ...state, notices: [...state.notices.slice(1 - NOTICES), notice] };
    }
  }
}

type StepEvent = Extract<SessionEvent, { type: `step-${string}` | `${string}-delta` }>;

function reduceStep(state: ChatState, event: StepEvent): ChatState {
  switch (event.type) {
    case 'step-start':
      return { ...state, retry: null, lastOutcome: null, running: emptyStep(event) };
    case 'text-delta':
    case 'reasoning-delta': {
      const step = stepOf(state, event);
      const key = event.type === 'text-delta' ? 'text' : 'reasoning';
      return { ...state, retry: null, running: { ...step, [key]: step[key] + event.text } };
    }
    case 'step-discard':
      return { ...state, running: emptyStep(event) };
  }
}

function reduceCall(state: ChatState, event: Extract<SessionEvent, { type: `call-${string}` }>): ChatState {
  switch (event.type) {
    case 'call-draft':
      return { ...state, running: withDraft(state.running, event) };
    case 'call-start':
      return { ...state, outputs: { ...state.outputs, [event.callId]: state.outputs[event.callId] ?? '' } };
    case 'call-output': {
      const text = ((state.outputs[event.callId] ?? '') + event.text).slice(-OUTPUT_CHARACTERS);
      return { ...state, outputs: { ...state.outputs, [event.callId]: text } };
    }
    case 'call-end':
      return { ...state, outputs: withoutKeys(state.outputs, [event.callId]) };
  }
}

function emptyStep({ turnId, step }: { turnId: TurnId; step: number }): RunningStep {
  return { turnId, step, text: '', reasoning: '', drafts: [] };
}

function stepOf(state: ChatState, event: { turnId: TurnId; step: number }): RunningStep {
  const { running } = state;
  return running?.turnId === event.turnId && running.step === event.step ? running : emptyStep(event);
}

function withDraft(running: RunningStep | null, event: { turnId: TurnId; name: string; bytes: number }): RunningStep {
  const step = running ?? emptyStep({ turnId: event.turnId, step: 0 });
  const last = step.drafts.at(-1);
  // Bytes of one call only grow: a smaller number means that the model began the next one.
  const grows = last !== undefined && last.name === event.name && event.bytes >= last.bytes;
  const drafts = grows ? step.drafts.slice(0, -1) : step.drafts;
  return { ...step, drafts: [...drafts, { name: event.name, bytes: event.bytes }] };
}

function withApproval(approvals: readonly Approval[], approval: Approval): readonly Approval[] {
  const index = approvals.findIndex((known) => known.callId === approval.callId);
  return index < 0 ? [...approvals, approval] : approvals.with(index, approval);
}

function nextQuestions(
  questions: readonly PersonQuestion[],
  event: Extract<SessionEvent, { type: `question-${string}` }>,
): readonly PersonQuestion[] {
  const callId = event.type === 'question-ask' ? event.question.callId : event.callId;
  const others = questions.filter((question) => question.callId !== callId);
  return event.type === 'question-ask' ? [...others, event.question] : others;
}

function withoutKeys(
  record: Readonly<Record<string, string>>,
  keys: readonly string[],
): Readonly<Record<string, string>> {
  if (!keys.some((key) => key in record)) return record;
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)));
}

function appendEntries(state: ChatState, added: readonly WindowEntry[]): ChatState {
  let { running } = state;
  const settled: string[] = [];
  for (const entry of added) {
    if (entry.kind === 'assistant-message') {
      const { turnId, step } = entry.data;
      if (running?.turnId === turnId && running.step <= step) running = null;
    }
    if (entry.kind === 'turn-end' && running?.turnId === entry.data.turnId) running = null;
    if (entry.kind === 'tool-result') settled.push(entry.data.callId);
  }
  const outputs = withoutKeys(state.outputs, settled);
  return { ...state, running, outputs, entries: mergeEntries(state.entries, added) };
}

function endTurn(state: ChatState, outcome: Outcome): ChatState {
  // A turn that waits for the person has not ended for the eye: its cards stay.
  const approvals = outcome.type === 'awaiting-approval' ? state.approvals : [];
  return { ...state, running: null, outputs: {}, retry: null, lastOutcome: outcome, approvals, questions: [] };
}

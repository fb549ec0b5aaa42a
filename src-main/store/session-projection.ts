// The fold of entries into a session's row: pure, one entry at a time, so that a row kept up live and a row rebuilt from
// entries are the same. Counts over calls and the queue are not here: see project-calls.ts.
import type { Mode } from '../contract/authority.ts';
import type { Entry, EntryKind, EntryOf, Outcome, Usage } from '../contract/entries.ts';

/** What of a session's row follows from its entries alone. */
export interface SessionProjection {
  /** What programs call it by; '' where a former version made it. */
  name: string;
  title: string;
  createdAtMs: number;
  updatedAtMs: number;
  settledSeq: number;
  openTurnId: string | null;
  mode: Mode;
  model: string;
  turns: number;
  lastOutcome: Outcome | null;
  usage: Usage;
  contextTokens: number;
}

/** The projection of no entries. */
export function emptyProjection(): SessionProjection {
  return {
    name: '',
    title: '',
    createdAtMs: 0,
    updatedAtMs: 0,
    settledSeq: 0,
    openTurnId: null,
    mode: 'ask',
    model: '',
    turns: 0,
    lastOutcome: null,
    usage: { input: 0, output: 0, cachedInput: 0, reasoning: 0, costUsd: 0 },
    contextTokens: 0,
  };
}

/** Takes over what follows the path alone: where its turns ended, and what settings it had. */
export function takePathFacts(state: SessionProjection, path: SessionProjection): void {
  state.settledSeq = path.settledSeq;
  state.openTurnId = path.openTurnId;
  state.mode = path.mode;
  state.model = path.model;
  state.turns = path.turns;
  state.lastOutcome = path.lastOutcome;
  state.contextTokens = path.contextTokens;
}

/** Entries that come from opening or renaming a chat do not move it up in the list. */
const quietKinds: ReadonlySet<EntryKind> = new Set<EntryKind>(['authority', 'grant-lapse', 'title', 'branch-name']);

/** Entries of a step move it up once in a while: chats that work side by side would change places all the time. */
const stepKinds: ReadonlySet<EntryKind> = new Set<EntryKind>([
  'assistant-message',
  'verdict',
  'tool-start',
  'tool-result',
  'step-end',
]);
const STEP_MOVES_EVERY_MS = 60_000;

function moves(state: SessionProjection, entry: Entry): boolean {
  if (quietKinds.has(entry.kind)) return false;
  return !stepKinds.has(entry.kind) || entry.atMs >= state.updatedAtMs + STEP_MOVES_EVERY_MS;
}

/** The sum; one unknown cost makes the total unknown. */
function addUsage(total: Usage, more: Usage): Usage {
  return {
    input: total.input + more.input,
    output: total.output + more.output,
    cachedInput: total.cachedInput + more.cachedInput,
    reasoning: total.reasoning + more.reasoning,
    costUsd: total.costUsd === null || more.costUsd === null ? null : total.costUsd + more.costUsd,
  };
}

function foldTurnEnd(state: SessionProjection, entry: EntryOf<'turn-end'>): void {
  state.lastOutcome = entry.data.outcome;
  // A turn that waits for the person has stopped, not ended: it goes on when they answer.
  if (entry.data.outcome.type === 'awaiting-approval') return;
  state.openTurnId = null;
  state.settledSeq = entry.seq;
}

/** Folds one entry into `state`, in place. Entries come in the order of their seq. */
export function projectEntry(state: SessionProjection, entry: Entry): void {
  if (moves(state, entry)) state.updatedAtMs = Math.max(state.updatedAtMs, entry.atMs);
  switch (entry.kind) {
    case 'session-start':
      state.name = entry.data.name ?? '';
      state.createdAtMs = entry.atMs;
      state.mode = entry.data.mode;
      state.model = entry.data.model;
      return;
    case 'user-message':
      state.turns += 1;
      state.openTurnId = entry.data.turnId;
      return;
    case 'turn-continue':
      state.openTurnId = entry.data.turnId;
      return;
    case 'assistant-message':
      if (entry.data.usage === null) return;
      state.usage = addUsage(state.usage, entry.data.usage);
      state.contextTokens = entry.data.usage.input;
      return;
    case 'turn-end':
      foldTurnEnd(state, entry);
      return;
    case 'mode':
      state.mode = entry.data.mode;
      return;
    case 'model':
      state.model = entry.data.model;
      return;
    case 'title':
      state.title = entry.data.title;
      return;
    default:
  }
}

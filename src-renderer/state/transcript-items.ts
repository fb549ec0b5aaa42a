// What the transcript shows, derived from entries: messages, answers, calls (runs of similar ones folded), notices, ends
// of turns. Pure; `createTranscriptItems` keeps what did not change, so that a long chat costs only its last turn.
import type { EntryOf, FinishReason, Outcome, WindowEntry } from '../../src-main/contract/entries.ts';
import type { CallId, TurnId } from '../../src-main/contract/ids.ts';

/** One call and all that is known of it; entries keep their identity, so rows can be memoised on it. */
export interface CallItem {
  readonly callId: CallId;
  readonly turnId: TurnId;
  readonly tool: string;
  readonly summary: string;
  /** What the model wrote, verbatim; '' when its message is not loaded. */
  readonly argumentsText: string;
  /** The entry that `argumentsText` is from; it may have come trimmed. */
  readonly source: WindowEntry | null;
  readonly request: EntryOf<'approval-request'> | null;
  readonly verdict: EntryOf<'verdict'> | null;
  readonly start: EntryOf<'tool-start'> | null;
  readonly result: (EntryOf<'tool-result'> & { trimmed?: boolean; hidden?: number }) | null;
}

export type NoticeEntry = Extract<
  WindowEntry,
  {
    kind:
      | 'mode'
      | 'confinement'
      | 'enabled-tools'
      | 'model'
      | 'authority'
      | 'context-clear'
      | 'reduction'
      | 'reduction-undo'
      | 'grant-lapse'
      | 'abort'
      | 'rewind'
      | 'checkpoint'
      | 'files-restore'
      | 'fork'
      | 'import';
  }
>;

interface Common {
  /** Stable for the life of the item: rows, scroll positions and open states hang on it. */
  readonly key: string;
  readonly atMs: number;
}

export type TranscriptItem =
  | (Common & { readonly kind: 'user'; readonly entry: EntryOf<'user-message'> & { trimmed?: boolean } })
  | (Common & { readonly kind: 'reasoning'; readonly text: string })
  | (Common & {
      readonly kind: 'answer';
      readonly text: string;
      readonly model: string;
      /**
       * Not `stop`: `length` was cut by the token limit, `cut` is what had arrived when the turn ended before the answer
       * did; neither is ever shown as whole. Only the last part says so.
       */
      readonly finish: FinishReason | 'cut' | null;
      /** Characters at its end that are too many to be shown. */
      readonly hidden: number;
    })
  /** One call, or a run of similar finished ones. */
  | (Common & { readonly kind: 'calls'; readonly tool: string; readonly calls: readonly CallItem[] })
  | (Common & { readonly kind: 'notice'; readonly entry: NoticeEntry })
  | (Common & {
      readonly kind: 'turn-end';
      readonly turnId: TurnId;
      readonly outcome: Outcome;
      readonly steps: number;
      readonly durationMs: number;
    });

/** All items of these entries, oldest first. */
export function toTranscriptItems(entries: readonly WindowEntry[]): TranscriptItem[] {
  return createTranscriptItems()(entries);
}

interface Segment {
  readonly entries: readonly WindowEntry[];
  readonly items: readonly TranscriptItem[];
}

/**
 * The same, for one chat over time: a turn whose entries are the same objects keeps its items, and within a turn that
 * grew every item that did not change keeps its identity.
 */
export function createTranscriptItems(): (entries: readonly WindowEntry[]) => TranscriptItem[] {
  let known = new Map<string, Segment>();
  let lastEntries: readonly WindowEntry[] | null = null;
  let lastItems: TranscriptItem[] = [];
  return (entries) => {
    if (entries === lastEntries) return lastItems;
    const next = new Map<string, Segment>();
    const items: TranscriptItem[] = [];
    for (const part of splitTurns(entries)) {
      const key = part[0]?.id ?? '';
      const before = known.get(key);
      const segment = before && sameEntries(before.entries, part) ? before : derive(part, before?.items ?? []);
      next.set(key, segment);
      items.push(...segment.items);
    }
    known = next;
    lastEntries = entries;
    lastItems = items;
    return items;
  };
}

function splitTurns(entries: readonly WindowEntry[]): WindowEntry[][] {
  const parts: WindowEntry[][] = [];
  for (const entry of entries) {
    const current = parts.at(-1);
    if (!current || entry.kind === 'user-message') parts.push([entry]);
    else current.push(entry);
  }
  return parts;
}

function sameEntries(a: readonly WindowEntry[], b: readonly WindowEntry[]): boolean {
  return a.length === b.length && a.every((entry, index) => entry === b[index]);
}

function derive(entries: readonly WindowEntry[], before: readonly TranscriptItem[]): Segment {
  const calls = collectCalls(entries);
  const items: TranscriptItem[] = [];
  for (const entry of entries) items.push(...itemsOf(entry, calls));
  const byKey = new Map(before.map((item) => [item.key, item]));
  return { entries, items: foldCalls(items).map((item) => keepIfSame(byKey.get(item.key), item)) };
}

function itemsOf(entry: WindowEntry, calls: Map<string, CallItem>): TranscriptItem[] {
  const common = { key: entry.id, atMs: entry.atMs };
  switch (entry.kind) {
    case 'user-message':
      return [{ ...common, kind: 'user', entry }];
    case 'assistant-message':
      return answerItems(entry, calls);
    case 'tool-start':
    case 'tool-result':
      // The message that proposed the call is on an earlier page: the call is shown from what is here.
      return takeCall(calls, entry.data.callId, entry.atMs);
    case 'turn-end': {
      const { turnId, outcome, steps, durationMs } = entry.data;
      return [...partialItems(entry), { ...common, kind: 'turn-end', turnId, outcome, steps, durationMs }];
    }
    case 'authority':
      return entry.data.cause === 'created' || (entry.data.cause === 'resumed' && entry.data.changes.length === 0)
        ? []
        : [{ ...common, kind: 'notice', entry }];
    case 'checkpoint':
      return entry.data.problem === null ? [] : [{ ...common, kind: 'notice', entry }];
    case 'files-restore':
    case 'mode':
    case 'confinement':
    case 'enabled-tools':
    case 'model':
    case 'context-clear':
    case 'reduction':
    case 'reduction-undo':
    case 'grant-lapse':
    case 'rewind':
    case 'fork':
    case 'import':
      return [{ ...common, kind: 'notice', entry }];
    default:
      return [];
  }
}

/** What had arrived of an answer that was cut. */
function partialItems(entry: EntryOf<'turn-end'>): TranscriptItem[] {
  const { partial } = entry.data;
  if (partial === undefined) return [];
  const { id, atMs } = entry;
  const items: TranscriptItem[] = [];
  if (partial.reasoning !== '')
    items.push({ key: `${id}:reasoning`, atMs, kind: 'reasoning', text: partial.reasoning });
  if (partial.text !== '') {
    const answer = {
      kind: 'answer',
      text: partial.text,
      model: '',
      finish: 'cut',
      hidden: 0,
    } as const;
    items.push({ key: `${id}:text`, atMs, ...answer });
  }
  return items;
}

function answerItems(
  entry: EntryOf<'assistant-message'> & { hidden?: number },
  calls: Map<string, CallItem>,
): TranscriptItem[] {
  const { parts, model, finish } = entry.data;
  const lastText = parts.findLastIndex((part) => part.type === 'text');
  const cutsCallOnly = finish !== 'stop' && finish !== 'tool-calls' && lastText < 0;
  const items = parts.flatMap((part, index): TranscriptItem[] => {
    const common = { key: `${entry.id}:${index}`, atMs: entry.atMs };
    if (part.type === 'tool-call') return takeCall(calls, part.callId, entry.atMs);
    if (part.text === '') return [];
    if (part.type === 'reasoning') return [{ ...common, kind: 'reasoning', text: part.text }];
    const ends = index === lastText ? finish : null;
    const hidden = index === lastText ? (entry.hidden ?? 0) : 0;
    return [{ ...common, kind: 'answer', text: part.text, model, finish: ends, hidden }];
  });
  if (!cutsCallOnly) return items;
  const common = { key: `${entry.id}:end`, atMs: entry.atMs };
  return [...items, { ...common, kind: 'answer', text: '', model, finish, hidden: 0 }];
}

/** Each call is shown once, where it first appears. */
function takeCall(calls: Map<string, CallItem>, callId: CallId, atMs: number): TranscriptItem[] {
  const call = calls.get(callId);
  calls.delete(callId);
  return call ? [{ key: callId, atMs, kind: 'calls', tool: call.tool, calls: [call] }] : [];
}

function collectCalls(entries: readonly WindowEntry[]): Map<string, CallItem> {
  const calls = new Map<string, CallItem>();
  const change = (id: { callId: CallId; turnId: TurnId; tool: string }, patch: Partial<CallItem>): void => {
    const known = calls.get(id.callId) ?? {
      callId: id.callId,
      turnId: id.turnId,
      tool: id.tool,
      summary: '',
      argumentsText: '',
      source: null,
      request: null,
      verdict: null,
      start: null,
      result: null,
    };
    calls.set(id.callId, { ...known, ...patch });
  };
  for (const entry of entries) {
    if (entry.kind === 'assistant-message') {
      for (const part of entry.data.parts) {
        if (part.type !== 'tool-call') continue;
        const id = { callId: part.callId, turnId: entry.data.turnId, tool: part.name };
        change(id, { argumentsText: part.argumentsText, source: entry });
      }
    } else if (entry.kind === 'approval-request') {
      const { summary, argumentsText } = entry.data;
      change(entry.data, { request: entry, summary, argumentsText, source: entry });
    } else if (entry.kind === 'verdict') change(entry.data, { verdict: entry, summary: entry.data.summary });
    else if (entry.kind === 'tool-start') change(entry.data, { start: entry, summary: entry.data.summary });
    else if (entry.kind === 'tool-result') change(entry.data, { result: entry, summary: entry.data.summary });
  }
  return calls;
}

/** A call that is worth no line of its own when its neighbours are alike: it only read, and it worked. */
function isQuiet(call: CallItem): boolean {
  const { result } = call;
  return result?.data.status === 'ok' && result.data.changes.length === 0 && call.tool !== 'shell';
}

function foldCalls(items: readonly TranscriptItem[]): TranscriptItem[] {
  const folded: TranscriptItem[] = [];
  for (const item of items) {
    const last = folded.at(-1);
    const alike =
      item.kind === 'calls' &&
      last?.kind === 'calls' &&
      last.tool === item.tool &&
      last.calls.every(isQuiet) &&
      item.calls.every(isQuiet);
    if (alike) folded[folded.length - 1] = { ...last, calls: [...last.calls, ...item.calls] };
    else folded.push(item);
  }
  return folded;
}

function sameCall(a: CallItem | undefined, b: CallItem): boolean {
  return (
    a !== undefined &&
    a.summary === b.summary &&
    a.argumentsText === b.argumentsText &&
    a.source === b.source &&
    a.request === b.request &&
    a.verdict === b.verdict &&
    a.start === b.start &&
    a.result === b.result
  );
}

function keepIfSame(before: TranscriptItem | undefined, item: TranscriptItem): TranscriptItem {
  if (before?.kind !== item.kind) return item;
  if (item.kind === 'calls' && before.kind === 'calls') {
    const same =
      item.calls.length === before.calls.length && item.calls.every((call, i) => sameCall(before.calls[i], call));
    return same ? before : item;
  }
  if (item.kind === 'answer' && before.kind === 'answer') {
    return item.text === before.text && item.hidden === before.hidden ? before : item;
  }
  if (item.kind === 'user' && before.kind === 'user') return item.entry === before.entry ? before : item;
  // The other kinds are settled facts: the same key is the same item.
  return before;
}

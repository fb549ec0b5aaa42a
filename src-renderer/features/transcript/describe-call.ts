// Says in a few words what a call did, on which object, and how it ended. Pure.
import { z } from 'zod';
import type { EntryData } from '../../../src-main/contract/entries.ts';
import type { CallItem } from '../../state/transcript-items.ts';

/** Where a call stands, for its icon and colour. */
export type CallState = 'waiting' | 'running' | 'ok' | 'bad' | 'stopped';

export interface CallWords {
  readonly state: CallState;
  readonly verb: string;
  /** A path, pattern, command or address, verbatim; '' = none. */
  readonly object: string;
  /** Short facts in order, e.g. `3 places`, `exit 1`, `you allowed it`. */
  readonly facts: readonly string[];
  readonly added: number;
  readonly removed: number;
  readonly durationMs: number | null;
}

interface ToolWords {
  readonly done: string;
  readonly doing: string;
  readonly wants: string;
  /** Name of the argument that is the object. */
  readonly object: string;
}

const TOOLS: Readonly<Record<string, ToolWords>> = {
  read_file: { done: 'Read', doing: 'Reading', wants: 'Wants to read', object: 'path' },
  list_directory: { done: 'Listed', doing: 'Listing', wants: 'Wants to list', object: 'path' },
  find_files: { done: 'Looked for', doing: 'Looking for', wants: 'Wants to look for', object: 'pattern' },
  grep: { done: 'Searched', doing: 'Searching', wants: 'Wants to search', object: 'pattern' },
  write_file: { done: 'Wrote', doing: 'Writing', wants: 'Wants to write', object: 'path' },
  edit_file: { done: 'Edited', doing: 'Editing', wants: 'Wants to edit', object: 'path' },
  shell: { done: 'Ran', doing: 'Running', wants: 'Wants to run', object: 'command' },
  shell_session: {
    done: 'Ran in its shell',
    doing: 'Running in its shell',
    wants: 'Wants to run in its shell',
    object: 'command',
  },
  web_fetch: { done: 'Fetched', doing: 'Fetching', wants: 'Wants to fetch', object: 'url' },
  web_search: {
    done: 'Searched the web for',
    doing: 'Searching the web for',
    wants: 'Wants to search the web for',
    object: 'query',
  },
  expand_reduction: {
    done: 'Read what was set aside',
    doing: 'Reading what was set aside',
    wants: 'Wants to read what was set aside',
    object: '',
  },
  sidecar_search: {
    done: 'Looked in this chat for',
    doing: 'Looking in this chat for',
    wants: 'Wants to look in this chat for',
    object: 'query',
  },
  ask_user: { done: 'Asked you', doing: 'Asking you', wants: 'Wants to ask you', object: 'question' },
  datetime: { done: 'Looked at the clock', doing: 'Looking at the clock', wants: 'Wants the time', object: '' },
};

const argumentsSchema = z.record(z.string(), z.unknown());

function parseArguments(text: string): Record<string, unknown> {
  try {
    const parsed = argumentsSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : {};
  } catch (caught) {
    if (caught instanceof SyntaxError) return {};
    throw caught;
  }
}

function objectOf(call: CallItem, argument: string): string {
  const preview = call.start?.data.preview ?? call.request?.data.preview;
  if (preview?.type === 'command') return preview.command;
  if (preview?.type === 'diff' || preview?.type === 'path') return preview.path;
  if (preview?.type === 'url') return preview.url;
  const value = parseArguments(call.verdict?.data.changed ?? call.argumentsText)[argument];
  return typeof value === 'string' ? value : '';
}

type Result = EntryData<'tool-result'>;

function stateOf(call: CallItem, idle: boolean): CallState {
  if (call.result !== null) {
    const { status, facts } = call.result.data;
    if (status === 'cancelled' || status === 'interrupted') return 'stopped';
    if (status === 'ok') return facts.exitCode == null || facts.exitCode === 0 ? 'ok' : 'bad';
    return 'bad';
  }
  if (call.start !== null) return idle ? 'stopped' : 'running';
  return call.verdict?.data.decision === 'deny' ? 'bad' : 'waiting';
}

const STATUS_WORDS: Readonly<Record<Result['status'], string>> = {
  ok: '',
  error: 'failed',
  denied: 'not allowed',
  unavailable: 'this tool is off',
  invalid: 'arguments were not valid',
  cancelled: 'stopped',
  interrupted: 'interrupted',
  unknown: 'outcome unknown',
};

function resultWords({ status, facts }: Result): string[] {
  const words: string[] = [];
  if (status !== 'ok' && status !== 'denied') words.push(STATUS_WORDS[status]);
  if (facts.timedOut === true) words.push('ran out of time');
  else if (facts.signal != null) words.push(`ended by ${facts.signal}`);
  else if (facts.exitCode != null && facts.exitCode !== 0) words.push(`exit ${facts.exitCode}`);
  if (facts.matches !== undefined && status === 'ok')
    words.push(facts.matches === 1 ? '1 place' : `${facts.matches} places`);
  if (facts.truncated === true) words.push('output cut');
  if (facts.survivors !== undefined && facts.survivors > 0) words.push(`${facts.survivors} processes left`);
  return words;
}

/** Who gave the verdict, where that is worth a word: what the mode lets run goes without saying. */
export function verdictWords(verdict: EntryData<'verdict'>): string {
  const { by, decision, lasting, changed } = verdict;
  const allowed = decision === 'run';
  switch (by.who) {
    case 'mode':
      return allowed ? '' : 'not in this mode';
    case 'person':
      if (!allowed) return 'you denied it';
      return `you allowed it${changed === undefined ? '' : ', changed by you'}${lasting === 'session' ? ', for this chat' : ''}`;
    case 'rule':
      return allowed ? 'your rule allowed it' : 'your rule denied it';
    case 'grant':
      return 'allowed for this chat';
    case 'policy':
      return allowed ? '' : 'not allowed';
    case 'gate':
      return allowed ? '' : 'stopped at the gate';
  }
}

function verbOf(call: CallItem, state: CallState): string {
  const words = TOOLS[call.tool];
  if (words === undefined) return call.tool;
  if (call.result?.data.status === 'denied' || call.verdict?.data.decision === 'deny') {
    return words.wants.replace('Wants', 'Wanted');
  }
  if (state === 'waiting') return words.wants;
  if (state === 'running') return words.doing;
  const created = call.result?.data.changes.some((change) => change.before === null) ?? false;
  return call.tool === 'write_file' && created ? 'Created' : words.done;
}

function objectIn(call: CallItem): string {
  const words = TOOLS[call.tool];
  if (words === undefined) return call.summary;
  return words.object === '' ? '' : objectOf(call, words.object);
}

/** See the file's header. `idle` = no turn runs: a call without a result was cut. */
export function describeCall(call: CallItem, idle = false): CallWords {
  const state = stateOf(call, idle);
  const changes = call.result?.data.changes ?? [];
  const facts = [
    call.result === null && state === 'stopped' ? 'cut, its end is not known' : '',
    ...(call.result === null ? [] : resultWords(call.result.data)),
    ...(call.verdict === null ? [] : [verdictWords(call.verdict.data)]),
  ];
  return {
    state,
    verb: verbOf(call, state),
    object: objectIn(call),
    facts: [...new Set(facts.filter((fact) => fact !== ''))],
    added: changes.reduce((sum, change) => sum + change.added, 0),
    removed: changes.reduce((sum, change) => sum + change.removed, 0),
    durationMs: call.result?.data.durationMs ?? null,
  };
}

// Entries and sessions for the store's tests, each as short as its kind allows.
import { newId } from '../../../src-main/base/new-id.ts';
import type { EntryData, EntryKind, NewEntry, ResultStatus } from '../../../src-main/contract/entries.ts';
import type { CallId, EntryId, ProjectId, SessionId, TurnId } from '../../../src-main/contract/ids.ts';
import type { SessionRow, Store } from '../../../src-main/store/store.ts';

export const lease = { holder: 'this test', pid: process.pid };

export const callId = (text: string): CallId => text as CallId;
export const turnId = (text: string): TurnId => text as TurnId;

let clockMs = 1_700_000_000_000;

/** A new entry; each is a millisecond later than the one before. */
export function entry<K extends EntryKind>(kind: K, data: EntryData<K>, atMs = ++clockMs): NewEntry {
  return { id: newId<EntryId>(), atMs, kind, data } as unknown as NewEntry;
}

export const start = (): NewEntry => entry('session-start', { model: 'guide', mode: 'ask', confinement: true });
export const title = (text: string): NewEntry => entry('title', { title: text, by: 'person' });
export const message = (turn: string, text = 'hello'): NewEntry =>
  entry('user-message', { turnId: turnId(turn), text, attachments: [] });
export const turnEnd = (turn: string): NewEntry =>
  entry('turn-end', { turnId: turnId(turn), outcome: { type: 'completed' }, steps: 1, durationMs: 5 });

export const answer = (turn: string, costUsd: number | null = 0.5): NewEntry =>
  entry('assistant-message', {
    turnId: turnId(turn),
    step: 1,
    model: 'guide',
    parts: [{ type: 'text', text: 'answer' }],
    finish: 'stop',
    usage: { input: 100, output: 10, cachedInput: 40, reasoning: 3, costUsd },
    durationMs: 7,
  });

export const request = (turn: string, call: string): NewEntry =>
  entry('approval-request', {
    turnId: turnId(turn),
    callId: callId(call),
    tool: 'write_file',
    summary: `Write ${call}`,
    argumentsText: '{}',
    effects: [{ kind: 'write-inside', target: `${call}.txt` }],
    preview: { type: 'none' },
    digest: 'd1',
    why: 'Ask mode asks before a write.',
    grant: null,
  });

export const verdict = (turn: string, call: string, decision: 'run' | 'deny' = 'run'): NewEntry =>
  entry('verdict', {
    turnId: turnId(turn),
    callId: callId(call),
    tool: 'write_file',
    summary: `Write ${call}`,
    effects: [{ kind: 'write-inside', target: `${call}.txt` }],
    decision,
    by: { who: 'person' },
    reason: 'you allowed it',
    lasting: 'once',
    digest: 'd1',
    confined: false,
  });

export const toolStart = (turn: string, call: string): NewEntry =>
  entry('tool-start', {
    turnId: turnId(turn),
    callId: callId(call),
    tool: 'write_file',
    summary: `Write ${call}`,
    digest: 'd1',
    preview: { type: 'none' },
  });

export const result = (
  turn: string,
  call: string,
  paths: readonly string[] = [],
  status: ResultStatus = 'ok',
): NewEntry =>
  entry('tool-result', {
    turnId: turnId(turn),
    callId: callId(call),
    tool: 'write_file',
    summary: `Write ${call}`,
    status,
    content: 'done',
    facts: {},
    changes: paths.map((path) => ({ path, before: null, after: 'ab', diff: `+${call}`, added: 2, removed: 1 })),
    durationMs: 9,
  });

export const queueAdd = (queueId: string): NewEntry =>
  entry('queue-add', { queueId, text: `later ${queueId}`, attachments: [] });
export const queueRemove = (queueId: string): NewEntry => entry('queue-remove', { queueId, why: 'sent' });

/** Opens a project named by its path. */
export async function project(store: Store, path = '/p'): Promise<ProjectId> {
  return (await store.openProject({ path, dev: '1', ino: path, nowMs: 1 })).id;
}

/** Makes a session with a start and `entries`, held by this process. */
export async function session(
  store: Store,
  projectId: ProjectId,
  entries: readonly NewEntry[] = [],
): Promise<SessionRow> {
  return store.createSession({ id: newId<SessionId>(), projectId, entries: [start(), ...entries], lease });
}

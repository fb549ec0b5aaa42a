// What holds for a whole chat, whatever path it goes on from: settings, authority, title and queue. After the leaf moved
// they are written again where the new path says otherwise, so that going back never widens and never unqueues.
import { newId } from '../base/new-id.ts';
import type { Entry, EntryData, EntryKind, NewEntry } from '../contract/entries.ts';
import type { EntryId } from '../contract/ids.ts';
import { foldHistory, type SessionState } from '../engine/fold-history.ts';
import { SessionHistory } from './session-history.ts';

/** A new entry, dated now. */
export function entryNow<K extends EntryKind>(kind: K, data: EntryData<K>): NewEntry {
  const atMs = Date.now();
  return { id: newId<EntryId>(atMs), atMs, kind, data } as NewEntry;
}

interface PathFacts {
  readonly state: SessionState;
  readonly history: SessionHistory;
}

function factsOf(entries: readonly Entry[]): PathFacts {
  const history = new SessionHistory();
  for (const entry of entries) history.take(entry);
  return { state: foldHistory(entries, { mode: 'ask', confinement: true, model: '' }), history };
}

function sameTools(a: readonly string[] | null, b: readonly string[] | null): boolean {
  return a === b || (a !== null && b !== null && a.join('\n') === b.join('\n'));
}

/** The tools that are on; a path that never switched any has all of its authority's. */
function toolsOf({ state, history }: PathFacts): string[] | null {
  return state.enabled ?? history.authority?.snapshot.tools.map((tool) => tool.name) ?? null;
}

/** Entries that make the path `to` hold what the path `from` does, `queue` included where the chat stays the same one. */
export function carriedEntries(
  from: readonly Entry[],
  to: readonly Entry[],
  { queue }: { queue: boolean },
): NewEntry[] {
  const now = factsOf(from);
  const then = factsOf(to);
  const by = 'rewind';
  const entries: NewEntry[] = [];
  const { authority } = now.history;
  if (authority && authority.digest !== then.history.authority?.digest) {
    const { snapshot, digest } = authority;
    entries.push(entryNow('authority', { snapshot, digest, cause: 'resumed', changes: [] }));
  }
  if (now.state.mode !== then.state.mode) entries.push(entryNow('mode', { mode: now.state.mode, by }));
  if (now.state.confinement !== then.state.confinement)
    entries.push(entryNow('confinement', { on: now.state.confinement, by }));
  const tools = toolsOf(now);
  if (tools && !sameTools(tools, toolsOf(then))) entries.push(entryNow('enabled-tools', { tools, by }));
  if (now.state.model !== then.state.model)
    entries.push(entryNow('model', { model: now.state.model, previous: then.state.model, by }));
  if (now.history.title !== then.history.title && now.history.title !== '')
    entries.push(entryNow('title', { title: now.history.title, by: 'person' }));
  if (queue) entries.push(...queueEntries(now.history.queue, then.history.queue));
  return entries;
}

function queueEntries(now: SessionHistory['queue'], then: SessionHistory['queue']): NewEntry[] {
  const waits = new Set(now.map((item) => item.queueId));
  const known = new Set(then.map((item) => item.queueId));
  return [
    ...then
      .filter(({ queueId }) => !waits.has(queueId))
      .map(({ queueId }) => entryNow('queue-remove', { queueId, why: 'sent' })),
    ...now
      .filter(({ queueId }) => !known.has(queueId))
      .map(({ queueId, text, attachments }) => entryNow('queue-add', { queueId, text, attachments })),
  ];
}

// Which turns a rewind to before a message takes off the path, and what of their changes nobody could take back. Pure.
import type { Entry } from '../contract/entries.ts';
import type { EntryId, TurnId } from '../contract/ids.ts';

export interface RemovedTurns {
  readonly turnIds: ReadonlySet<TurnId>;
  /** In words: turns whose files were not kept, and why. */
  readonly notes: string[];
  /** Some turn may have changed files that were not kept. */
  readonly unkept: boolean;
}

/** `path` from root to head; the turns that begin at entry `from` or later. */
export function removedTurns(path: readonly Entry[], from: EntryId): RemovedTurns {
  const at = path.findIndex((entry) => entry.id === from);
  const removed = at < 0 ? [] : path.slice(at);
  const turnIds = new Set<TurnId>();
  const texts = new Map<TurnId, string>();
  const kept = new Set<TurnId>();
  const wrote = new Set<TurnId>();
  const problems = new Map<TurnId, string>();
  for (const { kind, data } of removed) {
    if (kind === 'user-message' || kind === 'turn-continue') turnIds.add(data.turnId);
    if (kind === 'user-message') texts.set(data.turnId, data.text);
    if (kind === 'checkpoint' && data.problem !== null) problems.set(data.turnId, data.problem);
    if (kind === 'checkpoint') kept.add(data.turnId);
    if (kind === 'verdict' && data.decision === 'run' && mayHaveWritten(data.effects)) wrote.add(data.turnId);
  }
  const notes: string[] = [];
  for (const turnId of turnIds) {
    const problem = problems.get(turnId) ?? (wrote.has(turnId) && !kept.has(turnId) ? 'No checkpoint was made.' : null);
    if (problem === null) continue;
    notes.push(`What ${named(texts.get(turnId))} changed in files cannot be taken back: ${problem}`);
  }
  return { turnIds, notes, unkept: notes.length > 0 };
}

const mayHaveWritten = (effects: readonly { kind: string }[]): boolean =>
  effects.some(({ kind }) => kind.startsWith('write-') || kind.startsWith('command'));

function named(text: string | undefined): string {
  const line = text?.trim().split('\n')[0] ?? '';
  if (line === '') return 'a turn';
  return `“${line.length > 60 ? `${line.slice(0, 60)}…` : line}”`;
}

// Where an entry is shown in a transcript. Pure.
import type { WindowEntry } from '../../src-main/contract/entries.ts';
import type { TranscriptItem } from './transcript-items.ts';

function shows(item: TranscriptItem, entry: WindowEntry): boolean {
  if (item.key === entry.id || item.key.startsWith(`${entry.id}:`)) return true;
  if (item.kind !== 'calls') return false;
  return item.calls.some(({ callId, source, result }) => {
    if (entry.kind === 'tool-result') return callId === entry.data.callId;
    return source?.id === entry.id || result?.id === entry.id;
  });
}

/** Index of the item that shows the entry, or else of the last one before it; -1 = nothing of it is there. */
export function placeOf(items: readonly TranscriptItem[], entries: readonly WindowEntry[], entryId: string): number {
  const at = entries.findIndex((entry) => entry.id === entryId);
  for (let index = at; index >= 0; index -= 1) {
    const entry = entries[index];
    const found = entry ? items.findIndex((item) => shows(item, entry)) : -1;
    if (found >= 0) return found;
  }
  return -1;
}

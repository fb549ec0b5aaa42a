// Entries on their way to a window: long texts are cut (values over 64 KB go by reference), so that one message stays
// small. `trimmed` tells the window that `sessions.readEntry` has more.
import type { Entry, Preview, WindowEntry } from '../contract/entries.ts';

const CONTENT = 16_384;
const DIFF = 200_000;
const FULL = 240_000;

/** The entry for a transcript: texts cut to what is shown at once. */
export function toWindowEntry(entry: Entry): WindowEntry {
  return trim(entry, CONTENT, DIFF / 4);
}

/** The entry when it is opened: as much as one message can carry. */
export function toFullWindowEntry(entry: Entry): WindowEntry {
  return trim(entry, FULL, DIFF);
}

function trim(entry: Entry, text: number, diff: number): WindowEntry {
  switch (entry.kind) {
    case 'user-message': {
      const attachments = entry.data.attachments.map((attachment) => ({ ...attachment, text: '' }));
      return { ...entry, data: { ...entry.data, attachments } };
    }
    case 'queue-add': {
      const attachments = entry.data.attachments.map((attachment) => ({ ...attachment, text: '' }));
      return { ...entry, data: { ...entry.data, attachments } };
    }
    case 'tool-result': {
      const content = cut(entry.data.content, text);
      const changes = entry.data.changes.map((change) => ({ ...change, diff: cut(change.diff, diff) }));
      const trimmed =
        content !== entry.data.content || changes.some((change, i) => change.diff !== entry.data.changes[i]?.diff);
      return { ...entry, data: { ...entry.data, content, changes }, ...(trimmed ? { trimmed } : {}) };
    }
    case 'tool-start':
      return { ...entry, data: { ...entry.data, preview: trimPreview(entry.data.preview, diff) } };
    case 'approval-request':
      return {
        ...entry,
        data: {
          ...entry.data,
          preview: trimPreview(entry.data.preview, diff),
          argumentsText: cut(entry.data.argumentsText, diff),
        },
      };
    case 'assistant-message': {
      const parts = entry.data.parts.map((part) =>
        part.type === 'tool-call'
          ? { ...part, argumentsText: cut(part.argumentsText, text) }
          : { ...part, text: cut(part.text, FULL) },
      );
      const cutArguments = parts.some(
        (part, i) => JSON.stringify(part).length !== JSON.stringify(entry.data.parts[i]).length,
      );
      return { ...entry, data: { ...entry.data, parts }, ...(cutArguments ? { trimmed: true } : {}) };
    }
    case 'authority':
      // The panel has its own procedure for the snapshot; in a transcript only the change is told.
      return entry;
    default:
      return entry;
  }
}

function trimPreview(preview: Preview, max: number): Preview {
  return preview.type === 'diff' ? { ...preview, diff: cut(preview.diff, max) } : preview;
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : text.slice(0, max);
}

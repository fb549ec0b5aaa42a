// Entries on their way to a window: long texts are cut (values over 64 KB go by reference), so that one message stays
// small. `trimmed` tells the window that `sessions.readEntry` has more, `hidden` how much even that leaves out.
import type { Entry, Preview, WindowEntry } from '../contract/entries.ts';

const CONTENT = 16_384;
const DIFF = 200_000;
const FULL = 240_000;

/** The entry for a transcript: texts cut to what is shown at once. */
export function toWindowEntry(entry: Entry): WindowEntry {
  const cutting = new Cutting(CONTENT, DIFF / 4);
  const shown = cutEntry(entry, cutting);
  const { askable, hidden } = cutting;
  return { ...shown, ...(askable === 0 ? {} : { trimmed: true }), ...(hidden === 0 ? {} : { hidden }) };
}

/** The entry when it is opened: as much as one message can carry. */
export function toFullWindowEntry(entry: Entry): WindowEntry {
  const cutting = new Cutting(FULL, DIFF);
  const shown = cutEntry(entry, cutting);
  const hidden = cutting.askable + cutting.hidden;
  return hidden === 0 ? shown : { ...shown, hidden };
}

/** Cuts the texts of one entry and counts the characters that are left out. */
class Cutting {
  readonly #content: number;
  readonly #diff: number;
  /** Left out of contents and diffs, which the full entry has more of. */
  askable = 0;
  /** Left out of answers, which are as long as they can be from the start. */
  hidden = 0;

  constructor(content: number, diff: number) {
    this.#content = content;
    this.#diff = diff;
  }

  content(text: string): string {
    this.askable += Math.max(0, text.length - this.#content);
    return text.slice(0, this.#content);
  }

  diff(text: string): string {
    this.askable += Math.max(0, text.length - this.#diff);
    return text.slice(0, this.#diff);
  }

  answer(text: string): string {
    this.hidden += Math.max(0, text.length - FULL);
    return text.slice(0, FULL);
  }

  preview(preview: Preview): Preview {
    return preview.type === 'diff' ? { ...preview, diff: this.diff(preview.diff) } : preview;
  }
}

function cutEntry(entry: Entry, cutting: Cutting): Entry {
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
      const content = cutting.content(entry.data.content);
      const changes = entry.data.changes.map((change) => ({ ...change, diff: cutting.diff(change.diff) }));
      return { ...entry, data: { ...entry.data, content, changes } };
    }
    case 'tool-start':
      return { ...entry, data: { ...entry.data, preview: cutting.preview(entry.data.preview) } };
    case 'approval-request':
      return {
        ...entry,
        data: {
          ...entry.data,
          preview: cutting.preview(entry.data.preview),
          argumentsText: cutting.diff(entry.data.argumentsText),
        },
      };
    case 'assistant-message': {
      const parts = entry.data.parts.map((part) =>
        part.type === 'tool-call'
          ? { ...part, argumentsText: cutting.content(part.argumentsText) }
          : { ...part, text: cutting.answer(part.text) },
      );
      return { ...entry, data: { ...entry.data, parts } };
    }
    case 'authority':
      // The panel has its own procedure for the snapshot; in a transcript only the change is told.
      return entry;
    default:
      return entry;
  }
}

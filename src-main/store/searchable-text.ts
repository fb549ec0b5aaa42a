// What of an entry can be found: what was said, what was called and with which arguments (commands, paths, patches), what
// came of it. Long texts are found by their beginning.
import type { Entry } from '../contract/entries.ts';

/** Characters of one entry that are indexed at most. */
const MOST = 65_536;

function textsOf(entry: Entry): string[] {
  switch (entry.kind) {
    case 'user-message':
      return [entry.data.text, ...entry.data.attachments.flatMap(({ name, text }) => [name, text])];
    case 'assistant-message':
      return entry.data.parts.flatMap((part) =>
        part.type === 'text' ? [part.text] : part.type === 'tool-call' ? [`${part.name} ${part.argumentsText}`] : [],
      );
    case 'tool-result':
      return [entry.data.summary, entry.data.content, ...entry.data.changes.flatMap(({ path, diff }) => [path, diff])];
    case 'title':
      return [entry.data.title];
    default:
      return [];
  }
}

/** The text under which an entry is found; '' = it is not found by text. */
export function searchableText(entry: Entry): string {
  const texts = textsOf(entry).filter((text) => text !== '');
  return texts.join('\n').slice(0, MOST);
}

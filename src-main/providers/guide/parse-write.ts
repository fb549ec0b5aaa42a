// "Create the file F with TEXT" and its spellings. The text may be long and have many lines, so the words before it are
// looked for in the first characters only.
import { unquote, VALUE } from './quoted.ts';

const MAX_HEAD = 600;

const VERB = '(?:please\\s+)?(?:can you\\s+|could you\\s+)?(?:create|write|make|add|save|generate|put)';
const FILE = `(?:me\\s+)?(?:a\\s+|an\\s+|the\\s+)?(?:new\\s+|empty\\s+)?(?:text\\s+)?(?:file\\s+)?(?:named\\s+|called\\s+|at\\s+)?(${VALUE})`;
const WITH =
  '(?:with\\b(?:\\s+(?:the\\s+)?(?:following\\s+)?(?:contents?|text|lines?|body)\\b)?|containing(?:\\s+(?:the\\s+)?(?:following\\s+)?(?:contents?|text|lines?))?|that\\s+(?:says|contains)|which\\s+(?:says|contains)|saying|reading|and\\s+(?:put|write))';

const FILE_WITH = new RegExp(`^${VERB}\\s+${FILE}\\s*(?:\\s${WITH}\\s*(?::\\s*)?|:\\s*)(?=\\S)`, 'is');
const EMPTY = new RegExp(
  `^${VERB}\\s+(?:a\\s+|an\\s+)?(?:new\\s+)?empty\\s+(?:text\\s+)?file\\s+(?:named\\s+|called\\s+)?(\\S+?)[.!]?$`,
  'i',
);
const BARE_FILE = new RegExp(
  `^(?:create|make|add|touch)\\s+(?:a\\s+|the\\s+)?(?:new\\s+)?file\\s+(?:named\\s+|called\\s+)?(\\S+?)[.!]?$`,
  'i',
);
const TEXT_INTO = new RegExp(
  `^(?:please\\s+)?(?:write|put|save)\\s+(${VALUE})\\s+(?:in|into|to)\\s+(?:a\\s+|the\\s+)?(?:new\\s+)?(?:file\\s+)?(?:named\\s+|called\\s+)?([^\\s"'\`]+|"[^"]+"|'[^']+'|\`[^\`]+\`)$`,
  'is',
);

/** The content as meant: without a code fence, or without quotes, around it. */
function contentOf(text: string): string {
  const fenced = /^```[^\n]*\n([\s\S]*?)\n?```\s*$/.exec(text.trim());
  if (fenced !== null) return `${fenced[1] ?? ''}\n`;
  const content = unquote(text);
  return content === '' || content.endsWith('\n') ? content : `${content}\n`;
}

function isFileName(text: string): boolean {
  const name = unquote(text);
  return name !== '' && !/\s/.test(name) && (/[./\\]/.test(name) || /file/i.test(text) || /^[A-Z][\w-]*$/.test(name));
}

/** The file and its content, or null when the message does not ask for one. The content ends with a line end. */
export function parseWrite(message: string): { path: string; content: string } | null {
  const head = message.slice(0, MAX_HEAD);
  const empty = EMPTY.exec(head) ?? BARE_FILE.exec(head);
  if (empty?.[1] !== undefined && message.length <= MAX_HEAD) return { path: empty[1], content: '' };
  const named = FILE_WITH.exec(head);
  if (named?.[1] !== undefined && isFileName(named[1])) {
    return { path: named[1], content: contentOf(message.slice(named[0].length)) };
  }
  if (message.length > MAX_HEAD) return null;
  const [, text, path] = TEXT_INTO.exec(message.replace(/[.!]$/, '')) ?? [];
  if (text === undefined || path === undefined || !isFileName(path)) return null;
  return { path, content: contentOf(text) };
}

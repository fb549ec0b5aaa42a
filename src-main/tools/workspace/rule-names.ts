// A quick look whether any line of an ignore file could speak of a name at all, so that the full rules are asked for few
// names only. Says yes whenever it cannot tell, and takes letter case for nothing. Pure.

/** Whether a name could be meant by the last component of some rule. */
export type NameTest = (name: string) => boolean;

const always: NameTest = () => true;
const SPECIAL = /\*+|\?|\[[^\]]*\]/;

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** What a name must have for this line to mean it: the whole of it, or a part; null = the line means nothing. */
function needed(line: string): { readonly text: string; readonly whole: boolean } | null {
  const rule = line.replace(/^!/, '').replace(/\/$/, '');
  if (rule.trim() === '' || line.startsWith('#')) return null;
  const last = rule.slice(rule.lastIndexOf('/') + 1);
  const parts = last.split(SPECIAL);
  const longest = parts.reduce((best, part) => (part.length > best.length ? part : best), '');
  return { text: longest, whole: parts.length === 1 };
}

/** The test for the text of an ignore file. */
export function ruleNames(text: string): NameTest {
  // Escapes, and spaces at the end, mean what only the full rules know.
  if (/\\|[ \t]\r?$/m.test(text)) return always;
  const wanted = text.split(/\r?\n/).flatMap((line) => needed(line) ?? []);
  if (wanted.some((each) => each.text === '')) return always;
  const names = new Set(wanted.filter(({ whole }) => whole).map((each) => each.text.toLowerCase()));
  const parts = wanted.filter(({ whole }) => !whole).map((each) => escaped(each.text.toLowerCase()));
  const part = parts.length === 0 ? null : new RegExp(parts.join('|'), 'u');
  return (name) => {
    const folded = name.toLowerCase();
    return names.has(folded) || part?.test(folded) === true;
  };
}

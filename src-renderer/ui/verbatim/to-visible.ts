// Makes text safe to judge by eye: what cannot be seen, or would reorder what is seen, becomes a visible escape.
// Used wherever bytes are shown that will be run or read. It only describes; the component beside it draws.
// Invariant: the sources of all parts, joined, are the input.

/** A stretch of text as it is shown. `source` is the input's own text of this part. */
export type VisiblePart =
  | { readonly type: 'text'; readonly source: string }
  /** Right-to-left words, to be isolated so that they do not reorder what stands beside them. */
  | { readonly type: 'rtl'; readonly source: string }
  /** One character, or the same one `count` times; `shown` is like `⟨U+200B⟩`, `label` says it in words. */
  | { readonly type: 'escape'; readonly source: string; readonly shown: string; readonly label: string };

const NAMES: Readonly<Record<number, string>> = {
  0x00: 'null',
  0x07: 'bell',
  0x08: 'backspace',
  0x09: 'tab',
  0x0a: 'line feed',
  0x0d: 'carriage return',
  0x1b: 'escape',
  0x7f: 'delete',
  0xa0: 'no-break space',
  0xad: 'soft hyphen',
  0x61c: 'Arabic letter mark',
  0x200b: 'zero width space',
  0x200c: 'zero width non-joiner',
  0x200d: 'zero width joiner',
  0x200e: 'left-to-right mark',
  0x200f: 'right-to-left mark',
  0x2028: 'line separator',
  0x2029: 'paragraph separator',
  0x202a: 'left-to-right embedding',
  0x202b: 'right-to-left embedding',
  0x202c: 'end of embedding',
  0x202d: 'left-to-right override',
  0x202e: 'right-to-left override',
  0x2060: 'word joiner',
  0x2066: 'left-to-right isolate',
  0x2067: 'right-to-left isolate',
  0x2068: 'first strong isolate',
  0x2069: 'end of isolate',
  0xfeff: 'zero width no-break space',
};

/**
 * Controls (not tab and line feed), format and tag characters, line and paragraph separators, lone surrogates, private
 * and unassigned ones, all that Unicode lets a font leave out, every space but the plain one, and the blank Braille cell.
 */
const HIDDEN = /(?![\t\n ])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;
const RTL = '[\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}]';
/** Alternatives: the same hidden character repeated; right-to-left words with single spaces between them. */
const SPLIT = new RegExp(`(${HIDDEN.source})\\1*|${RTL}+(?: ${RTL}+)*`, 'gu');
const SPLIT_LINE = new RegExp(`(${HIDDEN.source}|[\\t\\n])\\1*|${RTL}+(?: ${RTL}+)*`, 'gu');
const HIDDEN_IN_RUN = new RegExp(HIDDEN.source, 'u');

function toEscape(source: string): VisiblePart {
  const code = source.codePointAt(0) ?? 0;
  const count = source.length / (code > 0xffff ? 2 : 1);
  const point = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  const times = count > 1 ? ` ×${count}` : '';
  return {
    type: 'escape',
    source,
    shown: `⟨${point}${times}⟩`,
    label: `${NAMES[code] ?? 'hidden character'} ${point}${times}`,
  };
}

function pushRtl(parts: VisiblePart[], run: string): void {
  // A hidden character inside right-to-left text is still shown; the words around it stay isolated.
  if (!HIDDEN_IN_RUN.test(run)) {
    parts.push({ type: 'rtl', source: run });
    return;
  }
  for (const piece of run.match(new RegExp(`(${HIDDEN.source})\\1*|(?:(?!${HIDDEN.source})[\\s\\S])+`, 'gu')) ?? []) {
    parts.push(HIDDEN_IN_RUN.test(piece) ? toEscape(piece) : { type: 'rtl', source: piece });
  }
}

/**
 * Splits text into what can be shown as it is, right-to-left runs and visible escapes.
 * With `oneLine`, tabs and line feeds are escaped too (for paths and names, which have none).
 */
export function toVisible(text: string, oneLine = false): VisiblePart[] {
  const parts: VisiblePart[] = [];
  let from = 0;
  for (const match of text.matchAll(oneLine ? SPLIT_LINE : SPLIT)) {
    if (match.index > from) parts.push({ type: 'text', source: text.slice(from, match.index) });
    if (match[1] === undefined) pushRtl(parts, match[0]);
    else parts.push(toEscape(match[0]));
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push({ type: 'text', source: text.slice(from) });
  return parts;
}

/** true when the text has anything that {@link toVisible} would escape. */
export function hasHidden(text: string): boolean {
  return HIDDEN.test(text);
}

// Replaces spans of a text. Pure. Matches exactly first; otherwise only line ends or spaces at the end of a line may
// differ, and it says so. Invariant: no character outside the replaced spans changes, and all edits apply or none.
import { withLineEnds } from './text-file.ts';

export interface TextEdit {
  readonly oldString: string;
  readonly newString: string;
  readonly replaceAll: boolean;
}

/** How an edit's text was found. */
export type MatchKind = 'exact' | 'line ends differ' | 'trailing spaces differ';

/** `failure` says in words what to do; nothing was replaced then. */
export type EditResult =
  | { readonly ok: true; readonly text: string; readonly matches: readonly MatchKind[]; readonly replaced: number }
  | { readonly ok: false; readonly failure: string };

interface Span {
  readonly start: number;
  readonly end: number;
}

/** All places of a needle, also overlapping ones: two readings of one text are ambiguous too. */
function places(text: string, needle: string, step: number): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + step)) found.push(at);
  return found;
}

/** A span that starts between CR and LF takes the CR too, or it would be left behind alone. */
function wholeLineEnd(text: string, span: Span): Span {
  const splits = text[span.start] === '\n' && text[span.start - 1] === '\r';
  return splits ? { start: span.start - 1, end: span.end } : span;
}

/** A text with some characters left out, and where each kept one stood. */
interface Reduced {
  readonly text: string;
  readonly origin: readonly number[];
}

/** Leaves out CR before LF, and with `spaces` also spaces and tabs before a line end or the end of the text. */
function reduce(text: string, spaces: boolean): Reduced {
  // The look-behind starts a match only where a run of spaces starts, which keeps long runs linear.
  const drop = spaces ? /(?<![ \t])(?:[ \t]*\r?(?=\n)|[ \t]+$)/g : /\r(?=\n)/g;
  const origin: number[] = [];
  let out = '';
  let from = 0;
  const keep = (until: number): void => {
    out += text.slice(from, until);
    for (let at = from; at < until; at++) origin.push(at);
  };
  for (const match of text.matchAll(drop)) {
    keep(match.index);
    from = match.index + match[0].length;
  }
  keep(text.length);
  origin.push(text.length);
  return { text: out, origin };
}

/** Larger texts are matched exactly only: the map back to the original would need too much memory. */
const REDUCED_CHARACTERS = 4 * 1024 * 1024;

/** Spans of the original text whose reduced form is the reduced needle. */
function reducedSpans(text: string, needle: string, options: { spaces: boolean; all: boolean }): Span[] {
  const wanted = reduce(needle, options.spaces).text;
  if (wanted.trim() === '' || text.length > REDUCED_CHARACTERS) return [];
  const { text: body, origin } = reduce(text, options.spaces);
  return places(body, wanted, options.all ? wanted.length : 1).map((at) => {
    const start = origin[at] ?? 0;
    const last = origin[at + wanted.length - 1] ?? 0;
    return wholeLineEnd(text, { start, end: last + 1 });
  });
}

function findSpans(text: string, edit: TextEdit): { spans: Span[]; kind: MatchKind } {
  const { oldString } = edit;
  const exact = places(text, oldString, edit.replaceAll ? oldString.length : 1);
  if (exact.length > 0) {
    const spans = exact.map((start) => wholeLineEnd(text, { start, end: start + oldString.length }));
    return { spans, kind: 'exact' };
  }
  const all = edit.replaceAll;
  const lineEnds = reducedSpans(text, oldString, { spaces: false, all });
  if (lineEnds.length > 0) return { spans: lineEnds, kind: 'line ends differ' };
  return { spans: reducedSpans(text, oldString, { spaces: true, all }), kind: 'trailing spaces differ' };
}

/** The line end that holds at a span: its own first one, else the next in the text, else the one before. */
function lineEndAt(text: string, span: Span): '\r\n' | '\n' {
  let lf = text.indexOf('\n', span.start);
  if (lf < 0) lf = text.lastIndexOf('\n', span.start);
  return lf > 0 && text[lf - 1] === '\r' ? '\r\n' : '\n';
}

/** Number of the line (from 1) that an index stands in. */
function lineNumber(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < index; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

function bigrams(text: string): Set<string> {
  const out = new Set<string>();
  for (let at = 0; at + 1 < text.length; at++) out.add(text.slice(at, at + 2));
  return out;
}

const NEAREST_LINES = 20_000;

/** The line most like the first telling line of a needle, in words; empty when none is much like it. */
function nearestLine(text: string, needle: string): string {
  const wanted =
    needle
      .split('\n')
      .map((line) => line.trim())
      .find((line) => line.length > 2)
      ?.slice(0, 300) ?? '';
  const target = bigrams(wanted);
  if (target.size === 0) return '';
  let best = { score: 0.4, line: 0, text: '' };
  for (const [index, line] of text.split('\n', NEAREST_LINES).entries()) {
    const own = line.trim().slice(0, 300);
    let shared = 0;
    const grams = bigrams(own);
    for (const gram of grams) if (target.has(gram)) shared += 1;
    const score = (2 * shared) / (grams.size + target.size || 1);
    if (score > best.score) best = { score, line: index + 1, text: line.replace(/\r$/, '').slice(0, 300) };
  }
  return best.line === 0 ? '' : ` The nearest line is ${best.line}: ${JSON.stringify(best.text)}.`;
}

/** Why an edit cannot be done, in words; null when it can. */
function objection(text: string, edit: TextEdit, found: { spans: readonly Span[]; kind: MatchKind }): string | null {
  const { spans, kind } = found;
  if (spans.length === 0) {
    return `old_string was not found.${nearestLine(text, edit.oldString)} Read the file again and copy the text exactly.`;
  }
  if (spans.length > 1 && !edit.replaceAll) {
    const at = spans.slice(0, 5).map((span) => lineNumber(text, span.start));
    const more = spans.length > 5 ? ', …' : '';
    return `old_string was found ${spans.length} times (lines ${at.join(', ')}${more}). Add lines around it until it is the only one, or set replace_all.`;
  }
  const only = spans[0];
  const whole = only !== undefined && only.start === 0 && only.end >= text.trimEnd().length;
  if (kind === 'trailing spaces differ' && whole && text.includes('\n')) {
    return 'old_string matches the whole file only when spaces are disregarded. Use write_file to replace a whole file.';
  }
  return null;
}

function applyOne(
  text: string,
  edit: TextEdit,
): { text: string; kind: MatchKind; count: number } | { failure: string } {
  if (edit.oldString === '') {
    return { failure: 'old_string is empty. Give the text to replace, or use write_file for a whole file.' };
  }
  const found = findSpans(text, edit);
  const failure = objection(text, edit, found);
  if (failure !== null) return { failure };
  let out = '';
  let from = 0;
  for (const span of found.spans) {
    out += text.slice(from, span.start) + withLineEnds(edit.newString, lineEndAt(text, span));
    from = span.end;
  }
  return { text: out + text.slice(from), kind: found.kind, count: found.spans.length };
}

/** Applies edits in order, each to the result of those before it. */
export function applyEdits(text: string, edits: readonly TextEdit[]): EditResult {
  let now = text;
  let replaced = 0;
  const matches: MatchKind[] = [];
  for (const [index, edit] of edits.entries()) {
    const result = applyOne(now, edit);
    const which = edits.length > 1 ? `Edit ${index + 1} of ${edits.length}: ` : '';
    if ('failure' in result) return { ok: false, failure: `${which}${result.failure} Nothing was changed.` };
    if (result.text === now) return { ok: false, failure: `${which}the edit changes nothing. Nothing was written.` };
    now = result.text;
    replaced += result.count;
    matches.push(result.kind);
  }
  return { ok: true, text: now, matches, replaced };
}

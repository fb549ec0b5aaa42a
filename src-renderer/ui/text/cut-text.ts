// Cuts long text into pieces that can be drawn one by one. Pure.
// Invariant: the pieces joined are the text; no piece splits a surrogate pair.

/** Characters of one piece at most, and how much is shown before a person asks for all of it. */
export const PIECE_CHARACTERS = 8192;
export const SHOWN_CHARACTERS = 65_536;

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/** Pieces of at most `size` characters, ending at a line feed where there is one in the second half. */
export function cutText(text: string, size = PIECE_CHARACTERS): string[] {
  const pieces: string[] = [];
  let from = 0;
  while (text.length - from > size) {
    const lineEnd = text.lastIndexOf('\n', from + size - 1) + 1;
    let to = lineEnd > from + size / 2 ? lineEnd : from + size;
    if (isHighSurrogate(text.charCodeAt(to - 1))) to -= 1;
    pieces.push(text.slice(from, to));
    from = to;
  }
  if (from < text.length || pieces.length === 0) pieces.push(text.slice(from));
  return pieces;
}

/** The first part of a text that is too long to be shown at once, ending at a line where possible. */
export function headOf(text: string, limit = SHOWN_CHARACTERS): string {
  return text.length <= limit ? text : (cutText(text, limit)[0] ?? '');
}

/** Sizes for people: `740 characters`, `64 KB`, `1.6 MB`. */
export function showSize(characters: number): string {
  if (characters < 1024) return `${characters} ${characters === 1 ? 'character' : 'characters'}`;
  if (characters < 1_048_576) return `${Math.round(characters / 1024)} KB`;
  return `${(characters / 1_048_576).toFixed(1)} MB`;
}

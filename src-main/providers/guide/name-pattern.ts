// Names as people write them, as patterns for find_files.

/** A pattern for names that hold this text, in any capitals; text with `*` or `?` is a pattern already. */
export function namePattern(name: string): string {
  if (/[*?]/.test(name)) return name;
  const letters = name.replace(/[[\]{}!]/g, '?');
  return `*${letters.replace(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`)}*`;
}

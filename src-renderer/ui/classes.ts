// Joins class names, leaving out what is false or missing.

/** `classes('a', open && 'b')` gives `a b` or `a`. */
export function classes(...names: readonly (string | false | null | undefined)[]): string {
  return names.filter((name) => typeof name === 'string' && name !== '').join(' ');
}

// Values that a person wrote with or without quotes of any kind.

const PAIRS: readonly (readonly [string, string])[] = [
  ['"', '"'],
  ["'", "'"],
  ['`', '`'],
  ['“', '”'],
  ['‘', '’'],
  ['«', '»'],
  ['„', '“'],
];

/** Regular expression source for one value: quoted, else the shortest text that fits. */
export const VALUE = '"[^"]*"|\'[^\']*\'|`[^`]*`|“[^”]*”|‘[^’]*’|«[^»]*»|„[^“]*“|.+?';

/** The text without the one pair of quotes around it, trimmed when there is none. */
export function unquote(text: string): string {
  const trimmed = text.trim();
  for (const [open, close] of PAIRS) {
    const inner = trimmed.slice(1, -1);
    if (trimmed.length >= 2 && trimmed.startsWith(open) && trimmed.endsWith(close) && !inner.includes(open))
      return inner;
  }
  return trimmed;
}

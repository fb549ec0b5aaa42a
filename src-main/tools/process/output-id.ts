// Names of kept outputs: `output:ID` in what models write, one file named ID in a private folder.

/** What a path to a kept output starts with. */
export const OUTPUT_PREFIX = 'output:';

/** The id in `output:ID`; null when it is not one. An id is letters, digits and dashes, so it is one plain file name. */
export function outputIdOf(path: string): string | null {
  return /^output:([A-Za-z0-9][A-Za-z0-9-]{0,63})$/.exec(path)?.[1] ?? null;
}

// JSON in the columns of projections. These can be rebuilt from entries, so a damaged one must not keep a list from
// opening: what cannot be parsed is given as `otherwise`.

/** The value that was stored; `otherwise` when there is none or it cannot be parsed. */
export function parseStored<T>(text: string | null, otherwise: T): T {
  if (text === null) return otherwise;
  try {
    return JSON.parse(text) as T;
  } catch {
    return otherwise;
  }
}

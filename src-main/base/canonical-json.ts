// Canonical JSON after RFC 8785 for values that came from JSON: keys sorted by UTF-16 code units, no white space,
// numbers and strings as ECMAScript writes them.

/** The canonical text of a JSON value; members that are undefined are left out, as JSON.stringify does. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item: unknown) => canonicalJson(item)).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const object = value as Record<string, unknown>;
    const members = Object.keys(object)
      .filter((key) => object[key] !== undefined)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${canonicalJson(object[key])}`);
    return `{${members.join(',')}}`;
  }
  // undefined and functions have no JSON text; in an array they count as null.
  const text: unknown = JSON.stringify(value);
  return typeof text === 'string' ? text : 'null';
}

// Canonical JSON after RFC 8785 for values that came from JSON: keys sorted by UTF-16 code units, no white space,
// numbers and strings as ECMAScript writes them.

/** The canonical text of a JSON value; members that are undefined are left out, as JSON.stringify does. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) {
    // undefined and functions have no JSON text; in an array they count as null.
    const text: unknown = JSON.stringify(value);
    return typeof text === 'string' ? text : 'null';
  }
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value as unknown[]) text += `${text === '' ? '' : ','}${canonicalJson(item)}`;
    return `[${text}]`;
  }
  const object = value as Record<string, unknown>;
  for (const key of Object.keys(object).sort()) {
    const member = object[key];
    if (member === undefined) continue;
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(member)}`;
  }
  return `{${text}}`;
}

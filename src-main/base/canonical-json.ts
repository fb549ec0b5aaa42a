// Canonical JSON after RFC 8785 for values that came from JSON: keys sorted by UTF-16 code units, no white space,
// numbers and strings as ECMAScript writes them.

/** The canonical text of a JSON value; members that are undefined are left out, as JSON.stringify does. */
export function canonicalJson(value: unknown): string {
  const sorted = toSorted(value);
  // One native call over a sorted value is several times as fast as writing it piece by piece.
  return sorted === UNSORTABLE ? write(value) : leafText(sorted);
}

/** undefined and functions have no JSON text; in an array they count as null. */
function leafText(value: unknown): string {
  const text: unknown = JSON.stringify(value);
  return typeof text === 'string' ? text : 'null';
}

const UNSORTABLE = Symbol('an object cannot hold these keys in their order');

/** The same value with all keys in order; the value itself where they are. */
function toSorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? sortedArray(value) : sortedObject(value as Record<string, unknown>);
}

function sortedArray(items: readonly unknown[]): unknown {
  let copy: unknown[] | null = null;
  for (let at = 0; at < items.length; at++) {
    const sorted = toSorted(items[at]);
    if (sorted === UNSORTABLE) return UNSORTABLE;
    if (sorted !== items[at]) copy ??= items.slice();
    if (copy) copy[at] = sorted;
  }
  return copy ?? items;
}

function sortedObject(object: Record<string, unknown>): unknown {
  const keys = Object.keys(object);
  const isSorted = areInOrder(keys);
  if (!isSorted) keys.sort();
  const copy: Record<string, unknown> = {};
  let isSame = isSorted;
  for (const key of keys) {
    // Numbers come before other keys, and this one is no key at all when it is assigned.
    if (isDigit(key.charCodeAt(0)) || key === '__proto__') return UNSORTABLE;
    const sorted = toSorted(object[key]);
    if (sorted === UNSORTABLE) return UNSORTABLE;
    isSame &&= sorted === object[key];
    copy[key] = sorted;
  }
  return isSame ? object : copy;
}

function areInOrder(keys: readonly string[]): boolean {
  for (let at = 1; at < keys.length; at++) if ((keys[at - 1] ?? '') > (keys[at] ?? '')) return false;
  return true;
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

function write(value: unknown): string {
  if (typeof value !== 'object' || value === null) return leafText(value);
  if (Array.isArray(value)) return `[${value.map((item) => write(item)).join(',')}]`;
  const object = value as Record<string, unknown>;
  const members = Object.keys(object)
    .sort()
    .filter((key) => object[key] !== undefined)
    .map((key) => `${JSON.stringify(key)}:${write(object[key])}`);
  return `{${members.join(',')}}`;
}

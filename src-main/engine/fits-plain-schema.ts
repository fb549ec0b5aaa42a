// Checks JSON values against the plain kind of JSON Schema that most tools declare, so that a turn whose calls are right
// never loads the whole validator. Invariant: it says yes only to what the whole validator would accept; a schema with
// anything else in it, and a value that something would have to be explained of, are left to that one.

type Schema = Readonly<Record<string, unknown>>;

interface Keyword {
  /** Whether the keyword is used as it is meant to be. */
  readonly isPlain: (operand: unknown, schema: Schema) => boolean;
  /** Whether `value` surely satisfies it; the operand is plain. */
  readonly fits: (value: unknown, operand: unknown, schema: Schema) => boolean;
}

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isList = (value: unknown): value is unknown[] => Array.isArray(value);

const KINDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isObject,
  array: isList,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  number: Number.isFinite,
  integer: Number.isInteger,
  null: (value) => value === null,
};

const annotation: Keyword = { isPlain: (operand) => typeof operand === 'string', fits: () => true };

/** A keyword that compares a number; `measure` gives what is compared, NaN where the value has no such thing. */
const bound = (measure: (value: unknown) => number, within: (measured: number, limit: number) => boolean): Keyword => ({
  isPlain: Number.isFinite,
  fits: (value, limit) => within(measure(value), Number(limit)),
});
const asNumber = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN);
const countOf = (value: unknown): number => (isList(value) ? value.length : Number.NaN);
const atLeast = (measured: number, limit: number): boolean => measured >= limit;
const atMost = (measured: number, limit: number): boolean => measured <= limit;

const KEYWORDS: Readonly<Record<string, Keyword>> = {
  description: annotation,
  title: annotation,
  type: {
    isPlain: (kind) => typeof kind === 'string' && Object.hasOwn(KINDS, kind),
    fits: (value, kind) => KINDS[String(kind)]?.(value) === true,
  },
  properties: {
    // The whole validator takes what every object inherits for members of a value.
    isPlain: (properties) =>
      isObject(properties) &&
      Object.entries(properties).every(([name, schema]) => !(name in Object.prototype) && isPlain(schema)),
    fits: (value, properties) =>
      isObject(value) &&
      isObject(properties) &&
      Object.entries(properties).every(([name, schema]) => !Object.hasOwn(value, name) || fits(value[name], schema)),
  },
  required: {
    isPlain: (names) => isList(names) && names.every((name) => typeof name === 'string'),
    fits: (value, names) =>
      isObject(value) && isList(names) && names.every((name) => Object.hasOwn(value, String(name))),
  },
  additionalProperties: {
    isPlain: (allowed, schema) => allowed === false && isObject(schema['properties']),
    fits: (value, _allowed, schema) =>
      isObject(value) && Object.keys(value).every((name) => Object.hasOwn(schema['properties'] ?? {}, name)),
  },
  items: {
    isPlain: (schema) => isPlain(schema),
    fits: (value, schema) => isList(value) && value.every((item) => fits(item, schema)),
  },
  minItems: bound(countOf, atLeast),
  maxItems: bound(countOf, atMost),
  minimum: bound(asNumber, atLeast),
  maximum: bound(asNumber, atMost),
};

function isPlain(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  return Object.entries(schema).every(
    ([name, operand]) => Object.hasOwn(KEYWORDS, name) && KEYWORDS[name]?.isPlain(operand, schema) === true,
  );
}

function fits(value: unknown, schema: unknown): boolean {
  if (!isObject(schema)) return false;
  return Object.entries(schema).every(([name, operand]) => KEYWORDS[name]?.fits(value, operand, schema) === true);
}

/** Whether each schema that was seen is plain all through: a tool whose schema is none is never taken for sound. */
const plain = new WeakMap<Schema, boolean>();

/** True when a value parsed from JSON surely satisfies the schema; false = ask the whole validator. */
export function fitsPlainSchema(value: unknown, schema: Schema): boolean {
  let known = plain.get(schema);
  if (known === undefined) {
    known = isPlain(schema);
    plain.set(schema, known);
  }
  return known && fits(value, schema);
}

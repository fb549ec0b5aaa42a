import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitsPlainSchema } from '../../../src-main/engine/fits-plain-schema.ts';
import { BUILTIN_DECLARATIONS } from '../../../src-main/tools/declarations.ts';

const name = fc.constantFrom('a', 'b', 'toString', '__proto__', 'constructor');
const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Schemas that are mostly plain and right, with now and then something strange in them. */
const { schema } = fc.letrec<{ schema: Record<string, unknown> }>((tie) => {
  const seldom = (strange: Record<string, unknown>[]) =>
    fc.oneof({ weight: 30, arbitrary: fc.constant({}) }, fc.constantFrom(...strange));
  const kinds: fc.Arbitrary<Record<string, unknown>>[] = [
    fc.constantFrom({}, { type: 'string' }, { type: 'boolean' }, { type: 'null' }),
    fc.record(
      { type: fc.constantFrom('number', 'integer'), minimum: fc.nat(1), maximum: fc.nat(2) },
      { requiredKeys: ['type'] },
    ),
    fc.record(
      { type: fc.constant('array'), items: tie('schema'), minItems: fc.nat(1), maxItems: fc.nat(2) },
      { requiredKeys: [] },
    ),
    fc.record(
      {
        type: fc.constant('object'),
        properties: fc.dictionary(name, tie('schema'), { maxKeys: 3, noNullPrototype: true }),
        required: fc.uniqueArray(name, { maxLength: 1 }),
        additionalProperties: fc.constant(false),
      },
      { requiredKeys: [] },
    ),
  ];
  const strange = seldom([
    { type: 'nothing' },
    { type: ['string', 'null'] },
    { pattern: '(' },
    { minimum: 'a' },
    { required: [1] },
    { items: 7 },
  ]);
  return {
    schema: fc.tuple(fc.oneof({ depthSize: 'small' }, ...kinds), strange).map(([one, odd]) => ({ ...one, ...odd })),
  };
});
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<unknown>('a', 'b', '', 0, 1, -3, 1.5, true, null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

/** The whole validator's answer; false for a schema that it refuses. */
function accepts(checked: Record<string, unknown>, given: unknown): boolean {
  try {
    return new Ajv2020({ strict: false, validateSchema: false, logger: false }).compile(checked)(given);
  } catch {
    return false;
  }
}

describe('the plain check of arguments', () => {
  it('says yes to nothing that the whole validator refuses', () => {
    let agreed = 0;
    fc.assert(
      fc.property(schema, value, (any, some) => {
        const [checked, given] = [json(any) as Record<string, unknown>, json(some)];
        if (!fitsPlainSchema(given, checked)) return;
        agreed += 1;
        expect(accepts(checked, given)).toBe(true);
      }),
      { numRuns: 1000 },
    );
    expect(agreed).toBeGreaterThan(20);
  });

  it.each([
    ['read_file', { path: 'a.ts', offset: 1, limit: 20 }, true],
    ['read_file', { path: 'a.ts' }, true],
    ['read_file', { offset: 1 }, false],
    ['read_file', { path: 'a.ts', offset: 0 }, false],
    ['read_file', { path: 'a.ts', offset: 1.5 }, false],
    ['read_file', { path: 7 }, false],
    ['read_file', { path: 'a.ts', more: 1 }, false],
    ['read_file', ['a.ts'], false],
    ['read_file', null, false],
    ['edit_file', { path: 'a.ts', edits: [{ old_string: 'a', new_string: 'b' }] }, true],
    ['edit_file', { path: 'a.ts', edits: [] }, false],
    ['edit_file', { path: 'a.ts', edits: [{ old_string: 'a' }] }, false],
  ] as const)('takes or leaves arguments of %s: %j', (tool, given, taken) => {
    expect(fitsPlainSchema(given, BUILTIN_DECLARATIONS[tool].parameters)).toBe(taken);
  });

  it('takes nothing under a schema that is none, wherever in it that is', () => {
    expect(fitsPlainSchema({}, { type: 'object', properties: { a: { type: 'nothing' } } })).toBe(false);
    expect(fitsPlainSchema([], { type: 'array', items: { minimum: 'much' } })).toBe(false);
  });

  it('leaves what it does not know to the whole validator', () => {
    expect(fitsPlainSchema('a', { type: 'string', pattern: '^a' })).toBe(false);
    expect(fitsPlainSchema('a', { type: ['string', 'null'] })).toBe(false);
    expect(fitsPlainSchema({}, { type: 'object', toString: true })).toBe(false);
  });
});

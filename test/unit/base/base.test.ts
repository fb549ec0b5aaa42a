// The small things that everything stands on: canonical JSON, digests, ids, errors, announcements and ownership.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AppError, fromWireError, isAppError, toWireError } from '../../../src-main/base/app-error.ts';
import { canonicalJson } from '../../../src-main/base/canonical-json.ts';
import { sha256Hex } from '../../../src-main/base/digest.ts';
import { DisposableStore, toDisposable } from '../../../src-main/base/disposable.ts';
import { Emitter } from '../../../src-main/base/emitter.ts';
import { newId } from '../../../src-main/base/new-id.ts';
import { ERROR_CODES, wireErrorSchema } from '../../../src-main/contract/errors.ts';

/** The same value with the members of every object in another order. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, reordered(member)]),
  );
}

describe('canonical JSON', () => {
  test('it is JSON of the same value, whatever the order of members', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const plain = JSON.parse(JSON.stringify(value)) as unknown;
        const text = canonicalJson(plain);
        expect(JSON.parse(text)).toEqual(plain);
        expect(canonicalJson(reordered(plain))).toBe(text);
      }),
    );
  });

  test('it sorts by UTF-16 code units and writes no white space (RFC 8785)', () => {
    const value = {
      '\u20ac': 1,
      '\r': 2,
      '1': 3,
      '\ud83d\ude00': 4,
      '\u0080': 5,
      '\ufb33': 6,
      b: [null, { d: 1, c: 2 }],
    };
    expect(canonicalJson(value)).toBe(
      '{"\\r":2,"1":3,"b":[null,{"c":2,"d":1}],"\u0080":5,"\u20ac":1,"\ud83d\ude00":4,"\ufb33":6}',
    );
  });

  test('keys that an object keeps out of order, or would not keep, are written like any other', () => {
    const value: unknown = JSON.parse('{"b":{"10":1,"9":2,"a":3},"__proto__":{"z":1,"y":2}}');
    expect(canonicalJson(value)).toBe('{"__proto__":{"y":2,"z":1},"b":{"10":1,"9":2,"a":3}}');
    expect(canonicalJson([value])).toBe(`[${canonicalJson(value)}]`);
  });

  test('members that are undefined are left out, and count as null in an array', () => {
    expect(canonicalJson({ a: undefined, b: [undefined, 1] })).toBe('{"b":[null,1]}');
  });
});

test('a digest is that of the UTF-8 bytes', async () => {
  for (const text of ['', 'abc', 'grüße 😀']) {
    expect(await sha256Hex(text)).toBe(createHash('sha256').update(text).digest('hex'));
  }
});

describe('ids', () => {
  test('they are UUIDv7, unique, and sort in the order in which they were made, also when time stands or runs back', () => {
    const ids = Array.from({ length: 20_000 }, (_, n) => newId(n % 3 === 0 ? 1_800_000_000_000 : 1_700_000_000_000));
    expect(ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id))).toBe(
      true,
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.toSorted()).toEqual(ids);
  });
});

describe('errors', () => {
  test('every code crosses a process and comes back the same', () => {
    for (const code of Object.keys(ERROR_CODES) as (keyof typeof ERROR_CODES)[]) {
      const error = new AppError(code, 'what to do', { details: { path: 'a' }, cause: new Error('inner') });
      const wire = wireErrorSchema.parse(JSON.parse(JSON.stringify(toWireError(error))));
      expect(wire).toEqual({ code, message: 'what to do', retryable: ERROR_CODES[code], details: { path: 'a' } });
      const back = fromWireError(wire);
      expect([back.code, back.message, back.details]).toEqual([code, 'what to do', { path: 'a' }]);
      expect(isAppError(back)).toBe(true);
    }
  });

  test.each([new TypeError('x'), 'text', null, undefined, 5])('%s is told as internal', (thrown) => {
    expect(toWireError(thrown)).toMatchObject({ code: 'internal', retryable: false });
    expect(isAppError(thrown)).toBe(false);
  });
});

describe('announcements', () => {
  test('they reach the listeners in order, not those that left, and a listener that throws stops none', () => {
    const faults: unknown[] = [];
    const emitter = new Emitter<number>((error) => void faults.push(error));
    const heard: string[] = [];
    emitter.on(() => {
      throw new TypeError('broken');
    });
    const second = emitter.on((n) => void heard.push(`second ${n}`));
    emitter.on((n) => void heard.push(`third ${n}`));
    emitter.emit(1);
    second.dispose();
    second.dispose();
    emitter.emit(2);
    expect(heard).toEqual(['second 1', 'third 1', 'third 2']);
    expect([faults.length, emitter.size]).toEqual([2, 2]);
  });
});

describe('ownership', () => {
  test('things end once, in reverse order, and at once where their owner has ended', () => {
    const ended: number[] = [];
    const store = new DisposableStore();
    for (const n of [1, 2]) store.add({ dispose: () => void ended.push(n) });
    store.dispose();
    store.dispose();
    const late = store.add(toDisposable(() => void ended.push(3)));
    expect(ended).toEqual([2, 1, 3]);
    late.dispose();
    expect(ended).toEqual([2, 1, 3]);
  });
});

import { describe, expect, it } from 'vitest';
import { LightHeaders } from '../../../../src-main/providers/transport/light-headers.ts';

describe('header fields without undici', () => {
  it.each([
    ['a record', { 'X-B': ' 2 ', a: '1' }],
    [
      'pairs with a name twice',
      [
        ['a', '1'],
        ['A', '2'],
      ] as [string, string][],
    ],
  ])('list %s as the global Headers do', (_what, init) => {
    const ours = new LightHeaders(init);
    const theirs = new Headers(init);
    expect([...ours]).toEqual([...theirs]);
    expect(Object.fromEntries(ours.entries())).toEqual(Object.fromEntries(theirs.entries()));
  });

  it('are read, changed and taken away by name in any case', () => {
    const headers = new LightHeaders({ 'User-Agent': 'a' });
    headers.set('USER-AGENT', 'b');
    headers.append('user-agent', 'c');
    expect([headers.get('User-Agent'), headers.has('user-agent')]).toEqual(['b, c', true]);
    headers.delete('user-AGENT');
    expect([headers.get('user-agent'), headers.has('user-agent')]).toEqual([null, false]);
    expect(new LightHeaders(new LightHeaders({ a: '1' })).get('a')).toBe('1');
  });
});

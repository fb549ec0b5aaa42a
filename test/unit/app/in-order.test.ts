import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { InOrder } from '../../../src-main/app/in-order.ts';

describe('works of one key', () => {
  it('are done in the order in which they came, also after one that failed; other keys do not wait', async () => {
    const works = new InOrder<string>();
    const done: string[] = [];
    const take = (name: string, turns: number) => async (): Promise<string> => {
      for (let i = 0; i < turns; i++) await setImmediate();
      done.push(name);
      if (name === 'bad') throw new TypeError('bad');
      return name;
    };
    const all = Promise.allSettled([
      works.run('a', take('slow', 5)),
      works.run('a', take('bad', 2)),
      works.run('a', take('quick', 0)),
      works.run('b', take('other', 1)),
    ]);
    expect((await all).map((one) => (one.status === 'fulfilled' ? one.value : 'failed'))).toEqual([
      'slow',
      'failed',
      'quick',
      'other',
    ]);
    expect(done).toEqual(['other', 'slow', 'bad', 'quick']);
  });
});

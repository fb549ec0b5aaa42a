import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { writeQueue } from '../../../src-main/headless/write-queue.ts';

const turnOfTheLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('writes pieces for one stream together and keeps the order over two, at the latest in the next turn of the loop', async () => {
  const written: string[] = [];
  const stream = (name: string): PassThrough => {
    const one = new PassThrough();
    one.on('data', (piece: Buffer) => written.push(`${name} ${String(piece)}`));
    return one;
  };
  const [out, err] = [stream('out'), stream('err')];
  const queue = writeQueue();
  queue.write(out, 'a');
  queue.write(out, 'b');
  queue.write(err, 'c');
  queue.write(out, 'd');
  expect(written).toEqual([]);
  await turnOfTheLoop();
  expect(written).toEqual(['out ab', 'err c', 'out d']);
  queue.write(err, 'e');
  queue.flush();
  expect(written.at(-1)).toBe('err e');
  queue.flush();
  await turnOfTheLoop();
  expect(written).toHaveLength(4);
});

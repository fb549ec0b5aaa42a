import { ReadableStream, TransformStream } from 'node:stream/web';
import { describe, expect, it } from 'vitest';
import {
  EventSourceParserStream,
  LightReadableStream,
  LightTextDecoderStream,
  LightTransformStream,
} from '../../../../src-main/providers/transport/light-streams.ts';

/** A stream of these chunks that counts its pulls and remembers why it was cancelled. */
function streamOf<T>(chunks: readonly T[], end: unknown = null) {
  const seen = { pulls: 0, cancelled: [] as unknown[] };
  const stream = new LightReadableStream<T>({
    pull(controller) {
      const chunk = chunks[seen.pulls++];
      if (seen.pulls <= chunks.length) controller.enqueue(chunk as T);
      else if (end === null) controller.close();
      else controller.error(end);
    },
    cancel(reason) {
      seen.cancelled.push(reason);
    },
  });
  return { stream, seen };
}

const collect = async <T>(stream: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const chunk of stream) all.push(chunk);
  return all;
};

describe('a light stream', () => {
  it('gives what a global one gives through the same transforms', async () => {
    const pieces = ['größe', '→', '', '🙂 end'];
    const twice = {
      transform: (text: string, to: { enqueue(text: string): void }) => {
        if (text !== '') to.enqueue(text);
        to.enqueue(text.toUpperCase());
      },
    };
    const light = streamOf<string>(pieces)
      .stream.pipeThrough(new LightTransformStream<string, string>(twice))
      .pipeThrough(new LightTransformStream<string, string>(twice));
    const global = ReadableStream.from(pieces)
      .pipeThrough(new TransformStream(twice))
      .pipeThrough(new TransformStream(twice));
    expect(await collect(light)).toEqual(await collect(global));
  });

  it('passes events as they are where the SDK would decode and parse bytes', async () => {
    const events = [{ data: '{"a":1}' }, { data: '[DONE]' }];
    const { stream } = streamOf(events);
    const passed = stream.pipeThrough(new LightTextDecoderStream()).pipeThrough(new EventSourceParserStream());
    expect(await collect(passed)).toEqual(events);
  });

  it('pulls only for reads that wait', async () => {
    const { stream, seen } = streamOf([1, 2, 3]);
    const reader = stream
      .pipeThrough(
        new LightTransformStream<number, number>({
          transform: (chunk, to) => to.enqueue(chunk),
        }),
      )
      .getReader();
    await Promise.resolve();
    expect(seen.pulls).toBe(0);
    expect(await reader.read()).toEqual({ done: false, value: 1 });
    expect(seen.pulls).toBe(1);
  });

  it('runs start and flush, and pulls on where a transform gives nothing', async () => {
    const even = new LightTransformStream<number, string>({
      start: (to) => to.enqueue('first'),
      transform: async (chunk, to) => {
        await Promise.resolve();
        if (chunk % 2 === 0) to.enqueue(String(chunk));
      },
      flush: (to) => to.enqueue('last'),
    });
    expect(await collect(streamOf([1, 2, 3, 4, 5]).stream.pipeThrough(even))).toEqual(['first', '2', '4', 'last']);
  });

  it('gives what came before an error, then the error, to every later read', async () => {
    const reader = streamOf(['a'], new Error('cut')).stream.getReader();
    expect(await reader.read()).toEqual({ done: false, value: 'a' });
    await expect(reader.read()).rejects.toThrow('cut');
    await expect(reader.read()).rejects.toThrow('cut');
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('broken');
      },
    ],
    ['rejects', () => Promise.reject(new Error('broken'))],
    ['tells an error', (_chunk: unknown, to: { error(reason: unknown): void }) => to.error(new Error('broken'))],
  ])('fails and lets its source go when a transform %s', async (_how, transform) => {
    const { stream, seen } = streamOf([1, 2]);
    const reader = stream.pipeThrough(new LightTransformStream<number, number>({ transform })).getReader();
    await expect(reader.read()).rejects.toThrow('broken');
    expect(seen.cancelled).toHaveLength(1);
  });

  it('fails with its source through every transform', async () => {
    const through = streamOf([1], new Error('reset')).stream.pipeThrough(
      new LightTransformStream<number, number>({ transform: (chunk, to) => to.enqueue(chunk) }),
    );
    const reader = through.getReader();
    await reader.read();
    await expect(reader.read()).rejects.toThrow('reset');
  });

  it('ends early where a transform says so', async () => {
    const { stream, seen } = streamOf([1, 2, 3]);
    const first = new LightTransformStream<number, number>({
      transform: (chunk, to) => {
        to.enqueue(chunk);
        to.terminate();
      },
    });
    expect(await collect(stream.pipeThrough(first))).toEqual([1]);
    expect(seen.cancelled).toHaveLength(1);
  });

  it('ends a read that waits when it is cancelled, and cancels its source once', async () => {
    const cancelled: unknown[] = [];
    const silent = new LightReadableStream<number>({
      pull: () => new Promise(() => undefined),
      cancel: (reason) => void cancelled.push(reason),
    });
    const reader = silent.pipeThrough(new LightTransformStream<number, number>()).getReader();
    const waiting = reader.read();
    await reader.cancel('enough');
    await reader.cancel('again');
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(cancelled).toEqual(['enough']);
  });

  it('is cancelled by leaving a loop over it', async () => {
    const { stream, seen } = streamOf([1, 2, 3]);
    for await (const chunk of stream) if (chunk === 2) break;
    expect(seen).toEqual({ pulls: 2, cancelled: [undefined] });
  });

  it('tells both of its branches everything, its error too, and is cancelled with the second one', async () => {
    const [left, right] = streamOf([1, 2]).stream.tee();
    expect(await collect(left)).toEqual([1, 2]);
    expect(await collect(right)).toEqual([1, 2]);

    const [one, other] = streamOf([1], new Error('reset')).stream.tee();
    const [first, second] = [one.getReader(), other.getReader()];
    await first.read();
    await expect(first.read()).rejects.toThrow('reset');
    expect(await second.read()).toEqual({ done: false, value: 1 });
    await expect(second.read()).rejects.toThrow('reset');

    const { stream, seen } = streamOf([1, 2, 3]);
    const [kept, left2] = stream.tee();
    await left2.cancel();
    expect([await kept.getReader().read(), seen.cancelled]).toEqual([{ done: false, value: 1 }, []]);
    await kept.cancel('done');
    expect(seen.cancelled).toEqual(['done']);
  });

  it('keeps two reads at once in order', async () => {
    const reader = streamOf([1, 2]).stream.getReader();
    const results = await Promise.all([reader.read(), reader.read(), reader.read()]);
    expect(results.map((result) => result.value)).toEqual([1, 2, undefined]);
  });
});

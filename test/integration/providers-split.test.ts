// A stream says the same however the network cuts it: streams recorded from the rig on all four wires, cut where events
// are read (the shorter ones at every byte) and at some offsets through the whole model; WARRANT_LONG=1 cuts all of them
// at every byte, both ways.
import { expect, test } from 'vitest';
import { createModel } from '../../src-main/providers/create-model.ts';
import { readEvents } from '../../src-main/providers/transport/read-events.ts';
import type { Model, ModelEvent } from '../../src-main/engine/ports.ts';
import { collect, converse, rigTools } from '../helpers/converse.ts';
import { checkLeaks } from '../helpers/leak-check.ts';
import { startRig } from '../helpers/start-rig.ts';

checkLeaks();

const WIRES = ['openai-compatible', 'openai-responses', 'anthropic', 'gemini'] as const;
const SCRIPTS = [
  ...['text', 'read1', 'toolmix', 'parallel', 'f_badEvent', 'f_comments', 'f_split1', 'f_crlf', 'f_badArgs'],
  ...['f_emptyArgs', 'f_unknownTool', 'f_nullDelta', 'f_dupIndex', 'f_dupId', 'f_length'],
];
const RECORDINGS = 200;
const LONG = process.env['WARRANT_LONG'] === '1';
/** Cuts of one stream through the whole model. */
const CUTS = LONG ? Infinity : 12;
/** So many of the streams, shortest first, are cut at every byte, the rest at every seventh. */
const WHOLLY_CUT = LONG ? Infinity : 60;

/** Scripts of generated answers: text of several kinds, with and without reasoning, some with calls. */
const generated = Object.fromEntries(
  Array.from({ length: 30 }, (_, seed) => {
    const gen = ['words', 'markdown', 'code', 'table'][seed % 4];
    const say = { gen, tokens: 4 + (seed % 12), seed };
    const think = seed % 3 === 0 ? { think: { gen: 'words', tokens: 6, seed: seed + 1 } } : {};
    const call = { say: 'Wait: ü, 漢字 🙂.', do: [{ tool: 'read', path: `ä/${seed}🙂.txt` }] };
    return [`split_${seed}`, { turns: [...(seed % 2 === 0 ? [call] : []), { ...think, say }] }];
  }),
);

type Fetch = typeof globalThis.fetch;

/** A fetch that keeps the bytes of each answer that is a stream. */
function recorder(kept: Buffer[]): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const bytes = Buffer.from(await response.arrayBuffer());
    if (response.headers.get('content-type')?.includes('event-stream') === true) kept.push(bytes);
    return new Response(bytes, { status: response.status, headers: response.headers });
  };
}

/** A fetch that answers with these pieces. */
function player(pieces: readonly Uint8Array[]): Fetch {
  const headers = { 'content-type': 'text/event-stream' };
  const stream = (): ReadableStream<Uint8Array> =>
    new ReadableStream({
      start(controller) {
        for (const piece of pieces) controller.enqueue(piece);
        controller.close();
      },
    });
  return () => Promise.resolve(new Response(stream(), { headers }));
}

const parts = (bytes: Buffer, at: number): Uint8Array[] => [bytes.subarray(0, at), bytes.subarray(at)];

/** The data of all events, in order. */
async function dataOf(pieces: readonly Uint8Array[]): Promise<string[]> {
  async function* body(): AsyncGenerator<Uint8Array> {
    yield* pieces;
  }
  const data: string[] = [];
  for await (const batch of readEvents(body())) data.push(...batch.data);
  return data;
}

/** What a stream said: pieces of one text put together, progress left out. */
function said(events: readonly ModelEvent[]): unknown[] {
  const all: ModelEvent[] = [];
  for (const event of events) {
    const last = all.at(-1);
    if (event.type === 'activity' || event.type === 'call-draft') continue;
    if ((event.type === 'text' || event.type === 'reasoning') && last?.type === event.type && !('metadata' in last)) {
      all[all.length - 1] = { ...last, ...event, text: `${'text' in last ? last.text : ''}${event.text}` };
    } else all.push({ ...event });
  }
  return all;
}

async function play(ref: string, pieces: readonly Uint8Array[]): Promise<unknown[]> {
  const model: Model = await createModel(ref, { apiKey: 'sk-not-real', fetch: player(pieces) });
  const request = { system: '', messages: [{ role: 'user' as const, text: 'Hello' }], tools: rigTools };
  return said(await collect(model.stream(request, AbortSignal.timeout(60_000))));
}

test('FIG-14: 200 recorded streams say the same wherever the network cuts them', { timeout: 900_000 }, async () => {
  const rig = await startRig(generated);
  const recorded: { ref: string; bytes: Buffer }[] = [];
  try {
    for (const wire of WIRES) {
      const ref = `${wire}:bench-model@http://127.0.0.1:${rig.port}/v1`;
      const kept: Buffer[] = [];
      for (const script of [...SCRIPTS, ...Object.keys(generated)]) {
        const model = await createModel(ref, { apiKey: 'sk-not-real', fetch: recorder(kept) });
        await converse(model, `[[bench ${script} id=${wire}-${script} path=a.txt rounds=2 cwd=/w]]`);
      }
      recorded.push(...kept.map((bytes) => ({ ref, bytes })));
    }
  } finally {
    await rig.stop();
  }
  expect(recorded.length).toBeGreaterThanOrEqual(RECORDINGS);
  // The shortest: what every cut of a stream costs grows with the square of its length.
  recorded.sort((a, b) => a.bytes.length - b.bytes.length);
  for (const [index, { ref, bytes }] of recorded.slice(0, RECORDINGS).entries()) {
    const whole = await dataOf([bytes]);
    for (let at = 1; at < bytes.length; at += index < WHOLLY_CUT ? 1 : 7) {
      const data = await dataOf(parts(bytes, at));
      // Compared as text: a deep comparison of each of half a million would take all the time.
      if (data.join('\n') !== whole.join('\n')) expect({ ref, at, data }).toEqual({ ref, at, data: whole });
    }
    const answer = await play(ref, [bytes]);
    const step = Math.max(1, Math.floor(bytes.length / CUTS));
    for (let at = 1; at < bytes.length; at += step) {
      expect({ ref, at, answer: await play(ref, parts(bytes, at)) }).toEqual({ ref, at, answer });
    }
  }
});

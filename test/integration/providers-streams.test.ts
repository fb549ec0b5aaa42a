// Streams as bytes, at the Model port over real sockets: what services really send, cut and joined as networks do it.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createModel } from '../../src-main/providers/create-model.ts';
import type { ModelOptions } from '../../src-main/providers/model-options.ts';
import type { Model, ModelEvent, ModelRequest } from '../../src-main/engine/ports.ts';
import { collect, rigTools, textOf } from '../helpers/converse.ts';
import { checkLeaks } from '../helpers/leak-check.ts';
import { pieces, startStreamServer, type StreamServer } from '../helpers/stream-server.ts';

checkLeaks();

let server: StreamServer;
let warnings: string[] = [];
beforeAll(async () => {
  server = await startStreamServer();
});
afterAll(() => server.stop());
beforeEach(() => {
  warnings = [];
});

const hello: ModelRequest = { system: '', messages: [{ role: 'user', text: 'Hello' }], tools: rigTools };
const forever = new AbortController().signal;

function chat(options: Partial<ModelOptions> = {}): Promise<Model> {
  const onWarning = (message: string): void => void warnings.push(message);
  return createModel(`openai-compatible:m@${server.url}`, { apiKey: null, onWarning, ...options });
}

async function ask(...parts: readonly (string | Uint8Array)[]): Promise<ModelEvent[]> {
  server.answer = pieces(...parts);
  return collect((await chat()).stream(hello, forever));
}

const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const delta = (content: string): string => event({ choices: [{ index: 0, delta: { content } }] });
const calls = (...toolCalls: unknown[]): string => event({ choices: [{ index: 0, delta: { tool_calls: toolCalls } }] });
const finish = (reason: string): string => event({ choices: [{ index: 0, delta: {}, finish_reason: reason }] });
const done = 'data: [DONE]\n\n';
const started = (index: number, id: string, args = ''): unknown => ({
  index,
  id,
  type: 'function',
  function: { name: 'read_file', arguments: args },
});
const grown = (index: number, args: string): unknown => ({ index, function: { arguments: args } });

/** Events without what a network's cuts may change: text joined, progress left out. */
function settled(events: readonly ModelEvent[]): unknown[] {
  const rest = events.filter((item) => !['text', 'reasoning', 'activity', 'call-draft'].includes(item.type));
  const reasoning = events.map((item) => (item.type === 'reasoning' ? item.text : '')).join('');
  return [textOf(events), reasoning, ...rest];
}

/** A transport whose body comes in exactly these pieces; a real socket may join them. */
function chunked(chunks: () => readonly Uint8Array[]): NonNullable<ModelOptions['fetch']> {
  return async () => {
    const left = chunks().filter((chunk) => chunk.length > 0);
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const chunk = left.shift();
        if (chunk === undefined) controller.close();
        else controller.enqueue(new Uint8Array(chunk));
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
}

const callsIn = (events: readonly ModelEvent[]): string[] =>
  events.flatMap((item) => (item.type === 'call' ? [`${item.providerId} ${item.argumentsText}`] : []));

describe('bytes', () => {
  test('T1: a character split between network pieces arrives whole, also at the end of the stream', async () => {
    const bytes = Buffer.from(delta('古池や') + delta('蛙🐸') + finish('stop') + done);
    const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
    const model = await chat({ fetch: chunked(() => single) });
    const events = await collect(model.stream(hello, forever));
    expect(settled(events)).toEqual(['古池や蛙🐸', '', { type: 'finish', reason: 'stop', usage: null }]);
  });

  test('T2: a comment in the same piece as data does not end the stream', async () => {
    const events = await ask(`: ping\n${delta('one')}: ping\n\n${delta(' two')}`, finish('stop') + done);
    expect(textOf(events)).toBe('one two');
  });

  test('T4: a comment with an empty line after an id gives no event', async () => {
    const events = await ask(`id: 7\n${delta('one')}: ping\n\nid: 8\n\ndata:\n\n`, finish('stop') + done);
    expect(settled(events)).toEqual(['one', '', { type: 'finish', reason: 'stop', usage: null }]);
    expect(warnings).toEqual([]);
  });

  test('T5: a comment that a proxy wrapped as data is skipped with a warning, and the answer goes on', async () => {
    const events = await ask(delta('one'), 'data: : OPENROUTER PROCESSING\n\n', delta(' two') + finish('stop') + done);
    expect(textOf(events)).toBe('one two');
    expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'stop' });
    expect(warnings).toHaveLength(1);
  });

  test('a damaged piece of the answer itself is an error, never a hole in the answer', async () => {
    const events = await ask(
      delta('one'),
      'data: {"choices":[{"delta":{"content":"lo\n\n',
      delta(' two') + finish('stop'),
    );
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'provider.bad-response', retryable: true } });
  });

  test('CR, LF, CRLF, a byte order mark, data without a space and a last event without its empty line are read', async () => {
    const mixed = `\uFEFF${delta('a')}`.replaceAll('\n', '\r\n') + delta('b').replaceAll('\n', '\r') + delta('c');
    const events = await ask(mixed + delta('d').replace('data: ', 'data:') + finish('stop').trimEnd());
    expect(settled(events)).toEqual(['abcd', '', { type: 'finish', reason: 'stop', usage: null }]);
  });

  test('an event in several data lines is one event', async () => {
    const body = JSON.stringify({ choices: [{ index: 0, delta: { content: 'x' } }] }, null, 1);
    const events = await ask(`${body.replace(/^/gm, 'data: ')}\n\n`, finish('stop') + done);
    expect(textOf(events)).toBe('x');
  });
});

describe('the same stream, cut anywhere', () => {
  const usage = { prompt_tokens: 5, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 2 } };
  const recorded: Record<string, string> = {
    text: `: hi\n\n${delta('Grüße, ')}${delta('世界')}${finish('stop')}${event({ choices: [], usage })}${done}`,
    reasoning:
      event({ choices: [{ index: 0, delta: { role: 'assistant', reasoning_content: 'hm' } }] }) +
      delta('so') +
      finish('length') +
      done,
    'parallel calls':
      calls(started(0, 'a', '{"p":')) + calls(grown(0, '"é"}')) + calls(started(1, 'b', '{}')) + finish('tool_calls'),
    'carriage returns': (delta('x') + finish('stop') + done).replaceAll('\n', '\r\n'),
  };

  test.each(Object.entries(recorded))(
    '%s: two pieces with the cut at every byte give the same events',
    async (_name, text) => {
      const bytes = Buffer.from(text);
      const whole = settled(await ask(bytes));
      expect(whole.at(-1)).toMatchObject({ type: 'finish' });
      let cutAt = 0;
      const model = await chat({ fetch: chunked(() => [bytes.subarray(0, cutAt), bytes.subarray(cutAt)]) });
      for (cutAt = 1; cutAt < bytes.length; cutAt++) {
        expect(settled(await collect(model.stream(hello, forever))), `cut at ${cutAt}`).toEqual(whole);
      }
    },
  );

  test.each(Object.entries(recorded))(
    '%s: a stream that ends at any byte before its finish is never whole',
    async (_name, text) => {
      const bytes = Buffer.from(text);
      const finishAt = text.lastIndexOf('finish_reason');
      const safe = Buffer.byteLength(text.slice(0, finishAt));
      for (let end = 0; end < safe; end += 7) {
        const events = await ask(bytes.subarray(0, end));
        expect(events.at(-1), `ended at ${end}`).toMatchObject({ type: 'error', error: { retryable: true } });
        expect(callsIn(events), `ended at ${end}`).toEqual([]);
      }
    },
  );
});

describe('calls', () => {
  test('T7: a stream that stops inside arguments gives an error and no call', async () => {
    const events = await ask(calls(started(0, 'a', '{')));
    expect(callsIn(events)).toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'provider.stream-cut' } });
  });

  test('T19: a stream that dies between the name and the arguments gives an error at once and no call', async () => {
    const events = await ask(calls(started(0, 'a')));
    expect(callsIn(events)).toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'provider.stream-cut' } });
  });

  test('T8: two calls with different ids under one index are two calls', async () => {
    const one = calls(started(0, 'a', '{"path":"1"}'));
    const events = await ask(one + calls(started(0, 'b', '{"path":"2"}')) + finish('tool_calls') + done);
    expect(callsIn(events)).toEqual(['a {"path":"1"}', 'b {"path":"2"}']);
  });

  test('T8: two calls under one index that grow one after the other are two calls', async () => {
    const events = await ask(
      calls(started(0, 'a')) + calls(grown(0, '{"path":')) + calls(grown(0, '"1"}')),
      calls(started(0, 'b')) + calls(grown(0, '{"path":')) + calls(grown(0, '"2"}')) + finish('tool_calls') + done,
    );
    expect(callsIn(events)).toEqual(['a {"path":"1"}', 'b {"path":"2"}']);
  });

  test('T10: the same call under several indexes is one call', async () => {
    const same = '{"path":"1"}';
    const events = await ask(calls(started(0, 'a', same)) + calls(started(1, 'a', same)) + finish('tool_calls') + done);
    expect(callsIn(events)).toEqual(['a {"path":"1"}']);
  });

  test('two different calls under one id are two calls, told with the id of the service', async () => {
    const events = await ask(
      calls(started(0, 'a', '{"path":"1"}')) + calls(started(1, 'a', '{"path":"2"}')) + finish('tool_calls') + done,
    );
    expect(callsIn(events)).toEqual(['a {"path":"1"}', 'a {"path":"2"}']);
  });

  test('calls that grow in turns keep their own arguments', async () => {
    const events = await ask(
      calls(started(0, 'a'), started(1, 'b')) + calls(grown(1, '{"path":"2"}')) + calls(grown(0, '{"path":"1"}')),
      finish('tool_calls') + done,
    );
    expect(callsIn(events)).toEqual(['a {"path":"1"}', 'b {"path":"2"}']);
  });

  test('T11: a second closing piece with usage alone does not tell the calls again', async () => {
    const usage = { prompt_tokens: 1, completion_tokens: 1 };
    const second = event({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }], usage });
    const events = await ask(calls(started(0, 'a', '{}')) + finish('tool_calls') + second + done);
    expect(callsIn(events)).toEqual(['a {}']);
    expect(events.filter((item) => item.type === 'finish')).toHaveLength(1);
  });

  test('a call is announced while it grows, with the bytes that came so far', async () => {
    const events = await ask(calls(started(0, 'a', '{"path"')), calls(grown(0, ':"é"}')) + finish('tool_calls') + done);
    expect(events.flatMap((item) => (item.type === 'call-draft' ? [item.bytes] : [])).at(-1)).toBe(13);
  });

  test('half a call in an answer that the token limit cut is not told', async () => {
    const events = await ask(delta('So ') + calls(started(0, 'a', '{"pa')) + finish('length') + done);
    expect(callsIn(events)).toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'length' });
  });

  test('a server that ends with "stop" after calls has called tools', async () => {
    const events = await ask(calls(started(0, 'a', '{}')) + finish('stop') + done);
    expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'tool-calls' });
  });
});

describe('reasoning', () => {
  test('signed, redacted and again signed thinking stay three blocks, each closed by its own metadata', async () => {
    const told = (type: string, rest: object): string =>
      `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;
    const block = (index: number, content_block: object, ...deltas: object[]): string =>
      told('content_block_start', { index, content_block }) +
      deltas.map((item) => told('content_block_delta', { index, delta: item })).join('') +
      told('content_block_stop', { index });
    const thinking = { type: 'thinking', thinking: '', signature: '' };
    const thought = (text: string): object => ({ type: 'thinking_delta', thinking: text });
    const signed = (signature: string): object => ({ type: 'signature_delta', signature });
    const usage = { input_tokens: 10, cache_read_input_tokens: 90, output_tokens: 1 };
    const message = { id: 'm', type: 'message', role: 'assistant', model: 'x', content: [], stop_reason: null, usage };
    server.answer = pieces(
      told('message_start', { message }),
      block(0, thinking, thought('one'), thought(' more'), signed('S1')),
      block(1, { type: 'redacted_thinking', data: 'RED' }),
      block(2, thinking, thought('two'), signed('S2')),
      told('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 20 } }),
      told('message_stop', {}),
    );
    const model = await createModel(`anthropic:claude-x@${server.url}`, { apiKey: 'k' });
    const events = await collect(model.stream(hello, forever));
    const blocks = events.filter((item) => item.type === 'reasoning' || item.type === 'finish');
    expect(blocks.filter((item) => item.type === 'finish' || item.metadata !== undefined)).toEqual([
      { type: 'reasoning', text: '', metadata: { anthropic: { signature: 'S1' } } },
      { type: 'reasoning', text: '', metadata: { anthropic: { redactedData: 'RED' } } },
      { type: 'reasoning', text: '', metadata: { anthropic: { signature: 'S2' } } },
      {
        type: 'finish',
        reason: 'stop',
        usage: { input: 100, output: 20, cachedInput: 90, reasoning: 0, costUsd: null },
      },
    ]);
    expect(blocks.map((item) => (item.type === 'reasoning' ? item.text : '|')).join('')).toBe('one moretwo|');
  });
});

describe('data and keep-alives', () => {
  test('T16: comments and empty events are no activity, data that says nothing is', async () => {
    const quiet = await ask(
      ': ping\n\n'.repeat(50),
      delta('x'),
      ': ping\n\ndata:\n\n'.repeat(50),
      finish('stop') + done,
    );
    const busy = await ask(delta('x'), event({ choices: [{ index: 0, delta: {} }] }), finish('stop') + done);
    const activity = (events: ModelEvent[]): number => events.filter((item) => item.type === 'activity').length;
    expect(activity(busy) - activity(quiet)).toBe(1);
  });
});

describe('stopping', () => {
  const halfAnswer =
    (text: string): StreamServer['answer'] =>
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(text);
    };

  test('an abort ends the stream at once and lets go of the socket', async () => {
    server.answer = halfAnswer(delta('one'));
    const control = new AbortController();
    const events: ModelEvent[] = [];
    for await (const item of (await chat()).stream(hello, control.signal)) {
      events.push(item);
      if (item.type === 'text') control.abort();
    }
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'cancelled' } });
    await server.seen.at(-1)?.abandoned;
  });

  test('an abort before the headers came ends the stream at once and lets go of the socket', async () => {
    const control = new AbortController();
    server.answer = () => control.abort();
    const events = await collect((await chat()).stream(hello, control.signal));
    expect(events).toMatchObject([{ type: 'error', error: { code: 'cancelled' } }]);
    await server.seen.at(-1)?.abandoned;
  });

  test('an abort ends the stream also where the transport does not listen to it', async () => {
    const control = new AbortController();
    const model = await chat({ fetch: () => new Promise(() => queueMicrotask(() => control.abort())) });
    expect(await collect(model.stream(hello, control.signal))).toMatchObject([{ error: { code: 'cancelled' } }]);
  });

  test('leaving the iteration lets go of the socket', async () => {
    server.answer = halfAnswer(delta('one') + delta('two'));
    for await (const item of (await chat()).stream(hello, forever)) if (item.type === 'text') break;
    await server.seen.at(-1)?.abandoned;
  });

  test('a signal that was aborted before sends nothing', async () => {
    const before = server.seen.length;
    const events = await collect((await chat()).stream(hello, AbortSignal.abort()));
    expect(events).toMatchObject([{ type: 'error', error: { code: 'cancelled' } }]);
    expect(server.seen).toHaveLength(before);
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import { chatTraits } from '../../../../src-main/providers/openai-compatible/chat-traits.ts';
import { takeEvents } from '../../../../src-main/providers/transport/light-streams.ts';
import { normaliseEvents } from '../../../../src-main/providers/transport/normalise-events.ts';

const choice = (delta: object, rest: object = {}): object => ({ choices: [{ index: 0, delta, ...rest }] });
const call = (args: string): object => choice({ tool_calls: [{ index: 0, function: { arguments: args } }] });
const opening = choice({ role: 'assistant', content: '' });
const finish = choice({}, { finish_reason: 'stop' });
const usage = { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } };

/** The events that the SDK gets of network pieces with these events each. */
async function normalise(...pieces: readonly (readonly object[])[]): Promise<unknown[]> {
  const encoder = new TextEncoder();
  async function* body(): AsyncGenerator<Uint8Array> {
    for (const piece of pieces) {
      yield encoder.encode(piece.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
      await Promise.resolve();
    }
  }
  const events: unknown[] = [];
  for await (const { data } of normaliseEvents(body(), chatTraits('any'), () => undefined)) {
    events.push(JSON.parse(data));
  }
  return events;
}

it('an SDK without our streams gets the same as bytes', async () => {
  async function* body(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(new TextEncoder().encode(`data: ${JSON.stringify(opening)}\n\ndata: [DONE]\n\n`));
  }
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of normaliseEvents(body(), chatTraits('any'), () => undefined)) {
    text += decoder.decode(bytes as unknown as Uint8Array);
  }
  expect(text).toBe(`data: ${JSON.stringify(opening)}\n\ndata: [DONE]\n\n`);
});

describe('events of one network piece', () => {
  beforeAll(takeEvents);

  it('become one where it says the same: text, how the answer ended, and its usage', async () => {
    const events = await normalise([opening, choice({ content: 'a' }), choice({ content: 'b' }), finish, usage]);
    expect(events).toEqual([{ ...choice({ content: 'ab' }, { finish_reason: 'stop' }), usage: usage.usage }]);
  });

  it('stay apart where each says something of its own', async () => {
    const events = [call('{'), choice({ content: 'a' }), choice({ reasoning: 'b' }), { error: { message: 'broken' } }];
    expect(await normalise(events)).toEqual(events);
  });

  it('become one also where text is followed by calls, each with the pieces of its arguments in their order', async () => {
    const begin = (index: number): object =>
      choice({ tool_calls: [{ index, id: `c${index}`, function: { name: 'read', arguments: '' } }] });
    const events = [choice({ content: 'a' }), choice({ content: 'b' }), begin(0), call('{"p"'), call(':1}'), begin(1)];
    const calls = [
      { index: 0, id: 'c0', function: { name: 'read', arguments: '' } },
      { index: 0, function: { arguments: '{"p":1}' } },
      { index: 1, id: 'c1', function: { name: 'read', arguments: '' } },
    ];
    expect(await normalise([...events, finish])).toEqual([
      choice({ content: 'ab', tool_calls: calls }, { finish_reason: 'stop' }),
    ]);
  });

  it('leave text that follows a call behind it', async () => {
    const events = [call('{}'), choice({ content: 'after' })];
    expect(await normalise(events)).toEqual(events);
  });

  it('keep the first of two ends, and the usage of each', async () => {
    const second = choice({}, { finish_reason: 'length' });
    expect(await normalise([call('{}'), finish, usage, second, usage])).toEqual([
      {
        ...choice({ tool_calls: [{ index: 0, function: { arguments: '{}' } }] }, { finish_reason: 'stop' }),
        usage: usage.usage,
      },
      { ...second, usage: usage.usage },
    ]);
  });

  it('are not put together with those of another piece', async () => {
    const pieces = [[opening], [choice({ content: 'a' })], [choice({ content: 'b' })], [finish], [usage]];
    expect(await normalise(...pieces)).toEqual(pieces.flat());
  });

  it('never lose an end that belongs to another choice', async () => {
    const other = { choices: [{ index: 1, delta: {}, finish_reason: 'stop' }] };
    expect(await normalise([choice({ content: 'a' }), other])).toEqual([choice({ content: 'a' }), other]);
  });
});

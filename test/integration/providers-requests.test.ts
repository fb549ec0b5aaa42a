// What leaves the machine: headers, keys, bodies, over all four wires; and what errors say.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { AppError } from '../../src-main/base/app-error.ts';
import { newId } from '../../src-main/base/new-id.ts';
import type { CallId } from '../../src-main/contract/ids.ts';
import { createModel } from '../../src-main/providers/create-model.ts';
import type { ModelEvent, ModelMessage, ModelRequest } from '../../src-main/engine/ports.ts';
import { collect, rigTools } from '../helpers/converse.ts';
import { checkLeaks } from '../helpers/leak-check.ts';
import { pieces, refusal, startStreamServer, type StreamServer } from '../helpers/stream-server.ts';

checkLeaks();

let server: StreamServer;
beforeAll(async () => {
  server = await startStreamServer();
});
afterAll(() => server.stop());

const WIRES = ['openai-compatible', 'openai-responses', 'anthropic', 'gemini'] as const;
const KEY_HEADERS = ['authorization', 'x-api-key', 'x-goog-api-key'];
const forever = new AbortController().signal;
const request = (messages: readonly ModelMessage[] = [{ role: 'user', text: 'Hello' }]): ModelRequest => ({
  system: 'Be brief.',
  messages,
  tools: rigTools,
});

async function send(ref: string, apiKey: string | null, asked = request()): Promise<ModelEvent[]> {
  const model = await createModel(`${ref}@${server.url}`, { apiKey, userAgent: 'warrant/9.9.9' });
  return collect(model.stream(asked, forever));
}
const lastError = (events: readonly ModelEvent[]): Extract<ModelEvent, { type: 'error' }> => {
  const last = events.at(-1);
  if (last?.type !== 'error') throw new TypeError('The stream did not end with an error.');
  return last;
};

describe.each(WIRES)('a request on the wire %s', (wire) => {
  test('carries the key it was given, in one header, and our own user agent', async () => {
    server.answer = pieces('');
    await send(`${wire}:m`, 'sk-given');
    const headers = server.seen.at(-1)?.headers ?? {};
    expect(KEY_HEADERS.filter((name) => String(headers[name]).includes('sk-given'))).toHaveLength(1);
    expect(headers['user-agent']).toBe('warrant/9.9.9');
  });

  test('carries no key header when there is no key', async () => {
    server.answer = pieces('');
    await send(`${wire}:m`, null);
    const headers = server.seen.at(-1)?.headers ?? {};
    expect(KEY_HEADERS.filter((name) => name in headers)).toEqual([]);
  });

  test('S19: takes nothing from the environment and writes nothing to it', async () => {
    for (const name of [
      'OPENAI_API_KEY',
      'ANTHROPIC_API_KEY',
      'GOOGLE_GENERATIVE_AI_API_KEY',
      'ANTHROPIC_AUTH_TOKEN',
    ]) {
      vi.stubEnv(name, 'sk-from-environment');
    }
    for (const name of ['OPENAI_BASE_URL', 'ANTHROPIC_BASE_URL', 'HTTP_PROXY', 'http_proxy']) {
      vi.stubEnv(name, 'http://127.0.0.1:9/v1');
    }
    const before = { ...process.env };
    server.answer = pieces('');
    await send(`${wire}:m`, 'sk-given');
    expect(process.env).toEqual(before);
    vi.unstubAllEnvs();
    expect(JSON.stringify(server.seen.at(-1))).not.toContain('sk-from-environment');
    expect(Object.values(process.env)).not.toContain('sk-given');
  });

  test('is sent once: no retry of its own', async () => {
    const before = server.seen.length;
    server.answer = refusal(503, { error: { message: 'busy' } });
    expect(lastError(await send(`${wire}:m`, 'k')).error).toMatchObject({
      code: 'provider.unavailable',
      retryable: true,
    });
    expect(server.seen).toHaveLength(before + 1);
  });

  test('follows no redirect, so a key never reaches another address', async () => {
    const before = server.seen.length;
    server.answer = refusal(307, '', { location: `${server.url}/elsewhere` });
    expect(lastError(await send(`${wire}:m`, 'k')).error.code).toBe('provider.rejected');
    expect(server.seen).toHaveLength(before + 1);
  });

  test('leaves only when what it builds on is stored, and not at all when that failed', async () => {
    server.answer = pieces('');
    const before = server.seen.length;
    const stored = Promise.withResolvers<undefined>();
    const options = { apiKey: 'k', beforeSend: (): Promise<void> => stored.promise };
    const model = await createModel(`${wire}:m@${server.url}`, options);
    const answered = collect(model.stream(request(), forever));
    // Longer than an unheld request takes, which this one shows.
    await send(`${wire}:m`, 'k');
    expect(server.seen).toHaveLength(before + 1);
    stored.resolve(undefined);
    await answered;
    expect(server.seen).toHaveLength(before + 2);

    const failed = new AppError('store.io', 'The disk failed.');
    const refused = await createModel(`${wire}:m@${server.url}`, {
      ...options,
      beforeSend: () => Promise.reject(failed),
    });
    expect(lastError(await collect(refused.stream(request(), forever))).error).toMatchObject({
      code: 'store.io',
      message: 'The disk failed.',
    });
    expect(server.seen).toHaveLength(before + 2);
  });

  test('is the same from a model that wrote another one before, whatever became of the conversation', async () => {
    server.answer = pieces('');
    const [a, b, c] = ['one', 'two', 'three'].map((text) => ({ role: 'user' as const, text }));
    const conversations = [[a], [a, b], [a, b, c], [a], [b, c], [], [c, a, b]].map((messages) =>
      messages.filter((message) => message !== undefined),
    );
    const used = await createModel(`${wire}:m@${server.url}`, { apiKey: 'k' });
    for (const messages of conversations) {
      await collect(used.stream(request(messages), forever));
      await send(`${wire}:m`, 'k', request(messages));
      const [body, fresh] = server.seen.slice(-2).map((seen) => seen.body);
      expect(body).toBe(fresh);
    }
  });

  test('begins with the same bytes when the conversation has grown', async () => {
    const callId = newId<CallId>();
    const first: ModelMessage[] = [{ role: 'user', text: 'Read a.txt, é' }];
    const parts = [{ type: 'tool-call' as const, callId, name: 'read_file', argumentsText: '{ "path": "a.txt" }' }];
    const grown: ModelMessage[] = [
      ...first,
      { role: 'assistant', model: 'other:model', parts },
      { role: 'tool', callId, name: 'read_file', content: 'text', failed: false },
    ];
    server.answer = pieces('');
    await send(`${wire}:m`, 'k', request(first));
    await send(`${wire}:m`, 'k', request(grown));
    const [before = '', after = ''] = server.seen.slice(-2).map(({ body }) => body);
    let same = 0;
    while (same < before.length && before[same] === after[same]) same += 1;
    const user = before.indexOf('Read a.txt');
    // Everything up to the end of the first message is the same.
    expect(same).toBeGreaterThan(user + 'Read a.txt'.length);
  });

  test('pairs each call with its result under one id', async () => {
    const ids = [newId<CallId>(), newId<CallId>()];
    const messages: ModelMessage[] = [
      { role: 'user', text: 'Go' },
      {
        role: 'assistant',
        model: 'other:model',
        parts: ids.map((callId) => ({
          type: 'tool-call' as const,
          callId,
          name: 'read_file',
          argumentsText: 'no json',
        })),
      },
      ...ids.map((callId) => ({ role: 'tool' as const, callId, name: 'read_file', content: 'bad', failed: true })),
    ];
    server.answer = pieces('');
    await send(`${wire}:m`, 'k', request(messages));
    const body = server.seen.at(-1)?.body ?? '';
    // Gemini pairs by order as well; the ids are there on every wire.
    for (const id of ids) expect(body.split(id)).toHaveLength(3);
    expect(body).not.toContain('no json');
  });

  test.each([
    [401, { error: { message: 'Incorrect API key provided: sk-given' } }, 'provider.auth'],
    [403, { error: { message: 'no' } }, 'provider.auth'],
    [404, { error: { message: 'The model `m` does not exist', code: 'model_not_found' } }, 'provider.model-not-found'],
    [413, { error: { message: 'too large' } }, 'provider.context-too-long'],
    [400, { error: { message: 'm does not support tools' } }, 'provider.no-tool-support'],
    [400, { error: { message: 'unknown field' } }, 'provider.rejected'],
    [402, { error: { message: 'Insufficient credits' } }, 'provider.rejected'],
    [529, '<html>gateway</html>', 'provider.unavailable'],
  ])('%i %j is told as %s, and never shows the key', async (status, body, code) => {
    server.answer = refusal(status, body);
    const { error } = lastError(await send(`${wire}:m`, 'sk-given'));
    expect(error.code).toBe(code);
    expect(JSON.stringify(error)).not.toContain('sk-given');
    expect(error.message).not.toContain('<');
  });

  test('a service that wants a key where none is set is told as such', async () => {
    server.answer = refusal(401, { error: { message: 'missing key' } });
    expect(lastError(await send(`${wire}:m`, null)).error.code).toBe('provider.no-key');
  });

  test('a JSON error with status 200 is told in the words of the service', async () => {
    server.answer = refusal(200, { error: { message: 'Rate limit exceeded: free-models-per-min', code: 429 } });
    expect(lastError(await send(`${wire}:m`, 'k')).error.code).toBe('provider.rate-limited');
  });

  test('an address where nothing answers is told as such', async () => {
    const model = await createModel(`${wire}:m@http://127.0.0.1:1/v1`, { apiKey: 'k' });
    const { error } = lastError(await collect(model.stream(request(), forever)));
    expect(error).toMatchObject({ code: 'provider.unavailable', retryable: true });
    expect(error.message).toContain('http://127.0.0.1:1/v1');
  });
});

test.each(['openai-responses:m', 'anthropic:m', 'gemini:m'])(
  '%s at its own service asks for a key before it sends anything',
  async (ref) => {
    const model = await createModel(ref, { apiKey: null, fetch: () => Promise.reject(new TypeError('sent')) });
    expect(lastError(await collect(model.stream(request(), forever))).error.code).toBe('provider.no-key');
  },
);

test('a model of the compatible wire without an address is refused with config.invalid', async () => {
  await expect(createModel('openai-compatible:m', { apiKey: null })).rejects.toMatchObject({ code: 'config.invalid' });
});

test.each([
  ['retry-after', '7', 7000],
  ['retry-after-ms', '250', 250],
])('the header %s says when to ask again', async (name, value, ms) => {
  server.answer = refusal(429, { error: { message: 'slow down' } }, { [name]: value });
  expect(lastError(await send('anthropic:m', 'k'))).toMatchObject({
    retryAfterMs: ms,
    error: { code: 'provider.rate-limited' },
  });
});

describe('history of the same model', () => {
  const bodyOf = async (
    ref: string,
    parts: Extract<ModelMessage, { role: 'assistant' }>['parts'],
    model = ref,
  ): Promise<string> => {
    const callId = parts.find((part) => part.type === 'tool-call')?.callId ?? newId<CallId>();
    server.answer = pieces('');
    const messages: ModelMessage[] = [
      { role: 'user', text: 'Go' },
      { role: 'assistant', model: model === '' ? `${ref}@${server.url}` : model, parts },
      { role: 'tool', callId, name: 'read_file', content: 'text', failed: false },
    ];
    await send(ref, 'k', request(messages));
    return server.seen.at(-1)?.body ?? '';
  };
  const call = (metadata: Record<string, unknown>) => ({
    type: 'tool-call' as const,
    callId: newId<CallId>(),
    name: 'read_file',
    argumentsText: '{}',
    metadata,
  });
  const thought = (metadata: Record<string, unknown>) => ({ type: 'reasoning' as const, text: 'hm', metadata });

  test('signed thinking goes back to Anthropic word for word, and to no other model', async () => {
    const parts = [thought({ anthropic: { signature: 'c2ln' } }), call({})];
    const same = await bodyOf('anthropic:m', parts, '');
    expect(same).toContain('{"type":"thinking","thinking":"hm","signature":"c2ln"}');
    expect(await bodyOf('anthropic:m', parts, 'anthropic:other')).not.toContain('c2ln');
  });

  test('redacted thinking goes back to Anthropic', async () => {
    const parts = [{ ...thought({ anthropic: { redactedData: 'eHh4' } }), text: '' }, call({})];
    expect(await bodyOf('anthropic:m', parts, '')).toContain('{"type":"redacted_thinking","data":"eHh4"}');
  });

  test('encrypted reasoning goes back to Responses, which stores nothing', async () => {
    const parts = [thought({ openai: { itemId: 'rs_1', reasoningEncryptedContent: 'ZW5j' } }), call({})];
    const body = await bodyOf('openai-responses:gpt-5', parts, '');
    expect(JSON.parse(body)).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] });
    expect(body).toContain('"encrypted_content":"ZW5j"');
  });

  test('a thought signature goes back to Gemini with its call', async () => {
    expect(await bodyOf('gemini:gemini-3-pro', [call({ google: { thoughtSignature: 'c2ln' } })], '')).toContain(
      '"thoughtSignature":"c2ln"',
    );
  });

  test('T13: reasoning that led to a call goes back to a service that demands it, and to no other', async () => {
    const parts = [{ type: 'reasoning' as const, text: 'because' }, call({})];
    expect(await bodyOf('openai-compatible:deepseek-chat', parts, '')).toContain('"reasoning_content":"because"');
    expect(await bodyOf('openai-compatible:llama', parts, '')).not.toContain('because');
  });

  test('a call goes back under the id of its service, or under ours when that id is taken or of another model', async () => {
    const theirs = call({ warrant: { providerId: 'call_7' } });
    const body = await bodyOf('openai-compatible:m', [theirs], '');
    expect(body).toContain('"id":"call_7"');
    expect(body).toContain('"tool_call_id":"call_7"');
    const other = await bodyOf('openai-compatible:m', [theirs], 'anthropic:m');
    expect(other).toContain(`"tool_call_id":"${theirs.callId}"`);
    const again = call({ warrant: { providerId: 'call_7' } });
    const twice = await bodyOf('openai-compatible:m', [theirs, again], '');
    expect(twice).toContain('"id":"call_7"');
    expect(twice).toContain(`"id":"${again.callId}"`);
  });

  test('arguments go back as the model wrote them, so the prefix stays the same bytes', async () => {
    const odd = { ...call({}), argumentsText: '{ "path":  "a.txt" }' };
    const body = JSON.parse(await bodyOf('openai-compatible:m', [odd], '')) as { messages: unknown[] };
    expect(JSON.stringify(body.messages)).toContain(
      JSON.stringify('{ "path":  "a.txt" }').slice(1, -1).replaceAll('\\', '\\'),
    );
  });
});

test('Anthropic is asked to cache the beginning, and gets the output bound that its wire demands', async () => {
  server.answer = pieces('');
  await send('anthropic:claude-sonnet-5', 'k');
  expect(JSON.parse(server.seen.at(-1)?.body ?? '{}')).toMatchObject({
    max_tokens: 32_000,
    cache_control: { type: 'ephemeral' },
  });
});

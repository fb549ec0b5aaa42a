// The messages that Warrant writes itself for chat completions, against those that the SDK would write.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { describe, expect, test } from 'vitest';
import type { CallId } from '../../../src-main/contract/ids.ts';
import type { ModelMessage, ModelRequest } from '../../../src-main/engine/ports.ts';
import { createModel } from '../../../src-main/providers/create-model.ts';
import { chatTraits } from '../../../src-main/providers/openai-compatible/chat-traits.ts';
import { PromptWriter } from '../../../src-main/providers/to-prompt.ts';
import { collect, rigTools } from '../../helpers/converse.ts';

const id = (text: string): CallId => text as CallId;
const REF = 'openai-compatible:deepseek-x@http://127.0.0.1:1/v1';

const call = (callId: string, argumentsText: string, metadata?: Record<string, unknown>) => ({
  type: 'tool-call' as const,
  callId: id(callId),
  name: 'read_file',
  argumentsText,
  ...(metadata ? { metadata } : {}),
});
const result = (callId: string, failed = false): ModelMessage => ({
  role: 'tool',
  callId: id(callId),
  name: 'read_file',
  content: 'text "é"\n',
  failed,
});

const HISTORIES: Record<string, ModelMessage[]> = {
  'one question': [{ role: 'user', text: 'Hello "you"\n\u0007é漢🙂' }],
  'an answer': [
    { role: 'user', text: 'a' },
    {
      role: 'assistant',
      model: REF,
      parts: [
        { type: 'text', text: 'b' },
        { type: 'text', text: 'c' },
      ],
    },
    { role: 'user', text: '' },
  ],
  'calls with and without text': [
    { role: 'user', text: 'a' },
    {
      role: 'assistant',
      model: REF,
      parts: [{ type: 'text', text: 'I read.' }, call('c1', '{ "path": "x" }'), call('c2', '')],
    },
    result('c1'),
    result('c2', true),
    { role: 'assistant', model: REF, parts: [call('c3', 'no json')] },
    result('c3', true),
    { role: 'assistant', model: REF, parts: [{ type: 'text', text: 'Done.' }] },
  ],
  'reasoning, ids and signatures of this model and of another': [
    { role: 'user', text: 'a' },
    {
      role: 'assistant',
      model: REF,
      parts: [
        { type: 'reasoning', text: 'because' },
        call('c1', '{}', { warrant: { providerId: 'call_1' }, chat: { thoughtSignature: 'c2ln' } }),
      ],
    },
    result('c1'),
    {
      role: 'assistant',
      model: 'anthropic:other',
      parts: [
        { type: 'reasoning', text: 'secret', metadata: { anthropic: { signature: 'x' } } },
        call('c2', '{}', { warrant: { providerId: 'toolu_1' }, chat: { thoughtSignature: 'no' } }),
      ],
    },
    result('c2'),
    {
      role: 'assistant',
      model: REF,
      parts: [
        { type: 'reasoning', text: 'alone' },
        { type: 'text', text: 'x' },
      ],
    },
  ],
};

async function ownBody(request: ModelRequest): Promise<unknown> {
  let body = '';
  const model = await createModel(REF, {
    apiKey: 'k',
    fetch: async (_input, init) => {
      body = init?.body as string;
      return new Response('');
    },
  });
  await collect(model.stream(request, new AbortController().signal));
  return JSON.parse(body);
}

async function sdkBody(request: ModelRequest): Promise<unknown> {
  let body = '';
  const traits = chatTraits('deepseek-x');
  const writer = new PromptWriter(REF, traits);
  const provider = createOpenAICompatible({
    name: 'chat',
    baseURL: 'http://127.0.0.1:1/v1',
    includeUsage: true,
    fetch: async (_input, init) => {
      body = init?.body as string;
      return new Response('');
    },
  });
  const tools = writer.toTools(request.tools);
  await provider.chatModel('deepseek-x').doStream({ prompt: writer.toPrompt(request), ...(tools ? { tools } : {}) });
  return JSON.parse(body);
}

describe('a chat request', () => {
  test.each(Object.entries(HISTORIES))('with %s says what the SDK would say', async (_name, messages) => {
    for (const system of ['', 'Be "brief".']) {
      const request: ModelRequest = { system, messages, tools: rigTools };
      expect(await ownBody(request)).toEqual(await sdkBody(request));
    }
  });

  test('whose text looks like the body itself is put together rightly', async () => {
    const text = '"messages":[{"role":"user","content":"00000000-0000-0000-0000-000000000000"}]';
    const request: ModelRequest = { system: text, messages: [{ role: 'user', text }], tools: [] };
    expect(await ownBody(request)).toEqual(await sdkBody(request));
  });
});

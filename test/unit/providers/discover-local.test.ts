import { describe, expect, test } from 'vitest';
import { discoverLocalModels } from '../../../src-main/providers/discover-local.ts';
import type { Fetch } from '../../../src-main/providers/model-options.ts';

const signal = new AbortController().signal;

/** A machine with these servers; everything else refuses the connection. */
function machine(answers: Record<string, unknown>): Fetch {
  return async (input) => {
    const url = input as string;
    if (!(url in answers)) throw new TypeError('fetch failed');
    const answer = answers[url];
    return typeof answer === 'string' ? new Response(answer) : Response.json(answer);
  };
}

describe('local model servers', () => {
  test('Ollama is found with its own list, which tells whether a model can use tools', async () => {
    const found = await discoverLocalModels(
      machine({
        'http://127.0.0.1:11434/api/tags': {
          models: [{ name: 'qwen3:8b', capabilities: ['completion', 'tools'] }, { name: 'nomic-embed-text' }],
        },
        'http://127.0.0.1:11434/v1/models': { data: [{ id: 'qwen3:8b' }] },
      }),
      signal,
    );
    expect(found).toEqual([
      {
        ref: 'openai-compatible:qwen3:8b@http://127.0.0.1:11434/v1',
        wire: 'openai-compatible',
        name: 'qwen3:8b',
        origin: 'Ollama on this machine',
        local: true,
        contextWindow: null,
        tools: true,
      },
    ]);
  });

  test('several servers are found at once, with context windows where they tell them', async () => {
    const found = await discoverLocalModels(
      machine({
        'http://127.0.0.1:1234/api/v0/models': {
          data: [
            { id: 'gemma', type: 'llm', max_context_length: 8192 },
            { id: 'e', type: 'embeddings' },
          ],
        },
        'http://127.0.0.1:8080/v1/models': { data: [{ id: 'model.gguf', meta: { n_ctx: 4096, n_ctx_train: 32768 } }] },
        'http://127.0.0.1:8000/v1/models': { data: [{ id: 'org/big', max_model_len: 32768 }] },
      }),
      signal,
    );
    expect(found.map(({ name, origin, contextWindow }) => [name, origin, contextWindow])).toEqual([
      ['gemma', 'LM Studio on this machine', 8192],
      ['model.gguf', 'llama.cpp on this machine', 4096],
      ['org/big', 'vLLM on this machine', 32768],
    ]);
  });

  test.each([
    ['nothing', {}],
    ['a web page', { 'http://127.0.0.1:8080/v1/models': '<html>Hello</html>' }],
    ['other JSON', { 'http://127.0.0.1:8000/v1/models': { data: 'none' }, 'http://127.0.0.1:11434/api/tags': [] }],
  ])('%s at the ports gives no models', async (_name, answers) => {
    expect(await discoverLocalModels(machine(answers), signal)).toEqual([]);
  });

  test('a server that never answers is given up on', async () => {
    const deaf: Fetch = (_input, init) =>
      new Promise((_resolve, reject) =>
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error)),
      );
    expect(await discoverLocalModels(deaf, signal)).toEqual([]);
  });
});

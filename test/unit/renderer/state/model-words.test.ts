import { expect, test } from 'vitest';
import { modelWords } from '../../../../src-renderer/state/model-words.ts';

test('a model of no list is told by its name and the host that answers', () => {
  const cases: [string, string, string][] = [
    ['openai-compatible:bench-model@http://127.0.0.1:41487/v1', 'bench-model', '127.0.0.1:41487'],
    ['openai-compatible:qwen3:8b@http://[::1]:11434/v1', 'qwen3:8b', '[::1]:11434'],
    ['openai-compatible:me@home/pear@https://models.example.org/v1', 'me@home/pear', 'models.example.org'],
    ['anthropic:claude', 'claude', 'Anthropic'],
    ['openai-responses:gpt', 'gpt', 'OpenAI'],
    ['guide', 'Guide', 'built in'],
    ['something else', 'something else', 'not known'],
  ];
  for (const [ref, name, where] of cases) expect(modelWords(ref), ref).toEqual({ name, where });
});

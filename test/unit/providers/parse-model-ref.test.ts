import { describe, expect, test } from 'vitest';
import { parseBaseUrl, parseModelRef } from '../../../src-main/providers/parse-model-ref.ts';

describe('a model reference', () => {
  test.each([
    ['guide', 'guide', 'guide', null],
    ['anthropic:claude-sonnet-5', 'anthropic', 'claude-sonnet-5', null],
    [
      'openai-compatible:qwen3:8b@http://127.0.0.1:11434/v1',
      'openai-compatible',
      'qwen3:8b',
      'http://127.0.0.1:11434/v1',
    ],
    [
      'openai-compatible:meta/llama@fp8@https://x.example/v1/',
      'openai-compatible',
      'meta/llama@fp8',
      'https://x.example/v1',
    ],
    ['openai-compatible:a@httpbin@http://h/v1', 'openai-compatible', 'a@httpbin', 'http://h/v1'],
    ['gemini:models/gemini-3-pro', 'gemini', 'models/gemini-3-pro', null],
    ['openai-responses:gpt-5@http://[::1]:8080/v1', 'openai-responses', 'gpt-5', 'http://[::1]:8080/v1'],
  ])('%s is read as wire, name and address', (ref, wire, name, baseUrl) => {
    expect(parseModelRef(ref)).toEqual({ ref, wire, name, baseUrl });
  });

  test.each([
    '',
    'gpt-5',
    'openai:gpt-5',
    'guide:x',
    'anthropic',
    'anthropic:',
    'anthropic:@http://127.0.0.1',
    'anthropic:a b',
    `gemini:${'x'.repeat(201)}`,
    'gemini:x@http://user:secret@host/v1',
    'gemini:x@http://host/v1?key=1',
    'gemini:x@http://',
  ])('%j is refused with config.invalid', (ref) => {
    expect(() => parseModelRef(ref)).toThrow(expect.objectContaining({ code: 'config.invalid' }));
  });
});

test('an address that holds a key is refused without showing it', () => {
  expect(() => parseBaseUrl('https://sk-secret@host/v1')).toThrow(
    expect.objectContaining({ code: 'config.invalid', message: expect.not.stringContaining('sk-secret') as string }),
  );
});

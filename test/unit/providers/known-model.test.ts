import { describe, expect, it } from 'vitest';
import { findKnownModel, type KnownModel } from '../../../src-main/providers/known-model.ts';
import { parseModelRef } from '../../../src-main/providers/parse-model-ref.ts';

const find = (ref: string): Promise<KnownModel> => {
  const model = parseModelRef(ref);
  return findKnownModel(model, model.baseUrl);
};
const million = { input: 1_000_000, output: 0, cachedInput: 0, reasoning: 0 };

describe('what is known of a model', () => {
  it.each([
    'anthropic:claude-sonnet-4-20250514',
    'openai-responses:gpt-4o',
    'gemini:gemini-2.5-pro',
    'openai-compatible:anthropic/claude-sonnet-4@https://openrouter.ai/api/v1',
  ])('MODEL-16: %s has a price, cached input costs less, and output more', async (ref) => {
    const known = await find(ref);
    const input = known.price(million) ?? 0;
    expect(input).toBeGreaterThan(0);
    expect(known.price({ ...million, cachedInput: 1_000_000 })).toBeLessThan(input);
    expect(known.price({ ...million, input: 0, output: 1_000_000 })).toBeGreaterThan(input);
    expect(known.price({ ...million, input: 0 })).toBe(0);
  });

  it('tells the context window where it is known', async () => {
    expect((await find('openai-responses:gpt-4o')).contextWindow).toBe(128_000);
    expect((await find('anthropic:claude-sonnet-4-20250514')).contextWindow).toBeGreaterThanOrEqual(200_000);
  });

  it.each([
    'openai-compatible:qwen3:8b@http://127.0.0.1:11434/v1',
    'openai-compatible:x@http://localhost:1234/v1',
    'guide',
  ])('MODEL-16: %s on this machine costs nothing, which is not the same as unknown', async (ref) => {
    expect((await find(ref)).price(million)).toBe(0);
  });

  it.each([
    'anthropic:a-model-that-is-not-there',
    'openai-compatible:x@https://models.example.com/v1',
    'openai-compatible:gpt-4o@http://192.168.1.7:8000/v1',
  ])('MODEL-16: %s is not known, and neither is what it costs', async (ref) => {
    const known = await find(ref);
    expect(known.price(million)).toBeNull();
    expect(known.contextWindow).toBeNull();
  });

  it('counts that cannot be have no price', async () => {
    const known = await find('openai-responses:gpt-4o');
    expect(known.price({ ...million, input: Number.NaN })).toBeNull();
  });
});

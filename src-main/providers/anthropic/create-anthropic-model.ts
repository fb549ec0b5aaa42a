// Models behind Anthropic's Messages wire.
import { createAnthropic } from '@ai-sdk/anthropic';
import type { Model } from '../../engine/ports.ts';
import type { ModelOptions } from '../model-options.ts';
import type { ModelRef } from '../parse-model-ref.ts';
import { createSdkModel } from '../sdk-model.ts';
import { PromptWriter } from '../to-prompt.ts';
import { createWireFetch } from '../transport/wire-fetch.ts';
import { anthropicTraits } from './anthropic-traits.ts';

const SERVICE = 'https://api.anthropic.com/v1';

/** `baseUrl` null = the service of Anthropic, which wants a key. */
export function createAnthropicModel(model: ModelRef, baseUrl: string | null, options: ModelOptions): Model {
  const traits = anthropicTraits(model.name);
  const provider = createAnthropic({
    baseURL: baseUrl ?? SERVICE,
    // The SDK would read the environment without one; the header is taken off where there is no key.
    apiKey: options.apiKey || 'none',
    fetch: createWireFetch(traits, options),
  });
  return createSdkModel({
    ref: model.ref,
    capabilities: {
      tools: true,
      systemPrompt: true,
      reasoningHistory: true,
      images: null,
      contextWindow: options.contextWindow ?? null,
    },
    language: provider.languageModel(model.name),
    traits,
    prompts: new PromptWriter(model.ref, traits),
    baseUrl: baseUrl ?? SERVICE,
    apiKey: options.apiKey,
    needsKey: (baseUrl ?? SERVICE) === SERVICE,
  });
}

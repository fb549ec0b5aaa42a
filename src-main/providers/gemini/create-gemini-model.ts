// Models behind Google's Gemini wire.
import { createGoogle } from '@ai-sdk/google';
import type { Model } from '../../engine/ports.ts';
import type { ModelOptions } from '../model-options.ts';
import type { ModelRef } from '../parse-model-ref.ts';
import { createSdkModel } from '../sdk-model.ts';
import { PromptWriter } from '../to-prompt.ts';
import { createWireFetch } from '../transport/wire-fetch.ts';
import { geminiTraits } from './gemini-traits.ts';

const SERVICE = 'https://generativelanguage.googleapis.com/v1beta';

/** `baseUrl` null = the service of Google, which wants a key. */
export function createGeminiModel(model: ModelRef, baseUrl: string | null, options: ModelOptions): Model {
  const traits = geminiTraits(model.name);
  const provider = createGoogle({
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

// Models behind OpenAI's Responses wire.
import { createOpenAI } from '@ai-sdk/openai';
import type { Model } from '../../engine/ports.ts';
import type { ModelOptions } from '../model-options.ts';
import type { ModelRef } from '../parse-model-ref.ts';
import { createSdkModel } from '../sdk-model.ts';
import { PromptWriter } from '../to-prompt.ts';
import { createWireFetch } from '../transport/wire-fetch.ts';
import { responsesTraits } from './responses-traits.ts';

const SERVICE = 'https://api.openai.com/v1';

/** `baseUrl` null = the service of OpenAI, which wants a key. */
export function createResponsesModel(model: ModelRef, baseUrl: string | null, options: ModelOptions): Model {
  const provider = createOpenAI({
    baseURL: baseUrl ?? SERVICE,
    // The SDK would read the environment without one; the header is taken off where there is no key.
    apiKey: options.apiKey || 'none',
    fetch: createWireFetch(responsesTraits, options),
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
    language: provider.responses(model.name),
    traits: responsesTraits,
    prompts: new PromptWriter(model.ref, responsesTraits),
    baseUrl: baseUrl ?? SERVICE,
    apiKey: options.apiKey,
    needsKey: (baseUrl ?? SERVICE) === SERVICE,
  });
}

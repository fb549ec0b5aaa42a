// What the wires of one vendor's own service have in common: the service's address, which wants a key, and the SDK's
// settings that keep it away from the environment.
import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { Model } from '../engine/ports.ts';
import type { Fetch, ModelOptions } from './model-options.ts';
import type { ModelRef } from './parse-model-ref.ts';
import { createSdkModel } from './sdk-model.ts';
import { PromptWriter } from './to-prompt.ts';
import { createWireFetch } from './transport/wire-fetch.ts';
import type { WireTraits } from './wire-traits.ts';

export interface HostedWire {
  /** Address of the vendor's own service, without a trailing slash. */
  readonly service: string;
  readonly traits: WireTraits;
  /** The SDK's model over these settings. */
  language(settings: { baseURL: string; apiKey: string; fetch: Fetch }): LanguageModelV4;
}

/** The model behind such a wire; `baseUrl` null = the vendor's own service. */
export function createHostedModel(
  wire: HostedWire,
  model: ModelRef,
  { baseUrl, options }: { baseUrl: string | null; options: ModelOptions },
): Model {
  const { service, traits } = wire;
  const address = baseUrl ?? service;
  return createSdkModel({
    ref: model.ref,
    capabilities: {
      tools: true,
      systemPrompt: true,
      reasoningHistory: true,
      images: null,
      contextWindow: options.contextWindow ?? null,
    },
    language: wire.language({
      baseURL: address,
      // The SDK would read the environment without one; the header is taken off where there is no key.
      apiKey: options.apiKey || 'none',
      fetch: createWireFetch(traits, options),
    }),
    traits,
    prompts: new PromptWriter(model.ref, traits),
    baseUrl: address,
    apiKey: options.apiKey,
    price: options.price,
    needsKey: address === service,
  });
}

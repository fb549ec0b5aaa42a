// Models behind Anthropic's Messages wire.
import { createAnthropic } from '@ai-sdk/anthropic';
import type { Model } from '../../engine/ports.ts';
import { createHostedModel } from '../create-hosted-model.ts';
import type { ModelOptions } from '../model-options.ts';
import type { ModelRef } from '../parse-model-ref.ts';
import { anthropicTraits } from './anthropic-traits.ts';

const SERVICE = 'https://api.anthropic.com/v1';

/** `baseUrl` null = the service of Anthropic, which wants a key. */
export function createAnthropicModel(model: ModelRef, baseUrl: string | null, options: ModelOptions): Model {
  const wire = {
    service: SERVICE,
    traits: anthropicTraits(model.name),
    language: (settings: Parameters<typeof createAnthropic>[0]) => createAnthropic(settings).languageModel(model.name),
  };
  return createHostedModel(wire, model, { baseUrl, options });
}

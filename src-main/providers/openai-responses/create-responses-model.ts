// Models behind OpenAI's Responses wire.
import { createOpenAI } from '@ai-sdk/openai';
import type { Model } from '../../engine/ports.ts';
import { createHostedModel } from '../create-hosted-model.ts';
import type { ModelOptions } from '../model-options.ts';
import type { ModelRef } from '../parse-model-ref.ts';
import { responsesTraits } from './responses-traits.ts';

const SERVICE = 'https://api.openai.com/v1';

/** `baseUrl` null = the service of OpenAI, which wants a key. */
export function createResponsesModel(model: ModelRef, baseUrl: string | null, options: ModelOptions): Model {
  const wire = {
    service: SERVICE,
    traits: responsesTraits,
    language: (settings: Parameters<typeof createOpenAI>[0]) => createOpenAI(settings).responses(model.name),
  };
  return createHostedModel(wire, model, { baseUrl, options });
}

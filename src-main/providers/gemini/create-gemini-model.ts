// Models behind Google's Gemini wire.
import { createGoogle } from '@ai-sdk/google';
import type { Model } from '../../engine/ports.ts';
import { createHostedModel } from '../create-hosted-model.ts';
import type { ModelOptions } from '../model-options.ts';
import type { ModelRef } from '../parse-model-ref.ts';
import { geminiTraits } from './gemini-traits.ts';

const SERVICE = 'https://generativelanguage.googleapis.com/v1beta';

/** `baseUrl` null = the service of Google, which wants a key. */
export function createGeminiModel(model: ModelRef, baseUrl: string | null, options: ModelOptions): Model {
  const wire = {
    service: SERVICE,
    traits: geminiTraits(model.name),
    language: (settings: Parameters<typeof createGoogle>[0]) => createGoogle(settings).languageModel(model.name),
  };
  return createHostedModel(wire, model, { baseUrl, options });
}

// From a model reference to a Model. Each wire is loaded at its first use, so that a start pays for none of them.
import type { Model } from '../engine/ports.ts';
import type { ModelOptions } from './model-options.ts';
import { parseBaseUrl, parseModelRef } from './parse-model-ref.ts';

/**
 * The model that a reference names. Nothing is sent: a wrong key or name shows at the first stream.
 * @throws config.invalid when the reference or an address is wrong.
 */
export async function createModel(ref: string, options: ModelOptions): Promise<Model> {
  const model = parseModelRef(ref);
  const given = options.baseUrl ?? null;
  const baseUrl = given === null ? model.baseUrl : parseBaseUrl(given);
  switch (model.wire) {
    case 'guide':
      return (await import('./guide/create-guide.ts')).createGuide();
    case 'openai-compatible':
      return (await import('./openai-compatible/create-chat-model.ts')).createChatModel(model, baseUrl, options);
    case 'openai-responses':
      return (await import('./openai-responses/create-responses-model.ts')).createResponsesModel(
        model,
        baseUrl,
        options,
      );
    case 'anthropic':
      return (await import('./anthropic/create-anthropic-model.ts')).createAnthropicModel(model, baseUrl, options);
    case 'gemini':
      return (await import('./gemini/create-gemini-model.ts')).createGeminiModel(model, baseUrl, options);
  }
}

// Models behind OpenAI-compatible chat completions.
import { OpenAICompatibleChatLanguageModel } from '@ai-sdk/openai-compatible';
import { AppError } from '../../base/app-error.ts';
import type { Model } from '../../engine/ports.ts';
import type { ModelOptions } from '../model-options.ts';
import type { ModelRef } from '../parse-model-ref.ts';
import { createSdkModel } from '../sdk-model.ts';
import { createWireFetch } from '../transport/wire-fetch.ts';
import { ChatPromptWriter } from './chat-prompt-writer.ts';
import { chatTraits } from './chat-traits.ts';
import { MessageSplice } from './message-splice.ts';

/** @throws config.invalid when neither the reference nor the options have an address: this wire has no service of its own. */
export function createChatModel(model: ModelRef, baseUrl: string | null, options: ModelOptions): Model {
  if (baseUrl === null) {
    const words = `This wire needs the address of its server. Write it behind the name, for example \`openai-compatible:${model.name}@http://127.0.0.1:11434/v1\`, or set the service up in the settings.`;
    throw new AppError('config.invalid', words, { details: { ref: model.ref } });
  }
  const traits = chatTraits(model.name);
  const splice = new MessageSplice();
  const send = createWireFetch(traits, options);
  const address = `${baseUrl.replace(/\/+$/, '')}/chat/completions`;
  const { apiKey } = options;
  const headers = apiKey === null || apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` };
  // Not by the package's factory: it makes address and headers anew for each request.
  const language = new OpenAICompatibleChatLanguageModel(model.name, {
    provider: 'chat.chat',
    url: () => address,
    headers: () => headers,
    includeUsage: true,
    fetch: (input, init) =>
      send(input, { ...init, body: splice.fill(typeof init?.body === 'string' ? init.body : '') }),
  });
  return createSdkModel({
    ref: model.ref,
    capabilities: {
      tools: null,
      systemPrompt: null,
      // Depends on the service behind the wire, which the prompt's writer knows.
      reasoningHistory: null,
      images: null,
      contextWindow: options.contextWindow ?? null,
    },
    language,
    traits,
    prompts: new ChatPromptWriter(model.ref, traits, splice),
    baseUrl,
    apiKey: options.apiKey,
    price: options.price,
    needsKey: false,
  });
}

// A model request as the SDK's prompt. Settled messages are converted once (they keep their identity between requests),
// so that a request's beginning is the same bytes as last time.
import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import type { ToolDeclaration } from '../contract/authority.ts';
import type { AssistantPart } from '../contract/entries.ts';
import type { ModelMessage, ModelRequest } from '../engine/ports.ts';
import { CallIds } from './call-ids.ts';
import { withoutOwnMetadata } from './call-metadata.ts';
import type { PromptSource } from './prompt-source.ts';
import { toFunctionTools } from './to-function-tools.ts';
import { isObject, type WireTraits } from './wire-traits.ts';

type AssistantContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'];

function parseArguments(text: string): EventArguments {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
type EventArguments = Record<string, unknown>;

/** Metadata came from JSON of the same wire, so it is given back as the SDK's type for it. */
function toProviderOptions(metadata: Record<string, unknown> | undefined): {
  providerOptions?: SharedV4ProviderOptions;
} {
  const own = metadata === undefined ? undefined : withoutOwnMetadata(metadata);
  return own === undefined ? {} : { providerOptions: own as SharedV4ProviderOptions };
}

/** Converts requests of one model. Keeps what it converted, by the identity of the messages. */
export class PromptWriter implements PromptSource {
  readonly #ref: string;
  readonly #traits: WireTraits;
  readonly #messages = new WeakMap<ModelMessage, LanguageModelV4Message>();
  readonly #ids = new CallIds();

  constructor(ref: string, traits: WireTraits) {
    this.#ref = ref;
    this.#traits = traits;
  }

  toPrompt(request: ModelRequest): LanguageModelV4Prompt {
    const prompt: LanguageModelV4Prompt = [];
    if (request.system !== '') prompt.push({ role: 'system', content: request.system });
    for (const message of request.messages) {
      let converted = this.#messages.get(message);
      if (converted === undefined) {
        converted = this.#convert(message);
        this.#messages.set(message, converted);
      }
      prompt.push(converted);
    }
    return prompt;
  }

  toTools(declarations: readonly ToolDeclaration[]): LanguageModelV4FunctionTool[] | undefined {
    return toFunctionTools(declarations);
  }

  #convert(message: ModelMessage): LanguageModelV4Message {
    if (message.role === 'user') return { role: 'user', content: [{ type: 'text', text: message.text }] };
    if (message.role === 'assistant') {
      return { role: 'assistant', content: this.#assistantContent(message.parts, message.model === this.#ref) };
    }
    return {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: this.#ids.ofResult(message.callId),
          toolName: message.name,
          output: { type: message.failed ? 'error-text' : 'text', value: message.content },
        },
      ],
    };
  }

  #assistantContent(parts: readonly AssistantPart[], sameModel: boolean): AssistantContent {
    const content: AssistantContent = [];
    const hasCalls = parts.some((part) => part.type === 'tool-call');
    for (const part of parts) {
      if (part.type === 'text') {
        if (part.text !== '') content.push({ type: 'text', text: part.text });
      } else if (part.type === 'tool-call') {
        content.push({
          type: 'tool-call',
          toolCallId: this.#ids.ofCall(part, sameModel),
          toolName: part.name,
          input: this.#argumentsOf(part.argumentsText),
          ...(sameModel ? toProviderOptions(part.metadata) : {}),
        });
      } else if (sameModel && this.#traits.replaysReasoning(part.metadata, hasCalls)) {
        content.push({ type: 'reasoning', text: part.text, ...toProviderOptions(part.metadata) });
      }
    }
    return content.length > 0 ? content : [{ type: 'text', text: '(no answer)' }];
  }

  #argumentsOf(text: string): unknown {
    if (this.#traits.argumentsAs === 'object') return parseArguments(text);
    try {
      return isObject(JSON.parse(text)) ? text : '{}';
    } catch {
      return '{}';
    }
  }
}

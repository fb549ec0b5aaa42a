// A model request as the SDK's prompt. Settled messages are converted once (they keep their identity between requests),
// so that a request's beginning is the same bytes as last time.
import { createHash } from 'node:crypto';
import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import type { ToolDeclaration } from '../contract/authority.ts';
import type { AssistantPart } from '../contract/entries.ts';
import type { CallId } from '../contract/ids.ts';
import type { ModelMessage, ModelRequest } from '../engine/ports.ts';
import { providerIdOf, withoutOwnMetadata } from './call-metadata.ts';
import { isObject, type WireTraits } from './wire-traits.ts';

type CallPart = Extract<AssistantPart, { type: 'tool-call' }>;
type AssistantContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'];

const WIRE_ID = /^[a-zA-Z0-9_-]{1,64}$/;

/** A call id in the letters and length that every wire takes; the same for the same id. */
function toWireId(id: string): string {
  return WIRE_ID.test(id) ? id : `call_${createHash('sha256').update(id).digest('hex').slice(0, 32)}`;
}

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
export class PromptWriter {
  readonly #ref: string;
  readonly #traits: WireTraits;
  readonly #messages = new WeakMap<ModelMessage, LanguageModelV4Message>();
  readonly #tools = new WeakMap<readonly ToolDeclaration[], LanguageModelV4FunctionTool[]>();
  readonly #wireIds = new Map<CallId, string>();
  readonly #usedIds = new Set<string>();

  constructor(ref: string, traits: WireTraits) {
    this.#ref = ref;
    this.#traits = traits;
  }

  /** The prompt: the system text, if any, then the messages in their order. */
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

  /** The tools in the order of the request; undefined when there are none. */
  toTools(declarations: readonly ToolDeclaration[]): LanguageModelV4FunctionTool[] | undefined {
    if (declarations.length === 0) return undefined;
    let tools = this.#tools.get(declarations);
    if (tools === undefined) {
      tools = declarations.map(({ name, description, parameters }) => ({
        type: 'function' as const,
        name,
        description,
        inputSchema: parameters,
      }));
      this.#tools.set(declarations, tools);
    }
    return tools;
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
          toolCallId: this.#wireIds.get(message.callId) ?? toWireId(message.callId),
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
          toolCallId: this.#idFor(part, sameModel),
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

  /**
   * The id under which a call goes back: the service's own where it is of this model and not taken yet (some services
   * read meaning from their ids), else ours. Decided once a call, so results follow their calls.
   */
  #idFor(part: CallPart, sameModel: boolean): string {
    const known = this.#wireIds.get(part.callId);
    if (known !== undefined) return known;
    const theirs = sameModel ? providerIdOf(part.metadata) : null;
    const fit = theirs !== null && WIRE_ID.test(theirs) && !this.#usedIds.has(theirs);
    const id = fit ? theirs : toWireId(part.callId);
    this.#wireIds.set(part.callId, id);
    this.#usedIds.add(id);
    return id;
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

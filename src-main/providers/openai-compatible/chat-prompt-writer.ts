// A model request as the messages of chat completions. Each message is written once and kept by its identity, so that a
// request's beginning is the same bytes as last time.
import type { LanguageModelV4FunctionTool, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { ToolDeclaration } from '../../contract/authority.ts';
import type { AssistantPart } from '../../contract/entries.ts';
import type { ModelMessage, ModelRequest } from '../../engine/ports.ts';
import { CallIds } from '../call-ids.ts';
import type { PromptSource } from '../prompt-source.ts';
import { toFunctionTools } from '../to-function-tools.ts';
import { isObject, type WireTraits } from '../wire-traits.ts';
import type { MessageSplice } from './message-splice.ts';

type CallPart = Extract<AssistantPart, { type: 'tool-call' }>;

/** The arguments as the model wrote them where they are an object; servers refuse everything else. */
function argumentsOf(text: string): string {
  try {
    return isObject(JSON.parse(text)) ? text : '{}';
  } catch {
    return '{}';
  }
}

/** A thought signature that rode on a call of a Gemini model behind this wire. */
function extraContent(part: CallPart): Record<string, unknown> {
  const own = part.metadata?.['chat'];
  const signature = isObject(own) ? own['thoughtSignature'] : undefined;
  return typeof signature === 'string' ? { extra_content: { google: { thought_signature: signature } } } : {};
}

export class ChatPromptWriter implements PromptSource {
  readonly #ref: string;
  readonly #traits: WireTraits;
  readonly #splice: MessageSplice;
  readonly #ids = new CallIds();
  /** The messages of the last request, and what was written of them after the system's. */
  #last: { messages: readonly ModelMessage[]; text: string } = { messages: [], text: '' };

  constructor(ref: string, traits: WireTraits, splice: MessageSplice) {
    this.#ref = ref;
    this.#traits = traits;
    this.#splice = splice;
  }

  toPrompt(request: ModelRequest): LanguageModelV4Prompt {
    const messages = this.#write(request.messages);
    if (request.system === '') return this.#splice.hold(messages);
    const system = JSON.stringify({ role: 'system', content: request.system });
    return this.#splice.hold(messages === '' ? system : `${system},${messages}`);
  }

  toTools(declarations: readonly ToolDeclaration[]): LanguageModelV4FunctionTool[] | undefined {
    return toFunctionTools(declarations);
  }

  /** Goes on from the last request where this one begins with its messages: a chat only ever adds to them. */
  #write(messages: readonly ModelMessage[]): string {
    const { messages: before, text } = this.#last;
    const goesOn = before.length <= messages.length && before.every((message, index) => message === messages[index]);
    const added = messages.slice(goesOn ? before.length : 0).map((message) => JSON.stringify(this.#toChat(message)));
    const all = goesOn && text !== '' ? [text, ...added].join(',') : added.join(',');
    this.#last = { messages: [...messages], text: all };
    return all;
  }

  #toChat(message: ModelMessage): Record<string, unknown> {
    if (message.role === 'user') return { role: 'user', content: message.text };
    if (message.role === 'tool') {
      return { role: 'tool', tool_call_id: this.#ids.ofResult(message.callId), content: message.content };
    }
    return this.#toAssistant(message.parts, message.model === this.#ref);
  }

  #toAssistant(parts: readonly AssistantPart[], sameModel: boolean): Record<string, unknown> {
    const calls = parts.filter((part) => part.type === 'tool-call');
    const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
    const replayed = parts.filter(
      (part) =>
        part.type === 'reasoning' && sameModel && this.#traits.replaysReasoning(part.metadata, calls.length > 0),
    );
    const reasoning = replayed.map((part) => (part.type === 'reasoning' ? part.text : '')).join('');
    const toolCalls = calls.map((part) => ({
      id: this.#ids.ofCall(part, sameModel),
      type: 'function',
      function: { name: part.name, arguments: argumentsOf(part.argumentsText) },
      ...(sameModel ? extraContent(part) : {}),
    }));
    return {
      role: 'assistant',
      content: calls.length > 0 ? text || null : text || '(no answer)',
      ...(replayed.length > 0 ? { reasoning_content: reasoning } : {}),
      ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
    };
  }
}

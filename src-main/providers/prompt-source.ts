// What a model's request becomes before the SDK gets it.
import type { LanguageModelV4FunctionTool, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { ToolDeclaration } from '../contract/authority.ts';
import type { ModelRequest } from '../engine/ports.ts';

export interface PromptSource {
  /** The prompt: the system text, if any, then the messages in their order. */
  toPrompt(request: ModelRequest): LanguageModelV4Prompt;
  /** The tools in the order of the request; undefined when there are none. */
  toTools(declarations: readonly ToolDeclaration[]): LanguageModelV4FunctionTool[] | undefined;
}

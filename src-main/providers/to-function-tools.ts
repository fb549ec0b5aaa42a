// Tool declarations as the SDK's tools, kept by the identity of their list.
import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider';
import type { ToolDeclaration } from '../contract/authority.ts';

const converted = new WeakMap<readonly ToolDeclaration[], LanguageModelV4FunctionTool[]>();

/** The tools in their order; undefined when there are none. */
export function toFunctionTools(declarations: readonly ToolDeclaration[]): LanguageModelV4FunctionTool[] | undefined {
  if (declarations.length === 0) return undefined;
  let tools = converted.get(declarations);
  if (tools === undefined) {
    tools = declarations.map(({ name, description, parameters }) => ({
      type: 'function' as const,
      name,
      description,
      inputSchema: parameters,
    }));
    converted.set(declarations, tools);
  }
  return tools;
}

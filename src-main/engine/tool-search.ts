// The tool that finds other tools (TOOL-19). It passes the gate like any other; what it finds is advertised from the next
// request on. It widens nothing: a deferred tool is part of the ceiling and is judged the same, found or not.
import { sha256Hex } from '../base/digest.ts';
import type { ToolDeclaration } from '../contract/authority.ts';
import type { PreparedCall, Tool } from './ports.ts';

export const TOOL_SEARCH = 'tool_search';
const MOST_FOUND = 5;

const DECLARATION: ToolDeclaration = {
  name: TOOL_SEARCH,
  description:
    'Finds further tools by what they do. Those that are found can be called from your next message on. Say in a few words what you need.',
  parameters: {
    type: 'object',
    properties: { query: { type: 'string', description: 'What the tool should do, or its name' } },
    required: ['query'],
    additionalProperties: false,
  },
  class: 'read',
  cancellation: 'interrupt',
  builtin: true,
};

/** A search over these declarations; `reveal` is told what was found. */
export function toolSearch(deferred: readonly ToolDeclaration[], reveal: (names: readonly string[]) => void): Tool {
  return {
    declaration: DECLARATION,
    prepare: async (args): Promise<PreparedCall> => {
      const query = queryOf(args);
      return {
        summary: `Look for a tool: ${query}`,
        effects: [{ kind: 'read-inside', target: 'the tools of this chat' }],
        preview: { type: 'none' },
        digest: await sha256Hex(`${TOOL_SEARCH}\n${query}`),
        grant: null,
        confined: true,
        state: query,
      };
    },
    run: async (prepared) => {
      const found = find(deferred, String(prepared.state));
      reveal(found.map((tool) => tool.name));
      const lines = found.map((tool) => `${tool.name}: ${tool.description}`);
      const others = `Nothing fits. There are: ${deferred.map((tool) => tool.name).join(', ')}.`;
      return { status: 'ok', content: lines.length > 0 ? lines.join('\n') : others, facts: {}, changes: [] };
    },
  };
}

function queryOf(args: unknown): string {
  return typeof args === 'object' && args !== null && 'query' in args ? String(args.query) : '';
}

/** The best fits, the best first: words of the query in the name count more than those in the description. */
function find(tools: readonly ToolDeclaration[], query: string): ToolDeclaration[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const rated = tools.map((tool) => {
    const name = tool.name.toLowerCase();
    const description = tool.description.toLowerCase();
    const rate = words.reduce(
      (sum, word) => sum + (name.includes(word) ? 3 : 0) + (description.includes(word) ? 1 : 0),
      0,
    );
    return { tool, rate };
  });
  return rated
    .filter(({ rate }) => rate > 0)
    .sort((a, b) => b.rate - a.rate || (a.tool.name < b.tool.name ? -1 : 1))
    .slice(0, MOST_FOUND)
    .map(({ tool }) => tool);
}

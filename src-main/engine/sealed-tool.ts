// The edge between the engine and a tool that somebody else wrote: what it throws, or gives that is no valid answer,
// becomes a result. A prepared call is sealed here, so that what was judged and shown is what is run.
import { effectSchema, type ToolDeclaration } from '../contract/authority.ts';
import { fileChangeSchema, previewSchema, resultFactsSchema, type ResultStatus } from '../contract/entries.ts';
import type { PreparedCall, Tool, ToolContext, ToolOutcome, ToolRefusal } from './ports.ts';

/** What a call gave, with the statuses that the engine itself gives. */
export type CallOutcome = Omit<ToolOutcome, 'status'> & { readonly status: ResultStatus };

/** The tool under the declaration that the authority snapshot holds, whatever its own says later. */
export function bindTool(tool: Tool, declaration: ToolDeclaration): Tool {
  return {
    declaration,
    prepare: (args, context) => tool.prepare(args, context),
    run: (prepared, context) => tool.run(prepared, context),
  };
}

/** Prepares a call; a tool that throws or gives no valid call refuses. Never rejects. */
export async function prepareSealed(
  tool: Tool,
  args: unknown,
  context: ToolContext,
): Promise<PreparedCall | ToolRefusal> {
  const { name } = tool.declaration;
  try {
    const given = await tool.prepare(args, context);
    return 'refused' in given ? given : seal(given, name);
  } catch (cause) {
    const content = `${name} failed before it did anything: ${messageOf(cause)}`;
    return { refused: true, content, code: 'tool.failed' };
  }
}

function seal(given: PreparedCall, name: string): PreparedCall | ToolRefusal {
  const effects = effectSchema.array().nonempty().safeParse(given.effects);
  const preview = previewSchema.safeParse(given.preview);
  if (!effects.success || !preview.success || given.digest === '') {
    return { refused: true, content: `${name} could not say what it would do, so it is not run.`, code: 'tool.failed' };
  }
  return Object.freeze({
    summary: given.summary,
    effects: Object.freeze(effects.data),
    preview: preview.data,
    digest: given.digest,
    // A grant is for the tool that asks, so that no tool can be granted what another one does.
    grant: given.grant?.tool === name ? Object.freeze({ ...given.grant }) : null,
    confined: given.confined,
    state: given.state,
  });
}

/** Runs a prepared call; a throw or an outcome of no valid shape is an `error` outcome. Never rejects. */
export async function runSealed(tool: Tool, prepared: PreparedCall, context: ToolContext): Promise<CallOutcome> {
  const { name } = tool.declaration;
  try {
    const outcome = await tool.run(prepared, context);
    return isOutcome(outcome) ? outcome : failed(`${name} ran, but gave no valid result; what it did is unknown.`);
  } catch (cause) {
    return failed(`${name} failed: ${messageOf(cause)}`);
  }
}

function isOutcome(outcome: ToolOutcome): boolean {
  return (
    ['ok', 'error', 'cancelled'].includes(outcome.status) &&
    typeof outcome.content === 'string' &&
    resultFactsSchema.safeParse(outcome.facts).success &&
    fileChangeSchema.array().safeParse(outcome.changes).success
  );
}

const failed = (content: string): CallOutcome => ({
  status: 'error',
  content,
  facts: { code: 'tool.failed' },
  changes: [],
});

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

// The edge between the engine and a tool that somebody else wrote: what it throws, or gives that is no valid answer,
// becomes a result. A prepared call is sealed here, so that what was judged and shown is what is run.
import type { ToolDeclaration } from '../contract/authority.ts';
import type { ResultStatus } from '../contract/entries.ts';
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
    return 'refused' in given ? given : await seal(given, tool.declaration);
  } catch (cause) {
    const content = `${name} failed before it did anything: ${messageOf(cause)}`;
    return { refused: true, content, code: 'tool.failed' };
  }
}

async function seal(given: PreparedCall, { name, builtin }: ToolDeclaration): Promise<PreparedCall | ToolRefusal> {
  const checked = builtin ? given : (await import('./foreign-values.ts')).parsePrepared(given);
  if (!checked || checked.effects.length === 0 || given.digest === '') {
    return { refused: true, content: `${name} could not say what it would do, so it is not run.`, code: 'tool.failed' };
  }
  return Object.freeze({
    summary: given.summary,
    effects: Object.freeze([...checked.effects]),
    preview: checked.preview,
    digest: given.digest,
    // A grant is for the tool that asks, so that no tool can be granted what another one does.
    grant: given.grant?.tool === name ? Object.freeze({ ...given.grant }) : null,
    confined: given.confined,
    state: given.state,
  });
}

/** Runs a prepared call; a throw or an outcome of no valid shape is an `error` outcome. Never rejects. */
export async function runSealed(tool: Tool, prepared: PreparedCall, context: ToolContext): Promise<CallOutcome> {
  const { name, builtin } = tool.declaration;
  try {
    const outcome = await tool.run(prepared, context);
    const isValid = builtin || (await import('./foreign-values.ts')).isOutcome(outcome);
    return isValid ? outcome : failed(`${name} ran, but gave no valid result; what it did is unknown.`);
  } catch (cause) {
    return failed(`${name} failed: ${messageOf(cause)}`);
  }
}

const failed = (content: string): CallOutcome => ({
  status: 'error',
  content,
  facts: { code: 'tool.failed' },
  changes: [],
});

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

// The edge of every built-in tool: arguments are parsed on the way in, and whatever a tool throws becomes a refusal or an
// error outcome that the model can read. Nothing is thrown to the engine.
import { hash } from 'node:crypto';
import type { z } from 'zod';
import { canonicalJson } from '../base/canonical-json.ts';
import { isAppError, toWireError } from '../base/app-error.ts';
import type { ToolDeclaration } from '../contract/authority.ts';
import type { FileChange, ResultFacts } from '../contract/entries.ts';
import type { PreparedCall, Tool, ToolContext, ToolOutcome, ToolRefusal } from '../engine/ports.ts';

/** A prepared call whose state is typed, and without its digest: `effect` is what the digest is made of. */
export type Prepared<State> = Omit<PreparedCall, 'digest' | 'state'> & {
  readonly state: State;
  /** JSON value that says everything that `run` will do. */
  readonly effect: Readonly<Record<string, unknown>>;
};

export interface ToolDefinition<Arguments, State> {
  readonly declaration: ToolDeclaration;
  readonly arguments: z.ZodType<Arguments>;
  /** May throw AppError: it refuses the call. */
  prepare(args: Arguments, context: ToolContext): Promise<Prepared<State>> | Prepared<State>;
  /** May throw AppError: it becomes an error outcome. */
  run(state: State, context: ToolContext): Promise<ToolOutcome> | ToolOutcome;
}

/** An outcome that did what was asked. */
export function succeeded(content: string, facts: ResultFacts = {}, changes: readonly FileChange[] = []): ToolOutcome {
  return { status: 'ok', content, facts, changes };
}

function messageOf(error: unknown): { message: string; code: string } {
  if (isAppError(error)) return { message: error.message, code: error.code };
  const wire = toWireError(error);
  const cause = wire.details?.['cause'];
  return { message: `${wire.message} (${typeof cause === 'string' ? cause : 'no cause'})`, code: wire.code };
}

function failed(summary: string, error: unknown, context: ToolContext): ToolOutcome {
  const { message, code } = messageOf(error);
  const content = `${summary}: ${message}`.slice(0, context.limits.resultCharacters);
  return { status: code === 'cancelled' ? 'cancelled' : 'error', content, facts: { code }, changes: [] };
}

function invalidArguments(name: string, error: z.ZodError): ToolRefusal {
  const issues = error.issues.slice(0, 5).map((issue) => `${issue.path.join('.') || 'arguments'}: ${issue.message}`);
  return { refused: true, content: `${name}: ${issues.join('; ')}`, code: 'tool.invalid-arguments' };
}

/** Makes the port's tool of a definition. */
export function defineTool<Arguments, State>(definition: ToolDefinition<Arguments, State>): Tool {
  const { declaration } = definition;
  return {
    declaration,
    async prepare(args, context) {
      const parsed = definition.arguments.safeParse(args);
      if (!parsed.success) return invalidArguments(declaration.name, parsed.error);
      try {
        const { effect, ...prepared } = await definition.prepare(parsed.data, context);
        const digest = hash('sha256', canonicalJson({ tool: declaration.name, ...effect }), 'hex');
        return { ...prepared, digest };
      } catch (error) {
        const { message, code } = messageOf(error);
        return { refused: true, content: message.slice(0, context.limits.resultCharacters), code };
      }
    },
    async run(prepared, context) {
      try {
        // Only this tool's own prepare makes the calls that it is given to run.
        return await definition.run(prepared.state as State, context);
      } catch (error) {
        return failed(prepared.summary, error, context);
      }
    },
  };
}

// Checks the declarations of tools and copies them into the authority: sorted by name, frozen, and nobody else's.
import { AppError } from '../base/app-error.ts';
import { toolDeclarationSchema, type ToolDeclaration } from '../contract/authority.ts';
import type { Limits } from '../contract/limits.ts';

/**
 * The declarations of a session, sorted by name; frozen copies, so that nothing that their owners do later changes the
 * authority. Code authority.invalid for too many, one declared twice, a bad one, or schemas that are too large.
 */
export function checkTools(tools: readonly ToolDeclaration[], limits: Limits): ToolDeclaration[] {
  if (tools.length > limits.toolDeclarations) {
    throw new AppError(
      'authority.invalid',
      `${tools.length} tools were declared; the limit is ${limits.toolDeclarations}.`,
    );
  }
  const checked = new Map<string, ToolDeclaration>();
  let bytes = 0;
  for (const tool of tools) {
    const { declaration, schemaBytes } = checkTool(tool, limits);
    const { name } = declaration;
    if (checked.has(name)) throw new AppError('authority.invalid', `The tool ${name} was declared twice.`);
    checked.set(name, declaration);
    bytes += schemaBytes;
  }
  if (bytes > limits.requestBytes) {
    throw new AppError(
      'authority.invalid',
      `The tools together have ${bytes} bytes of schemas; a request has ${limits.requestBytes} at most.`,
    );
  }
  return [...checked.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function checkTool(tool: ToolDeclaration, limits: Limits): { declaration: ToolDeclaration; schemaBytes: number } {
  const schemaBytes = byteLength(schemaText(tool));
  if (!isDeclaration(tool)) throw invalid(tool);
  const { name, description, parameters, class: toolClass, cancellation, builtin } = tool;
  if (parameters['type'] !== 'object' || schemaBytes > limits.schemaBytes) {
    throw new AppError(
      'authority.invalid',
      `The parameters of ${name} have to be one object schema of at most ${limits.schemaBytes} bytes.`,
      { details: { tool: name, bytes: schemaBytes } },
    );
  }
  const copy = { name, description, parameters: frozenCopy(parameters), class: toolClass, cancellation, builtin };
  return { declaration: Object.freeze(copy), schemaBytes };
}

function schemaText(tool: ToolDeclaration): string {
  try {
    return JSON.stringify(tool.parameters);
  } catch (cause) {
    throw new AppError('authority.invalid', `The parameters of ${tool.name} are no JSON Schema.`, { cause });
  }
}

const NAME = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;
const CLASSES: ReadonlySet<string> = new Set(['read', 'write', 'command', 'network', 'clock']);
const CANCELLATIONS: ReadonlySet<string> = new Set(['finish', 'interrupt']);

/** What the contract's schema accepts, many times as fast; that one says what is wrong with what is refused here. */
function isDeclaration(tool: ToolDeclaration): boolean {
  const { name, description, parameters, class: toolClass, cancellation, builtin } = tool as Record<string, unknown>;
  return (
    typeof name === 'string' &&
    NAME.test(name) &&
    typeof description === 'string' &&
    typeof parameters === 'object' &&
    parameters !== null &&
    !Array.isArray(parameters) &&
    CLASSES.has(String(toolClass)) &&
    CANCELLATIONS.has(String(cancellation)) &&
    typeof builtin === 'boolean'
  );
}

function invalid(tool: ToolDeclaration): AppError {
  const { error } = toolDeclarationSchema.safeParse(tool);
  const wrong = error?.issues.map((issue) => issue.path.join('.')).join(', ') ?? '';
  return new AppError('authority.invalid', `The declaration of the tool "${tool.name}" is not valid: ${wrong}.`, {
    details: { tool: tool.name, wrong },
  });
}

/** A copy of a JSON value as JSON.stringify would write it, frozen all through. */
function frozenCopy(value: Record<string, unknown>): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const member = value[key];
    if (member === undefined || typeof member === 'function' || typeof member === 'symbol') continue;
    // An own member of that name, which an assignment would not make.
    if (key === '__proto__') Object.defineProperty(copy, key, { value: frozenValue(member), enumerable: true });
    else copy[key] = frozenValue(member);
  }
  return Object.freeze(copy);
}

function frozenValue(value: unknown): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'object' || value === null) {
    return value === undefined || typeof value === 'function' || typeof value === 'symbol' ? null : value;
  }
  if (Array.isArray(value)) return Object.freeze(value.map((item: unknown) => frozenValue(item)));
  // Whatever says itself how it is written is copied as it is written.
  if (!isPlainObject(value)) return frozenValue(JSON.parse(JSON.stringify(value)) as unknown);
  return frozenCopy(value);
}

function isPlainObject(value: object): value is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && !('toJSON' in value);
}

const encoder = new TextEncoder();
const byteLength = (text: string): number => encoder.encode(text).length;

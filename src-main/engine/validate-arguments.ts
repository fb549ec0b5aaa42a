// Turns the text that a model wrote as arguments into a value that satisfies the tool's JSON Schema, or says what is
// wrong with each path. Ajv (draft 2020-12, formats on) is loaded and a schema compiled for the first arguments that the
// plain check leaves to it.
import type { ValidateFunction } from 'ajv';
import type { ToolDeclaration } from '../contract/authority.ts';
import { fitsPlainSchema } from './fits-plain-schema.ts';

export type ArgumentCheck = { ok: true; value: unknown } | { ok: false; message: string };

/** A model learns nothing from more errors than this. */
const MOST_ERRORS = 20;

/** Checks arguments of calls; one instance a session, so that schemas are compiled once. */
export class ArgumentValidator {
  readonly #compiled = new Map<string, ValidateFunction | null>();
  #compile: Promise<Compile> | null = null;

  /** `''` counts as `{}` (models write it for "no arguments"). `maxBytes` bounds the text. */
  async check(tool: ToolDeclaration, argumentsText: string, maxBytes: number): Promise<ArgumentCheck> {
    if (argumentsText.length > maxBytes) {
      return {
        ok: false,
        message: `The arguments have ${String(argumentsText.length)} characters; at most ${String(maxBytes)} are taken.`,
      };
    }
    let value: unknown;
    try {
      value = argumentsText.trim() === '' ? {} : JSON.parse(argumentsText);
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'not JSON';
      return {
        ok: false,
        message: `The arguments are no valid JSON (${reason}). Send the call again with one JSON object.`,
      };
    }
    if (fitsPlainSchema(value, tool.parameters)) return { ok: true, value };
    const validate = await this.#validator(tool);
    if (!validate) {
      return { ok: false, message: `The schema of the tool ${tool.name} is not valid, so it cannot be used.` };
    }
    if (validate(value)) return { ok: true, value };
    const wrong = [...new Set((validate.errors ?? []).map((error) => describeError(error)))];
    const more = wrong.length > MOST_ERRORS ? `; and ${wrong.length - MOST_ERRORS} more` : '';
    const told = wrong.slice(0, MOST_ERRORS).join('; ');
    return { ok: false, message: `The arguments do not fit ${tool.name}: ${told}${more}.` };
  }

  /** The compiled schema; null when it is none. */
  async #validator(tool: ToolDeclaration): Promise<ValidateFunction | null> {
    const known = this.#compiled.get(tool.name);
    if (known !== undefined) return known;
    this.#compile ??= loadCompiler();
    const compile = await this.#compile;
    const validate = compileSafely(compile, tool.parameters);
    this.#compiled.set(tool.name, validate);
    return validate;
  }
}

type Compile = (schema: Record<string, unknown>) => ValidateFunction;

function compileSafely(compile: Compile, parameters: Record<string, unknown>): ValidateFunction | null {
  // A name or dialect at the root says nothing about the arguments, and may clash with that of another tool.
  const { $schema: _dialect, $id: _name, ...schema } = parameters;
  try {
    return compile(schema);
  } catch {
    return null;
  }
}

async function loadCompiler(): Promise<Compile> {
  const [{ Ajv2020 }, formats] = await Promise.all([import('ajv/dist/2020.js'), import('ajv-formats')]);
  // Checking schemas against the meta-schema costs ten times the compiling, which refuses bad ones as well.
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateSchema: false });
  formats.default(ajv);
  return (schema) => ajv.compile(schema);
}

function describeError(error: {
  instancePath: string;
  keyword: string;
  message?: string;
  params: Record<string, unknown>;
}): string {
  const where = error.instancePath === '' ? 'the object' : error.instancePath.slice(1).replaceAll('/', '.');
  if (error.keyword === 'required') return `"${String(error.params['missingProperty'])}" is missing in ${where}`;
  if (error.keyword === 'additionalProperties') {
    return `"${String(error.params['additionalProperty'])}" is not known in ${where}`;
  }
  if (error.keyword === 'enum') return `${where} has to be one of ${JSON.stringify(error.params['allowedValues'])}`;
  return `${where} ${error.message ?? 'is wrong'}`;
}

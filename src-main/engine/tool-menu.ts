// The tool declarations of the next request: those that are enabled and offered, in the order of the ceiling, in the detail
// that was set, and without those that are found by search until they are (TOOL-16, TOOL-17, TOOL-19).
import type { Mode, ToolDeclaration } from '../contract/authority.ts';
import { toolMenu } from './modes.ts';

/** full = as declared; brief = the first sentence of each description, and schemas without their annotations. */
export type SchemaTier = 'full' | 'brief';

export class ToolMenu {
  readonly #ceiling: readonly ToolDeclaration[];
  /** Tools that are only advertised once they were found or used. */
  readonly #hidden: Set<string>;
  readonly #tiers = new Map<string, SchemaTier>();
  #tier: SchemaTier = 'full';

  /** `deferred` = names of tools that the model has to search for. */
  constructor(ceiling: readonly ToolDeclaration[], deferred: readonly string[]) {
    this.#ceiling = ceiling;
    this.#hidden = new Set(deferred);
  }

  /** Names of tools that were not found yet. */
  get hidden(): ReadonlySet<string> {
    return this.#hidden;
  }

  /** From the next request on, these are advertised. */
  reveal(names: readonly string[]): void {
    for (const name of names) this.#hidden.delete(name);
  }

  /** The detail of all tools, or of one whatever that of all is; null = that of all again. */
  setTier(tier: SchemaTier | null, tool?: string): void {
    if (tool === undefined) this.#tier = tier ?? 'full';
    else if (tier === null) this.#tiers.delete(tool);
    else this.#tiers.set(tool, tier);
  }

  /** What is advertised now. `referenced` = tools that the conversation has calls of. */
  declarations(now: {
    enabled: ReadonlySet<string>;
    mode: Mode;
    allowed: (tool: string) => boolean;
    referenced: ReadonlySet<string>;
  }): ToolDeclaration[] {
    const offered = toolMenu({ ceiling: this.#ceiling, ...now });
    const known =
      this.#hidden.size === 0
        ? offered
        : offered.filter(({ name }) => !this.#hidden.has(name) || now.referenced.has(name));
    if (this.#tier === 'full' && this.#tiers.size === 0) return known;
    return known.map((tool) => ((this.#tiers.get(tool.name) ?? this.#tier) === 'brief' ? toBrief(tool) : tool));
  }
}

const sizes = new WeakMap<ToolDeclaration, number>();

/** Characters of declarations as JSON; each is counted once. */
export function toolCharacters(tools: readonly ToolDeclaration[]): number {
  let sum = 0;
  for (const tool of tools) {
    let size = sizes.get(tool);
    if (size === undefined) {
      size = JSON.stringify([tool.name, tool.description, tool.parameters]).length;
      sizes.set(tool, size);
    }
    sum += size;
  }
  return sum;
}

/** Each declaration is made brief once, so that a request's beginning stays the same. */
const briefs = new WeakMap<ToolDeclaration, ToolDeclaration>();

function toBrief(tool: ToolDeclaration): ToolDeclaration {
  let brief = briefs.get(tool);
  if (!brief) {
    const description = /^.*?[.!?](?=\s|$)/s.exec(tool.description)?.[0] ?? tool.description;
    brief = { ...tool, description, parameters: briefSchema(tool.parameters) };
    briefs.set(tool, brief);
  }
  return brief;
}

const ANNOTATIONS = new Set(['description', 'title', 'examples', '$comment']);
/** Keywords whose value holds schemas by name; a property may well be called "description". */
const BY_NAME = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
const VERBATIM = new Set(['enum', 'const', 'default', 'required', 'dependentRequired']);

type Schema = Record<string, unknown>;
const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function briefSchema(schema: Schema): Schema {
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => !ANNOTATIONS.has(keyword))
      .map(([keyword, value]) => [keyword, VERBATIM.has(keyword) ? value : briefValue(value, BY_NAME.has(keyword))]),
  );
}

function briefValue(value: unknown, isByName: boolean): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => briefValue(item, false));
  if (!isSchema(value)) return value;
  if (!isByName) return briefSchema(value);
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, briefValue(schema, false)]));
}

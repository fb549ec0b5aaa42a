// read_file: one page of a text file with line numbers, and of a command's kept output by `output:ID`.
import { z } from 'zod';
import { AppError } from '../base/app-error.ts';
import type { ToolContext, ToolOutcome, Tool } from '../engine/ports.ts';
import { BUILTIN_DECLARATIONS } from './declarations.ts';
import { defineTool, succeeded } from './define-tool.ts';
import { pathGrant, readEffects } from './path-effects.ts';
import { OUTPUT_PREFIX, outputIdOf } from './process/output-id.ts';
import type { BuiltinToolSettings } from './tool-settings.ts';
import type { FilePage, PageRange } from './workspace/file-page.ts';
import type { DoorPath } from './workspace/workspace-door.ts';

const argumentsSchema = z.strictObject({
  path: z.string(),
  offset: z.int().min(1).optional(),
  limit: z.int().min(1).optional(),
});
type Arguments = z.infer<typeof argumentsSchema>;

/** What to read: a file of the workspace or outside, or a command's output. */
type Source = { readonly type: 'file'; readonly at: DoorPath } | { readonly type: 'output'; readonly id: string };

interface State {
  readonly source: Source;
  readonly shown: string;
  readonly offset: number;
  readonly limit: number | null;
}

function sourceOf(path: string, settings: BuiltinToolSettings): Source {
  const id = path.startsWith(OUTPUT_PREFIX) ? outputIdOf(path) : null;
  return id === null ? { type: 'file', at: settings.workspace.parse(path) } : { type: 'output', id };
}

function rangeOf(state: State, { limits }: ToolContext): PageRange {
  const characters = Math.min(limits.readCharacters, limits.resultCharacters - 500);
  return {
    offset: state.offset,
    limit: Math.min(state.limit ?? limits.readLines, limits.readLines),
    lineCharacters: Math.min(limits.readLineCharacters, characters),
    characters,
  };
}

/** Exact words on what the page leaves out, and how to read on. */
function notes(page: FilePage): string[] {
  const last = page.firstLine + page.lines.length - 1;
  const of = page.totalLines === null ? `a file of ${page.size} bytes` : String(page.totalLines);
  const out: string[] = [];
  if (page.more) out.push(`[Lines ${page.firstLine}-${last} of ${of}. Read on with offset ${last + 1}.]`);
  else if (page.firstLine > 1) out.push(`[Lines ${page.firstLine}-${last} of ${of}: the end.]`);
  if (page.cutLines > 0) out.push(`[Long lines are cut: ${page.cutLines}.]`);
  if (page.lineEnd === '\r\n') out.push('[Line ends are CRLF.]');
  return out;
}

function toOutcome(page: FilePage): ToolOutcome {
  if (page.lines.length === 0 && page.firstLine > 1) {
    throw new AppError(
      'tool.failed',
      page.totalLines === null ? 'There is no such line.' : `The file has ${page.totalLines} lines.`,
    );
  }
  const numbered = page.lines.map((line, index) => `${String(page.firstLine + index).padStart(6)}\t${line}`);
  const content = page.lines.length === 0 ? '[The file is empty.]' : [...numbered, ...notes(page)].join('\n');
  const version = page.version === null ? {} : { version: page.version };
  return succeeded(content, { truncated: page.more || page.cutLines > 0, ...version });
}

/** The tool; see its declaration. facts.version is the sha256 of the whole file. */
export function createReadFile(settings: BuiltinToolSettings): Tool {
  return defineTool<Arguments, State>({
    declaration: BUILTIN_DECLARATIONS.read_file,
    arguments: argumentsSchema,
    prepare(args) {
      const source = sourceOf(args.path, settings);
      const shown = source.type === 'file' ? source.at.shown : OUTPUT_PREFIX + source.id;
      const effects =
        source.type === 'file'
          ? readEffects(source.at, settings.paths)
          : [{ kind: 'read-inside' as const, target: shown }];
      const offset = args.offset ?? 1;
      const limit = args.limit ?? null;
      return {
        summary: `Read ${shown}`,
        effects,
        preview: { type: 'path', path: shown },
        effect: { path: shown, offset, limit },
        grant: source.type === 'file' ? pathGrant('read_file', source.at, effects) : null,
        confined: false,
        state: { source, shown, offset, limit },
      };
    },
    async run(state, context) {
      const range = rangeOf(state, context);
      if (state.source.type === 'file') return toOutcome(await settings.workspace.readPage(state.source.at, range));
      const { readOutputPage } = await import('./process/read-output.ts');
      return toOutcome(readOutputPage(settings.outputFolder, state.source.id, range));
    },
  });
}

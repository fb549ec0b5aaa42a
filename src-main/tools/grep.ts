// grep: the bundled ripgrep finds candidates through the process door, inside a fence where there is one; every line that
// is shown is read again through the filesystem door, so nothing outside can be shown whatever happens meanwhile.
import path from 'node:path';
import { z } from 'zod';
import { AppError, isAppError } from '../base/app-error.ts';
import type { Tool, ToolContext, ToolOutcome } from '../engine/ports.ts';
import { BUILTIN_DECLARATIONS } from './declarations.ts';
import { defineTool, succeeded } from './define-tool.ts';
import { pathGrant, readEffects } from './path-effects.ts';
import type { CandidateFile } from './search-candidates.ts';
import { shownPath } from './shown-path.ts';
import type { BuiltinToolSettings } from './tool-settings.ts';
import { parseGlob } from './workspace/path-glob.ts';
import type { DoorPath } from './workspace/workspace-door.ts';

const argumentsSchema = z.strictObject({
  pattern: z.string(),
  path: z.string().optional(),
  glob: z.string().optional(),
  ignore_case: z.boolean().optional(),
});
type Arguments = z.infer<typeof argumentsSchema>;

interface State {
  readonly at: DoorPath;
  readonly pattern: string;
  readonly glob: string | null;
  readonly ignoreCase: boolean;
}

const LINE_CHARACTERS = 500;

/** Lines of one file as they are shown; none when the file cannot be read any more. */
async function shownLines(
  settings: BuiltinToolSettings,
  file: CandidateFile,
): Promise<{ lines: string[]; cut: boolean }> {
  try {
    const excerpts = await settings.workspace.readExcerpts(file.at, file.places, LINE_CHARACTERS);
    const lines = file.places.flatMap((place, index) => {
      const excerpt = excerpts[index];
      return excerpt ? [`${shownPath(file.at.shown)}:${place.line}:${excerpt.text}`] : [];
    });
    return { lines, cut: excerpts.some((excerpt) => excerpt?.cut === true) };
  } catch (error) {
    // Gone, swapped for a link, or closed to us since the search: then it is not shown.
    if (!isAppError(error)) throw error;
    return { lines: [], cut: false };
  }
}

async function runGrep(settings: BuiltinToolSettings, state: State, context: ToolContext): Promise<ToolOutcome> {
  const { limits, signal } = context;
  const matchesGlob = state.glob === null ? () => true : parseGlob(state.glob);
  const skipsSecrets = !settings.paths.isSecret(state.at.shown);
  const below = state.at.parts.length === 0 ? 0 : state.at.parts.join('/').length + 1;
  const accepts = (at: DoorPath): boolean => {
    const relative = at.parts.join('/').slice(below) || (at.parts.at(-1) ?? '');
    return matchesGlob(relative) && !(skipsSecrets && settings.paths.isSecret(at.shown));
  };
  const { searchCandidates } = await import('./search-candidates.ts');
  const search = { ...state, limit: limits.searchResults, timeoutMs: limits.shellTimeoutMs, signal, accepts };
  const { files, more, notes } = await searchCandidates(settings, search);
  const out: string[] = [];
  let room = limits.resultCharacters - 1000;
  let truncated = more;
  for (const file of files) {
    const shown = await shownLines(settings, file);
    truncated ||= shown.cut;
    for (const line of shown.lines) {
      room -= line.length + 1;
      if (room >= 0) out.push(line);
      else truncated = true;
    }
    if (room < 0) break;
  }
  if (signal.aborted) throw new AppError('cancelled', 'It was stopped.');
  const cutNote = more || room < 0 ? ['[There are more. Narrow the pattern, the path or the glob.]'] : [];
  const body = out.length === 0 ? ['[No match.]'] : out;
  return succeeded([...body, ...cutNote, ...notes].join('\n'), { matches: out.length, truncated });
}

/** The tool; see its declaration. `glob` is relative to `path` and narrows what git's rules leave, never widens it. */
export function createGrep(settings: BuiltinToolSettings): Tool {
  return defineTool<Arguments, State>({
    declaration: BUILTIN_DECLARATIONS.grep,
    arguments: argumentsSchema,
    prepare(args) {
      const { pattern } = args;
      if (pattern === '' || pattern.length > 10_000 || pattern.includes('\0')) {
        throw new AppError('tool.invalid-arguments', 'Give a pattern of 1 to 10,000 characters without a NUL.');
      }
      const glob = args.glob ?? null;
      if (glob !== null) parseGlob(glob);
      const at = settings.workspace.parse(args.path ?? '.');
      const ignoreCase = args.ignore_case ?? false;
      const effects = readEffects(at, settings.paths);
      const where = at.shown === '.' ? '' : ` in ${at.shown}`;
      return {
        summary: `Search ${JSON.stringify(pattern)}${where}${glob === null ? '' : ` (${path.posix.normalize(glob)})`}`,
        effects,
        preview: { type: 'path', path: at.shown },
        effect: { path: at.shown, pattern, glob, ignoreCase },
        grant: pathGrant('grep', at, effects),
        confined: false,
        state: { at, pattern, glob, ignoreCase },
      };
    },
    run: (state, context) => runGrep(settings, state, context),
  });
}

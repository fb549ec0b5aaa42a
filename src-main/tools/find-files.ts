// find_files: names by glob below a folder, as git sees the tree, without likely secrets; walked through the door.
import { z } from 'zod';
import { AppError } from '../base/app-error.ts';
import type { Tool, ToolContext, ToolOutcome } from '../engine/ports.ts';
import { BUILTIN_DECLARATIONS } from './declarations.ts';
import { defineTool, succeeded } from './define-tool.ts';
import { readGlobalIgnore } from './global-ignore.ts';
import { pathGrant, readEffects } from './path-effects.ts';
import { shownPath } from './shown-path.ts';
import type { BuiltinToolSettings } from './tool-settings.ts';
import { parseGlob } from './workspace/path-glob.ts';
import type { DoorPath } from './workspace/workspace-door.ts';

const argumentsSchema = z.strictObject({ pattern: z.string(), path: z.string().optional() });

interface State {
  readonly at: DoorPath;
  readonly pattern: string;
}

async function runFind(settings: BuiltinToolSettings, state: State, context: ToolContext): Promise<ToolOutcome> {
  const { at, pattern } = state;
  const { limits, signal } = context;
  // A folder that is itself a likely secret was allowed for this call, and then so is what is in it.
  const skipsSecrets = !settings.paths.isSecret(at.shown);
  const found: string[] = [];
  let room = limits.resultCharacters - 300;
  const bound = { reached: false };
  const take = (path: string): void => {
    if (bound.reached || (skipsSecrets && settings.paths.isSecret(path))) return;
    const shown = shownPath(at.base === 'root' ? path : `/${path}`);
    room -= shown.length + 1;
    bound.reached = room < 0 || found.length >= limits.searchResults;
    if (!bound.reached) found.push(shown);
  };
  const report = await settings.workspace.walk(
    at,
    { globalRules: readGlobalIgnore(settings.process.home), skipFolders: [], pattern },
    {
      signal,
      found: (batch) => {
        batch.forEach(take);
        return !bound.reached;
      },
    },
  );
  if (signal.aborted) throw new AppError('cancelled', 'It was stopped.');
  const notes = [
    ...(bound.reached ? [`[Only the first ${found.length} are shown. Narrow the pattern or the path.]`] : []),
    ...(report.unreadable > 0 ? [`[${report.unreadable} folders could not be read.]`] : []),
  ];
  const content = found.length === 0 ? ['[No file matches.]', ...notes] : [...found, ...notes];
  return succeeded(content.join('\n'), { matches: found.length, truncated: bound.reached });
}

/** The tool; see its declaration. The pattern is relative to `path`. */
export function createFindFiles(settings: BuiltinToolSettings): Tool {
  return defineTool<z.infer<typeof argumentsSchema>, State>({
    declaration: BUILTIN_DECLARATIONS.find_files,
    arguments: argumentsSchema,
    prepare({ pattern, path }) {
      parseGlob(pattern);
      const at = settings.workspace.parse(path ?? '.');
      const effects = readEffects(at, settings.paths);
      return {
        summary: `Find ${pattern}${at.shown === '.' ? '' : ` in ${at.shown}`}`,
        effects,
        preview: { type: 'path', path: at.shown },
        effect: { path: at.shown, pattern },
        grant: pathGrant('find_files', at, effects),
        confined: false,
        state: { at, pattern },
      };
    },
    run: (state, context) => runFind(settings, state, context),
  });
}

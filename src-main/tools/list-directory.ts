// list_directory: the names in one folder, folders first; links are named as links and never followed.
import { z } from 'zod';
import type { Tool } from '../engine/ports.ts';
import { BUILTIN_DECLARATIONS } from './declarations.ts';
import { defineTool, succeeded } from './define-tool.ts';
import { pathGrant, readEffects } from './path-effects.ts';
import { shownPath } from './shown-path.ts';
import type { BuiltinToolSettings } from './tool-settings.ts';
import type { DoorPath, FolderEntry } from './workspace/workspace-door.ts';

const argumentsSchema = z.strictObject({ path: z.string().optional() });

const MARKS = { file: '', folder: '/', link: ' (link)', other: ' (special file)' } as const;

const shownEntry = (entry: FolderEntry): string =>
  shownPath(entry.name) + MARKS[entry.type] + (entry.unreadableName ? ' (name is no UTF-8)' : '');

const byTypeAndName = (a: FolderEntry, b: FolderEntry): number =>
  Number(b.type === 'folder') - Number(a.type === 'folder') || (a.name < b.name ? -1 : 1);

/** The tool; see its declaration. */
export function createListDirectory(settings: BuiltinToolSettings): Tool {
  return defineTool<z.infer<typeof argumentsSchema>, { readonly at: DoorPath }>({
    declaration: BUILTIN_DECLARATIONS.list_directory,
    arguments: argumentsSchema,
    prepare(args) {
      const at = settings.workspace.parse(args.path ?? '.');
      const effects = readEffects(at, settings.paths);
      return {
        summary: `List ${at.shown}`,
        effects,
        preview: { type: 'path', path: at.shown },
        effect: { path: at.shown },
        grant: pathGrant('list_directory', at, effects),
        confined: false,
        state: { at },
      };
    },
    async run({ at }, { limits }) {
      const entries = (await settings.workspace.list(at)).sort(byTypeAndName);
      const lines: string[] = [];
      let left = limits.resultCharacters - 200;
      for (const line of entries.map(shownEntry)) {
        left -= line.length + 1;
        if (left < 0) break;
        lines.push(line);
      }
      const truncated = lines.length < entries.length;
      if (truncated)
        lines.push(`[${entries.length - lines.length} more names are left out. Use find_files with a pattern.]`);
      return succeeded(entries.length === 0 ? '[The folder is empty.]' : lines.join('\n'), {
        truncated,
        matches: entries.length,
      });
    },
  });
}

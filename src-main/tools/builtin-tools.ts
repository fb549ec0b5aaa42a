// All built-in tools over the two doors. Making them opens and loads nothing: each loads what it needs at its first call.
import type { ToolDeclaration } from '../contract/authority.ts';
import type { Tool } from '../engine/ports.ts';
import { BUILTIN_DECLARATIONS } from './declarations.ts';
import { createDatetime } from './datetime.ts';
import { createFindFiles } from './find-files.ts';
import { createGrep } from './grep.ts';
import { createListDirectory } from './list-directory.ts';
import { createEditFile } from './edit-file.ts';
import { createWriteFile } from './write-file.ts';
import { createReadFile } from './read-file.ts';
import { createShell } from './shell.ts';
import { createShellSession, type HeldShells } from './shell-session.ts';
import { createWebSearch } from './web-search.ts';
import { createWebFetch } from './web-fetch.ts';
import type { BuiltinToolSettings } from './tool-settings.ts';

/** The declarations, sorted by name; known without a workspace. web_search is among them where a service was named. */
export function builtinDeclarations(has: { readonly search: boolean }): readonly ToolDeclaration[] {
  return Object.values<ToolDeclaration>(BUILTIN_DECLARATIONS)
    .filter(({ name }) => has.search || name !== 'web_search')
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Which groups of tools there are. Network and clock tools only where they are asked for (EXEC-11). */
export interface BuiltinGroups {
  /** The six file tools, all or none (FILE-01); default true. */
  readonly files?: boolean;
  /** Default true. */
  readonly shell?: boolean;
  /** A shell that stays between calls (EXEC-10). */
  readonly shellSession?: boolean;
  readonly clock?: boolean;
  readonly webFetch?: boolean;
  /** Also needs a service in the settings (EXEC-17). */
  readonly webSearch?: boolean;
}

/** Every group that the settings can give. */
export const ALL_GROUPS: BuiltinGroups = { shellSession: true, clock: true, webFetch: true, webSearch: true };

/** The tools with their declarations, of these groups. */
export function createBuiltinTools(
  settings: BuiltinToolSettings,
  groups: BuiltinGroups = {},
): {
  readonly tools: readonly Tool[];
  readonly declarations: readonly ToolDeclaration[];
  /** The shells that shell_session holds; whoever made the tools ends them. */
  readonly shells: HeldShells | null;
} {
  const {
    files = true,
    shell = true,
    shellSession = false,
    clock = false,
    webFetch = false,
    webSearch = false,
  } = groups;
  const session = shellSession ? createShellSession(settings) : null;
  const tools = [
    ...(files ? fileTools(settings) : []),
    ...(shell ? [createShell(settings)] : []),
    ...(session ? [session.tool] : []),
    ...(clock ? [createDatetime()] : []),
    ...(webFetch ? [createWebFetch(settings)] : []),
    ...(webSearch && settings.search ? [createWebSearch(settings, settings.search)] : []),
  ];
  return { tools, declarations: tools.map((tool) => tool.declaration), shells: session?.shells ?? null };
}

function fileTools(settings: BuiltinToolSettings): Tool[] {
  return [
    createReadFile(settings),
    createListDirectory(settings),
    createFindFiles(settings),
    createGrep(settings),
    createWriteFile(settings),
    createEditFile(settings),
  ];
}

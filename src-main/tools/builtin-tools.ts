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
import { createWebFetch } from './web-fetch.ts';
import type { BuiltinToolSettings } from './tool-settings.ts';

/** The declarations, sorted by name; known without a workspace. */
export function builtinDeclarations(): readonly ToolDeclaration[] {
  return Object.values(BUILTIN_DECLARATIONS).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The tools with their declarations. Which of them a session gets is the caller's to choose. */
export function createBuiltinTools(settings: BuiltinToolSettings): {
  readonly tools: readonly Tool[];
  readonly declarations: readonly ToolDeclaration[];
} {
  const tools = [
    createReadFile(settings),
    createListDirectory(settings),
    createFindFiles(settings),
    createGrep(settings),
    createWriteFile(settings),
    createEditFile(settings),
    createShell(settings),
    createDatetime(),
    createWebFetch(settings),
  ];
  return { tools, declarations: tools.map((tool) => tool.declaration) };
}

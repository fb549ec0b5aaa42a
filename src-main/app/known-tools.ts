// The tools that a chat could have with the present settings, and the engine's own among them.
import type { AuthoritySnapshot, ToolDeclaration } from '../contract/authority.ts';
import type { Settings } from '../contract/settings.ts';
import { ASK_USER, ASK_USER_DECLARATION } from '../engine/ask-user.ts';
import { CONTEXT_TOOL_DECLARATIONS, EXPAND_REDUCTION } from '../engine/context-tools.ts';
import { builtinDeclarations } from '../tools/builtin-tools.ts';
import { permissionOf } from './tool-permissions.ts';

/** Declarations of all tools, whatever the settings allow of them. */
export function knownTools(settings: Settings): ToolDeclaration[] {
  const builtin = builtinDeclarations({ search: settings.searchUrl !== '' });
  return [...builtin, ASK_USER_DECLARATION, ...CONTEXT_TOOL_DECLARATIONS];
}

/** Whether a chat's model may read what was set aside of the chat itself: its authority says so (null = it has none yet). */
export function mayReadAside(before: AuthoritySnapshot | null): boolean {
  return before === null || before.tools.some(({ name }) => name === EXPAND_REDUCTION);
}

/** Whether a chat may ask the person: the settings allow it, and so did its authority (null = it has none yet). */
export function mayAskUser(settings: Settings, before: AuthoritySnapshot | null): boolean {
  if (permissionOf(settings, ASK_USER) === 'off') return false;
  return before === null || before.tools.some(({ name }) => name === ASK_USER);
}

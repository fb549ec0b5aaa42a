// The person's permission of each tool: its default where the settings do not name it, and its title for people.
import { AppError } from '../base/app-error.ts';
import type { Rule, Settings, ToolPermission } from '../contract/settings.ts';
import { assertRuleAllowed } from '../policy/rule-match.ts';

/** Titles of the built-in tools. */
export const TOOL_TITLES: Readonly<Record<string, string>> = {
  read_file: 'Read files',
  list_directory: 'List folders',
  find_files: 'Find files',
  grep: 'Search in files',
  write_file: 'Write files',
  edit_file: 'Edit files',
  shell: 'Run commands',
  shell_session: 'Keep a shell open',
  ask_user: 'Ask you questions',
  expand_reduction: 'Read what was set aside',
  sidecar_search: 'Search in this chat',
  datetime: 'Clock',
  web_fetch: 'Fetch web pages',
  web_search: 'Search the web',
};

/** Tools that are off until the person switches them on (EXEC-11, CONF-31). */
const OFF_BY_DEFAULT: ReadonlySet<string> = new Set([
  'ask_user',
  'datetime',
  'web_fetch',
  'web_search',
  'shell_session',
]);

/** A tool's permission when the settings do not name it. */
export function defaultPermission(tool: string): 'off' | 'ask' {
  return OFF_BY_DEFAULT.has(tool) ? 'off' : 'ask';
}

/** A tool's permission now. */
export function permissionOf(settings: Settings, tool: string): ToolPermission {
  return settings.tools[tool] ?? defaultPermission(tool);
}

/** Refuses a rule that was written by hand and can never fit. Code settings.rule-refused says what to write. */
export function assertRuleFits(rule: Rule): void {
  assertRuleAllowed(rule);
  if (rule.match.includes(':') || Object.hasOwn(TOOL_TITLES, rule.match)) return;
  const names = Object.keys(TOOL_TITLES).join(', ');
  throw new AppError(
    'settings.rule-refused',
    `There is no tool ${JSON.stringify(rule.match)}. The tools are: ${names}.`,
  );
}

// What a rule speaks of. Its text is a tool's name, `shell:` and the words of a command, `read:` or `write:` and a path glob
// relative to the folder, or `host:` and the name of a host. Pure.
import { AppError } from '../base/app-error.ts';
import type { Rule, ToolPermission } from '../contract/settings.ts';
import { parseCommandPattern, type CommandPattern } from './command-pattern.ts';
import { exactPath, parsePathPattern, resolvedPath, type PathPattern } from './path-pattern.ts';
import { isProtectedPath } from './protected-paths.ts';

/** A rule's text, read. `pattern: null` = these words are no plain command; only the very text is meant. */
export type RuleMatch =
  | { readonly kind: 'tool'; readonly tool: string }
  | { readonly kind: 'command'; readonly text: string; readonly pattern: CommandPattern | null }
  | { readonly kind: 'path'; readonly access: 'read' | 'write'; readonly pattern: PathPattern }
  | { readonly kind: 'host'; readonly host: string };

/** Tools whose every call asks once (CONF-02). */
const ALWAYS_ASKS_ONCE: ReadonlySet<string> = new Set(['web_fetch', 'web_search']);

const KINDS = 'Write a tool, shell: and a command, read: or write: and a path, or host: and a host.';

/** Whether no rule and no setting can let a tool's calls run without a question. */
export const alwaysAsksOnce = (tool: string): boolean => ALWAYS_ASKS_ONCE.has(tool);

/** Reads a rule's text; null when it names nothing. */
export function parseRuleMatch(match: string): RuleMatch | null {
  const colon = match.indexOf(':');
  if (colon === -1) return /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(match) ? { kind: 'tool', tool: match } : null;
  const text = match.slice(colon + 1);
  if (text.trim() === '') return null;
  switch (match.slice(0, colon)) {
    case 'shell':
      return { kind: 'command', text, pattern: parseCommandPattern(text) };
    case 'read':
      return { kind: 'path', access: 'read', pattern: parsePathPattern(text) };
    case 'write':
      return { kind: 'path', access: 'write', pattern: parsePathPattern(text) };
    case 'host':
      return /\s|\//.test(text) ? null : { kind: 'host', host: text.toLowerCase() };
    default:
      return null;
  }
}

/** Reads a stored rule; a remembered one means its very text. null = it names nothing. */
export function readRule(rule: Rule): RuleMatch | null {
  const parsed = parseRuleMatch(rule.match);
  if (rule.remembered !== true || parsed === null) return parsed;
  if (parsed.kind === 'command') return { ...parsed, pattern: null };
  if (parsed.kind === 'path') return { ...parsed, pattern: exactPath(rule.match.slice(rule.match.indexOf(':') + 1)) };
  return parsed;
}

const refused = (message: string): AppError => new AppError('settings.rule-refused', message);

/** settings.rule-refused for an allow rule that tries to turn "asks once" into "runs", and for one that names nothing. */
export function assertRuleAllowed(rule: Pick<Rule, 'effect' | 'match'>): void {
  const parsed = parseRuleMatch(rule.match);
  if (parsed === null) throw refused(`${JSON.stringify(rule.match)} names nothing. ${KINDS}`);
  if (rule.effect !== 'allow') return;
  if (parsed.kind === 'host' || (parsed.kind === 'tool' && alwaysAsksOnce(parsed.tool))) {
    throw refused(
      `${rule.match} sends data off this machine, so each call is asked for once and no rule can allow it ahead. Deny and ask rules are possible.`,
    );
  }
  if (parsed.kind === 'command' && parsed.pattern?.words.length === 0) {
    throw refused('The rule names no command. To allow every command, write the tool: shell');
  }
  if (parsed.kind === 'path') assertPathAllowed(parsed.access, rule.match.slice(rule.match.indexOf(':') + 1));
}

function assertPathAllowed(access: 'read' | 'write', glob: string): void {
  if (access === 'read')
    throw refused('Reading inside the folder runs without a rule, and anything else asks each time.');
  if (glob.startsWith('/') || /^([A-Za-z]:|~|\\)/.test(glob) || resolvedPath(glob) === null) {
    throw refused(
      'Writing outside of the folder asks each time, and no rule can allow it ahead. Name a path in the folder.',
    );
  }
  if (isProtectedPath(glob))
    throw refused(`${glob} is protected: writing it asks each time, and no rule can allow it.`);
}

/** settings.rule-refused for `allow` on a tool whose calls are always asked for. */
export function assertPermissionAllowed(tool: string, permission: ToolPermission): void {
  if (permission === 'allow') assertRuleAllowed({ effect: 'allow', match: tool });
}

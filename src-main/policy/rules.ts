// What the person's rules say of one call. Pure and synchronous. A rule names a tool, or `shell:` and one exact command.
// Order: deny beats ask beats allow. No rule turns "asks once" into "runs"; one that tries is refused when it is saved.
import { AppError } from '../base/app-error.ts';
import type { Rule, ToolPermission } from '../contract/settings.ts';
import type { Policy, PolicyVerdict } from '../engine/ports.ts';

const SHELL_PREFIX = 'shell:';
/** Tools whose every call asks once (CONF-02). */
const ALWAYS_ASKS_ONCE = new Set(['web_fetch', 'web_search']);
const STRICTNESS = { deny: 2, ask: 1, allow: 0 } as const;

/** The exact words of a `shell:` rule; null for a rule on a whole tool. */
function commandOf(rule: Rule): string | null {
  return rule.match.startsWith(SHELL_PREFIX) ? rule.match.slice(SHELL_PREFIX.length) : null;
}

const refused = (message: string): AppError => new AppError('settings.rule-refused', message);

/** settings.rule-refused for an allow rule that tries to turn "asks once" into "runs", and for one that names nothing. */
export function assertRuleAllowed(rule: Pick<Rule, 'effect' | 'match'>): void {
  if (rule.match.trim() === '' || rule.match === SHELL_PREFIX) {
    throw refused('The rule names nothing. Write a tool, or shell: and the exact command.');
  }
  if (!rule.match.startsWith(SHELL_PREFIX) && !/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(rule.match)) {
    throw refused(`${JSON.stringify(rule.match)} is no tool name. Write a tool, or shell: and the exact command.`);
  }
  if (rule.effect === 'allow' && ALWAYS_ASKS_ONCE.has(rule.match)) {
    throw refused(
      `${rule.match} sends data off this machine, so each call is asked for once and no rule can allow it ahead. Deny and ask rules are possible.`,
    );
  }
}

/** settings.rule-refused for `allow` on a tool whose calls are always asked for. */
export function assertPermissionAllowed(tool: string, permission: ToolPermission): void {
  if (permission === 'allow') assertRuleAllowed({ effect: 'allow', match: tool });
}

/** The command of a call's arguments; null when it has none. */
function commandIn(args: unknown): string | null {
  if (typeof args !== 'object' || args === null || !('command' in args)) return null;
  return typeof args.command === 'string' ? args.command : null;
}

const collapsed = (command: string): string => command.trim().replace(/\s+/g, ' ');

/** Whether a rule speaks of a call. An allow rule wants the very command; deny and ask look past white space. */
function speaksOf(rule: Rule, tool: string, command: string | null): boolean {
  const wanted = commandOf(rule);
  if (wanted === null) return rule.match === tool;
  if (tool !== 'shell' || command === null) return false;
  return rule.effect === 'allow' ? wanted === command : collapsed(wanted) === collapsed(command);
}

/** The rule that a tool's permission in the settings stands for; null when the mode's table decides. */
function permissionRule(tool: string, permission: ToolPermission | undefined): PolicyVerdict | null {
  if (permission === 'off') return { effect: 'deny', ruleId: `tool:${tool}`, rule: `${tool} is off in the settings` };
  if (permission !== 'allow' || ALWAYS_ASKS_ONCE.has(tool)) return null;
  return { effect: 'allow', ruleId: `tool:${tool}`, rule: `${tool} is set to allow in the settings` };
}

/**
 * The policy of these rules and tool permissions (of settings; they may be read anew for each session). Rules that
 * assertRuleAllowed refuses never allow, wherever they came from.
 */
export function createPolicy(
  rules: readonly Rule[],
  toolPermissions: Readonly<Record<string, ToolPermission>> = {},
): Policy {
  return {
    judge({ tool, args }) {
      const command = commandIn(args);
      const verdicts: PolicyVerdict[] = rules
        .filter((rule) => speaksOf(rule, tool, command))
        .filter((rule) => rule.effect !== 'allow' || !ALWAYS_ASKS_ONCE.has(tool))
        .map((rule) => ({ effect: rule.effect, ruleId: rule.id, rule: `${rule.effect} ${rule.match}` }));
      const setting = permissionRule(tool, Object.hasOwn(toolPermissions, tool) ? toolPermissions[tool] : undefined);
      if (setting !== null) verdicts.push(setting);
      return verdicts.reduce<PolicyVerdict | null>(
        (worst, each) => (worst === null || STRICTNESS[each.effect] > STRICTNESS[worst.effect] ? each : worst),
        null,
      );
    },
  };
}

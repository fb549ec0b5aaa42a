// A rule in words and back: what its text is made of, and where and how long it holds. Pure.
import type { Rule } from '../../../src-main/contract/settings.ts';

/** Where a new rule holds. */
export type RuleScope = 'everywhere' | 'project' | 'session';

/** What narrows a rule of a tool, and how the field for it is called; null = nothing does. */
export function detailOf(toolName: string, toolClass: string): { kind: string; label: string; example: string } | null {
  if (toolName === 'shell' || toolName === 'shell_session') {
    return { kind: 'shell', label: 'Command; empty for all commands', example: 'npm test, or git log *' };
  }
  if (toolClass === 'write') return { kind: 'write', label: 'Path; empty for all files', example: 'docs/**' };
  if (toolClass === 'read') return { kind: 'read', label: 'Path; empty for all files', example: 'private/**' };
  if (toolClass === 'network') return { kind: 'host', label: 'Host; empty for all hosts', example: 'example.com' };
  return null;
}

/** The text of a rule about a tool, narrowed by `detail` where that is not empty. */
export function ruleText(tool: { name: string; class: string }, detail: string): string {
  const kind = detailOf(tool.name, tool.class)?.kind;
  return kind === undefined || detail.trim() === '' ? tool.name : `${kind}:${detail.trim()}`;
}

/** Milliseconds that a rule of one chat holds. */
const SESSION_RULE_MS = 60 * 60 * 1000;

/** The members of a rule that say where and how long it holds; a chat or project that is not there gives none. */
export function scopeOf(
  scope: RuleScope,
  shown: { projectId: string | null; sessionId: string | null },
  nowMs: number,
): Pick<Rule, 'project' | 'session' | 'expiresAtMs'> {
  if (scope === 'project' && shown.projectId !== null) return { project: shown.projectId };
  if (scope === 'session' && shown.sessionId !== null) {
    return { session: shown.sessionId, expiresAtMs: nowMs + SESSION_RULE_MS };
  }
  return {};
}

/** Where a stored rule holds, in words; '' = everywhere. `projects` are names by id. */
export function describeScope(rule: Rule, projects: ReadonlyMap<string, string>, nowMs: number): string {
  const ended = rule.expiresAtMs !== undefined && rule.expiresAtMs <= nowMs;
  const until =
    rule.expiresAtMs === undefined
      ? ''
      : `until ${new Date(rule.expiresAtMs).toLocaleTimeString([], { timeStyle: 'short' })}`;
  const where =
    rule.session !== undefined
      ? 'one chat'
      : rule.project !== undefined
        ? `in ${projects.get(rule.project) ?? 'a project that is gone'}`
        : '';
  const remembered = rule.remembered === true ? 'remembered' : '';
  return ended ? 'ended' : [remembered, where, until].filter((part) => part !== '').join(', ');
}

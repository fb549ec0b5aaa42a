// The policy port over the settings as they are right now: narrowing a permission or adding a rule applies to every open
// chat at its next gate (CONF-18). Rules of one project, or of one chat, hold there alone; a session of the command line may
// add rules of its own, and the project's file may narrow.
import type { LimitName, Limits } from '../contract/limits.ts';
import type { Rule, Settings } from '../contract/settings.ts';
import type { Policy } from '../engine/ports.ts';
import { createPolicy } from '../policy/rules.ts';
import { createSecretPaths } from '../policy/secret-paths.ts';
import type { ProjectFile } from './project-file.ts';
import { lowerLimit, settingLimits } from './session-authority.ts';
import { permissionOf } from './tool-permissions.ts';
import type { SettingsService } from './settings-service.ts';

/** The chat that a policy is for. */
export interface PolicyScope {
  readonly toolNames: readonly string[];
  /** Rules of this process alone. */
  readonly extraRules: readonly Rule[];
  readonly projectId: string;
  readonly sessionId: string;
  /** The project's folder, absolute. */
  readonly root: string;
  readonly projectFile: ProjectFile | null;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
}

const UNCONFINABLE = {
  effect: 'deny',
  ruleId: 'unconfinable',
  rule: 'commands that cannot be confined are denied',
} as const;

/** Whether a stored rule holds in a chat. */
const holdsIn =
  (scope: PolicyScope) =>
  ({ project, session }: Rule): boolean =>
    (project === undefined || project === scope.projectId) && (session === undefined || session === scope.sessionId);

/** A policy that follows the settings. */
export function livePolicy(settings: SettingsService, scope: PolicyScope): Policy {
  let from: Settings | null = null;
  let policy: ReturnType<typeof createPolicy> | null = null;
  const now = (): ReturnType<typeof createPolicy> => {
    if (settings.current === from && policy !== null) return policy;
    from = settings.current;
    const permissions = Object.fromEntries(scope.toolNames.map((name) => [name, permissionOf(settings.current, name)]));
    const { useRules, rememberApprovals } = settings.current;
    const stored = settings.current.rules
      .filter(({ remembered }) => (remembered === true ? rememberApprovals : useRules))
      .filter(holdsIn(scope));
    policy = createPolicy([...(scope.projectFile?.rules ?? []), ...scope.extraRules, ...stored], permissions, {
      nowMs: scope.nowMs,
      root: scope.root,
      isSecret: createSecretPaths(settings.current.secretPatterns),
      posix: process.platform !== 'win32',
    });
    return policy;
  };
  let narrowedFrom: Settings | null = null;
  let narrowedCeiling: Limits | null = null;
  let narrowed: Limits | null = null;
  return {
    ready: (call) => now().ready(call),
    judge(call) {
      const escalates = call.effects.some(({ kind }) => kind === 'command-unconfinable');
      if (escalates && settings.current.unconfinable === 'deny') return UNCONFINABLE;
      return now().judge(call);
    },
    uncovered: (call) => now().uncovered(call),
    limits(ceiling) {
      if (settings.current === narrowedFrom && ceiling === narrowedCeiling && narrowed !== null) return narrowed;
      narrowedFrom = settings.current;
      narrowedCeiling = ceiling;
      const limits = { ...ceiling };
      for (const narrower of [settingLimits(settings.current), scope.projectFile?.limits ?? {}]) {
        for (const [name, value] of Object.entries(narrower) as [LimitName, number][]) {
          limits[name] = lowerLimit(name, limits[name], value);
        }
      }
      narrowed = limits;
      return limits;
    },
  };
}

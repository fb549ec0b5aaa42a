// The policy port over the settings as they are right now: narrowing a permission or adding a rule applies to every open
// chat at its next gate (CONF-18). A session of the command line may add rules of its own.
import type { LimitName, Limits } from '../contract/limits.ts';
import type { Rule, Settings } from '../contract/settings.ts';
import type { Policy } from '../engine/ports.ts';
import { createPolicy } from '../policy/rules.ts';
import { lowerLimit, settingLimits } from './session-authority.ts';
import { permissionOf } from './tool-permissions.ts';
import type { SettingsService } from './settings-service.ts';

/** A policy that follows the settings; `extraRules` hold for this session alone. */
export function livePolicy(
  settings: SettingsService,
  toolNames: readonly string[],
  extraRules: readonly Rule[],
): Policy {
  let from: Settings | null = null;
  let policy: Policy | null = null;
  let narrowedFrom: Settings | null = null;
  let narrowedCeiling: Limits | null = null;
  let narrowed: Limits | null = null;
  return {
    judge(call) {
      if (settings.current !== from || policy === null) {
        from = settings.current;
        const permissions = Object.fromEntries(toolNames.map((name) => [name, permissionOf(settings.current, name)]));
        policy = createPolicy([...extraRules, ...settings.current.rules], permissions);
      }
      return policy.judge(call);
    },
    limits(ceiling) {
      if (settings.current === narrowedFrom && ceiling === narrowedCeiling && narrowed !== null) return narrowed;
      narrowedFrom = settings.current;
      narrowedCeiling = ceiling;
      const now = { ...ceiling };
      for (const [name, value] of Object.entries(settingLimits(settings.current)) as [LimitName, number][]) {
        now[name] = lowerLimit(name, ceiling[name], value);
      }
      narrowed = now;
      return now;
    },
  };
}

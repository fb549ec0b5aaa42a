// Which tools a mode offers to the model, and the words for why a table cell asks. Pure.
import type { Effect, EffectKind, Mode, ToolClass, ToolDeclaration } from '../contract/authority.ts';

const OFFERED_IN_PLAN: ReadonlySet<ToolClass> = new Set(['read', 'clock', 'network']);

/** Whether a mode offers a tool of this class at all (MODE-03). */
export function isOffered(mode: Mode, toolClass: ToolClass): boolean {
  return mode !== 'plan' || OFFERED_IN_PLAN.has(toolClass);
}

/**
 * The declarations to send: those enabled and offered, in the order of the ceiling, plus those that history refers to
 * and that were only switched off (TOOL-06), so that replay stays valid.
 */
export function toolMenu(input: {
  ceiling: readonly ToolDeclaration[];
  enabled: ReadonlySet<string>;
  mode: Mode;
  allowed: (tool: string) => boolean;
  referenced: ReadonlySet<string>;
}): ToolDeclaration[] {
  return input.ceiling.filter((tool) => {
    if (!isOffered(input.mode, tool.class)) return false;
    if (input.enabled.has(tool.name) && input.allowed(tool.name)) return true;
    return input.referenced.has(tool.name);
  });
}

const WHY: Record<EffectKind, string> = {
  clock: 'reading the clock is set to ask',
  'read-inside': 'reading is set to ask',
  'read-secret': 'this file looks like a secret, which asks every time',
  'read-outside': 'it is outside the project folder, which asks every time',
  'write-inside': 'changing files asks in this mode',
  'write-protected': 'this file is protected, which asks every time',
  'write-outside': 'it is outside the project folder, which asks every time',
  command: 'shell commands ask in this mode',
  'command-unconfinable': 'commands cannot be confined on this machine, which asks every time',
  'command-network': 'it wants the network, which asks every time',
  'command-unconfined': 'it wants to run outside the confinement, which asks every time',
  network: 'using the network asks every time',
};

/** Half a sentence that goes after "because": why this effect is asked about. */
export function whyAsked(effect: Effect): string {
  return WHY[effect.kind];
}

/** Tells the model why a tool is not run in this mode, and what to do instead. */
export function notOfferedIn(mode: Mode, tool: string): string {
  return `Not in ${mode} mode: ${tool} changes things or runs commands. Say what you would do instead.`;
}

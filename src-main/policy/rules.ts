// What the person's rules say of one call. Pure and synchronous once `ready` has resolved. One order for all rules, wherever
// they are stored: deny beats ask beats allow; of a command each part is judged and the worst verdict wins; a rule whose time
// is over is none. No rule turns "asks once" into "runs"; one that tries is refused when it is saved, and ignored here.
import type { Effect } from '../contract/authority.ts';
import type { Rule, ToolPermission } from '../contract/settings.ts';
import type { Policy, PolicyVerdict } from '../engine/ports.ts';
import type { CommandFacts, CommandRule } from './command-rule.ts';
import { judgeCommand, type CommandJudgement } from './judge-command.ts';
import { coversPath, resolvedPath, speaksOfPath, type PathPattern } from './path-pattern.ts';
import { isProtectedPath } from './protected-paths.ts';
import { alwaysAsksOnce, readRule, type RuleMatch } from './rule-match.ts';
import { createSecretPaths } from './secret-paths.ts';
import { loadShellGrammar, shellGrammar } from './shell-grammar.ts';

const STRICTNESS = { deny: 2, ask: 1, allow: 0 } as const;

type Call = Parameters<Policy['judge']>[0];

/** A rule with its text read. */
interface ReadRule {
  readonly rule: Rule;
  readonly match: RuleMatch;
  readonly verdict: PolicyVerdict;
}

/** What is known of the chat that the rules are for. */
export interface PolicyFacts {
  /** Unix milliseconds now; without it no rule ends. */
  readonly nowMs?: () => number;
  /** The folder, absolute: paths in it count as relative to it. */
  readonly root?: string;
  readonly isSecret?: (path: string) => boolean;
  /** false where commands are not run by sh; then `shell:` rules mean their very text. */
  readonly posix?: boolean;
}

/** The command of a call's arguments; null when it has none. */
function commandIn({ tool, args }: Call): string | null {
  if (tool !== 'shell' && tool !== 'shell_session') return null;
  if (typeof args !== 'object' || args === null) return null;
  const { command, input } = args as Readonly<Record<string, unknown>>;
  const text = command ?? input;
  return typeof text === 'string' ? text : null;
}

/** The rule that a tool's permission in the settings stands for; null when the mode's table decides. */
function permissionVerdict(tool: string, permission: ToolPermission | undefined): PolicyVerdict | null {
  if (permission === 'off') return { effect: 'deny', ruleId: `tool:${tool}`, rule: `${tool} is off in the settings` };
  if (permission !== 'allow' || alwaysAsksOnce(tool)) return null;
  return { effect: 'allow', ruleId: `tool:${tool}`, rule: `${tool} is set to allow in the settings` };
}

function hostOf({ kind, target }: Effect): string | null {
  return kind === 'network' && URL.canParse(target) ? new URL(target).hostname.toLowerCase() : null;
}

const accessOf = ({ kind }: Effect): 'read' | 'write' | null =>
  kind.startsWith('read-') ? 'read' : kind.startsWith('write-') ? 'write' : null;

class RulePolicy implements Policy {
  readonly #rules: readonly ReadRule[];
  readonly #permissions: Readonly<Record<string, ToolPermission>>;
  readonly #facts: PolicyFacts;
  readonly #isSecret: (path: string) => boolean;

  constructor(rules: readonly Rule[], permissions: Readonly<Record<string, ToolPermission>>, facts: PolicyFacts) {
    this.#rules = rules.flatMap((rule) => {
      const match = readRule(rule);
      if (match === null) return [];
      const verdict = { effect: rule.effect, ruleId: rule.id, rule: `${rule.effect} ${rule.match}` };
      return [{ rule, match, verdict }];
    });
    this.#permissions = permissions;
    this.#facts = facts;
    this.#isSecret = facts.isSecret ?? createSecretPaths();
  }

  /** Loads the grammar for a call that has to be read by it; null when nothing is to be waited for. */
  ready(call: Pick<Call, 'tool' | 'args'>): Promise<void> | null {
    if (shellGrammar() !== null || commandIn({ ...call, effects: [] }) === null || !this.#readsCommands()) return null;
    return loadShellGrammar();
  }

  judge(call: Call): PolicyVerdict | null {
    // Each call is judged several times, and most people have no rules.
    if (this.#rules.length === 0 && commandIn(call) === null) return this.#permission(call.tool);
    const verdicts = this.#plainVerdicts(call);
    const judged = this.#judgeCommand(call, verdicts);
    // An allow rule on the whole tool was weighed with the command.
    const others = judged === null ? verdicts : verdicts.filter(({ effect }) => effect !== 'allow');
    return worstOf(judged?.verdict ? [judged.verdict, ...others] : others);
  }

  uncovered(call: Call): string | null {
    return this.#judgeCommand(call, this.#plainVerdicts(call))?.uncovered ?? null;
  }

  /** What rules about tools, paths and hosts, and the tool's permission, say. */
  #plainVerdicts(call: Call): PolicyVerdict[] {
    const { tool } = call;
    const verdicts = this.#live()
      .filter(({ rule, match }) => this.#speaksOf(match, rule.effect, call))
      .filter(({ verdict }) => verdict.effect !== 'allow' || !alwaysAsksOnce(tool))
      .map(({ verdict }) => verdict);
    const permission = this.#permission(tool);
    return permission === null ? verdicts : [...verdicts, permission];
  }

  #permission(tool: string): PolicyVerdict | null {
    return permissionVerdict(tool, Object.hasOwn(this.#permissions, tool) ? this.#permissions[tool] : undefined);
  }

  #speaksOf(match: RuleMatch, effect: Rule['effect'], call: Call): boolean {
    if (match.kind === 'tool') return match.tool === call.tool;
    if (match.kind === 'host') return call.effects.some((each) => isHost(match.host, hostOf(each)));
    if (match.kind === 'command') return false;
    const touched = call.effects.filter((each) => accessOf(each) === match.access);
    if (effect !== 'allow') return touched.some(({ target }) => speaksOfPath(match.pattern, this.#relative(target)));
    // An allow rule speaks of a call when it covers all that the call writes.
    return touched.length > 0 && touched.every(({ target }) => this.#coveredBy(match.pattern, target));
  }

  #judgeCommand(call: Call, verdicts: readonly PolicyVerdict[]): CommandJudgement | null {
    const command = commandIn(call);
    if (command === null) return null;
    const allowsAll = verdicts.find(({ effect }) => effect === 'allow') ?? null;
    // In a shell that stays, what ran before may have changed what words mean; and a line of input is no command.
    const facts = this.#commandFacts();
    return judgeCommand(command, { ...facts, lasting: call.tool === 'shell_session' }, allowsAll);
  }

  #commandFacts(): CommandFacts {
    const rules: CommandRule[] = this.#live().flatMap(({ rule, match, verdict }) =>
      match.kind === 'command'
        ? [{ id: rule.id, effect: rule.effect, rule: verdict.rule, text: match.text, pattern: match.pattern }]
        : [],
    );
    const paths = this.#live().flatMap(({ match, verdict }) => (match.kind === 'path' ? [{ match, verdict }] : []));
    return {
      rules,
      posix: this.#facts.posix ?? true,
      isGuarded: (path) => this.#isGuarded(path),
      coversFile: (access, path) => {
        if (this.#isGuarded(path)) return false;
        if (access === 'read') return true;
        return paths.some(
          ({ match, verdict }) =>
            verdict.effect === 'allow' && match.access === 'write' && this.#coveredBy(match.pattern, path),
        );
      },
      strictOnFile: (access, path) => {
        const strict = paths.filter(({ match, verdict }) => verdict.effect !== 'allow' && match.access === access);
        if (path === null) return strict[0] ? { ...strict[0].verdict, effect: 'ask' } : null;
        const relative = this.#relative(path);
        return worstOf(
          strict.filter(({ match }) => speaksOfPath(match.pattern, relative)).map(({ verdict }) => verdict),
        );
      },
    };
  }

  /** Rules whose time is not over. */
  #live(): readonly ReadRule[] {
    const nowMs = this.#facts.nowMs?.() ?? 0;
    return this.#rules.filter(({ rule }) => rule.expiresAtMs === undefined || nowMs < rule.expiresAtMs);
  }

  /** Whether any rule needs commands to be read: those about words and paths, and a wholly allowed tool. */
  #readsCommands(): boolean {
    const allowed = this.#permissions['shell'] === 'allow' || this.#permissions['shell_session'] === 'allow';
    return (
      allowed ||
      this.#live().some(
        ({ match, rule }) => match.kind !== 'host' && (match.kind !== 'tool' || rule.effect === 'allow'),
      )
    );
  }

  /** A path as rules see it: relative to the folder where it lies in it. */
  #relative(path: string): string {
    const { root } = this.#facts;
    const resolved = resolvedPath(path) ?? path;
    return root !== undefined && resolved.startsWith(`${root}/`) ? resolved.slice(root.length + 1) : resolved;
  }

  #coveredBy(pattern: PathPattern, path: string): boolean {
    const relative = this.#relative(path);
    return !this.#isGuarded(relative) && coversPath(pattern, relative);
  }

  #isGuarded(path: string): boolean {
    const relative = this.#relative(path);
    const outside = relative.startsWith('/') || resolvedPath(relative) === null;
    return outside || relative === '' || isProtectedPath(relative) || this.#isSecret(relative);
  }
}

/** `example.com` also covers its subdomains. */
const isHost = (wanted: string, host: string | null): boolean =>
  host !== null && (wanted === '*' || host === wanted || host.endsWith(`.${wanted}`));

function worstOf<T extends Pick<PolicyVerdict, 'effect'>>(verdicts: readonly T[]): T | null {
  return verdicts.reduce<T | null>(
    (worst, each) => (worst === null || STRICTNESS[each.effect] > STRICTNESS[worst.effect] ? each : worst),
    null,
  );
}

/**
 * The policy of these rules and tool permissions (of settings; they may be read anew for each session). Rules that
 * assertRuleAllowed refuses never allow, wherever they came from.
 */
export function createPolicy(
  rules: readonly Rule[],
  toolPermissions: Readonly<Record<string, ToolPermission>> = {},
  facts: PolicyFacts = {},
): Required<Pick<Policy, 'judge' | 'ready' | 'uncovered'>> {
  return new RulePolicy(rules, toolPermissions, facts);
}

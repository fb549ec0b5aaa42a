// The one gate. Every tool call passes it and there is no second way to run a tool: registered -> enabled -> arguments
// valid -> mode -> rules (deny ends it) -> what the tool itself asks for -> approver. The verdict is bound to the digest of
// the prepared effect, and all that may have been narrowed is read once more right before the start. It fails closed.
import type { DecidedBy, Effect, Grant } from '../contract/authority.ts';
import type { ResultStatus } from '../contract/entries.ts';
import { askApprover } from './ask-approver.ts';
import { GIVEN_UP, settleWithin } from './await-signal.ts';
import { strictest, type Cell } from './decision-table.ts';
import type { Asking, GateEnvironment, GateResult, ProposedCall, VerdictData } from './gate-types.ts';
import { isOffered, notOfferedIn, whyAsked } from './modes.ts';
import type { ApprovalAnswer, PolicyVerdict, PreparedCall, Tool, ToolContext } from './ports.ts';
import { prepareSealed } from './sealed-tool.ts';

/** A call that passed `prepare`: what is judged from there on. */
interface Judged {
  readonly tool: Tool;
  readonly args: unknown;
  readonly prepared: PreparedCall;
  readonly context: ToolContext;
}

type Check = Extract<DecidedBy, { who: 'gate' }>['check'];

/**
 * Passes one call through the gate; `asking` says how a question may be put, null = at once. Rejects only when the journal
 * cannot store a question.
 */
export async function gateCall(
  call: ProposedCall,
  env: GateEnvironment,
  asking: Asking | null = null,
): Promise<GateResult> {
  return new GatePass(call, env, asking).run();
}

class GatePass {
  readonly #call: ProposedCall;
  readonly #env: GateEnvironment;
  readonly #asking: Asking | null;
  #argumentsText: string;
  /** A person changed the arguments. */
  #changed = false;
  /** What a person said to exactly this effect, before it could run. */
  #standing: { digest: string; reason: string } | null = null;
  /** The approval that stands for what a person typed; it holds for the confinement under which they typed it. */
  #typed = false;

  constructor(call: ProposedCall, env: GateEnvironment, asking: Asking | null) {
    this.#call = call;
    this.#env = env;
    this.#asking = asking;
    this.#argumentsText = call.argumentsText;
  }

  async run(): Promise<GateResult> {
    const { name } = this.#call;
    const tool = this.#env.tools.get(name);
    if (!tool) {
      const known = [...this.#env.tools.keys()].filter((other) => this.#env.isEnabled(other)).join(', ');
      return this.#end('unavailable', 'registered', `There is no tool "${name}". The tools are: ${known}.`);
    }
    return this.#off(tool) ?? this.#answeredBefore() ?? this.#checked(tool);
  }

  /** A person's answer that was stored: a denial ends the call, an allowance stands for the effect that it was given on. */
  #answeredBefore(): GateResult | null {
    const { answered } = this.#call;
    if (!answered) return null;
    if (answered.decision === 'deny') return this.#end('denied', { who: 'person' }, answered.reason);
    this.#standing = { digest: answered.digest, reason: answered.reason };
    this.#change(answered.changed);
    return null;
  }

  #change(argumentsText: string | undefined): boolean {
    if (argumentsText === undefined || argumentsText === this.#argumentsText) return false;
    this.#argumentsText = argumentsText;
    this.#changed = true;
    return true;
  }

  /** From "arguments valid" on; also where arguments that a person changed come in again. */
  async #checked(tool: Tool): Promise<GateResult> {
    const { validator, limits, context, signal, clock } = this.#env;
    const check = await validator.check(tool.declaration, this.#argumentsText, limits.argumentBytes);
    if (!check.ok) return this.#end('invalid', 'arguments', check.message);
    const loading = this.#loadRules(tool, check.value);
    if (loading !== null) await settleWithin(loading, { signal, clock, graceMs: 0 });
    const early = this.#off(tool) ?? this.#notOffered(tool) ?? this.#denied(tool, check.value);
    if (early) return early;
    const given = context(this.#call.callId);
    const preparing = prepareSealed(tool, check.value, given);
    const prepared = await settleWithin(preparing, { signal, clock, graceMs: 0 });
    if (prepared === GIVEN_UP || signal.aborted)
      return this.#end('cancelled', 'prepare', 'Cancelled before it started.');
    if ('refused' in prepared) return this.#end('error', 'prepare', prepared.content);
    return this.#decide({ tool, args: check.value, prepared, context: given });
  }

  async #decide(judged: Judged): Promise<GateResult> {
    const { tool, args, prepared } = judged;
    const refused = this.#notOffered(tool, prepared) ?? this.#denied(tool, args, prepared);
    if (refused) return refused;
    const { cell, by, why } = this.#cell(judged);
    if (cell === 'not-offered') return this.#endByMode(tool, prepared);
    if (cell === 'runs') return this.#allow(judged, { by, reason: why, lasting: 'once' });
    if (this.#typed) {
      return this.#allow(judged, { by: { who: 'person' }, reason: 'You changed it and allowed it.', lasting: 'once' });
    }
    if (this.#standing?.digest === prepared.digest) {
      return this.#allow(judged, { by: { who: 'person' }, reason: this.#standing.reason, lasting: 'once' });
    }
    return this.#ask(judged, { grant: cell === 'asks' ? prepared.grant : null, why });
  }

  /** The table's cell after rules and grants, and who decides it. `why` = a reason, or what goes after "because". */
  #cell({ tool, args, prepared }: Judged): { cell: Cell; by: DecidedBy; why: string } {
    const env = this.#env;
    const mode = env.mode();
    const by: DecidedBy = { who: 'mode', mode };
    const { cell, effect } = strictest(asConfined(prepared, env.confinement()), mode, env.confinement());
    if (cell === 'not-offered' || effect === null) return { cell: 'not-offered', by, why: '' };
    if (cell === 'asks-once') return { cell, by, why: whyAsked(effect) };
    const rule = this.#judge(tool, args, prepared.effects);
    const asks = cell === 'asks' || rule?.effect === 'ask';
    if (!asks) return { cell, by, why: `Runs without asking in ${mode} mode.` };
    if (rule?.effect === 'allow') {
      const why = `Your rule ${namedRule(rule)} allows it.`;
      return { cell: 'runs', by: { who: 'rule', ruleId: rule.ruleId, rule: rule.rule }, why };
    }
    const granted = prepared.grant === null ? null : env.findGrant(prepared.grant);
    if (granted) {
      const why = `Allowed for this session: ${prepared.grant?.describes ?? ''}.`;
      return { cell: 'runs', by: { who: 'grant', ...granted }, why };
    }
    if (rule?.effect === 'ask') return { cell: 'asks', by, why: `your rule ${namedRule(rule)} asks` };
    const uncovered = this.#uncovered(tool, args, prepared.effects);
    return { cell: 'asks', by, why: uncovered === null ? whyAsked(effect) : `${whyAsked(effect)}, and ${uncovered}` };
  }

  async #ask(judged: Judged, how: { grant: Grant | null; why: string }): Promise<GateResult> {
    const { approver } = this.#env;
    const { prepared, tool } = judged;
    if (!approver) {
      const policy = { who: 'policy', policy: 'nobody can answer' } as const;
      return this.#end('denied', policy, `Denied: ${how.why}, and nobody is there to answer.`, prepared);
    }
    if (this.#asking?.mayAsk(prepared, how.grant) === false) return { type: 'not-now', prepared };
    const asked = { call: this.#call, tool: tool.declaration.name, argumentsText: this.#argumentsText, prepared };
    const answer = await askApprover({ ...asked, ...how }, { env: this.#env, approver, asking: this.#asking });
    if (answer === GIVEN_UP) {
      return this.#end('cancelled', 'prepare', 'Cancelled while it waited for your answer.', prepared);
    }
    return this.#answered(judged, { answer, grant: how.grant });
  }

  async #answered(judged: Judged, how: { answer: ApprovalAnswer; grant: Grant | null }): Promise<GateResult> {
    const { answer, grant } = how;
    const { prepared } = judged;
    if (answer.type === 'suspend') return { type: 'suspend' };
    if (answer.type === 'deny') {
      const person = answer.by === 'person';
      const by: DecidedBy = person ? { who: 'person' } : { who: 'policy', policy: answer.reason };
      const reason = answer.reason.trim() === '' ? '.' : `: ${answer.reason.trim()}`;
      return this.#end('denied', by, `${person ? 'The person denied this call' : 'Denied'}${reason}`, prepared);
    }
    if (answer.digest !== prepared.digest) {
      const words = 'Denied: the answer was given for something else than what would run.';
      return this.#end('denied', 'changed', words, prepared);
    }
    if (this.#change(answer.changedArguments)) {
      this.#typed = true;
      return this.#checked(judged.tool);
    }
    const lasting = answer.lasting === 'session' && grant ? 'session' : 'once';
    if (lasting === 'session' && grant) this.#env.addGrant(grant);
    const reason = lasting === 'session' ? 'You allowed it for this session.' : 'You allowed it once.';
    return this.#allow(judged, { by: { who: 'person' }, reason, lasting });
  }

  #allow(judged: Judged, how: Pick<VerdictData, 'by' | 'reason' | 'lasting'>): GateResult {
    const { tool, prepared, context } = judged;
    const verdict = this.#verdict({ decision: 'run', ...how }, prepared);
    return {
      type: 'run',
      tool,
      prepared,
      context,
      verdict,
      lastLook: () => this.#lastLook(judged, how.by),
      again: () => this.#again(judged, how),
    };
  }

  /** Prepares once more: a person's answer stands for the very same effect, anything else is judged as new. */
  #again({ tool, prepared }: Judged, how: Pick<VerdictData, 'by' | 'reason'>): Promise<GateResult> {
    this.#typed = false;
    this.#standing = how.by.who === 'person' ? { digest: prepared.digest, reason: how.reason } : null;
    return this.#checked(tool);
  }

  /** What may have been narrowed since: null when the verdict still stands, else the way on. */
  #lastLook(judged: Judged, by: DecidedBy): Promise<GateResult> | null {
    const { tool, args, prepared, context } = judged;
    const { signal, confinement } = this.#env;
    if (signal.aborted) {
      return Promise.resolve(this.#end('cancelled', 'prepare', 'Cancelled before it started.', prepared));
    }
    const refused = this.#off(tool, prepared) ?? this.#notOffered(tool, prepared) ?? this.#denied(tool, args, prepared);
    if (refused) return Promise.resolve(refused);
    if (confinement() !== context.confinement) {
      // What was prepared, shown and allowed was for another fence: it is prepared and, where need be, asked anew.
      this.#typed = false;
      this.#standing = null;
      return this.#checked(tool);
    }
    const { cell } = this.#cell(judged);
    if (cell === 'not-offered') return Promise.resolve(this.#endByMode(tool, prepared));
    return by.who === 'person' || cell === 'runs' ? null : this.#decide(judged);
  }

  #off(tool: Tool, prepared?: PreparedCall): GateResult | null {
    const { name } = tool.declaration;
    if (this.#env.isEnabled(name)) return null;
    const words = `The tool ${name} is switched off in this chat. Go on without it.`;
    return this.#end('unavailable', 'enabled', words, prepared);
  }

  #notOffered(tool: Tool, prepared?: PreparedCall): GateResult | null {
    return isOffered(this.#env.mode(), tool.declaration.class) ? null : this.#endByMode(tool, prepared);
  }

  #endByMode(tool: Tool, prepared: PreparedCall | undefined): GateResult {
    const mode = this.#env.mode();
    return this.#end('denied', { who: 'mode', mode }, notOfferedIn(mode, tool.declaration.name), prepared);
  }

  #denied(tool: Tool, args: unknown, prepared?: PreparedCall): GateResult | null {
    const verdict = this.#judge(tool, args, prepared?.effects ?? []);
    if (verdict?.effect !== 'deny') return null;
    const by: DecidedBy = { who: 'rule', ruleId: verdict.ruleId, rule: verdict.rule };
    return this.#end('denied', by, `Denied by the person's rule ${namedRule(verdict)}. Go on without it.`, prepared);
  }

  /** What the rules say; rules that cannot be read deny. */
  #judge(tool: Tool, args: unknown, effects: readonly Effect[]): PolicyVerdict | null {
    try {
      return this.#env.policy?.judge({ tool: tool.declaration.name, args, effects }) ?? null;
    } catch {
      return { effect: 'deny', ruleId: 'unreadable', rule: 'the rules could not be read' };
    }
  }

  /** What allow rules do not cover; a policy that fails at that says nothing. */
  #uncovered(tool: Tool, args: unknown, effects: readonly Effect[]): string | null {
    try {
      return this.#env.policy?.uncovered?.({ tool: tool.declaration.name, args, effects }) ?? null;
    } catch {
      return null;
    }
  }

  /** Lets the policy load what it judges with. A failure is none here: it then judges as if nothing could be read. */
  #loadRules(tool: Tool, args: unknown): Promise<void> | null {
    try {
      return this.#env.policy?.ready?.({ tool: tool.declaration.name, args })?.catch(() => undefined) ?? null;
    } catch {
      return null;
    }
  }

  #end(status: ResultStatus, by: DecidedBy | Check, content: string, prepared?: PreparedCall): GateResult {
    const decidedBy: DecidedBy = typeof by === 'string' ? { who: 'gate', check: by } : by;
    const verdict = this.#verdict({ decision: 'deny', by: decidedBy, reason: content, lasting: 'once' }, prepared);
    return { type: 'answer', status, content, verdict };
  }

  #verdict(
    how: Pick<VerdictData, 'decision' | 'by' | 'reason' | 'lasting'>,
    prepared: PreparedCall | undefined,
  ): VerdictData {
    const changes = this.#changed ? { original: this.#call.argumentsText, changed: this.#argumentsText } : {};
    return {
      turnId: this.#env.turnId,
      callId: this.#call.callId,
      tool: this.#call.name,
      summary: prepared?.summary ?? this.#call.name,
      effects: prepared ? [...prepared.effects] : [],
      digest: prepared?.digest ?? '',
      confined: prepared?.confined ?? false,
      ...how,
      ...changes,
    };
  }
}

/** A rule as the person wrote it, and the part of the call that it decided on where that is not the whole. */
function namedRule({ rule, on }: PolicyVerdict): string {
  return on === undefined ? `"${rule}"` : `"${rule}", on "${on}",`;
}

/** A command that would not be inside the confinement although that is on counts as one that cannot be confined. */
function asConfined(prepared: PreparedCall, confinement: boolean): readonly Effect[] {
  if (!confinement || prepared.confined) return prepared.effects;
  return prepared.effects.map((effect) =>
    effect.kind === 'command' ? { ...effect, kind: 'command-unconfinable' } : effect,
  );
}

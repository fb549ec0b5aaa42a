// The one gate. Every tool call passes it and there is no second way to run a tool: registered -> enabled -> arguments
// valid -> mode -> rules (deny ends it) -> what the tool itself asks for -> approver. The verdict is bound to the digest of
// the prepared effect, and all that may have been narrowed is read once more right before the start. It fails closed.
import { isAppError } from '../base/app-error.ts';
import { newId } from '../base/new-id.ts';
import type { DecidedBy, Effect, Grant, Mode } from '../contract/authority.ts';
import type { EntryData, NewEntry, ResultStatus } from '../contract/entries.ts';
import type { CallId, EntryId, TurnId } from '../contract/ids.ts';
import type { Limits } from '../contract/limits.ts';
import { GIVEN_UP, settleWithin } from './await-signal.ts';
import { strictest, type Cell } from './decision-table.ts';
import { isOffered, notOfferedIn, whyAsked } from './modes.ts';
import type {
  ApprovalAnswer,
  ApprovalQuestion,
  Approver,
  Clock,
  Policy,
  PolicyVerdict,
  PreparedCall,
  Tool,
  ToolContext,
} from './ports.ts';
import { prepareSealed } from './sealed-tool.ts';
import type { ArgumentValidator } from './validate-arguments.ts';

/** One call as the model proposed it. */
export interface ProposedCall {
  readonly callId: CallId;
  readonly name: string;
  readonly argumentsText: string;
}

/** What the gate reads, live: mode, enabled tools and confinement may change while a call waits. */
export interface GateEnvironment {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly limits: Limits;
  readonly validator: ArgumentValidator;
  readonly approver: Approver | null;
  readonly policy: Policy | null;
  readonly clock: Clock;
  readonly turnId: TurnId;
  readonly signal: AbortSignal;
  readonly mode: () => Mode;
  readonly confinement: () => boolean;
  readonly isEnabled: (tool: string) => boolean;
  /** The session grant that covers this thing, or null. */
  readonly findGrant: (grant: Grant) => { grantedBy: string } | null;
  readonly addGrant: (grant: Grant) => void;
  readonly context: (callId: CallId) => ToolContext;
  /** Stores the question durably before it is asked, so that it is shown again after a crash. */
  readonly recordQuestion: (entry: NewEntry) => Promise<void>;
}

type VerdictData = EntryData<'verdict'>;

/**
 * `run`: go on with exactly this, in exactly this context, after `lastLook`, which gives null when the verdict still
 * stands and otherwise a new one (synchronously null: no wait may lie between it and the start). `answer`: the call ends
 * here. `suspend`: nobody can answer now.
 */
export type GateResult =
  | {
      type: 'run';
      tool: Tool;
      prepared: PreparedCall;
      context: ToolContext;
      verdict: VerdictData;
      lastLook: () => Promise<GateResult> | null;
    }
  | { type: 'answer'; status: ResultStatus; content: string; verdict: VerdictData }
  | { type: 'suspend' };

/** A call that passed `prepare`: what is judged from there on. */
interface Judged {
  readonly tool: Tool;
  readonly args: unknown;
  readonly prepared: PreparedCall;
  readonly context: ToolContext;
}

type Check = Extract<DecidedBy, { who: 'gate' }>['check'];

/** Passes one call through the gate. Rejects only when the journal cannot store a question. */
export async function gateCall(call: ProposedCall, env: GateEnvironment): Promise<GateResult> {
  return new GatePass(call, env).run();
}

class GatePass {
  readonly #call: ProposedCall;
  readonly #env: GateEnvironment;
  #argumentsText: string;
  /** A person changed the arguments. */
  #changed = false;
  /** The approval that stands for what a person typed; it holds for the confinement under which they typed it. */
  #typed = false;

  constructor(call: ProposedCall, env: GateEnvironment) {
    this.#call = call;
    this.#env = env;
    this.#argumentsText = call.argumentsText;
  }

  async run(): Promise<GateResult> {
    const { name } = this.#call;
    const tool = this.#env.tools.get(name);
    if (!tool) {
      const known = [...this.#env.tools.keys()].filter((other) => this.#env.isEnabled(other)).join(', ');
      return this.#end('unavailable', 'registered', `There is no tool "${name}". The tools are: ${known}.`);
    }
    return this.#off(tool) ?? this.#checked(tool);
  }

  /** From "arguments valid" on; also where arguments that a person changed come in again. */
  async #checked(tool: Tool): Promise<GateResult> {
    const { validator, limits, context, signal, clock } = this.#env;
    const check = await validator.check(tool.declaration, this.#argumentsText, limits.argumentBytes);
    if (!check.ok) return this.#end('invalid', 'arguments', check.message);
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
      const why = `Your rule "${rule.rule}" allows it.`;
      return { cell: 'runs', by: { who: 'rule', ruleId: rule.ruleId, rule: rule.rule }, why };
    }
    const granted = prepared.grant === null ? null : env.findGrant(prepared.grant);
    if (granted) {
      const why = `Allowed for this session: ${prepared.grant?.describes ?? ''}.`;
      return { cell: 'runs', by: { who: 'grant', ...granted }, why };
    }
    return { cell: 'asks', by, why: rule?.effect === 'ask' ? `your rule "${rule.rule}" asks` : whyAsked(effect) };
  }

  async #ask(judged: Judged, how: { grant: Grant | null; why: string }): Promise<GateResult> {
    const { approver, signal, clock } = this.#env;
    const { prepared } = judged;
    if (!approver) {
      const policy = { who: 'policy', policy: 'nobody can answer' } as const;
      return this.#end('denied', policy, `Denied: ${how.why}, and nobody is there to answer.`, prepared);
    }
    const question = await this.#recordQuestion(judged, how);
    const answer = await settleWithin(askSafely(approver, question, signal), { signal, clock, graceMs: 0 });
    if (answer === GIVEN_UP || signal.aborted) {
      return this.#end('cancelled', 'prepare', 'Cancelled while it waited for your answer.', prepared);
    }
    return this.#answered(judged, { answer, grant: how.grant });
  }

  async #recordQuestion(judged: Judged, how: { grant: Grant | null; why: string }): Promise<ApprovalQuestion> {
    const { clock, turnId, recordQuestion } = this.#env;
    const { prepared } = judged;
    const { callId } = this.#call;
    const { summary, effects, preview, digest } = prepared;
    const tool = judged.tool.declaration.name;
    const argumentsText = this.#argumentsText;
    const entryId = newId<EntryId>(clock.nowMs());
    const shown = { turnId, callId, tool, summary, argumentsText, preview, digest, why: how.why, grant: how.grant };
    await recordQuestion({
      id: entryId,
      atMs: clock.nowMs(),
      kind: 'approval-request',
      data: { ...shown, effects: [...effects] },
    });
    return { callId, turnId, tool, argumentsText, prepared, why: how.why, grantable: how.grant !== null, entryId };
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
    if (answer.changedArguments !== undefined && answer.changedArguments !== this.#argumentsText) {
      this.#argumentsText = answer.changedArguments;
      this.#changed = true;
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
    const lastLook = (): Promise<GateResult> | null => this.#lastLook(judged, how.by);
    return { type: 'run', tool, prepared, context, verdict, lastLook };
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
    return this.#end('denied', by, `Denied by the person's rule "${verdict.rule}". Go on without it.`, prepared);
  }

  /** What the rules say; rules that cannot be read deny. */
  #judge(tool: Tool, args: unknown, effects: readonly Effect[]): PolicyVerdict | null {
    try {
      return this.#env.policy?.judge({ tool: tool.declaration.name, args, effects }) ?? null;
    } catch {
      return { effect: 'deny', ruleId: 'unreadable', rule: 'the rules could not be read' };
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

/** A command that would not be inside the confinement although that is on counts as one that cannot be confined. */
function asConfined(prepared: PreparedCall, confinement: boolean): readonly Effect[] {
  if (!confinement || prepared.confined) return prepared.effects;
  return prepared.effects.map((effect) =>
    effect.kind === 'command' ? { ...effect, kind: 'command-unconfinable' } : effect,
  );
}

async function askSafely(approver: Approver, question: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalAnswer> {
  try {
    // A copy, so that an approver that gives nothing at all is read as a denial too.
    return { ...(await approver.ask(question, signal)) };
  } catch (cause) {
    const reason = isAppError(cause) ? cause.message : 'the question could not be asked';
    return { type: 'deny', reason, by: 'policy' };
  }
}

// The one gate. Every tool call passes it and there is no second way to run a tool: registered -> enabled -> arguments
// valid -> mode -> rules (deny ends it) -> what the tool itself asks for -> approver. The verdict is bound to the digest of
// the prepared effect, and is read once more right before the start.
import { AppError } from '../base/app-error.ts';
import { newId } from '../base/new-id.ts';
import type { DecidedBy, Grant, Mode } from '../contract/authority.ts';
import type { EntryData, NewEntry, ResultStatus } from '../contract/entries.ts';
import type { CallId, EntryId, TurnId } from '../contract/ids.ts';
import type { Limits } from '../contract/limits.ts';
import { strictest, type Cell } from './decision-table.ts';
import { isOffered, whyAsked } from './modes.ts';
import type { ApprovalAnswer, Approver, Clock, Policy, PreparedCall, Tool, ToolContext, ToolRefusal } from './ports.ts';
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
  mode(): Mode;
  confinement(): boolean;
  isEnabled(tool: string): boolean;
  /** The session grant that covers this thing, or null. */
  findGrant(grant: Grant): { grantedBy: string } | null;
  addGrant(grant: Grant): void;
  context(callId: CallId): ToolContext;
  /** Stores the question durably before it is asked, so that it is shown again after a crash. */
  recordQuestion(entry: NewEntry): Promise<void>;
}

type VerdictData = EntryData<'verdict'>;

/** `run`: go on with exactly this. `answer`: the call ends here. `suspend`: nobody can answer now. */
export type GateResult =
  | { type: 'run'; tool: Tool; prepared: PreparedCall; verdict: VerdictData; argumentsText: string }
  | { type: 'answer'; status: ResultStatus; content: string; verdict: VerdictData }
  | { type: 'suspend' };

/** Passes one call through the gate. Rejects only when the journal cannot store a question. */
export async function gateCall(call: ProposedCall, env: GateEnvironment): Promise<GateResult> {
  return new GatePass(call, env).run();
}

class GatePass {
  readonly #call: ProposedCall;
  readonly #env: GateEnvironment;
  #argumentsText: string;
  /** Set once a person changed the arguments: the approval that stands for what they typed. */
  #changed = false;

  constructor(call: ProposedCall, env: GateEnvironment) {
    this.#call = call;
    this.#env = env;
    this.#argumentsText = call.argumentsText;
  }

  async run(): Promise<GateResult> {
    const { name } = this.#call;
    const tool = this.#env.tools.get(name);
    if (!tool) {
      const known = [...this.#env.tools.keys()].join(', ');
      return this.#end('unavailable', 'registered', `There is no tool "${name}". The tools are: ${known}.`);
    }
    if (!this.#env.isEnabled(name)) {
      return this.#end('unavailable', 'enabled', `The tool ${name} is switched off in this chat. Go on without it.`);
    }
    return this.#checked(tool);
  }

  /** From "arguments valid" on; also where arguments that a person changed come in again. */
  async #checked(tool: Tool): Promise<GateResult> {
    const check = await this.#env.validator.check(
      tool.declaration,
      this.#argumentsText,
      this.#env.limits.argumentBytes,
    );
    if (!check.ok) return this.#end('invalid', 'arguments', check.message);
    const refusedByMode = this.#offered(tool);
    if (refusedByMode) return refusedByMode;
    const early = this.#deny(tool, check.value, []);
    if (early) return early;
    const prepared = await prepareSafely(tool, check.value, this.#env.context(this.#call.callId));
    if (this.#env.signal.aborted) return this.#end('cancelled', 'prepare', 'Cancelled before it started.');
    if ('refused' in prepared) return this.#end('error', 'prepare', prepared.content);
    return this.#decide(tool, check.value, prepared);
  }

  async #decide(tool: Tool, args: unknown, prepared: PreparedCall): Promise<GateResult> {
    const denied = this.#deny(tool, args, prepared);
    if (denied) return denied;
    const { cell, by, why } = this.#cell(tool, args, prepared);
    if (cell === 'not-offered') {
      return this.#end('denied', { who: 'mode', mode: this.#env.mode() }, notOffered(tool, this.#env.mode()), prepared);
    }
    if (cell === 'runs') return this.#allow(tool, prepared, { by, reason: why, lasting: 'once' });
    if (this.#changed) {
      const reason = 'You changed it and allowed it.';
      return this.#allow(tool, prepared, { by: { who: 'person' }, reason, lasting: 'once' });
    }
    return this.#ask(tool, prepared, { grantable: cell === 'asks', why });
  }

  /** The table's cell after rules and grants, and who decides it. */
  #cell(tool: Tool, args: unknown, prepared: PreparedCall): { cell: Cell; by: DecidedBy; why: string } {
    const env = this.#env;
    const mode = env.mode();
    const { cell, effect } = strictest(prepared.effects, mode, env.confinement());
    const byMode: DecidedBy = { who: 'mode', mode };
    if (cell === 'not-offered' || effect === null) return { cell, by: byMode, why: 'not offered in this mode' };
    const verdict = env.policy?.judge({ tool: tool.declaration.name, args, effects: prepared.effects }) ?? null;
    if (verdict?.effect === 'ask' && cell === 'runs') {
      return { cell: 'asks', by: byMode, why: `your rule "${verdict.rule}" asks` };
    }
    if (cell === 'asks' && verdict?.effect === 'allow') {
      const by: DecidedBy = { who: 'rule', ruleId: verdict.ruleId, rule: verdict.rule };
      return { cell: 'runs', by, why: `Your rule "${verdict.rule}" allows it.` };
    }
    if (cell === 'asks' && prepared.grant) {
      const grant = env.findGrant(prepared.grant);
      if (grant)
        return {
          cell: 'runs',
          by: { who: 'grant', ...grant },
          why: `Allowed for this session: ${prepared.grant.describes}.`,
        };
    }
    if (cell === 'runs') return { cell, by: byMode, why: `Runs without asking in ${mode} mode.` };
    return { cell, by: byMode, why: whyAsked(effect) };
  }

  async #ask(tool: Tool, prepared: PreparedCall, how: { grantable: boolean; why: string }): Promise<GateResult> {
    const env = this.#env;
    if (!env.approver) {
      const policy = { who: 'policy', policy: 'nobody can answer' } as const;
      return this.#end('denied', policy, `Denied: ${how.why}, and nobody is there to answer.`, prepared);
    }
    const entryId = newId<EntryId>(env.clock.nowMs());
    const grant = how.grantable ? prepared.grant : null;
    await env.recordQuestion({
      id: entryId,
      atMs: env.clock.nowMs(),
      kind: 'approval-request',
      data: {
        turnId: env.turnId,
        callId: this.#call.callId,
        tool: tool.declaration.name,
        summary: prepared.summary,
        argumentsText: this.#argumentsText,
        effects: [...prepared.effects],
        preview: prepared.preview,
        digest: prepared.digest,
        why: how.why,
        grant,
      },
    });
    const question = {
      callId: this.#call.callId,
      turnId: env.turnId,
      tool: tool.declaration.name,
      argumentsText: this.#argumentsText,
      prepared,
      why: how.why,
      grantable: grant !== null,
      entryId,
    };
    const answer = await askSafely(env.approver, question, env.signal);
    if (env.signal.aborted)
      return this.#end('cancelled', 'prepare', 'Cancelled while it waited for your answer.', prepared);
    return this.#answered(tool, prepared, { answer, grant });
  }

  async #answered(
    tool: Tool,
    prepared: PreparedCall,
    how: { answer: ApprovalAnswer; grant: Grant | null },
  ): Promise<GateResult> {
    const { answer, grant } = how;
    if (answer.type === 'suspend') return { type: 'suspend' };
    if (answer.type === 'deny') {
      const by: DecidedBy = answer.by === 'person' ? { who: 'person' } : { who: 'policy', policy: answer.reason };
      const reason = answer.reason.trim();
      const content =
        answer.by === 'person' ? `The person denied this call${reason ? `: ${reason}` : '.'}` : `Denied: ${reason}`;
      return this.#end('denied', by, content, prepared);
    }
    if (answer.digest !== prepared.digest) {
      return this.#end(
        'denied',
        'changed',
        'Denied: the answer was given for something else than what would run.',
        prepared,
      );
    }
    if (answer.changedArguments !== undefined && answer.changedArguments !== this.#argumentsText) {
      this.#argumentsText = answer.changedArguments;
      this.#changed = true;
      return this.#checked(tool);
    }
    const lasting = answer.lasting === 'session' && grant ? 'session' : 'once';
    if (lasting === 'session' && grant) this.#env.addGrant(grant);
    const reason = lasting === 'session' ? 'You allowed it for this session.' : 'You allowed it once.';
    return this.#allow(tool, prepared, { by: { who: 'person' }, reason, lasting });
  }

  /** The last look: what may have been narrowed while the call was prepared or waited. */
  async #allow(
    tool: Tool,
    prepared: PreparedCall,
    how: { by: DecidedBy; reason: string; lasting: 'once' | 'session' },
  ): Promise<GateResult> {
    const name = tool.declaration.name;
    if (!this.#env.isEnabled(name)) {
      return this.#end(
        'unavailable',
        'enabled',
        `The tool ${name} was switched off meanwhile. Go on without it.`,
        prepared,
      );
    }
    const refusedByMode = this.#offered(tool);
    if (refusedByMode) return refusedByMode;
    const args: unknown = this.#argumentsText.trim() === '' ? {} : JSON.parse(this.#argumentsText);
    const denied = this.#deny(tool, args, prepared);
    if (denied) return denied;
    const verdict = this.#verdict({ decision: 'run', ...how }, prepared);
    return { type: 'run', tool, prepared, verdict, argumentsText: this.#argumentsText };
  }

  #offered(tool: Tool): GateResult | null {
    const mode = this.#env.mode();
    if (isOffered(mode, tool.declaration.class)) return null;
    return this.#end('denied', { who: 'mode', mode }, notOffered(tool, mode));
  }

  #deny(tool: Tool, args: unknown, of: PreparedCall | readonly never[]): GateResult | null {
    const prepared = 'effects' in of ? of : undefined;
    const effects = prepared ? prepared.effects : [];
    const verdict = this.#env.policy?.judge({ tool: tool.declaration.name, args, effects }) ?? null;
    if (verdict?.effect !== 'deny') return null;
    const by: DecidedBy = { who: 'rule', ruleId: verdict.ruleId, rule: verdict.rule };
    return this.#end('denied', by, `Denied by the person's rule "${verdict.rule}". Go on without it.`, prepared);
  }

  #end(
    status: ResultStatus,
    by: DecidedBy | Extract<DecidedBy, { who: 'gate' }>['check'],
    content: string,
    prepared?: PreparedCall,
  ): GateResult {
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

function notOffered(tool: Tool, mode: Mode): string {
  return `Not in ${mode} mode: ${tool.declaration.name} changes things or runs commands. Say what you would do instead.`;
}

async function prepareSafely(tool: Tool, args: unknown, context: ToolContext): Promise<PreparedCall | ToolRefusal> {
  try {
    return await tool.prepare(args, context);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    return {
      refused: true,
      content: `${tool.declaration.name} failed before it did anything: ${message}`,
      code: 'tool.failed',
    };
  }
}

async function askSafely(
  approver: Approver,
  question: Parameters<Approver['ask']>[0],
  signal: AbortSignal,
): Promise<ApprovalAnswer> {
  try {
    return await approver.ask(question, signal);
  } catch (cause) {
    const error = cause instanceof AppError ? cause.message : 'the question could not be asked';
    return { type: 'deny', reason: error, by: 'policy' };
  }
}

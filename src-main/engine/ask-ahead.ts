// Questions of one step that can be asked together are: while one call waits for its answer, the calls after it are
// looked at, and what they ask is asked as well. Answers may come in any order; the calls still run in theirs. An answer
// is stored at once, and stands for exactly the effect that was asked about.
import type { Effect, Grant } from '../contract/authority.ts';
import type { CallId } from '../contract/ids.ts';
import { STOPPED } from './await-signal.ts';
import { gateCall } from './gate-call.ts';
import type { Asking, GateEnvironment, GateResult, ProposedCall, VerdictData } from './gate-types.ts';
import type { PreparedCall } from './ports.ts';

const LOOK_WAIT_MS = 1000;

/** A call that was asked about before its turn. */
interface Ahead {
  readonly result: Promise<GateResult>;
  /** Resolves once the answer, if there is one, is stored. */
  readonly stored: Promise<void>;
  readonly effects: readonly Effect[];
  /** How many calls had taken effect when it was prepared. */
  readonly effectsBefore: number;
  inTurn: boolean;
}

/** What one look along the batch has passed: later calls may depend on it. */
interface Passed {
  readonly effects: Effect[];
  readonly grants: Set<string>;
}

export class AskAhead {
  readonly #calls: readonly ProposedCall[];
  readonly #env: GateEnvironment;
  readonly #record: (verdict: VerdictData) => Promise<void>;
  readonly #ahead = new Map<CallId, Ahead>();
  readonly #recorded = new Map<CallId, VerdictData>();
  /** Ends the waits of calls that were asked about before their turn; made for the first of them. */
  #waits: AbortController | null = null;
  #effects = 0;
  /** The look that goes on now; one that is not this any more asks nothing. */
  #look: Passed | null = null;
  #looking: Promise<void> = Promise.resolve();

  /** `record` stores a verdict durably. */
  constructor(input: {
    calls: readonly ProposedCall[];
    env: GateEnvironment;
    record: (verdict: VerdictData) => Promise<void>;
  }) {
    this.#calls = input.calls;
    this.#env = input.env;
    this.#record = input.record;
  }

  /** Whether this call was asked about before its turn. */
  has(callId: CallId): boolean {
    return this.#ahead.has(callId);
  }

  /** Whether this verdict is stored already: the same decision of the same person on the same effect. */
  isRecorded(verdict: VerdictData): boolean {
    const known = this.#recorded.get(verdict.callId);
    const isSame = known?.decision === verdict.decision && known.digest === verdict.digest;
    return isSame && known.by.who === verdict.by.who;
  }

  /** A call is about to take effect, or did: what was prepared before is prepared again in its turn. */
  tookEffect(): void {
    this.#effects += 1;
    this.#look = null;
  }

  /** The gate's answer to a call whose turn it is. Rejects when the journal cannot store a question or an answer. */
  async gate(index: number): Promise<GateResult> {
    const call = this.#calls[index];
    if (!call) throw new RangeError(`there is no call ${index}`);
    const ahead = this.#ahead.get(call.callId);
    try {
      const asking = this.#calls.length > 1 ? this.#inTurn(index) : null;
      const gated = ahead ? await this.#taken(index, { call, ahead }) : await gateCall(call, this.#env, asking);
      if (gated.type === 'suspend') await this.#lookToEnd();
      return gated;
    } finally {
      this.#look = null;
    }
  }

  /**
   * Ends all waits; gives the calls that were asked about and have no stored answer, in order. Rejects when the journal
   * failed to store one.
   */
  async letGo(): Promise<CallId[]> {
    if (this.#ahead.size === 0) return [];
    this.#look = null;
    this.#waits?.abort(STOPPED);
    const asked = [...this.#ahead];
    this.#ahead.clear();
    const stored = await Promise.allSettled(asked.map(([, ahead]) => ahead.stored));
    const failed = stored.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
    const waiting: CallId[] = [];
    for (const [callId, ahead] of asked) if (!(await this.#isAnswered(ahead))) waiting.push(callId);
    return waiting;
  }

  async #isAnswered(ahead: Ahead): Promise<boolean> {
    const gated = await ahead.result;
    return 'verdict' in gated && this.isRecorded(gated.verdict);
  }

  async #taken(index: number, { call, ahead }: { call: ProposedCall; ahead: Ahead }): Promise<GateResult> {
    ahead.inTurn = true;
    this.#lookOn(index, { effects: [...ahead.effects], grants: new Set() });
    const gated = await ahead.result;
    await ahead.stored;
    this.#ahead.delete(call.callId);
    return gated.type === 'run' && this.#effects !== ahead.effectsBefore ? gated.again() : gated;
  }

  /** How the call whose turn it is asks: once it does, the calls after it are looked at. */
  #inTurn(index: number): Asking {
    const passed: Passed = { effects: [], grants: new Set() };
    return {
      signal: this.#env.signal,
      mayAsk: (prepared, grant) => {
        note(passed, prepared, grant);
        return true;
      },
      asked: () => {
        this.#lookOn(index, passed);
      },
    };
  }

  #lookOn(index: number, passed: Passed): void {
    this.#look = passed;
    this.#looking = this.#lookAlong(index + 1, passed);
  }

  /** A turn that is left waiting has asked all that it can; a call that takes long to prepare is left for its turn. */
  async #lookToEnd(): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const cancel = this.#env.clock.after(LOOK_WAIT_MS, resolve);
    await Promise.race([this.#looking, late]);
    cancel();
  }

  /** Looks at the calls from `index` on, one after the other, for as long as the look is wanted. */
  async #lookAlong(index: number, passed: Passed): Promise<void> {
    for (const call of this.#calls.slice(index)) {
      if (this.#look !== passed || this.#env.signal.aborted) return;
      const known = this.#ahead.get(call.callId);
      if (known) passed.effects.push(...known.effects);
      else await this.#tryAhead(call, passed);
    }
  }

  /** Asks about one call if that can be done now; resolves when it is asked, or is left for its turn. */
  async #tryAhead(call: ProposedCall, passed: Passed): Promise<void> {
    const { promise: asked, resolve } = Promise.withResolvers<null>();
    const effectsBefore = this.#effects;
    this.#waits ??= new AbortController();
    let ahead: Ahead | null = null;
    const asking: Asking = {
      signal: AbortSignal.any([this.#env.signal, this.#waits.signal]),
      mayAsk: (prepared, grant) => {
        if (ahead?.inTurn === true) return true;
        if (this.#look !== passed || !isApart(prepared, grant, passed)) return false;
        note(passed, prepared, grant);
        const stored = result.then((gated) => (ahead?.inTurn === true ? undefined : this.#store(gated)));
        // Whoever takes the call, or lets it go, is told.
        stored.catch(() => undefined);
        const { effects } = prepared;
        ahead = { result, stored, effects, effectsBefore, inTurn: false };
        this.#ahead.set(call.callId, ahead);
        return true;
      },
      asked: () => {
        resolve(null);
      },
    };
    const result = gateCall(call, this.#env, asking);
    const left = await Promise.race([asked, result.catch(() => null)]);
    // A call that runs without a question, or is asked about later, still comes before those after it.
    if (left && 'prepared' in left) passed.effects.push(...left.prepared.effects);
  }

  /** Stores a person's answer that came before the call's turn: it is not asked for again after a restart. */
  async #store(gated: GateResult): Promise<void> {
    if (!('verdict' in gated) || gated.verdict.by.who !== 'person') return;
    this.#recorded.set(gated.verdict.callId, gated.verdict);
    await this.#record(gated.verdict);
  }
}

function note(passed: Passed, prepared: PreparedCall, grant: Grant | null): void {
  passed.effects.push(...prepared.effects);
  if (grant) passed.grants.add(keyOf(grant));
}

const keyOf = (grant: Grant): string => `${grant.tool}\n${grant.covers}`;

/** Whether a question stands by itself: no earlier one may answer it, and no earlier call changes what it is about. */
function isApart(prepared: PreparedCall, grant: Grant | null, passed: Passed): boolean {
  if (grant && passed.grants.has(keyOf(grant))) return false;
  const written = new Set(passed.effects.filter(({ kind }) => kind.startsWith('write-')).map(({ target }) => target));
  return !prepared.effects.some(({ target }) => written.has(target));
}

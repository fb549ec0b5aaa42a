// Ports: all that the engine asks of the world. Adapters live in providers/, tools/, store/, policy/ and app/; they see
// this file as types only. Every port that can wait takes an AbortSignal; none may keep work running after it settled.
import type { AuthoritySnapshot, EffectKind, Effect, Grant, Mode, ToolDeclaration } from '../contract/authority.ts';
import type {
  AssistantPart,
  Entry,
  EntryData,
  FileChange,
  FinishReason,
  NewEntry,
  Preview,
  ResultFacts,
  Usage,
} from '../contract/entries.ts';
import type { WireError } from '../contract/errors.ts';
import type { CallId, EntryId, SessionId, TurnId } from '../contract/ids.ts';
import type { Limits } from '../contract/limits.ts';

// ---- Clock -------------------------------------------------------------------------------------------------------

/** The only source of time and timers. */
export interface Clock {
  /** Unix milliseconds. */
  nowMs(): number;
  /** Calls `fire` once after `ms`; the answer cancels it. */
  after(ms: number, fire: () => void): () => void;
}

// ---- Model -------------------------------------------------------------------------------------------------------

/** What a model can do; null = unknown, then nothing is rejected or stripped (HIST-08). */
export interface ModelCapabilities {
  readonly tools: boolean | null;
  readonly systemPrompt: boolean | null;
  readonly reasoningHistory: boolean | null;
  readonly images: boolean | null;
  readonly contextWindow: number | null;
}

/** One message of a request, after projection. Objects of settled entries are the same between requests (identity). */
export type ModelMessage =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly parts: readonly AssistantPart[]; readonly model: string }
  | {
      readonly role: 'tool';
      readonly callId: CallId;
      readonly name: string;
      readonly content: string;
      readonly failed: boolean;
    };

/** A complete, valid request: each call of an assistant message has exactly one tool message after it. */
export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDeclaration[];
}

/**
 * What a model sends, in order. `call` comes complete and at most once a call. A stream without `finish` is a cut stream
 * and fails the round. `error` ends the stream and is the last event. `activity` = data came that is none of these.
 */
export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  /** `metadata` closes the block of reasoning before it; what follows is a block of its own. */
  | { readonly type: 'reasoning'; readonly text: string; readonly metadata?: Record<string, unknown> }
  /** A call grows: `bytes` of its arguments have come so far. */
  | { readonly type: 'call-draft'; readonly name: string; readonly bytes: number }
  | {
      readonly type: 'call';
      readonly providerId: string;
      readonly name: string;
      readonly argumentsText: string;
      readonly metadata?: Record<string, unknown>;
    }
  | { readonly type: 'activity' }
  /** `text`, `reasoning`: the whole answer where the provider tells it once more at the end; streamed parts begin it. */
  | {
      readonly type: 'finish';
      readonly reason: FinishReason;
      readonly usage: Usage | null;
      readonly text?: string;
      readonly reasoning?: string;
    }
  | { readonly type: 'error'; readonly error: WireError; readonly retryAfterMs: number | null };

/**
 * A model. Contract of `stream`: never throws and never rejects (failures are an `error` event), does no retry of its
 * own, reads no environment, ends promptly when `signal` aborts, and leaves nothing running once the iteration ended.
 */
export interface Model {
  /** The reference the person picked, e.g. `anthropic:claude-sonnet-5`. */
  readonly ref: string;
  readonly capabilities: ModelCapabilities;
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

// ---- Tools -------------------------------------------------------------------------------------------------------

/** What a tool gets for one call. */
export interface ToolContext {
  readonly callId: CallId;
  readonly sessionId: SessionId;
  readonly limits: Limits;
  /** Confinement as it is right now. */
  readonly confinement: boolean;
  readonly signal: AbortSignal;
  /** Live output for the window; telemetry only, may be dropped. */
  output(text: string): void;
}

/** A call that passed `prepare`: the exact effect and nothing done yet. */
export interface PreparedCall {
  /** Verb and object for people, without markup: `Read src/a.ts`, `Run npm test`. */
  readonly summary: string;
  /** All that the call would do; never empty. */
  readonly effects: readonly Effect[];
  readonly preview: Preview;
  /** sha256 (hex) over everything that `run` will do: the verdict is bound to it. */
  readonly digest: string;
  /** What a session grant would cover: the same tool and the same thing. null = nothing can be granted for a session. */
  readonly grant: Grant | null;
  /** Whether `run` will be inside the confinement, as things stand. */
  readonly confined: boolean;
  /** The tool's own; opaque to the engine. */
  readonly state: unknown;
}

/** What a call gave. A failure is an outcome that the model can read, never an exception. */
export interface ToolOutcome {
  readonly status: 'ok' | 'error' | 'cancelled';
  /** What the model reads; within limits.resultCharacters. */
  readonly content: string;
  readonly facts: ResultFacts;
  readonly changes: readonly FileChange[];
}

/** `prepare` refused: nothing was done; `content` tells the model why and what to do. */
export interface ToolRefusal {
  readonly refused: true;
  readonly content: string;
  readonly code: string;
}

/**
 * A tool. `prepare` reads only what needs no approval, and has no effect. `run` does that effect and nothing else; a
 * base that changed meanwhile is a conflict (an `error` outcome), never a recomputed effect. Neither may throw; a throw
 * becomes an `error` outcome at the tool's edge. No state is kept between calls (TOOL-13).
 */
export interface Tool {
  readonly declaration: ToolDeclaration;
  prepare(args: unknown, context: ToolContext): Promise<PreparedCall | ToolRefusal>;
  run(prepared: PreparedCall, context: ToolContext): Promise<ToolOutcome>;
}

// ---- Journal -----------------------------------------------------------------------------------------------------

/**
 * Where entries become durable. `append` resolves when all of them are safe on disk, in order, as one transaction, and
 * rejects (nothing written) otherwise: store.disk-full, store.read-only, store.locked, store.io.
 */
export interface Journal {
  /** false = it keeps nothing, so that a session over it lives in memory alone; absent = what it takes lasts. */
  readonly lasting?: boolean;
  append(entries: readonly NewEntry[]): Promise<Entry[]>;
  /** Running text of a step, kept against a crash; telemetry grade, may be called often, never rejects. */
  partial?(turnId: TurnId, text: string, reasoning: string): void;
}

// ---- Approver, policy, confiner ----------------------------------------------------------------------------------

export interface ApprovalQuestion {
  readonly callId: CallId;
  readonly turnId: TurnId;
  readonly tool: string;
  readonly argumentsText: string;
  readonly prepared: PreparedCall;
  /** One sentence: which rule or default asks. */
  readonly why: string;
  /** false: only one-shot answers are taken (CONF-02). */
  readonly grantable: boolean;
  readonly entryId: EntryId;
}

/** `suspend` = nobody can answer now; the turn stops as awaiting-approval. `digest` must be that of the question. */
export type ApprovalAnswer =
  | {
      readonly type: 'allow';
      readonly lasting: 'once' | 'session';
      readonly digest: string;
      readonly changedArguments?: string;
    }
  | { readonly type: 'deny'; readonly reason: string; readonly by: 'person' | 'policy' }
  | { readonly type: 'suspend' };

/**
 * Answers what the gate asks. Must settle when `signal` aborts. Questions of one step may wait side by side, and are
 * answered in any order. The engine's default denies everything (APPR-01).
 */
export interface Approver {
  ask(question: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalAnswer>;
}

/** A question of the model to the person (`ask_user`); `options` may be empty. */
export interface UserQuestion {
  readonly callId: CallId;
  readonly question: string;
  readonly options: readonly string[];
}

/** Answers what a model asks; null = no answer was given. Must settle when `signal` aborts. */
export interface Asker {
  askUser(question: UserQuestion, signal: AbortSignal): Promise<string | null>;
}

/** What the person's rules say of one call; null = no rule speaks. Pure and synchronous. */
export interface PolicyVerdict {
  readonly effect: 'allow' | 'ask' | 'deny';
  readonly ruleId: string;
  /** The rule as the person wrote it. */
  readonly rule: string;
  /** The part of the call that it decided on, verbatim; absent = the whole call. */
  readonly on?: string;
}
export interface Policy {
  /** Awaited before a call is first judged: loads what judging it needs. null or absent = nothing to wait for. */
  ready?(call: { tool: string; args: unknown }): Promise<void> | null;
  /** Half a sentence after "because": why allow rules do not cover a call; null = there is nothing to say. */
  uncovered?(call: { tool: string; args: unknown; effects: readonly Effect[] }): string | null;
  judge(call: { tool: string; args: unknown; effects: readonly Effect[] }): PolicyVerdict | null;
  /** The limits that hold right now, none above `ceiling`; absent = the ceiling. Read at every gate (CONF-18). */
  limits?(ceiling: Limits): Limits;
}

/**
 * Keeps the project's files, so that what a turn does to them can be taken back. Only asked where the session has
 * checkpoints switched on. A failure is told in the entry, and the turn goes on.
 */
export interface Checkpointer {
  /** A call that may write waits for an answer: what can be done beforehand is begun. */
  expect(turnId: TurnId): void;
  /**
   * Awaited before a call that may write begins: resolves once the files are kept as they were before the turn's first
   * such call, or could not be. Gives what is to be told of that, once a turn; null = nothing new.
   */
  keep(
    call: { turnId: TurnId; effects: readonly Effect[] },
    signal: AbortSignal,
  ): Promise<EntryData<'checkpoint'> | null>;
}

/** Whether processes can be fenced on this machine; found once by running it. */
export interface Confiner {
  status(): { available: boolean; reason: string };
}

// ---- What a session is built from --------------------------------------------------------------------------------

export interface WorkspaceIdentity {
  readonly path: string;
  readonly dev: string;
  readonly ino: string;
  readonly guarantee: 'descriptor' | 'proc' | 'checked';
}

export interface SessionPorts {
  readonly clock: Clock;
  readonly model: Model;
  readonly tools: readonly Tool[];
  readonly journal: Journal;
  readonly approver: Approver | null;
  /** Only asked where the session has `ask_user`. */
  readonly asker?: Asker | null;
  readonly policy: Policy | null;
  readonly confiner: Confiner | null;
  readonly checkpointer?: Checkpointer | null;
}

export type { AuthoritySnapshot, EffectKind, Mode };

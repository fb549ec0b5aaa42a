// What a session knows and can tell right now: its state, conversation, next request, turns and records. Reads only; the
// verbs that change something are in session.ts.
import { Emitter, type Listener } from '../base/emitter.ts';
import type { Disposable } from '../base/disposable.ts';
import type { AuthoritySnapshot, Grant, Mode } from '../contract/authority.ts';
import type { Entry, Outcome } from '../contract/entries.ts';
import type { SessionId, TurnId } from '../contract/ids.ts';
import type { TurnRecord } from '../contract/turn-records.ts';
import type { ResolvedAuthority } from './authority.ts';
import { ContextKeeper } from './context-keeper.ts';
import { EXPAND_REDUCTION, SIDECAR_SEARCH } from './context-tools.ts';
import type { EngineEvent } from './engine-events.ts';
import type { EngineToolLinks } from './engine-tools.ts';
import { waitsForApproval, type OpenTurn, type SessionState } from './fold-history.ts';
import type { Approver, Model, ModelMessage, ModelRequest, SessionPorts, Tool } from './ports.ts';
import { bindTool } from './sealed-tool.ts';
import type { SessionConfig } from './session-config.ts';
import { SessionLog } from './session-log.ts';
import { forModel } from './strip-reasoning.ts';
import { toolCharacters, ToolMenu } from './tool-menu.ts';
import { TurnDriver } from './turn-driver.ts';
import { TurnRecords } from './turn-records.ts';
import { reportTurn, type Turn } from './turn-report.ts';

/** The configuration that a session was built with, but for its history; never changed afterwards. */
export type SettledConfig = Readonly<Omit<SessionConfig, 'history'>>;

export interface SessionParts {
  readonly config: SessionConfig;
  readonly ports: SessionPorts;
  readonly authority: ResolvedAuthority;
  readonly state: SessionState;
  readonly links: EngineToolLinks;
}

export abstract class SessionFacts {
  readonly id: SessionId;
  readonly authority: AuthoritySnapshot;
  readonly authorityDigest: string;
  readonly config: SettledConfig;
  protected readonly ports: SessionPorts;
  protected readonly state: SessionState;
  protected readonly log: SessionLog;
  /** The path from root to head. */
  protected readonly entries: Entry[];
  protected readonly tools: ReadonlyMap<string, Tool>;
  protected readonly menu: ToolMenu;
  protected readonly events = new Emitter<EngineEvent>();
  protected readonly driver: TurnDriver;
  protected readonly context: ContextKeeper;
  protected currentModel: Model;
  protected approver: Approver | null;
  /** The step that runs. */
  protected running: Promise<unknown> | null = null;
  readonly #records: TurnRecords;
  /** The tools of the last request that was sent. */
  #sent: ModelRequest['tools'] | null = null;
  #issued = 0;

  protected constructor({ config: { history, ...config }, ports, authority, state, links }: SessionParts) {
    this.id = config.sessionId;
    this.config = Object.freeze({ ...config, limits: Object.freeze({ ...config.limits }) });
    this.ports = ports;
    this.state = state;
    this.entries = [...history];
    this.currentModel = ports.model;
    this.approver = ports.approver;
    this.authority = authority.snapshot;
    this.authorityDigest = authority.digest;
    this.tools = bindTools(authority.snapshot, ports.tools);
    const found = this.entries.some((entry) => entry.kind === 'reduction');
    const late = found || config.contextTools !== true ? [] : [EXPAND_REDUCTION, SIDECAR_SEARCH];
    this.menu = new ToolMenu(authority.snapshot.tools, [...(config.deferredTools ?? []), ...late]);
    links.entries = this.entries;
    links.reveal = (names) => {
      this.menu.reveal(names);
    };
    this.#records = new TurnRecords(ports.clock);
    this.events.on((event) => {
      this.#records.take(event);
    });
    this.log = this.#newLog(history);
    this.context = this.#newKeeper();
    this.driver = this.#newDriver();
  }

  #newLog(history: readonly Entry[]): SessionLog {
    const { journal, clock } = this.ports;
    return new SessionLog({
      ...{ state: this.state, history, journal, clock },
      announce: (entries) => {
        this.entries.push(...entries);
        // From here on there is something to read.
        if (entries.some((entry) => entry.kind === 'reduction')) this.menu.reveal([EXPAND_REDUCTION, SIDECAR_SEARCH]);
        this.events.emit({ type: 'entries-append', entries });
      },
    });
  }

  #newKeeper(): ContextKeeper {
    return new ContextKeeper({
      config: this.config.context ?? {},
      projection: this.log.projection,
      model: () => this.currentModel,
      limits: this.authority.limits,
      clock: this.ports.clock,
    });
  }

  #newDriver(): TurnDriver {
    return new TurnDriver({
      sessionId: this.id,
      systemPrompt: this.config.systemPrompt,
      limits: this.authority.limits,
      parallel: this.config.parallelCalls ?? 'reads',
      checkpoints: this.config.checkpoints ?? false,
      ports: this.ports,
      state: this.state,
      log: this.log,
      events: this.events,
      tools: this.tools,
      isEnabled: (tool) => this.isEnabled(tool),
      request: (at) => this.#toSend(at),
      model: () => this.currentModel,
      context: this.context,
      issued: () => {
        this.#issued += 1;
      },
      approver: () => this.approver,
    });
  }

  get mode(): Mode {
    return this.state.mode;
  }
  get confinement(): boolean {
    return this.state.confinement;
  }
  get model(): Model {
    return this.currentModel;
  }
  /** Names of the enabled tools, in the order of the ceiling. */
  get enabledTools(): string[] {
    return [...this.tools.keys()].filter((name) => this.isEnabled(name));
  }
  get openTurn(): Readonly<OpenTurn> | null {
    return this.state.open;
  }
  get lastOutcome(): Outcome | null {
    return this.state.lastOutcome;
  }
  /** A journal was given that keeps what happens, so that a crash loses nothing (STORE-04). */
  get isJournaled(): boolean {
    return this.ports.journal.lasting !== false;
  }
  /** A step runs now. */
  get isRunning(): boolean {
    return this.running !== null;
  }
  /** The turn rests at a question that nobody answered yet. */
  get isWaiting(): boolean {
    return this.running === null && this.state.open !== null && waitsForApproval(this.state.open);
  }
  get grants(): Grant[] {
    return this.driver.grants;
  }
  /** Tool calls executed over the session's life (LOOP-21). */
  get executedCalls(): number {
    return this.state.executedCalls;
  }
  /** Steps over the session's life; clearing does not reset it (LOOP-25). */
  get stepCount(): number {
    return this.state.stepCount;
  }
  /** Whether the next request begins with the very tools of the last one, as a provider's prompt cache needs (TOOL-15). */
  get isPromptCacheWarm(): boolean {
    const sent = this.#sent;
    if (!sent) return false;
    const { tools } = this.request();
    return tools.length === sent.length && tools.every((tool, at) => tool === sent[at]);
  }

  /** Requests that left in this process, whatever came of them (CTX-28). */
  get issuedRequests(): number {
    return this.#issued;
  }
  /** Tokens that a request is held to before it is sent; null = none (CTX-23). */
  get contextLimit(): number | null {
    return this.context.limitTokens;
  }
  /** How full the next request is, by the same count that decides; `window` null = not known (CTX-24). */
  get contextUse(): { readonly tokens: number; readonly characters: number; readonly window: number | null } {
    const characters = this.requestCharacters();
    return { tokens: this.context.tokens(characters), characters, window: this.context.windowTokens };
  }

  /** The whole conversation, nothing set aside: what another session can go on from (CONF-28). */
  history(): ModelMessage[] {
    return forModel(this.log.projection.messages(), this.currentModel.capabilities);
  }

  /** What a turn came to, the newest unless told otherwise; null when there is none. */
  turn(turnId: TurnId | null = this.state.lastTurnId): Turn | null {
    const turn = turnId === null ? null : reportTurn(this.entries, turnId);
    return turn && { ...turn, messages: forModel([...turn.messages], this.currentModel.capabilities) };
  }

  /** What each round took and gave, oldest first; the newest some thousand of this process. */
  records(): TurnRecord[] {
    return this.#records.list();
  }

  /** The next request as it would be sent now (TOOL-21). */
  request(): ModelRequest {
    const tools = this.menu.declarations({
      enabled: new Set(this.enabledTools),
      mode: this.state.mode,
      allowed: (tool) => this.#isEverAllowed(tool),
      referenced: this.log.projection.referencedTools,
    });
    const messages = forModel(this.log.projection.sent(), this.currentModel.capabilities);
    return { system: this.config.systemPrompt, messages, tools };
  }

  /** The request that a message would make, expanded as on sending; nothing is stored or sent (CTX-26). */
  inspect(text: string): ModelRequest {
    const request = this.request();
    return text === '' ? request : { ...request, messages: [...request.messages, { role: 'user', text }] };
  }

  /** Announces what happens, in order; the answer ends it. */
  on(listener: Listener<EngineEvent>): Disposable {
    return this.events.on(listener);
  }

  protected isEnabled(tool: string): boolean {
    return this.state.enabled === null || this.state.enabled.includes(tool);
  }

  /** Characters of the next request, with its tools. */
  protected requestCharacters(): number {
    const { system, tools } = this.request();
    return system.length + this.log.projection.characters + toolCharacters(tools);
  }

  #toSend(at: { turnId: TurnId; step: number }): ModelRequest {
    const request = this.request();
    this.#sent = request.tools;
    this.#records.sent({
      ...at,
      model: this.currentModel.ref,
      messages: request.messages.length,
      characters: this.log.projection.characters,
      tools: request.tools.length,
    });
    return request;
  }

  /** Whether any call of this tool could pass the rules; rules that cannot be read allow none. */
  #isEverAllowed(tool: string): boolean {
    try {
      return this.ports.policy?.judge({ tool, args: {}, effects: [] })?.effect !== 'deny';
    } catch {
      return false;
    }
  }
}

function bindTools(authority: AuthoritySnapshot, given: readonly Tool[]): ReadonlyMap<string, Tool> {
  const byName = new Map(given.map((tool) => [tool.declaration.name, tool]));
  return new Map(
    authority.tools.flatMap((declaration) => {
      const tool = byName.get(declaration.name);
      return tool ? [[declaration.name, bindTool(tool, declaration)]] : [];
    }),
  );
}

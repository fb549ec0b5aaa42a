// One chat that is loaded: the engine's session with its ports, its questions, its queue, and what windows see of it.
// Whoever loads it holds the lease; closing it lets go of everything and loses nothing.
import { AppError } from '../base/app-error.ts';
import { newId } from '../base/new-id.ts';
import type { AuthorityChange, Grant, Mode } from '../contract/authority.ts';
import type { Attachment, Entry, EntryData, EntryKind, NewEntry, Outcome } from '../contract/entries.ts';
import type { SessionEvent } from '../contract/events.ts';
import type { CallId, EntryId, SessionId } from '../contract/ids.ts';
import type { Approval, AuthorityView, Meter, SessionStatus, SessionView } from '../contract/session.ts';
import type { Model } from '../engine/ports.ts';
import type { EngineEvent } from '../engine/engine-events.ts';
import type { Decisions, Session } from '../engine/session.ts';
import type { SessionRow } from '../store/store.ts';
import type { ChatShell } from './chat-shell.ts';
import { ChatContext } from './chat-context.ts';
import { firstTitle } from './first-title.ts';
import type { PendingApprovals, PersonsAnswer } from './pending-approvals.ts';
import type { PendingQuestions } from './pending-questions.ts';
import { RunningTextKeeper } from './running-text.ts';
import type { SessionHistory } from './session-history.ts';
import { toSummary } from './session-summary.ts';
import { beginningOf, titlerOf, type Titler } from './title-chat.ts';
import { toWindowEntry } from './window-entry.ts';

const SHOWN_ENTRIES = 200;

export interface LiveSessionParts {
  readonly id: SessionId;
  readonly projectPath: string;
  readonly engine: Session;
  readonly approvals: PendingApprovals;
  readonly questions: PendingQuestions;
  readonly shell: ChatShell;
  readonly history: SessionHistory;
  readonly entries: Entry[];
  readonly drift: AuthorityChange[];
  readonly lapsedGrants: Grant[];
  authorityView(session: LiveSession): AuthorityView;
  /** See EventHub.publish. */
  publish(event: SessionEvent | (() => SessionEvent)): void;
  /** The row changed: the chat list is told. */
  onChange(): void;
  /** Titles are to be asked of models. */
  wantsTitle(): boolean;
  /** A turn ended. */
  onTurnEnd(outcome: Outcome): void;
  /** Lets go of the lease and of the folder. */
  release(): Promise<void>;
}

export class LiveSession {
  readonly id: SessionId;
  /** What the model is sent of the chat. */
  readonly context: ChatContext;
  readonly #parts: LiveSessionParts;
  readonly #running = new RunningTextKeeper();
  readonly #entries: Entry[];
  #turn: Promise<void> | null = null;
  #closing = false;
  readonly #ended = new AbortController();
  #titled: Promise<unknown> = Promise.resolve();

  constructor(parts: LiveSessionParts) {
    this.id = parts.id;
    this.#parts = parts;
    this.#entries = parts.entries;
    this.context = new ChatContext(parts.engine, () => {
      this.#meterChanged();
    });
    parts.engine.on((event) => {
      this.#onEngineEvent(event);
    });
  }

  get shell(): ChatShell {
    return this.#parts.shell;
  }
  get engine(): Session {
    return this.#parts.engine;
  }
  get drift(): AuthorityChange[] {
    return this.#parts.drift;
  }
  get lapsedGrants(): Grant[] {
    return this.#parts.lapsedGrants;
  }
  get history(): SessionHistory {
    return this.#parts.history;
  }
  /** Messages of the imported beginning, the own system message counted; 0 until a file was imported (HIST-19). */
  get importedPrefix(): number {
    const { imported } = this.#parts.history;
    return imported === null ? 0 : 1 + imported;
  }
  /** The path from root to head. */
  get path(): readonly Entry[] {
    return this.#entries;
  }
  /** A turn runs, or waits for an answer in this process. */
  get isBusy(): boolean {
    return this.#turn !== null;
  }

  get status(): SessionStatus {
    const { engine } = this.#parts;
    if (this.waitingApprovals > 0) return 'waiting';
    if (this.#turn !== null) return 'running';
    return statusOf(engine.lastOutcome);
  }

  /** Approvals, and questions of the model, that wait for the person. */
  get waitingApprovals(): number {
    return this.#parts.approvals.list().length + this.#parts.questions.list().length;
  }

  /** What a window draws; taken in one synchronous piece, so that the events after `n` continue it exactly. */
  view(input: { row: SessionRow; epoch: string; n: number; draft: SessionView['draft'] }): SessionView {
    const { engine, approvals, questions, history } = this.#parts;
    const shown = this.#entries.slice(-SHOWN_ENTRIES);
    return {
      summary: toSummary(input.row, this),
      projectPath: this.#parts.projectPath,
      epoch: input.epoch,
      n: input.n,
      entries: shown.map(toWindowEntry),
      hasEarlier: this.#entries.length > shown.length,
      running: this.#running.current ? structuredClone(this.#running.current) : null,
      approvals: approvals.list(),
      questions: questions.list(),
      shell: this.#parts.shell.see(),
      queue: history.queue,
      draft: input.draft,
      authority: this.authorityView(),
      meter: this.meter(),
      lastOutcome: engine.lastOutcome,
      heldBy: null,
      folderProblem: null,
    };
  }

  authorityView(): AuthorityView {
    return this.#parts.authorityView(this);
  }

  meter(): Meter {
    const { engine, history } = this.#parts;
    return {
      contextTokens: history.contextTokens,
      contextWindow: engine.model.capabilities.contextWindow,
      total: { ...history.total },
    };
  }

  approvals(): Approval[] {
    return this.#parts.approvals.list();
  }

  // ---- Verbs of the person ----

  /** Starts a turn, or queues the message while one runs or waits. Gives whether it was queued. */
  async submit(text: string, attachments: Attachment[]): Promise<boolean> {
    this.#assertOpen();
    const { engine, history } = this.#parts;
    if (this.#turn || engine.openTurn || history.queue.length > 0) {
      await this.#record('queue-add', { queueId: newId(), text, attachments });
      this.#publishQueue();
      this.#parts.onChange();
      if (!this.#turn && !engine.openTurn) await this.#sendQueued();
      return true;
    }
    await this.#begin(text, attachments);
    return false;
  }

  /** Goes on with the last turn without a new message. Code session.input-pending while one is open. */
  async continueTurn(): Promise<void> {
    this.#assertOpen();
    await this.#parts.engine.continueTurn();
    this.#drive();
  }

  /** Stops the running turn; a waiting one that a former process left is given up. Resolves when it has come to rest. */
  async stop(source: string): Promise<void> {
    const { engine, approvals } = this.#parts;
    engine.stop(source);
    this.context.stop();
    if (this.#turn) {
      await this.#turn;
      return;
    }
    if (engine.openTurn) {
      await engine.closeTurn('cancelled', source);
      approvals.dropRestored();
      this.#parts.onChange();
    }
  }

  /** Answers a question; goes on with a turn that a former process left waiting. */
  answer(callId: CallId, given: PersonsAnswer): void {
    const goesOn = this.#parts.approvals.answer(callId, given);
    // The other questions of that turn are asked again, and wait on.
    if (goesOn && !this.#turn) this.#drive();
  }

  /** Answers what the model asks; null = no answer. Code approval.not-waiting. */
  answerQuestion(callId: CallId, answer: string | null): void {
    this.#parts.questions.answer(callId, answer);
  }

  /** Goes on with a waiting turn: waiting calls without a decision count as denied (APPR-10). */
  resume(decisions: Decisions): void {
    this.#parts.approvals.dropRestored();
    this.#drive(decisions);
  }

  async removeQueued(queueId: string): Promise<void> {
    if (!this.#parts.history.queue.some((item) => item.queueId === queueId)) return;
    await this.#record('queue-remove', { queueId, why: 'person' });
    this.#publishQueue();
    this.#parts.onChange();
  }

  async rename(title: string): Promise<void> {
    await this.#record('title', { title, by: 'person' });
    this.#parts.onChange();
  }

  async clearContext(): Promise<void> {
    await this.#parts.engine.clearContext('person');
    this.#parts.history.contextTokens = 0;
    this.#parts.publish({ type: 'meter-update', meter: this.meter() });
  }

  async setMode(mode: Mode): Promise<void> {
    await this.#parts.engine.setMode(mode, 'person');
    this.#authorityChanged();
  }

  async setConfinement(on: boolean): Promise<void> {
    await this.#parts.engine.setConfinement(on, 'person');
    this.#authorityChanged();
  }

  async setEnabledTools(tools: readonly string[]): Promise<void> {
    await this.#parts.engine.setEnabledTools(tools, 'person');
    this.#authorityChanged();
  }

  async setModel(model: Model): Promise<void> {
    await this.#parts.engine.setModel(model, 'person');
    this.#parts.publish({ type: 'meter-update', meter: this.meter() });
    this.#parts.onChange();
  }

  /** Settings changed: what the panel shows may have too. */
  settingsChanged(): void {
    this.#parts.publish({ type: 'authority-update', authority: this.authorityView() });
  }

  notice(level: 'info' | 'warning' | 'error', message: string): void {
    this.#parts.publish({ type: 'notice', level, message });
  }

  /**
   * Asks for a title on the side, where the chat has only that of its first message; gives it, or null when there is none
   * to be had. Never rejects, and waits no longer than the titler. Whoever calls has looked whether it is wanted (STORE-16).
   */
  async giveTitle(titler: Titler | null): Promise<string | null> {
    const { history } = this.#parts;
    const begun = beginningOf(this.#entries);
    const isMade = (): boolean => history.titleBy === 'first-message';
    if (!titler || !begun || !isMade()) return null;
    try {
      const title = await titler(begun, this.#ended.signal);
      // A person may have named it meanwhile.
      if (title === null || !isMade() || this.#closing) return null;
      await this.#record('title', { title, by: 'model' });
      this.#parts.onChange();
      return title;
    } catch {
      return null;
    }
  }

  /** Resolves when no turn runs; at once when none does. */
  async idle(): Promise<void> {
    while (this.#turn) await this.#turn;
  }

  /** Resolves when no title is asked for any more. */
  async titled(): Promise<void> {
    await this.#titled;
  }

  /**
   * Comes to rest and lets go. A turn that waits for an answer stays open and is shown again; a running one is stopped
   * and marked as interrupted. Never rejects.
   */
  async close(): Promise<void> {
    if (this.#closing) return;
    this.#closing = true;
    this.#ended.abort();
    // A call that waits for the person's words has begun: its turn cannot be left as it is, as one at an approval can.
    const waiting = this.#parts.approvals.list().length > 0 && this.#parts.questions.list().length === 0;
    if (waiting) this.#parts.approvals.suspendAll();
    else this.#parts.engine.stop('close', 'interrupted');
    await this.#turn;
    await this.#titled;
    await this.#parts.release();
  }

  // ---- Inside ----

  async #begin(text: string, attachments: Attachment[]): Promise<void> {
    await this.#parts.engine.submit(text, attachments);
    if (this.#parts.history.title === '') await this.#record('title', { title: firstTitle(text), by: 'first-message' });
    this.#drive();
  }

  #drive(decisions: Decisions | null = null): void {
    this.#turn = this.#runTurn(decisions).finally(() => {
      this.#turn = null;
      this.#parts.onChange();
    });
    this.#parts.onChange();
  }

  async #runTurn(decisions: Decisions | null): Promise<void> {
    const { engine, history } = this.#parts;
    let outcome = await engine.runTurn(decisions ? { decisions } : {});
    this.#parts.onTurnEnd(outcome);
    const first = outcome.type === 'completed' && history.turns === 1;
    if (first && this.#parts.wantsTitle()) this.#titled = this.giveTitle(titlerOf(engine.model));
    for (let item = history.queue[0]; item && outcome.type === 'completed' && !this.#closing; item = history.queue[0]) {
      await this.#take(item.queueId, item.text, item.attachments);
      outcome = await engine.runTurn();
      this.#parts.onTurnEnd(outcome);
    }
  }

  async #sendQueued(): Promise<void> {
    const item = this.#parts.history.queue[0];
    if (!item) return;
    await this.#take(item.queueId, item.text, item.attachments);
    this.#drive();
  }

  async #take(queueId: string, text: string, attachments: Attachment[]): Promise<void> {
    await this.#record('queue-remove', { queueId, why: 'sent' });
    await this.#parts.engine.submit(text, attachments);
    this.#publishQueue();
  }

  #publishQueue(): void {
    this.#parts.publish({ type: 'queue-update', queue: this.#parts.history.queue });
  }

  #meterChanged(): void {
    this.#parts.history.contextTokens = this.#parts.engine.contextUse.tokens;
    this.#parts.publish({ type: 'meter-update', meter: this.meter() });
  }

  #authorityChanged(): void {
    this.#parts.publish({ type: 'authority-update', authority: this.authorityView() });
    this.#parts.onChange();
  }

  #onEngineEvent(event: EngineEvent): void {
    this.#running.take(event);
    if (event.type !== 'entries-append') {
      this.#parts.publish(event);
      return;
    }
    for (const entry of event.entries) {
      this.#entries.push(entry);
      this.#parts.history.take(entry);
    }
    this.#parts.publish(() => ({ type: 'entries-append', entries: event.entries.map(toWindowEntry) }));
    if (event.entries.some((entry) => entry.kind === 'assistant-message')) {
      this.#parts.publish(() => ({ type: 'meter-update', meter: this.meter() }));
    }
    if (event.entries.some((entry) => entry.kind === 'verdict' && entry.data.lasting === 'session'))
      this.#authorityChanged();
  }

  async #record<K extends EntryKind>(kind: K, data: EntryData<K>): Promise<void> {
    const atMs = Date.now();
    await this.#parts.engine.record([{ id: newId<EntryId>(atMs), atMs, kind, data } as NewEntry]);
  }

  #assertOpen(): void {
    if (this.#closing) throw new AppError('session.closed', 'This chat is being closed. Open it again.');
  }
}

/** The status that an ended turn leaves. */
export function statusOf(outcome: Outcome | null): SessionStatus {
  if (outcome?.type === 'interrupted') return 'interrupted';
  return outcome?.type === 'failed' ? 'failed' : 'idle';
}

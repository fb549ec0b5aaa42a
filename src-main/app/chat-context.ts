// What a person does with what the model of one chat is sent: compact it, start afresh, leave results out, look at it.
// Each step is the engine's; here the meter follows it, and a stop ends the request for a summary.
import { AppError } from '../base/app-error.ts';
import type { ContextView } from '../contract/context.ts';
import type { CallId, EntryId } from '../contract/ids.ts';
import type { ContextConfig } from '../engine/context-keeper.ts';
import type { Reduced } from '../engine/reductions.ts';
import type { Session } from '../engine/session.ts';
import type { SettingsService } from './settings-service.ts';

/** Characters of a request that cross at once. */
const REQUEST_PIECE = 131_072;

/** How a chat keeps to its model's window, as the settings have it right now. */
export function contextOf(settings: SettingsService): ContextConfig {
  return {
    get automatic() {
      return settings.current.automaticCompaction;
    },
    get guard() {
      return settings.current.contextGuard;
    },
    get summaries() {
      return settings.current.modelSummaries;
    },
  };
}

export class ChatContext {
  readonly #engine: Session;
  readonly #onChange: () => void;
  /** A summary is being asked for. */
  #compacting: AbortController | null = null;

  /** `onChange` is told when another request would be sent. */
  constructor(engine: Session, onChange: () => void) {
    this.#engine = engine;
    this.#onChange = onChange;
  }

  /** Codes session.input-pending, provider.*, cancelled; nothing was changed then. */
  async compact(focus: string): Promise<Reduced> {
    const stopped = new AbortController();
    this.#compacting = stopped;
    try {
      // The guide understands a few requests only: the note is made without it.
      const note = this.#engine.model.ref === 'guide' ? 'program' : 'model';
      const reduced = await this.#engine.reductions.compact({ by: 'person', focus, note, signal: stopped.signal });
      if (!reduced.skipped) this.#onChange();
      return reduced;
    } finally {
      this.#compacting = null;
    }
  }

  /** Goes on with a fresh objective: the model is sent nothing of what was before. */
  async startAfresh(objective: string): Promise<Reduced> {
    if (objective.trim() === '') throw new AppError('ipc.invalid-input', 'Say what the chat is about from here on.');
    return this.#changed(this.#engine.reductions.newContext({ by: 'person', objective, keepNone: true }));
  }

  async undo(entryId: EntryId): Promise<boolean> {
    return this.#changed(this.#engine.reductions.undo(entryId, 'person'));
  }

  async leaveOut(callId: CallId): Promise<boolean> {
    return this.#changed(this.#engine.reductions.leaveOut(callId, 'person'));
  }

  async pin(callId: CallId, on: boolean): Promise<void> {
    await this.#engine.reductions.pin(callId, on, 'person');
  }

  async view(): Promise<ContextView> {
    return this.#engine.reductions.view();
  }

  /** The request that a message would make, as JSON, from `offset` on. */
  requestJson(text: string, offset: number): { json: string; total: number } {
    const { system, messages, tools } = this.#engine.inspect(text);
    // The service's own defaults hold: nothing of the sampling is set.
    const whole = JSON.stringify({ model: this.#engine.model.ref, sampling: {}, system, messages, tools }, null, 2);
    return { json: whole.slice(offset, offset + REQUEST_PIECE), total: whole.length };
  }

  /** Ends the request for a summary, if there is one. */
  stop(): void {
    this.#compacting?.abort();
  }

  async #changed<T>(work: Promise<T>): Promise<T> {
    const given = await work;
    this.#onChange();
    return given;
  }
}

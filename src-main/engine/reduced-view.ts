// What the model is sent in the place of the settled messages once something was set aside: a note for a folded beginning,
// a line for each result that was set aside. A view alone: the messages themselves stay, so each reduction inverts exactly.
import type { EntryData } from '../contract/entries.ts';
import type { CallId, EntryId } from '../contract/ids.ts';
import { charactersOfMessage } from './message-size.ts';
import type { ModelMessage } from './ports.ts';

type ToolMessage = Extract<ModelMessage, { role: 'tool' }>;
type Reduction = EntryData<'reduction'>;

/** How much of a result that was set aside is still told. */
const HEAD_CHARACTERS = 200;
/** A shorter result is worth no line in its place. */
export const LEAST_CHARACTERS = 600;

/** The line that stands for a result. */
export function stubOf(message: ToolMessage): ToolMessage {
  const { content, callId } = message;
  if (content.length < LEAST_CHARACTERS) return message;
  let end = HEAD_CHARACTERS;
  // A pair of surrogates is one character: half of it is no text.
  if (/[\uD800-\uDBFF]/.test(content.charAt(end - 1))) end -= 1;
  const note = `[set aside to make room: ${content.length} characters; expand_reduction {"id":"${callId}"} reads them]`;
  return { ...message, content: `${content.slice(0, end)}\n${note}` };
}

export class ReducedView {
  readonly #reductions = new Map<EntryId, Reduction>();
  readonly #stubs = new Map<CallId, ToolMessage>();
  #aside: ReadonlySet<CallId> = new Set();
  #messages: ModelMessage[] = [];
  #characters = 0;
  #folded = 0;

  /** In order; the array is the view's own. */
  get messages(): readonly ModelMessage[] {
    return this.#messages;
  }
  get characters(): number {
    return this.#characters;
  }
  /** How many of the settled messages are folded, from the first on. */
  get folded(): number {
    return this.#folded;
  }
  get isEmpty(): boolean {
    return this.#reductions.size === 0;
  }
  /** What the newest fresh start says, and where it begins; null = there was none. */
  get objective(): { readonly text: string; readonly to: number } | null {
    const last = [...this.#reductions.values()].findLast(({ cause, fold }) => cause === 'new-context' && fold !== null);
    return last?.fold ? { text: last.focus, to: last.fold.to } : null;
  }
  isAside(callId: CallId): boolean {
    return this.#aside.has(callId);
  }

  add(id: EntryId, reduction: Reduction, done: readonly ModelMessage[]): void {
    this.#reductions.set(id, reduction);
    this.rebuild(done);
  }

  /** Characters that one more reduction would save, of the settled messages and of those after them. */
  savingOf(
    reduction: Reduction,
    { done, open }: { done: readonly ModelMessage[]; open: readonly ModelMessage[] },
  ): number {
    const trial = new ReducedView();
    for (const [id, known] of this.#reductions) trial.#reductions.set(id, known);
    trial.#reductions.set('' as EntryId, reduction);
    trial.rebuild(done);
    const sizeIn = (view: ReducedView): number =>
      open.reduce((sum, message) => sum + charactersOfMessage(view.shown(message)), view.#characters);
    return sizeIn(this) - sizeIn(trial);
  }

  /** A view in which nothing is set aside. */
  fill(done: readonly ModelMessage[]): this {
    this.rebuild(done);
    return this;
  }

  /** Takes a reduction back; false = there is none of that id. */
  undo(id: EntryId, done: readonly ModelMessage[]): boolean {
    if (!this.#reductions.delete(id)) return false;
    this.rebuild(done);
    return true;
  }

  /** One more settled message. */
  push(message: ModelMessage): void {
    const shown = this.shown(message);
    this.#messages.push(shown);
    this.#characters += charactersOfMessage(shown);
  }

  /** How one message is told: the same object each time. */
  shown(message: ModelMessage): ModelMessage {
    if (message.role !== 'tool' || !this.#aside.has(message.callId)) return message;
    let stub = this.#stubs.get(message.callId);
    if (!stub) this.#stubs.set(message.callId, (stub = stubOf(message)));
    return stub;
  }

  /** Makes the view anew, after a reduction or when settled messages were taken back. */
  rebuild(done: readonly ModelMessage[]): void {
    const all = [...this.#reductions.values()];
    this.#aside = new Set(all.flatMap(({ calls }) => calls));
    // Folds have one beginning; the one that reaches furthest stands for those within it.
    const fold = all
      .flatMap((one) => (one.fold !== null && one.fold.to <= done.length ? [one.fold] : []))
      .reduce<Reduction['fold']>((best, one) => (best === null || one.to >= best.to ? one : best), null);
    this.#folded = fold?.to ?? 0;
    this.#messages = [];
    this.#characters = 0;
    if (fold === null) for (const message of done) this.push(message);
    else {
      for (const message of done.slice(0, fold.from)) this.push(message);
      this.push({ role: 'user', text: fold.text });
      for (const message of done.slice(fold.to)) this.push(message);
    }
  }
}

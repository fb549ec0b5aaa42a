// Sees a model that repeats itself: the same call so many times in a row, or in the last few calls. 0 switches a
// threshold off.
import { canonicalJson } from '../base/canonical-json.ts';
import type { Outcome } from '../contract/entries.ts';
import type { Limits } from '../contract/limits.ts';

export type LoopOutcome = Extract<Outcome, { type: 'loop-detected' }>;

/** Watches the calls of one turn, in order. */
export class LoopGuard {
  readonly #recent: string[] = [];
  readonly #limits: Limits;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Notes a call by its name and arguments, however they are spelt; gives the outcome when it is once too often. */
  note(name: string, argumentsText: string): LoopOutcome | null {
    const key = `${name} ${canonicalArguments(argumentsText)}`;
    this.#recent.push(key);
    const window = Math.max(this.#limits.loopWindowCalls, this.#limits.loopSameCallInRow);
    if (this.#recent.length > window) this.#recent.splice(0, this.#recent.length - window);
    let inRow = 0;
    for (let i = this.#recent.length - 1; i >= 0 && this.#recent[i] === key; i--) inRow++;
    const inWindow = this.#recent.slice(-this.#limits.loopWindowCalls).filter((other) => other === key).length;
    const rowLimit = this.#limits.loopSameCallInRow;
    const windowLimit = this.#limits.loopSameCallInWindow;
    const times = rowLimit > 0 && inRow >= rowLimit ? inRow : windowLimit > 0 && inWindow >= windowLimit ? inWindow : 0;
    return times === 0 ? null : { type: 'loop-detected', call: name, times };
  }
}

function canonicalArguments(text: string): string {
  if (text.trim() === '') return '{}';
  try {
    return canonicalJson(JSON.parse(text));
  } catch {
    return text;
  }
}

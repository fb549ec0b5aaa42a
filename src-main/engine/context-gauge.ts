// How many tokens a request takes: counted in characters, corrected by what the provider billed for the last one.
import type { Usage } from '../contract/entries.ts';

/** Before a provider said anything: on the safe side for text and code. */
const FIRST_GUESS = 0.3;
/** What text of few tokens takes. */
const LEAST_GUESS = 0.2;
/** A request this small says little about larger ones. */
const LEAST_CHARACTERS = 4000;

export class ContextGauge {
  #perCharacter = FIRST_GUESS;
  #corrected = false;

  /** Tokens that a request of so many characters takes. */
  tokens(characters: number): number {
    return Math.ceil(characters * this.#perCharacter);
  }

  /** The fewest tokens that a request of so many characters takes: a guess alone refuses nothing that may fit. */
  leastTokens(characters: number): number {
    return this.#corrected ? this.tokens(characters) : Math.ceil(characters * LEAST_GUESS);
  }

  /** Characters that so many tokens hold. */
  characters(tokens: number): number {
    return Math.floor(tokens / this.#perCharacter);
  }

  /** Takes what a provider billed for a request of so many characters. */
  note(characters: number, usage: Usage | null): void {
    if (usage === null || usage.input <= 0 || characters < LEAST_CHARACTERS) return;
    this.#perCharacter = Math.min(4, Math.max(0.05, usage.input / characters));
    this.#corrected = true;
  }
}

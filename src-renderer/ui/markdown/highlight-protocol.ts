// What goes to the highlighting worker and comes back. Both ends are ours and of the same build.

export interface HighlightRequest {
  readonly id: number;
  readonly code: string;
  readonly language: string;
}

/** Tokens of a line: text and a CSS colour, '' for the page's own. */
export type TokenLine = readonly (readonly [text: string, color: string])[];

export interface HighlightAnswer {
  readonly id: number;
  /** null = the code could not be coloured. */
  readonly lines: readonly TokenLine[] | null;
}

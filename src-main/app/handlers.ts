// The type of the app's side of the contract: one function a procedure. The router gives parsed input and the window.
import type { Api, OutputOf, ParsedInputOf } from '../contract/api.ts';

/** Who calls: the window that a procedure came from. */
export interface Caller {
  readonly windowId: number;
}

export type Handlers = {
  [A in keyof Api]: {
    [P in keyof Api[A]]: (input: ParsedInputOf<Api[A][P]>, caller: Caller) => Promise<OutputOf<Api[A][P]>>;
  };
};

// A service may tell two calls under one id. The SDK would join them or invent an id, so repeated ids are marked before
// it sees them, and the mark is taken off afterwards.

const MARK = '~again';

/** The id to use for the `n`th repetition (from 1) of an id. */
export function markRepeated(id: string, n: number): string {
  return `${id}${MARK}${n}`;
}

/** The id as the service wrote it. */
export function wireIdOf(id: string): string {
  return id.replace(/~again\d+$/, '');
}

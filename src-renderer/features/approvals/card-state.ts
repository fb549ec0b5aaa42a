// When a card may be answered, as a pure state machine. Allowing needs that all of it was on screen and that it has been
// there long enough not to be hit by a key or click that was meant for something else. Denying is always possible.
// Invariant: a card of another digest starts from the beginning.

/** A card must have been in view this long before it can be allowed. */
export const SETTLE_MS = 500;

export interface CardState {
  readonly digest: string;
  /** By the window's clock; null = it has not been in view. */
  readonly appearedAtMs: number | null;
  /** SETTLE_MS went by since it appeared. */
  readonly settled: boolean;
  /** Every part of the content is laid out: nothing waits behind a "show all". */
  readonly complete: boolean;
  /** The end of the content was in view. */
  readonly endSeen: boolean;
  readonly phase: 'reading' | 'editing' | 'denying' | 'sending';
}

export type CardEvent =
  | { readonly type: 'appear'; readonly atMs: number }
  | { readonly type: 'tick'; readonly atMs: number }
  | { readonly type: 'layout'; readonly complete: boolean }
  | { readonly type: 'end-seen' }
  | { readonly type: 'edit' }
  | { readonly type: 'deny' }
  | { readonly type: 'back' }
  | { readonly type: 'send' }
  | { readonly type: 'refused' };

/** A card that nobody has seen. */
export function newCard(digest: string): CardState {
  return { digest, appearedAtMs: null, settled: false, complete: false, endSeen: false, phase: 'reading' };
}

/** The next state. Events that make no sense in a state leave it as it is. */
export function reduceCard(card: CardState, event: CardEvent): CardState {
  switch (event.type) {
    case 'appear':
      return card.appearedAtMs === null ? { ...card, appearedAtMs: event.atMs } : card;
    case 'tick':
      return card.appearedAtMs !== null && event.atMs - card.appearedAtMs >= SETTLE_MS
        ? { ...card, settled: true }
        : card;
    case 'layout':
      // More was laid out, so the end that was seen was not the end.
      return { ...card, complete: event.complete, endSeen: card.complete === event.complete && card.endSeen };
    case 'end-seen':
      return card.complete ? { ...card, endSeen: true } : card;
    case 'edit':
      return card.phase === 'sending' ? card : { ...card, phase: 'editing' };
    case 'deny':
      return card.phase === 'sending' ? card : { ...card, phase: 'denying' };
    case 'back':
      return card.phase === 'sending' ? card : { ...card, phase: 'reading' };
    case 'send':
      return { ...card, phase: 'sending' };
    case 'refused':
      return { ...card, phase: 'reading' };
  }
}

/** What still keeps the card from being allowed, in words for its buttons; null = nothing does. */
export function whyNotYet(card: CardState): string | null {
  if (card.phase === 'sending') return 'Your answer is on its way.';
  if (!card.complete) return 'Show all of it first.';
  if (!card.endSeen) return 'Read to its end first.';
  if (!card.settled) return 'One moment.';
  return null;
}

/**
 * Which of the waiting approvals is shown: the one that was shown as long as it waits, else the one that took its
 * place, else the oldest. New ones never replace it.
 */
export function chooseShown<T extends { readonly callId: string }>(
  waiting: readonly T[],
  shown: string | null,
  place: number,
): T | null {
  return waiting.find((one) => one.callId === shown) ?? waiting[Math.min(place, waiting.length - 1)] ?? null;
}

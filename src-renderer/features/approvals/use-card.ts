// Drives a card's state machine from what is really on screen: its box coming into view, the end of its content, time.
import { useCallback, useEffect, useReducer, useRef } from 'react';
import type { Dispatch, RefObject } from 'react';
import { newCard, reduceCard, SETTLE_MS } from './card-state.ts';
import type { CardEvent, CardState } from './card-state.ts';

export interface CardHandle {
  readonly card: CardState;
  readonly dispatch: Dispatch<CardEvent>;
  /** The element whose coming into view starts the time. */
  readonly box: RefObject<HTMLDivElement | null>;
  /** An element right behind the content. */
  readonly end: RefObject<HTMLDivElement | null>;
  /** For the content: is all of it laid out? */
  readonly onComplete: (complete: boolean) => void;
}

/** One card; mount anew for another digest. */
export function useCard(digest: string): CardHandle {
  const [card, dispatch] = useReducer(reduceCard, digest, newCard);
  const box = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const appeared = card.appearedAtMs !== null;

  useEffect(() => {
    const element = box.current;
    if (element === null || appeared) return undefined;
    const observer = new IntersectionObserver((found) => {
      if (found.some((entry) => entry.isIntersecting)) dispatch({ type: 'appear', atMs: performance.now() });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [appeared]);

  useEffect(() => {
    if (!appeared || card.settled) return undefined;
    const timer = setTimeout(() => dispatch({ type: 'tick', atMs: performance.now() }), SETTLE_MS + 1);
    return () => clearTimeout(timer);
  }, [appeared, card.settled]);

  useEffect(() => {
    const element = end.current;
    if (element === null || card.endSeen || !card.complete) return undefined;
    // Made anew when more was laid out, so that an end which is in view already is reported again.
    const observer = new IntersectionObserver((found) => {
      if (found.some((entry) => entry.isIntersecting)) dispatch({ type: 'end-seen' });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [card.complete, card.endSeen]);

  const onComplete = useCallback((complete: boolean) => dispatch({ type: 'layout', complete }), []);
  return { card, dispatch, box, end, onComplete };
}

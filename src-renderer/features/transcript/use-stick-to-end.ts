// Keeps a scrolling element at its end while the reader is there, whatever grows inside it, and says when the reader is
// not. Invariant: nothing moves the view of a reader who scrolled away.
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';

const NEAR_END = 32;
/** A move upwards this soon after a hand's gesture is the reader's; any other comes from what is measured anew. */
const GESTURE_MS = 600;
const GESTURES = ['wheel', 'touchmove', 'pointerdown', 'pointermove', 'keydown'] as const;

export interface StickToEnd {
  /** The reader is at the end. */
  readonly atEnd: boolean;
  readonly scrollToEnd: () => void;
  /** The reader looks at something where it is: what grows now must not push it away. */
  readonly hold: () => void;
}

/** `scroller` scrolls, `content` is its one child that grows. `chatKey` = which chat: another one starts at its end. */
export function useStickToEnd(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  chatKey: string,
): StickToEnd {
  const [atEnd, setAtEnd] = useState(true);
  const sticks = useRef(true);
  const lastTop = useRef(0);
  const lastGesture = useRef(Number.NEGATIVE_INFINITY);

  const scrollToEnd = useCallback(() => {
    const element = scroller.current;
    if (element === null) return;
    sticks.current = true;
    setAtEnd(true);
    element.scrollTop = element.scrollHeight;
    lastTop.current = element.scrollTop;
  }, [scroller]);

  useLayoutEffect(scrollToEnd, [scrollToEnd, chatKey]);

  useEffect(() => {
    const element = scroller.current;
    const inner = content.current;
    if (element === null || inner === null) return undefined;
    const notice = (): void => {
      const near = element.scrollHeight - element.scrollTop - element.clientHeight <= NEAR_END;
      // Only the reader's move upwards lets go: growing content also fires scroll events, and what is measured anew may
      // shift the view a little. A jump of more than a view without a gesture is a search or a screen reader.
      const up = lastTop.current - element.scrollTop;
      const byReader = performance.now() - lastGesture.current < GESTURE_MS || up > element.clientHeight;
      if (near) sticks.current = true;
      else if (up > 1 && byReader) sticks.current = false;
      else if (sticks.current) element.scrollTop = element.scrollHeight;
      lastTop.current = element.scrollTop;
      setAtEnd(sticks.current);
    };
    const follow = (): void => {
      if (sticks.current) {
        element.scrollTop = element.scrollHeight;
        lastTop.current = element.scrollTop;
      } else notice();
    };
    const observer = new ResizeObserver(follow);
    observer.observe(inner);
    observer.observe(element);
    const gesture = (event: Event): void => {
      // A pointer that only passes over the text moves nothing.
      if (event instanceof PointerEvent && event.buttons === 0) return;
      lastGesture.current = performance.now();
    };
    for (const name of GESTURES) element.addEventListener(name, gesture, { passive: true });
    element.addEventListener('scroll', notice, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', notice);
      for (const name of GESTURES) element.removeEventListener(name, gesture);
    };
  }, [scroller, content]);

  const hold = useCallback(() => {
    sticks.current = false;
  }, []);

  return { atEnd, scrollToEnd, hold };
}

// The key that goes to a card which waits for an answer, and back to the message.
import { useEffect } from 'react';
import type { RefObject } from 'react';

function isAnswerKey(event: KeyboardEvent): boolean {
  return event.key === 'F6'
    ? !event.shiftKey && !event.ctrlKey && !event.altKey
    : event.ctrlKey && event.shiftKey && event.code === 'KeyA';
}

/** F6 and Ctrl+Shift+A go to the card, and from there back (`onLeave`), for as long as it is there and `enabled`. */
export function useAnswerKey(
  card: RefObject<HTMLDivElement | null>,
  { enabled, onLeave }: { enabled: boolean; onLeave: () => void },
): void {
  useEffect(() => {
    if (!enabled) return undefined;
    const press = (event: KeyboardEvent): void => {
      const element = card.current;
      if (!isAnswerKey(event) || element === null) return;
      event.preventDefault();
      if (element.contains(document.activeElement)) onLeave();
      else {
        element.scrollIntoView({ block: 'nearest' });
        element.focus({ preventScroll: true });
      }
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [card, enabled, onLeave]);
}

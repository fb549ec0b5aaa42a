// Waits before it shows that something takes time, so that quick answers never flicker.
import { useEffect, useState } from 'react';

/** true once `active` has been true for `delayMs` (default 200); false at once when it ends. */
export function useDelayed(active: boolean, delayMs = 200): boolean {
  const [due, setDue] = useState(false);
  useEffect(() => {
    if (!active) return undefined;
    const timer = setTimeout(() => setDue(true), delayMs);
    return () => {
      clearTimeout(timer);
      setDue(false);
    };
  }, [active, delayMs]);
  return active && due;
}

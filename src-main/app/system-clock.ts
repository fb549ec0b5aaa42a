// The clock port over the machine's own time.
import type { Clock } from '../engine/ports.ts';

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  after(ms, fire) {
    const timer = setTimeout(fire, ms);
    return () => {
      clearTimeout(timer);
    };
  },
};

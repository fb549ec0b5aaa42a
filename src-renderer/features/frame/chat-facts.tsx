// What the open chat's running or last turn has taken: step, time, money.
import { useEffect, useState } from 'react';
import { useChat } from '../../state/window-context.tsx';
import { lastTurn, shownCost, shownDuration } from './turn-facts.ts';

export function ChatFacts() {
  const entries = useChat((chat) => chat.entries);
  const step = useChat((chat) => chat.running?.step ?? 0);
  const status = useChat((chat) => chat.summary.status);
  const cost = useChat((chat) => chat.meter.total.costUsd);
  const active = status === 'running' || status === 'waiting';
  const turn = lastTurn(entries);
  const now = useSeconds(active);
  if (!turn) return null;
  const steps = Math.max(turn.steps, step);
  const elapsedMs = active ? Math.max(0, now - turn.startedAtMs) : (turn.durationMs ?? 0);
  const parts = [
    steps > 0 ? `step ${steps}` : null,
    active || turn.durationMs !== null ? shownDuration(elapsedMs) : null,
    cost === null ? null : shownCost(cost),
  ];
  return <>{parts.filter((part) => part !== null).join(' · ')}</>;
}

/** Now, once a second while `active`; nothing wakes up while nothing runs. */
function useSeconds(active: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!active) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [active]);
  return now;
}

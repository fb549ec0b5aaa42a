// Times and durations as people read them. Pure.

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** `14:02`, or with the date when it is not today. `nowMs` is now. */
export function showClock(atMs: number, nowMs: number): string {
  const sameDay = new Date(atMs).toDateString() === new Date(nowMs).toDateString();
  return (sameDay ? clock : full).format(atMs);
}

/** `9 ms`, `1.2 s`, `38 s`, `4 min 5 s`, `2 h 3 min`. */
export function showElapsed(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

// When a chat was last active, as short as can be read at a glance. Pure.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `now`, `2 m`, `5 h`, `Tue`, `Nov 21`, and the year when that is long past. */
export function relativeTime(atMs: number, nowMs: number): string {
  const age = nowMs - atMs;
  if (age < MINUTE) return 'now';
  if (age < HOUR) return `${Math.floor(age / MINUTE)} m`;
  const at = new Date(atMs);
  if (age < DAY && at.getDate() === new Date(nowMs).getDate()) return `${Math.floor(age / HOUR)} h`;
  if (age < 6 * DAY) return at.toLocaleDateString('en', { weekday: 'short' });
  if (age < 330 * DAY) return at.toLocaleDateString('en', { month: 'short', day: 'numeric' });
  return String(at.getFullYear());
}

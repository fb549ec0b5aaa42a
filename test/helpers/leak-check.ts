// Fails a suite that leaves something open: timers, sockets, child processes, workers, file watchers, and listeners on
// the process. Call it once at the top of a test file; it looks after the file's own hooks have run.
import { afterAll, beforeAll, expect } from 'vitest';

/** Resources that the test runner itself owns, or that Node keeps for a moment after they are closed. */
const ignored = new Set([
  'TTYWrap',
  'PipeWrap',
  'MessagePort',
  'Immediate',
  'FSReqPromise',
  'FSReqCallback',
  'CloseReq',
]);
const watchedEvents = ['exit', 'SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection'];

function openResources(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo().filter((each) => !ignored.has(each))) {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

const listeners = (): number[] => watchedEvents.map((event) => process.listenerCount(event));

/** Kinds of open resources above those of `before`, with how many more there are: `Timeout 2`. */
function grown(before: ReadonlyMap<string, number>): string[] {
  return [...openResources()].flatMap(([kind, count]) => {
    const more = count - (before.get(kind) ?? 0);
    return more > 0 ? [`${kind} ${String(more)}`] : [];
  });
}

/** Registers the check for the calling test file: what it opened is closed at its end (waits up to 3 s for it). */
export function checkLeaks(): void {
  let before = new Map<string, number>();
  let listenersBefore: number[] = [];
  beforeAll(() => {
    before = openResources();
    listenersBefore = listeners();
  });
  afterAll(async () => {
    await expect.poll(() => grown(before), { timeout: 3_000, interval: 50 }).toEqual([]);
    expect(listeners()).toEqual(listenersBefore);
  });
}

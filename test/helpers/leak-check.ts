// Fails a suite that leaves something open: timers, servers, sockets, child processes, workers, file watchers, and
// listeners on the process. Call it once at the top of a test file; it looks after the file's own hooks have run.
import { createHook } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect } from 'vitest';

const watchedKinds = new Set([
  ...['Timeout', 'TCPSERVERWRAP', 'TCPWRAP', 'PIPESERVERWRAP', 'PROCESSWRAP', 'WORKER', 'FSEVENTWRAP', 'STATWATCHER'],
  ...['HTTPINCOMINGMESSAGE', 'UDPWRAP'],
]);
const watchedEvents = ['exit', 'SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection'];

interface OpenResource {
  readonly resource: { hasRef?: () => boolean };
  readonly description: string;
}

/**
 * Where a resource was made: the first line of the stack that lies in our own code; none for the runner's own. Node
 * makes a server's handle in a callback of its own, so a stack of nothing but Node counts, unless it is a timer's.
 */
function origin(kind: string): string | undefined {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 30;
  const frames = new Error().stack?.split('\n').slice(1) ?? [];
  Error.stackTraceLimit = limit;
  const outside = frames.filter((frame) => !/[( ]node:|leak-check/.test(frame));
  if (outside.length === 0 && kind !== 'Timeout') return 'made by Node';
  return outside.find((frame) => !/node_modules\/(?!\.cache)/.test(frame))?.trim();
}

/** A resource that does not keep the process alive is no leak. */
function keepsAlive(resource: { hasRef?: () => boolean }): boolean {
  return resource.hasRef?.() !== false;
}

const listeners = (): number[] => watchedEvents.map((event) => process.listenerCount(event));

/** Registers the check for the calling test file: what it opened is closed at its end (waits up to 2 s for it). */
export function checkLeaks(): void {
  const open = new Map<number, OpenResource>();
  const hook = createHook({
    init(id, kind, _trigger, resource) {
      const from = watchedKinds.has(kind) ? origin(kind) : undefined;
      if (from !== undefined) open.set(id, { resource, description: `${kind} ${from}` });
    },
    destroy(id) {
      open.delete(id);
    },
  });
  const leaks = (): string[] =>
    [...open.values()].filter(({ resource }) => keepsAlive(resource)).map(({ description }) => description);
  let listenersBefore: number[] = [];

  beforeAll(() => {
    listenersBefore = listeners();
    hook.enable();
  });
  afterAll(async () => {
    // Handles open and close a few turns after the call that asks for it.
    let tries = 0;
    do await delay(50);
    while (++tries < 40 && leaks().length > 0);
    hook.disable();
    expect(leaks()).toEqual([]);
    expect(listeners()).toEqual(listenersBefore);
  });
}

import { describe, expect, it } from 'vitest';
import { EventHub } from '../../../src-main/app/event-hub.ts';
import type { EventEnvelope, SessionEvent } from '../../../src-main/contract/events.ts';
import type { SessionId, TurnId } from '../../../src-main/contract/ids.ts';

const session = 's1' as SessionId;
const text = (piece: string): SessionEvent => ({ type: 'text-delta', turnId: 't' as TurnId, step: 1, text: piece });

function hubOfWindows(...windows: number[]): { hub: EventHub; batches: { window: number; events: EventEnvelope[] }[] } {
  const hub = new EventHub('epoch');
  const batches: { window: number; events: EventEnvelope[] }[] = [];
  hub.onBatch((window, events) => batches.push({ window, events }));
  for (const window of windows) hub.subscribe(window, session);
  return { hub, batches };
}

describe('events on their way to windows', () => {
  it('the deltas of one frame cross as one event, in one batch', () => {
    const { hub, batches } = hubOfWindows(1);
    for (const piece of ['a', 'b', 'c']) hub.publish(session, text(piece));
    hub.flush();
    expect(batches).toHaveLength(1);
    expect(batches[0]?.events).toMatchObject([{ n: 1, event: { text: 'abc' } }]);
  });

  it('are numbered without a gap for every window that shows the session', () => {
    const { hub, batches } = hubOfWindows(1, 2);
    hub.publish(session, text('a'));
    hub.publish(session, { type: 'queue-update', queue: [] });
    hub.publish(session, text('b'));
    hub.flush();
    for (const window of [1, 2]) {
      const numbers = batches
        .filter((batch) => batch.window === window)
        .flatMap((batch) => batch.events.map((one) => one.n));
      expect(numbers).toEqual([1, 2, 3]);
    }
  });

  it('a delta is never joined to one that was sent before a snapshot was taken', () => {
    const { hub, batches } = hubOfWindows(1);
    hub.publish(session, text('before'));
    hub.flush();
    const n = hub.lastNumber(session);
    hub.publish(session, text('after'));
    hub.flush();
    const later = batches.flatMap((batch) => batch.events).filter((event) => event.n > n);
    expect(later).toMatchObject([{ event: { text: 'after' } }]);
  });

  it('go to no window that does not show the session', () => {
    const { hub, batches } = hubOfWindows(1);
    hub.publish('other' as SessionId, text('secret'));
    hub.removeWindow(1);
    hub.publish(session, text('late'));
    hub.flush();
    expect(batches).toEqual([]);
  });

  it('a batch stays small, however much comes in one frame', () => {
    const { hub, batches } = hubOfWindows(1);
    for (let i = 0; i < 10; i++) {
      hub.publish(session, text('x'.repeat(90_000)));
      hub.publish(session, { type: 'queue-update', queue: [] });
    }
    hub.flush();
    for (const batch of batches) expect(JSON.stringify(batch.events).length).toBeLessThan(256 * 1024);
  });
});

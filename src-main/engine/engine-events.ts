// What a session announces while it works: the contract's session events that the engine itself knows of. Deltas are
// telemetry; entries are announced after they were committed.
import type { Entry } from '../contract/entries.ts';
import type { SessionEvent } from '../contract/events.ts';

type Telemetry = Extract<
  SessionEvent,
  {
    type:
      | 'step-start'
      | 'text-delta'
      | 'reasoning-delta'
      | 'step-discard'
      | 'call-draft'
      | 'call-start'
      | 'call-output'
      | 'call-end'
      | 'retry'
      | 'turn-end';
  }
>;

export type EngineEvent = Telemetry | { type: 'entries-append'; entries: Entry[] };

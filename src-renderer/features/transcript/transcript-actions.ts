// What the transcript asks of the window around it.
import type { EntryId } from '../../../src-main/contract/ids.ts';

export interface TranscriptActions {
  readonly loadEarlier: () => Promise<void>;
  /** Fetches the whole of an entry that came trimmed. Rejects with a BridgeError. */
  readonly loadEntry: (entryId: string) => Promise<void>;
  /** Goes back to before a message of the person; what comes after is kept. */
  readonly rewindTo: (entryId: string) => void;
  readonly continueTurn: () => void;
  readonly removeQueued: (queueId: string) => void;
  /** Takes back what was set aside for the model. */
  readonly undoReduction: (entryId: EntryId) => void;
  readonly openSettings: () => void;
}

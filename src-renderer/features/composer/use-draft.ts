// What is written and not yet sent: kept here while the chat is shown, saved in main a moment after each change and
// whenever the composer goes away. Invariant: a text that could not be sent is still there.
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Attachment } from '../../../src-main/contract/entries.ts';
import type { SessionId } from '../../../src-main/contract/ids.ts';
import type { Client } from '../../bridge/client.ts';

const SAVE_AFTER_MS = 400;
/** What one message may hold, by the contract. */
export const LONGEST_TEXT = 200_000;

export interface Draft {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

export interface DraftHandle {
  readonly draft: Draft;
  readonly change: (next: (draft: Draft) => Draft) => void;
  /** The last save failed: what is written is only in this window. */
  readonly unsaved: boolean;
}

/** `initial` is read once; mount anew for another chat. */
export function useDraft(client: Client, sessionId: SessionId, initial: Draft): DraftHandle {
  const [draft, setDraft] = useState(initial);
  const [unsaved, setUnsaved] = useState(false);
  const latest = useRef(initial);
  const saved = useRef(initial);

  const save = useCallback(async () => {
    const { text, attachments } = latest.current;
    if (latest.current === saved.current || text.length > LONGEST_TEXT) return;
    saved.current = latest.current;
    try {
      await client.sessions.saveDraft({ sessionId, text, attachmentIds: attachments.map(({ id }) => id) });
      setUnsaved(false);
    } catch {
      // Tried again with the next change; until then the person is told.
      setUnsaved(true);
    }
  }, [client, sessionId]);

  const change = useCallback((next: (draft: Draft) => Draft) => {
    latest.current = next(latest.current);
    setDraft(latest.current);
  }, []);

  useEffect(() => {
    const timer = setTimeout(() => void save(), SAVE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [draft, save]);

  useEffect(() => {
    const leave = (): void => void save();
    window.addEventListener('pagehide', leave);
    window.addEventListener('blur', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      window.removeEventListener('blur', leave);
      leave();
    };
  }, [save]);

  return { draft, change, unsaved };
}

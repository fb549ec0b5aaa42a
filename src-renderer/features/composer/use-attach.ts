// Turns large pasted text into attachments of the draft, with progress and errors.
import { useCallback, useRef, useState } from 'react';
import type { SessionId } from '../../../src-main/contract/ids.ts';
import type { Client } from '../../bridge/client.ts';
import { attachText, nextName } from './attach-text.ts';
import type { Upload } from './attachment-list.tsx';
import type { DraftHandle } from './use-draft.ts';

export interface AttachHandle {
  readonly uploads: readonly Upload[];
  /** Adds a text; resolves when it is part of the draft. Rejects with a BridgeError. */
  readonly attach: (text: string) => Promise<void>;
}

/** See the file's header. */
export function useAttach(client: Client, sessionId: SessionId, { draft, change }: DraftHandle): AttachHandle {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const taken = useRef<string[]>([]);
  const attach = useCallback(
    async (text: string) => {
      const name = nextName([...draft.attachments.map((attachment) => attachment.name), ...taken.current]);
      taken.current.push(name);
      setUploads((all) => [...all, { name, characters: text.length, share: 0 }]);
      const onProgress = (share: number): void =>
        setUploads((all) => all.map((upload) => (upload.name === name ? { ...upload, share } : upload)));
      try {
        const attachment = await attachText({ client, sessionId, name, text, onProgress });
        change((current) => ({ ...current, attachments: [...current.attachments, attachment] }));
      } finally {
        taken.current = taken.current.filter((one) => one !== name);
        setUploads((all) => all.filter((upload) => upload.name !== name));
      }
    },
    [client, sessionId, draft.attachments, change],
  );
  return { uploads, attach };
}

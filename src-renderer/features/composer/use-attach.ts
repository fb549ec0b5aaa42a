// Turns large pasted text, and files that are dropped, pasted or chosen, into attachments of the draft, with progress and
// errors.
import { useCallback, useRef, useState, type ClipboardEvent } from 'react';
import type { SessionId } from '../../../src-main/contract/ids.ts';
import type { Client } from '../../bridge/client.ts';
import { ATTACH_ABOVE, attachText, nextName } from './attach-text.ts';
import type { Upload } from './attachment-list.tsx';
import { readTextFile } from './read-text-file.ts';
import type { DraftHandle } from './use-draft.ts';
import type { Attempt } from './use-send.ts';

export interface AttachHandle {
  readonly uploads: readonly Upload[];
  /** Attaches text files; says of each other file why it is not attached. Never rejects. */
  readonly attachFiles: (files: readonly File[]) => Promise<void>;
  /** Takes a paste that is a large text or files; anything else is the text field's own. */
  readonly paste: (event: ClipboardEvent) => void;
}

export interface AttachOptions {
  readonly client: Client;
  readonly sessionId: SessionId;
  readonly draftHandle: DraftHandle;
  readonly attempts: Attempt;
  /** Bytes that one message may have. */
  readonly mostBytes: number;
}

/** By the contract. */
const MOST_ATTACHMENTS = 50;
const PASTED = 'Pasted text';

/** See the file's header. */
export function useAttach({ client, sessionId, draftHandle, attempts, mostBytes }: AttachOptions): AttachHandle {
  const { draft, change } = draftHandle;
  const { attempt, refuse } = attempts;
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const taken = useRef<string[]>([]);

  const attach = useCallback(
    async (text: string, wanted: string) => {
      const name = nextName(wanted, [...draft.attachments.map((attachment) => attachment.name), ...taken.current]);
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

  const attachFiles = useCallback(
    async (files: readonly File[]) => {
      const room = MOST_ATTACHMENTS - draft.attachments.length - taken.current.length;
      const refused =
        files.length > room ? [`One message takes ${MOST_ATTACHMENTS} attachments; the rest was left out.`] : [];
      const added = await attempt(async () => {
        for (const file of files.slice(0, Math.max(room, 0))) {
          const read = await readTextFile(file, mostBytes);
          if ('refused' in read) refused.push(read.refused);
          else await attach(read.text, read.name);
        }
      });
      if (added && refused.length > 0) refuse(refused.join(' '));
    },
    [attempt, refuse, attach, mostBytes, draft.attachments.length],
  );

  const paste = (event: ClipboardEvent): void => {
    const text = event.clipboardData.getData('text/plain');
    // Programs put a picture of what was copied beside its text: then the text is meant.
    const files = text === '' ? [...event.clipboardData.files] : [];
    if (files.length === 0 && text.length <= ATTACH_ABOVE) return;
    event.preventDefault();
    if (files.length > 0) void attachFiles(files);
    else void attempt(() => attach(text, PASTED));
  };
  return { uploads, attachFiles, paste };
}

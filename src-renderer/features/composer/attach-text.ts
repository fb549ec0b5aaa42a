// Hands a large pasted text to main in pieces, so that no message between the two grows large.
import type { Attachment } from '../../../src-main/contract/entries.ts';
import type { AttachmentId, SessionId } from '../../../src-main/contract/ids.ts';
import type { Client } from '../../bridge/client.ts';

/** A pasted text above this many characters becomes an attachment. */
export const ATTACH_ABOVE = 32_768;
export const PIECE_CHARACTERS = 131_072;

/** Pieces of at most PIECE_CHARACTERS that never split a surrogate pair; joined they are the text. */
export function toPieces(text: string, size = PIECE_CHARACTERS): string[] {
  const pieces: string[] = [];
  let from = 0;
  while (from < text.length) {
    let to = Math.min(from + size, text.length);
    const last = text.charCodeAt(to - 1);
    if (to < text.length && last >= 0xd800 && last <= 0xdbff && to - from > 1) to -= 1;
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces.length === 0 ? [''] : pieces;
}

export interface AttachOptions {
  readonly client: Client;
  readonly sessionId: SessionId;
  readonly name: string;
  readonly text: string;
  /** Share that is done, 0 to 1. */
  readonly onProgress: (share: number) => void;
}

/** Stores the text and gives its attachment. Rejects with a BridgeError; what was sent until then is main's to drop. */
export async function attachText({ client, sessionId, name, text, onProgress }: AttachOptions): Promise<Attachment> {
  const pieces = toPieces(text);
  let attachmentId: AttachmentId | null = null;
  for (const [index, piece] of pieces.entries()) {
    const done = index === pieces.length - 1;
    const attachment: Attachment = await client.sessions.putAttachment({ sessionId, attachmentId, name, piece, done });
    if (done) return attachment;
    attachmentId = attachment.id;
    onProgress((index + 1) / pieces.length);
  }
  return Promise.reject(new RangeError('a text always has a last piece'));
}

/** `notes.txt`, `notes.txt 2`: the wanted name, or one after it that none of these has. */
export function nextName(wanted: string, names: readonly string[]): string {
  let number = 1;
  while (names.includes(number === 1 ? wanted : `${wanted} ${number}`)) number += 1;
  return number === 1 ? wanted : `${wanted} ${number}`;
}

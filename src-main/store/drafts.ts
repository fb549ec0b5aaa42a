// What a person has written and not sent: the draft of each chat, and texts attached to it. Attachments come in pieces
// and are kept in pieces, so a long paste is not rewritten with each one.
import type { Attachment } from '../contract/entries.ts';
import type { AttachmentId, SessionId } from '../contract/ids.ts';
import { sessionNumber } from './read-entries.ts';
import type { StoreDatabase } from './store-database.ts';
import { sessionNotFound } from './store-error.ts';
import { parseStored } from './stored-json.ts';

interface AttachmentColumns {
  number: number;
  id: string;
  name: string;
  bytes: number;
  characters: number;
  carry: number;
}

/** Characters that make a token, roughly. */
const CHARACTERS_A_TOKEN = 4;

function toAttachment(row: AttachmentColumns, text: string): Attachment {
  return {
    id: row.id as AttachmentId,
    name: row.name,
    bytes: row.bytes,
    tokens: Math.ceil(row.characters / CHARACTERS_A_TOKEN),
    text,
  };
}

function numberOf(database: StoreDatabase, id: SessionId): number {
  const number = sessionNumber(database, id);
  if (number === null) throw sessionNotFound(id);
  return number;
}

function findAttachment(database: StoreDatabase, session: number, id: string): AttachmentColumns | undefined {
  return database.get<AttachmentColumns>(
    'SELECT number, id, name, bytes, characters, carry FROM attachment WHERE session = ? AND id = ?',
    session,
    id,
  );
}

/** A piece may end between the two halves of one character; the first half waits for the next piece. */
function splitCarry(text: string): { whole: string; carry: number } {
  const last = text.charCodeAt(text.length - 1);
  if (!(last >= 0xd800 && last <= 0xdbff)) return { whole: text.toWellFormed(), carry: 0 };
  return { whole: text.slice(0, -1).toWellFormed(), carry: last };
}

/** See Store.putAttachment. */
export function putAttachment(
  database: StoreDatabase,
  id: SessionId,
  input: { attachmentId: AttachmentId; name: string; piece: string },
): Attachment {
  return database.write(() => {
    const session = numberOf(database, id);
    const before = findAttachment(database, session, input.attachmentId);
    const begun = before && before.carry !== 0 ? String.fromCharCode(before.carry) : '';
    const { whole, carry } = splitCarry(begun + input.piece);
    database.run(
      `INSERT INTO attachment (session, id, name, bytes, characters, carry) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (session, id) DO UPDATE SET bytes = bytes + excluded.bytes, carry = excluded.carry,
         characters = characters + excluded.characters`,
      session,
      input.attachmentId,
      input.name,
      Buffer.byteLength(whole),
      whole.length,
      carry,
    );
    const row = findAttachment(database, session, input.attachmentId);
    if (row === undefined) throw sessionNotFound(id);
    if (whole !== '') database.run('INSERT INTO attachment_piece (attachment, text) VALUES (?, ?)', row.number, whole);
    return toAttachment(row, '');
  });
}

function readAttachments(
  database: StoreDatabase,
  session: number,
  options: { ids: readonly string[]; texts: boolean },
): Attachment[] {
  return options.ids.flatMap((id) => {
    const row = findAttachment(database, session, id);
    if (row === undefined) return [];
    if (!options.texts) return [toAttachment(row, '')];
    const pieces = database.all<{ text: string }>(
      'SELECT text FROM attachment_piece WHERE attachment = ? ORDER BY number',
      row.number,
    );
    return [toAttachment(row, pieces.map((piece) => piece.text).join(''))];
  });
}

/** Attachments with their texts, in the order asked for; absent ones are left out. */
export function getAttachments(database: StoreDatabase, id: SessionId, ids: readonly AttachmentId[]): Attachment[] {
  const session = sessionNumber(database, id);
  return session === null ? [] : readAttachments(database, session, { ids, texts: true });
}

/** The draft with its attachments, without their texts; an empty one when there is none. */
export function getDraft(database: StoreDatabase, id: SessionId): { text: string; attachments: Attachment[] } {
  const session = sessionNumber(database, id);
  const draft =
    session === null
      ? undefined
      : database.get<{ text: string; attachment_ids: string }>(
          'SELECT text, attachment_ids FROM draft WHERE session = ?',
          session,
        );
  if (session === null || draft === undefined) return { text: '', attachments: [] };
  const ids = parseStored<string[]>(draft.attachment_ids, []);
  return { text: draft.text, attachments: readAttachments(database, session, { ids, texts: false }) };
}

/** Replaces the draft. */
export function setDraft(
  database: StoreDatabase,
  id: SessionId,
  draft: { text: string; attachmentIds: readonly AttachmentId[] },
): void {
  database.write(() => {
    database.run(
      'INSERT OR REPLACE INTO draft (session, text, attachment_ids) VALUES (?, ?, ?)',
      numberOf(database, id),
      draft.text,
      JSON.stringify(draft.attachmentIds),
    );
  });
}

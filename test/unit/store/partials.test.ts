import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import type { AttachmentId } from '../../../src-main/contract/ids.ts';
import { databaseFile } from '../../../src-main/store/open-database.ts';
import { openStore } from '../../../src-main/store/open-store.ts';
import type { Store } from '../../../src-main/store/store.ts';
import { checkLeaks } from '../../helpers/leak-check.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';
import * as make from './entry-fixtures.ts';

checkLeaks();

async function opened(): Promise<{ store: Store; lengths: (table: string) => unknown[] }> {
  const folder = await tempFolder();
  const store = await openStore({ folder });
  const database = new Database(databaseFile(folder), { readonly: true });
  onTestFinished(async () => {
    database.close();
    await store.close();
  });
  const lengths = (table: string): unknown[] =>
    database.prepare(`SELECT length(text) FROM ${table} ORDER BY number`).pluck().all();
  return { store, lengths };
}

test('D1: running text that grows is stored as chunks that each hold only what is new', async () => {
  const { store, lengths } = await opened();
  const { id } = await make.session(store, await make.project(store));
  for (let n = 1; n <= 20; n++) {
    await store.putPartial(id, { turnId: 't1', text: 'x'.repeat(n * 1000), reasoning: '' });
  }
  expect(lengths('partial')).toEqual(Array.from({ length: 20 }, () => 1000));
  await store.append(id, process.pid, [make.answer('t1')]);
  expect(lengths('partial')).toEqual([]);
  await store.putPartial(id, { turnId: 't1', text: 'x'.repeat(500), reasoning: '' });
  expect(lengths('partial')).toEqual([500]);
});

test('D1: an attachment that comes in pieces is stored as these pieces', async () => {
  const { store, lengths } = await opened();
  const { id } = await make.session(store, await make.project(store));
  const attachmentId = 'a1' as AttachmentId;
  for (let n = 0; n < 20; n++) await store.putAttachment(id, { attachmentId, name: 'n', piece: 'y'.repeat(1000) });
  expect(lengths('attachment_piece')).toEqual(Array.from({ length: 20 }, () => 1000));
  const [whole] = await store.getAttachments(id, [attachmentId]);
  expect(whole).toMatchObject({ bytes: 20_000, tokens: 5000, text: 'y'.repeat(20_000) });
});

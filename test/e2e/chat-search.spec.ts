// Search in the side bar: what is in the chats stands below the chats that are called so, page by page.
import type { SearchHit } from '../../src-main/contract/session.ts';
import { expect, test } from './chat-page.ts';

const hit = (n: number): SearchHit => ({
  sessionId: 's-checkout' as never,
  projectId: 'p' as never,
  title: `Chat ${n}`,
  archived: false,
  entryId: `h${n}` as never,
  ...{ seq: n, kind: 'user-message', atMs: n, before: 'where the ', match: 'pears', after: ` grow ${n}` },
});

test('what is found in the chats is listed with its words, goes on as the list is scrolled, and opens its chat', async ({
  chat,
}) => {
  await chat.open();
  await chat.page.evaluate(
    (hits) => {
      window.fake.content.hits = hits;
    },
    Array.from({ length: 80 }, (_, n) => hit(n)),
  );
  const list = chat.page.getByRole('navigation', { name: /chats/i }).first();
  await chat.page.getByRole('searchbox', { name: 'Find in chats' }).fill('pears');
  await expect(list.getByText('In the chats')).toBeVisible();
  await expect(list.getByRole('button', { name: /Chat 0.*where the pears grow 0/ })).toBeVisible();
  await expect(list.locator('mark').first()).toHaveText('pears');
  await list.getByRole('button', { name: /grow 20/ }).scrollIntoViewIfNeeded();
  await list.getByRole('button', { name: /grow 49/ }).scrollIntoViewIfNeeded();
  await expect.poll(() => chat.inputs('sessions.search')).toMatchObject([{ text: 'pears' }, { cursor: '50' }]);
  await list.getByRole('button', { name: /grow 49/ }).click();
  await expect(chat.field).toBeVisible();
});

// The composer in the window: nothing written is lost, large pastes become attachments, keys do what they say.
import { expect, test } from './chat-page.ts';

test('V10: a key that belongs to an input method sends nothing, here and in the reason of a denial', async ({
  chat,
}) => {
  await chat.open();
  const compose = (label: string) =>
    chat.page.getByRole('textbox', { name: label }).evaluate((field) => {
      field.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, isComposing: true }),
      );
      field.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true, isComposing: true }),
      );
    });
  await chat.field.fill('にほん');
  await compose('Message');
  await chat.button('Deny…').click();
  await chat.page.getByRole('textbox', { name: /What should it do instead/ }).fill('だめ');
  await compose('What should it do instead');
  await expect(chat.card).toBeVisible();
  expect(await chat.inputs('sessions.submit')).toEqual([]);
  expect(await chat.inputs('sessions.stop')).toEqual([]);
  expect(await chat.inputs('approvals.answer')).toEqual([]);
  await expect(chat.field).toHaveValue('にほん');
});

test('2 MB pasted become an attachment with its size and tokens, in pieces that are small enough, and are sent along', async ({
  chat,
}) => {
  await chat.open();
  await chat.settle();
  await chat.field.evaluate((field) => {
    const data = new DataTransfer();
    data.setData('text/plain', 'x'.repeat(2_097_152));
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  });
  const chips = chat.page.getByRole('list', { name: 'Attachments' });
  await expect(chips).toContainText(/Pasted text.*~[\d,]+ tokens/);
  await expect(chat.field).toHaveValue('');
  const pieces = await chat.inputs('sessions.putAttachment');
  expect(pieces).toHaveLength(16);
  expect(Math.max(...pieces.map(({ piece }) => String(piece).length))).toBeLessThanOrEqual(131_072);
  expect(pieces.map(({ done }) => done)).toEqual([...Array<boolean>(15).fill(false), true]);
  await chat.field.fill('read this');
  await chat.field.press('Enter');
  await expect(chips).toHaveCount(0);
  expect(await chat.inputs('sessions.submit')).toMatchObject([
    { text: 'read this', attachmentIds: [expect.any(String)] },
  ]);
});

test('what could not be sent comes back with the reason; what is written is saved as a draft', async ({ chat }) => {
  await chat.open();
  await chat.settle();
  const message = 'The folder is not there any more. Nothing was sent.';
  await chat.fail('sessions.submit', { code: 'project.gone', message, retryable: false });
  await chat.field.fill('change the header');
  await chat.field.press('Enter');
  await expect(chat.page.getByRole('alert').filter({ hasText: message })).toBeVisible();
  await expect(chat.field).toHaveValue('change the header');
  await chat.field.fill('change the header and the footer');
  await expect
    .poll(async () => (await chat.inputs('sessions.saveDraft')).at(-1))
    .toMatchObject({ text: 'change the header and the footer' });
});

test('files and commands are completed by keys; commands do what they say and are not sent as messages', async ({
  chat,
}) => {
  await chat.open();
  await chat.settle();
  await chat.field.pressSequentially('look at @retr');
  await expect(chat.page.getByRole('option', { name: /retry.ts/ })).toHaveAttribute('aria-selected', 'true');
  await chat.field.press('Tab');
  await expect(chat.field).toHaveValue('look at @src/http/retry.ts ');
  await chat.field.fill('');
  await chat.field.pressSequentially('/mo');
  await expect(chat.page.getByRole('listbox', { name: 'Commands' }).getByRole('option')).toHaveCount(2);
  await chat.field.press('Enter');
  await chat.field.pressSequentially('pl');
  await chat.field.press('Enter');
  await chat.field.press('Enter');
  await expect.poll(() => chat.inputs('sessions.setMode')).toMatchObject([{ mode: 'plan' }]);
  await chat.field.fill('/model nothing-like-it');
  await chat.field.press('Escape');
  await chat.field.press('Enter');
  await expect(chat.page.getByText(/There is no model like/)).toBeVisible();
  await expect(chat.field).toHaveValue('/model nothing-like-it');
  expect(await chat.inputs('sessions.submit')).toEqual([]);
});

test('Esc stops a running turn, Shift+Tab cycles modes, Shift+F6 leaves backwards, a queued message can be taken back', async ({
  chat,
}) => {
  await chat.open();
  await chat.field.fill('next');
  await chat.field.press('Enter');
  await chat.button('Remove from the queue').click();
  await expect(chat.page.getByRole('article', { name: 'Queued message' })).toHaveCount(0);
  await chat.field.press('Shift+Tab');
  await expect.poll(() => chat.inputs('sessions.setMode')).toMatchObject([{ mode: 'auto' }]);
  await expect(chat.field).toBeFocused();
  await chat.field.press('Shift+F6');
  await expect(chat.field).not.toBeFocused();
  await chat.field.press('Escape');
  await expect.poll(() => chat.inputs('sessions.stop')).toHaveLength(1);
});

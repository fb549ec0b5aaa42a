// Files on their way into a message, in the built application: dropped, pasted or chosen. Text is attached and read by the
// model; what is not text is refused in words; a folder opens as a project.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { startRig } from '../helpers/start-rig.ts';
import { ChatWindow, writeShop } from './built-app.ts';
import { electronPath, expect, test } from './fixture.ts';

async function drop(page: Page, files: string[]): Promise<void> {
  const client = await page.context().newCDPSession(page);
  const data = { items: [], files, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await client.send('Input.dispatchDragEvent', { type, x: 560, y: 300, data });
  }
}

/** Size of each request that the model service got for a turn. */
async function bytesOfRequests(port: number): Promise<number[]> {
  const log = (await (await fetch(`http://127.0.0.1:${String(port)}/__bench/log`)).json()) as {
    kind: string;
    bytesIn: number;
  }[];
  return log.filter(({ kind }) => kind === 'main').map(({ bytesIn }) => bytesIn);
}

test('text files that are dropped, pasted or chosen by keyboard are attached and sent; others are refused; a folder is opened', async ({
  warrant,
}) => {
  test.skip(electronPath !== undefined, 'the drop is made through the debugging protocol of the Chromium host');
  const rig = await startRig({ w_read: { turns: [{ say: 'Seen.' }] } });
  writeShop(warrant.project);
  const file = (name: string, content: string | Buffer): string => {
    const full = path.join(warrant.home, name);
    writeFileSync(full, content);
    return full;
  };
  const notes = file('notes.txt', 'Pears are 12 now. Grüße.\n'.repeat(200));
  const wide = file('wide.csv', Buffer.from('\ufeffa;b\n1;2\n', 'utf16le'));
  const picture = file('pear.png', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'));
  const archive = file('all.zip', Buffer.from('504b0304000000ff', 'hex'));
  const big = file('big.log', Buffer.alloc(3_000_000, 'x'));
  const other = path.join(warrant.home, 'orchard');
  mkdirSync(other);
  const model = `openai-compatible:m@http://127.0.0.1:${String(rig.port)}/v1`;
  const limits = { messageBytes: 2_000_000 };
  writeFileSync(
    path.join(warrant.data, 'settings.json'),
    JSON.stringify({ version: 1, defaultModel: model, findLocalModels: false, limits }),
  );
  const chat = new ChatWindow(await warrant.start());
  const { page } = chat;
  await expect(chat.field).toBeFocused();
  const chips = page.getByRole('list', { name: 'Attachments' });

  await drop(page, [notes, picture, archive, big]);
  await expect(chips.getByRole('listitem')).toHaveText([/notes\.txt.*5 KB · ~1,\d\d\d tokens/]);
  await expect(page.getByText(/pear\.png is an image. Images cannot be attached yet/)).toBeVisible();
  await expect(page.getByText(/all\.zip is not text/)).toBeVisible();
  await expect(page.getByText(/big\.log has 2\.9 MB; 1\.9 MB fit into a message. .* name it with @/)).toBeVisible();

  await chat.field.evaluate((field) => {
    const data = new DataTransfer();
    data.items.add(new File(['line of a paste\n'], 'notes.txt', { type: 'text/plain' }));
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  });
  await expect(chips.getByRole('listitem')).toHaveCount(2);
  await expect(chips).toContainText('notes.txt 2');
  await expect(page.getByText(/is not text/)).toHaveCount(0);

  const button = chat.button('Attach text files');
  await button.focus();
  // By the protocol itself: the test is attached without what Playwright adds to a page.
  const client = await page.context().newCDPSession(page);
  await client.send('Page.enable');
  await client.send('Page.setInterceptFileChooserDialog', { enabled: true });
  const asked = new Promise<number | undefined>((resolve) => {
    client.once('Page.fileChooserOpened', ({ backendNodeId }) => {
      resolve(backendNodeId);
    });
  });
  await page.keyboard.press('Enter');
  const backendNodeId = await asked;
  await client.send('DOM.setFileInputFiles', { files: [wide], backendNodeId: backendNodeId ?? 0 });
  await expect(chips.getByRole('listitem')).toHaveCount(3);
  await expect(chat.field).toBeFocused();
  await chips.getByRole('button', { name: 'Remove notes.txt 2' }).click();

  await chat.say('[[bench w_read id=w]] read these');
  await expect(chat.conversation.getByText('Seen.')).toBeVisible();
  await expect(chat.button(/^Remove /)).toHaveCount(0);
  await expect(chat.conversation.getByRole('listitem').filter({ hasText: 'notes.txt' })).toBeVisible();
  await chat.page.keyboard.press('Control+N');
  await expect(chat.conversation.getByText(/A new chat in/)).toBeVisible();
  await chat.say('[[bench w_read id=w]] read these');
  await expect(chat.conversation.getByText('Seen.')).toBeVisible();
  const [withFiles = 0, without = 0] = await bytesOfRequests(rig.port);
  expect(withFiles - without).toBeGreaterThan(5_400);
  await rig.stop();

  await drop(page, [other]);
  await expect(page.getByRole('button', { name: 'orchard', exact: true })).toBeVisible();
  await expect(chat.field).toHaveAttribute('placeholder', /orchard/);
});

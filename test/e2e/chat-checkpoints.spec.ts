// File checkpoints in the window: what turns changed, the list before anything is put back, and how far to go back.
import { AxeBuilder } from '@axe-core/playwright';
import type { CheckpointFile } from '../../src-main/contract/checkpoints.ts';
import { turnId } from '../helpers/fake-entries.ts';
import type { FakeContent } from '../helpers/fake-bridge.ts';
import { expect, test, type ChatPage } from './chat-page.ts';
import { stillPage } from './still-page.ts';

const file = (path: string, facts: Partial<CheckpointFile> = {}): CheckpointFile => ({
  ...{ path, change: 'changed', kind: 'file', added: 4, removed: 1, by: 'turn', again: false, blocked: null },
  ...facts,
});

const FILES = [
  file('src/checkout/open-cart.ts'),
  file('src/checkout/total.ts', { again: true, added: 12, removed: 3 }),
  file('assets/film.mov', { blocked: 'It is too large to be kept.', added: null, removed: null }),
  file('scripts/release.sh', { change: 'mode', added: null, removed: null }),
  file('docs/notes.md', { by: 'other', change: 'removed', added: 0, removed: 20 }),
];

const content: NonNullable<FakeContent['checkpoints']> = {
  list: {
    off: null,
    checkpoints: [
      { id: 'c3' as never, turnId: null, atMs: 3, text: '', changed: 2, skipped: 0, problem: null, open: false },
      {
        id: 'c2' as never,
        turnId: turnId('b'),
        atMs: 2,
        text: 'Round half cents up in the checkout total',
        changed: 4,
        skipped: 1,
        problem: null,
        open: false,
      },
      {
        id: null,
        turnId: turnId('a'),
        atMs: 1,
        text: 'Tidy the release script',
        changed: null,
        skipped: 0,
        problem: 'The disk that the checkpoints are on is almost full.',
        open: false,
      },
      {
        id: 'c0' as never,
        turnId: turnId('0'),
        atMs: 0,
        text: 'List the folder',
        changed: 0,
        skipped: 0,
        problem: null,
        open: false,
      },
    ],
  },
  changes: FILES.slice(0, 4),
  diff: '--- a/src/checkout/open-cart.ts\n+++ b/src/checkout/open-cart.ts\n@@ -1,2 +1,3 @@\n export const a = 1;\n-const b = 2;\n+const b = 3;\n+const c = 4;\n',
  plan: { problem: null, notes: [], shown: 'tree-1', files: FILES },
};

async function openChanges(chat: ChatPage, options: Parameters<ChatPage['open']>[0] = {}): Promise<void> {
  await chat.open(options);
  await chat.settle();
  await chat.page.evaluate((made) => {
    window.fake.content.checkpoints = made;
  }, content);
  const tab = chat.page.getByRole('tab', { name: /^Changes/ });
  if (!(await tab.isVisible())) await chat.page.getByRole('button', { name: /panel/i }).first().click();
  await tab.click();
}

test('TREE-14: turns that changed files are listed with their diffs; a file or a turn is put back after the list was shown', async ({
  chat,
}) => {
  await openChanges(chat);
  const turns = chat.page.getByRole('list', { name: 'Turns that changed files' });
  await expect(turns.getByRole('button', { name: /^Files were put back/ })).toBeVisible();
  await expect(turns.getByText('List the folder')).toHaveCount(0);
  await turns.getByRole('button', { name: /^Tidy the release script/ }).click();
  await expect(turns.getByText(/The files were not kept.*almost full/)).toBeVisible();
  await turns.getByRole('button', { name: /^Round half cents up/ }).click();
  await expect(turns.getByText('One file is too large or could not be read, and not kept.')).toBeVisible();
  await turns
    .getByRole('button', { name: /open-cart/ })
    .first()
    .click();
  await expect(chat.page.getByRole('region', { name: 'Change of src/checkout/open-cart.ts' })).toContainText(
    'const c = 4;',
  );

  await turns.getByRole('button', { name: 'Put src/checkout/open-cart.ts back to before this turn' }).click();
  const dialog = chat.page.getByRole('dialog');
  await expect
    .poll(() => chat.inputs('checkpoints.plan'))
    .toMatchObject([{ scope: { type: 'file', checkpointId: 'c2' } }]);
  await chat.page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  expect(await chat.inputs('checkpoints.restore')).toEqual([]);

  await turns.getByRole('button', { name: 'Put back…' }).click();
  // What was changed again since, what cannot go back and what others changed is not chosen by itself.
  await expect(dialog.getByRole('button', { name: 'Put 2 files back' })).toBeVisible();
  await expect(dialog.getByRole('checkbox', { name: /film\.mov/ })).toBeDisabled();
  await dialog.getByRole('checkbox', { name: /total\.ts/ }).check();
  await dialog.getByRole('button', { name: 'Put 3 files back' }).click();
  await expect(dialog).toHaveCount(0);
  await expect
    .poll(() => chat.inputs('checkpoints.restore'))
    .toMatchObject([
      {
        ...{ scope: { type: 'turn', checkpointId: 'c2' }, shown: 'tree-1' },
        paths: ['src/checkout/open-cart.ts', 'scripts/release.sh', 'src/checkout/total.ts'],
      },
    ]);
  await expect(chat.page.getByText('3 files put back.')).toBeVisible();
});

test('what is refused is told in the dialog, and nothing is closed', async ({ chat }) => {
  await openChanges(chat);
  await chat.fail('checkpoints.restore', {
    code: 'session.not-at-boundary',
    message: 'Another chat works in this folder.',
    retryable: true,
  });
  await chat.button(/^Round half cents up/).click();
  await chat.button('Everything since…').click();
  await chat.page
    .getByRole('dialog')
    .getByRole('button', { name: /^Put 3 files back/ })
    .click();
  await expect(chat.page.getByRole('dialog').getByText('Another chat works in this folder.')).toBeVisible();
});

test('R7: going back in the chat asks about the files first: chat, files or both, with the list, or why they cannot', async ({
  chat,
}) => {
  await openChanges(chat);
  const back = chat.button('Go back to before this message').first();
  const dialog = chat.page.getByRole('dialog');
  await back.focus();
  await chat.page.keyboard.press('Enter');
  await expect(dialog.getByRole('radio', { name: /^Chat and files/ })).toBeChecked();
  expect(await chat.inputs('sessions.rewind')).toEqual([]);
  await dialog.getByRole('button', { name: 'Go back, and put 3 files back' }).click();
  await expect(dialog).toHaveCount(0);
  expect(await chat.inputs('checkpoints.restore')).toMatchObject([{ scope: { type: 'before' }, shown: 'tree-1' }]);
  await expect.poll(() => chat.inputs('sessions.rewind')).toMatchObject([{ to: { type: 'before' } }]);

  await back.focus();
  await chat.page.keyboard.press('Enter');
  await dialog.getByRole('radio', { name: /^Files only/ }).check();
  await dialog.getByRole('button', { name: /^Go back, and put/ }).click();
  await expect(dialog).toHaveCount(0);
  expect(await chat.inputs('checkpoints.restore')).toHaveLength(2);
  expect(await chat.inputs('sessions.rewind')).toHaveLength(1);

  await chat.page.evaluate(() => {
    const made = window.fake.content.checkpoints;
    if (made)
      made.plan = {
        problem: 'What “x” changed in files cannot be taken back: no space.',
        notes: [],
        shown: '',
        files: [],
      };
  });
  await back.focus();
  await chat.page.keyboard.press('Enter');
  await expect(dialog.getByText(/cannot be taken back: no space/)).toBeVisible();
  await expect(dialog.getByRole('radio', { name: /^Chat and files/ })).toBeDisabled();
  await expect(dialog.getByRole('radio', { name: /^Chat only/ })).toBeChecked();
  await dialog.getByRole('button', { name: 'Go back', exact: true }).click();
  await expect.poll(() => chat.inputs('sessions.rewind')).toHaveLength(2);
});

test('the Data page counts kept files, and switches keeping them off', async ({ chat }) => {
  await chat.open();
  await chat.page.getByRole('button', { name: /^Settings/ }).click();
  await chat.page.getByRole('tab', { name: 'Data' }).click();
  await expect(chat.page.getByText('Files kept by file checkpoints')).toBeVisible();
  await expect(chat.page.getByText('33 MiB')).toBeVisible();
  await chat.page.getByRole('switch', { name: /^Keep files before a turn changes them/ }).click();
  await expect.poll(() => chat.inputs('settings.update')).toMatchObject([{ patch: { checkpoints: false } }]);
});

for (const theme of ['light', 'dark'] as const) {
  test(`axe finds nothing on turns and their files, the list before putting back, and going back (${theme})`, async ({
    chat,
  }, info) => {
    const scan = async (name: string): Promise<void> => {
      await stillPage(chat.page);
      const { violations } = await new AxeBuilder({ page: chat.page }).analyze();
      expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
      const shots = process.env['WARRANT_SHOTS'];
      if (shots)
        await chat.page.screenshot({
          path: `${shots}/${name}-${theme}-${info.workerIndex >= 0 ? size.width : ''}.png`,
        });
    };
    let size = { width: 1280, height: 800 };
    for (size of [size, { width: 900, height: 600 }]) {
      await openChanges(chat, { theme, ...size });
      await chat.button(/^Round half cents up/).click();
      await chat.page
        .getByRole('list', { name: 'Turns that changed files' })
        .getByRole('button', { name: /open-cart/ })
        .first()
        .click();
      await expect(chat.page.getByRole('region', { name: /^Change of/ }).first()).toBeVisible();
      await scan('turns');
      await chat.button('Put back…').click();
      await expect(chat.page.getByRole('dialog').getByText('changed again since')).toBeVisible();
      await scan('restore');
      await chat.page.keyboard.press('Escape');
      await expect(chat.page.getByRole('dialog', { name: 'Put back what this turn changed' })).toHaveCount(0);
      await chat.page.evaluate(() => {
        const made = window.fake.content.checkpoints;
        if (made)
          made.plan = {
            ...made.plan,
            notes: [
              'What “Tidy the release script” changed in files cannot be taken back: The disk that the checkpoints are on is almost full.',
            ],
          };
      });
      if (size.width < 1000) await chat.page.keyboard.press('Escape');
      const back = chat.button('Go back to before this message').first();
      await back.focus();
      await chat.page.keyboard.press('Enter');
      await expect(chat.page.getByRole('dialog').getByRole('radio', { name: /^Chat and files/ })).toBeChecked();
      await scan('go-back');
    }
  });
}

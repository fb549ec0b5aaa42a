// The panel in the window: what the chat may do, what changed, who allowed what.
import type { ChangedFile, LedgerRow } from '../../src-main/contract/session.ts';
import { callId, turnId } from '../helpers/fake-entries.ts';
import { expect, test } from './chat-page.ts';

const row = (index: number): LedgerRow => ({
  callId: callId(`l${index}`),
  turnId: turnId('t1'),
  seq: index,
  atMs: Date.parse('2026-03-12T10:00:00Z') + index * 1000,
  tool: index % 2 === 0 ? 'shell' : 'read_file',
  summary: index % 2 === 0 ? `Run echo ${index}` : `Read src/${index}.ts`,
  effects: [{ kind: 'command', target: `echo ${index}` }],
  decision: index % 5 === 0 ? 'deny' : 'run',
  by: index % 2 === 0 ? { who: 'person' } : { who: 'mode', mode: 'ask' },
  reason: '',
  lasting: 'once',
  digest: '9f1c44ab0d7e51c2',
  confined: true,
  changedByPerson: false,
  startedAtMs: 1,
  status: index % 5 === 0 ? 'denied' : 'ok',
  durationMs: 3,
});

const file: ChangedFile = {
  path: 'src/a.ts',
  added: 1,
  removed: 1,
  changes: [
    {
      callId: callId('c1'),
      atMs: 0,
      change: {
        path: 'src/a.ts',
        before: 'a',
        after: 'b',
        added: 1,
        removed: 1,
        diff: '@@ -1 +1 @@\n-const a = 1;\n+const a = 2;\n',
      },
    },
  ],
};

test('the authority reads as a document; a switch turns one tool off and leaves the others', async ({ chat }) => {
  await chat.open();
  const panel = chat.page.getByRole('complementary', { name: 'Authority, changes and ledger' });
  await expect(panel).toContainText(
    'In ~/shop this chat may read and search files; change files, asking each time; run commands, confined, asking each time. It may not use the network.',
  );
  await panel.getByRole('switch', { name: 'Run commands' }).click();
  await expect(panel).toContainText('It may not run commands and use the network.');
  const [input] = await chat.inputs('sessions.setEnabledTools');
  expect(input?.['tools']).toEqual(['read_file', 'list_directory', 'find_files', 'grep', 'write_file', 'edit_file']);
  await expect(chat.button(/^6 tools on/)).toBeVisible();
});

test('drift, an offered widening, grants and the exact snapshot are shown; updating asks main', async ({ chat }) => {
  await chat.open();
  await chat.setAuthority({
    drift: [{ change: 'altered', part: 'workspace', before: 'inode 1', after: 'inode 2', widens: false }],
    offer: [{ change: 'added', part: 'tool web_fetch', widens: true }],
    lapsedGrants: [{ tool: 'shell', covers: 'npm test', describes: 'this exact command' }],
  });
  const panel = chat.page.getByRole('complementary', { name: 'Authority, changes and ledger' });
  await expect(panel).toContainText('Altered workspace: inode 1 to inode 2');
  await expect(panel).toContainText('Added tool web_fetchallows more');
  await expect(panel).toContainText('ended when Warrant closed');
  await panel.getByRole('button', { name: 'Update this chat’s authority' }).click();
  await expect.poll(() => chat.inputs('sessions.updateAuthority')).toHaveLength(1);
  await panel.getByRole('button', { name: 'Show the exact snapshot' }).click();
  await expect(panel.getByRole('region', { name: 'Exact snapshot' })).toContainText('"guarantee": "descriptor"');
});

test('the ledger of 5,000 calls is drawn in part, filtered by who answered, and opens to the digest', async ({
  chat,
}) => {
  await chat.open();
  await chat.page.evaluate(
    ([rows, files]) => {
      window.fake.content.ledger = rows;
      window.fake.content.changes = [...files];
    },
    [Array.from({ length: 5000 }, (_, index) => row(index)), [file]] as const,
  );
  await chat.button('Allow once').click();
  await chat.page.getByRole('tab', { name: 'Ledger 5000' }).click();
  const rows = chat.page.getByRole('region', { name: 'Calls, newest first' }).getByRole('listitem');
  await expect(rows.first()).toContainText('Read src/4999.ts');
  await expect(rows.first()).toContainText('ask mode lets it run · done');
  expect(await rows.count()).toBeLessThan(60);
  await chat.page.getByRole('textbox', { name: 'Filter the ledger' }).fill('echo 4990');
  await expect(rows).toHaveCount(1);
  await rows.first().getByRole('button').click();
  await expect(rows.first()).toContainText('9f1c44ab0d7e51c2');
  await expect(rows.first()).toContainText('you denied it · not run');
  await chat.page.getByRole('tab', { name: 'Changes 1' }).click();
  await chat.button(/src\/a\.ts/).click();
  await expect(chat.page.getByRole('region', { name: 'Change of src/a.ts' }).locator('mark')).toHaveText(['1', '2']);
});
